#include "cloud/heightmap_format.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "common/gray_image.h"
#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/json/json_writer.h"
#include "mortise/text/article.h"

namespace mortise::io {

namespace {

double finite(const Value& map, std::string_view key) {
  const Value& value = map.at(key);
  const double number = value.asReal();
  if (!std::isfinite(number)) throw Error("'" + std::string(key) + "' must be finite", value.position());
  return number;
}

std::vector<double> finite(const Value& map, std::string_view key, std::size_t count) {
  const Value& value = map.at(key);
  const std::vector<double> numbers = value.asReals();
  if (numbers.size() != count)
    throw Error("'" + std::string(key) + "' must be " + std::to_string(count) + " numbers", value.position());
  for (const double number : numbers)
    if (!std::isfinite(number)) throw Error("'" + std::string(key) + "' must be finite", value.position());
  return numbers;
}

}  // namespace

HeightmapShape readHeightmap(const TextFile& file, std::string_view json, ReadContext& context) {
  const Value map = parseYaml(json, file.path());
  if (!map.isMap() || map.string("type", "") != "Heightmap")
    throw Error("not a heightmap: its 'type' is not \"Heightmap\"",
                map.position().known() ? map.position() : inFile(file.path()));
  if (const Value* angle = map.find("xfov"))
    throw Error("perspective depth maps cannot be held", angle->position(), "convert it to a point cloud (.pcd)");
  HeightmapShape shape;
  shape.size = {finite(map, "xsize"), finite(map, "ysize")};
  for (int i = 0; i < 2; ++i)
    if (!(shape.size[static_cast<std::size_t>(i)] > 0))
      throw Error("the size of a heightmap must be positive", map.at(i == 0 ? "xsize" : "ysize").position());
  if (map.contains("offset")) {
    const std::vector<double> offset = finite(map, "offset", 3);
    shape.X.p = Vector3d(offset[0], offset[1], offset[2]);
  }
  const std::vector<double> range = finite(map, "height_range", 2);
  const Value& reference = map.at("heights");
  std::string path;
  try {
    path = context.loader.find(reference.asString(), context.path);
  } catch (const Error& error) {
    throw Error(error.message(), reference.position(), error.hint());
  }
  const GrayImage image = readGrayImage(path);
  shape.columns = image.width;
  shape.rows = image.height;
  shape.heights.reserve(image.pixels.size());
  for (int row = image.height - 1; row >= 0; --row)
    for (int column = 0; column < image.width; ++column)
      shape.heights.push_back(range[0] + (range[1] - range[0]) * image.at(column, row));
  return shape;
}

double HeightmapFormat::probe(std::string_view, std::string_view head) const {
  return head.find("\"Heightmap\"") != std::string_view::npos ? 1 : 0;
}

GeometryPtr HeightmapFormat::readGeometry(ReadContext& context) {
  const TextFile file(context.path, context.content());
  return std::make_shared<Geometry>(readHeightmap(file, file.text(), context), 0, context.path);
}

void HeightmapFormat::writeGeometry(const Geometry& geometry, const std::string& path) {
  const auto* map = geometry.as<HeightmapShape>();
  if (map == nullptr)
    throw Error(withArticle(geometry.typeName()) + " is not a heightmap", inFile(path),
                "meshes are written to .off, .obj, .stl, .ply or .tri");
  if (!map->X.R.isIdentity(1e-12))
    throw Error("a heightmap that is turned cannot be written: the format knows a shift alone", inFile(path),
                "write its surface to .off, .obj, .stl, .ply or .tri");
  const auto [low, high] = std::minmax_element(map->heights.begin(), map->heights.end());
  if (low == map->heights.end()) throw Error("a heightmap without heights cannot be written", inFile(path));
  const double range = *high - *low;
  std::vector<std::uint16_t> samples;
  samples.reserve(map->heights.size());
  for (int row = map->rows - 1; row >= 0; --row)
    for (int column = 0; column < map->columns; ++column) {
      const double height = map->heights[static_cast<std::size_t>(row) * static_cast<std::size_t>(map->columns) +
                                         static_cast<std::size_t>(column)];
      samples.push_back(range > 0 ? static_cast<std::uint16_t>(std::lround(65535 * (height - *low) / range)) : 0);
    }
  const std::size_t slash = path.find_last_of('/') + 1, dot = path.find_last_of('.');
  const std::string image = path.substr(0, dot > slash ? dot : path.size()) + ".png";
  Value info = Value::map();
  info.set("type", "Heightmap");
  info.set("xsize", map->size[0]);
  info.set("ysize", map->size[1]);
  info.set("offset", std::vector<double>{map->X.p.x(), map->X.p.y(), map->X.p.z()});
  info.set("height_range", std::vector<double>{*low, *high});
  info.set("heights", image.substr(slash));
  writeFile(image, grayPng(map->columns, map->rows, samples));
  writeFile(path, toJson(info) + "\n");
}

void HeightmapFormat::reportLosses(const Geometry& geometry, WriteContext& context) const {
  const std::vector<double>& heights = geometry.as<HeightmapShape>()->heights;
  const auto [low, high] = std::minmax_element(heights.begin(), heights.end());
  const double step = (*high - *low) / 65535;
  const bool rounded = step > 0 && std::any_of(heights.begin(), heights.end(), [low = *low, step](double height) {
                         const double steps = (height - low) / step;
                         return std::abs(steps - std::round(steps)) > 1e-6;
                       });
  if (rounded)
    context.diagnostics.warning("the image holds heights in steps of " + formatReal(step, 3) + " m: they are rounded",
                                inFile(context.path), "write its surface to .off to keep every digit");
}

}  // namespace mortise::io
