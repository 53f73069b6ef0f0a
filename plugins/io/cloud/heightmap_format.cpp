#include "cloud/heightmap_format.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

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

/// `orientation`: the rows of a rotation matrix.
Matrix3d orientation(const Value& map) {
  const Value* given = map.find("orientation");
  if (given == nullptr) return Matrix3d::Identity();
  Matrix3d R;
  const bool rows = given->isList() && given->size() == 3;
  for (int i = 0; rows && i < 3; ++i) {
    const std::vector<double> row = given->items()[static_cast<std::size_t>(i)].asReals();
    if (row.size() == 3)
      R.row(i) = Eigen::RowVector3d(row[0], row[1], row[2]);
    else
      R.row(i).setConstant(NAN);
  }
  if (!rows || !R.allFinite() || !(R.transpose() * R).isIdentity(1e-6) || R.determinant() < 0)
    throw Error("'orientation' is no rotation matrix", given->position(),
                "write its three rows, each a list of three numbers");
  return R;
}

/// Reads the pose of the viewport.
RigidTransform poseOf(const Value& map) {
  RigidTransform X;
  X.R = orientation(map);
  if (map.contains("offset")) {
    const std::vector<double> offset = finite(map, "offset", 3);
    X.p = Vector3d(offset[0], offset[1], offset[2]);
  }
  return X;
}

/// The numbers of the image that `heights` names, row by row from the lowest.
struct Samples {
  int columns = 0, rows = 0;
  std::vector<double> values;
};

Samples readSamples(const Value& map, ReadContext& context) {
  const std::vector<double> range = finite(map, "height_range", 2);
  const Value& reference = map.at("heights");
  std::string path;
  try {
    path = context.loader.find(reference.asString(), context.path);
  } catch (const Error& error) {
    throw Error(error.message(), reference.position(), error.hint());
  }
  const GrayImage image = readGrayImage(path);
  Samples samples{image.width, image.height, {}};
  samples.values.reserve(image.pixels.size());
  for (int row = image.height - 1; row >= 0; --row)
    for (int column = 0; column < image.width; ++column)
      samples.values.push_back(range[0] + (range[1] - range[0]) * image.at(column, row));
  return samples;
}

/// Half the extent of the view at depth 1. An angle counts from the middle of the first pixel to that of the last.
double halfExtent(const Value& map, const char* key) {
  const double angle = finite(map, key);
  if (!(angle > 0 && angle < std::numbers::pi))
    throw Error("'" + std::string(key) + "' must be an angle between 0 and pi", map.at(key).position());
  return std::tan(0.5 * angle);
}

/// The surface that a pinhole at the viewport's origin sees along z, x to the right and y with the rows: depths are
/// along z, and pixels without depth (0) leave holes. Triangles face the pinhole.
TriangleMesh seenSurface(const Value& map, ReadContext& context) {
  const double halfX = halfExtent(map, "xfov");
  const Samples depths = readSamples(map, context);
  const int columns = depths.columns, rows = depths.rows;
  if (columns < 2 || rows < 2)
    throw Error("a depth map needs two columns and two rows or more", map.at("heights").position());
  const double halfY = map.real("yfov", 0) == 0 ? halfX * (rows - 1) / (columns - 1) : halfExtent(map, "yfov");
  const RigidTransform X = poseOf(map);
  TriangleMesh mesh;
  std::vector<int> vertexAt(depths.values.size(), -1);
  const auto at = [&](int i, int j) { return static_cast<std::size_t>(j) * columns + static_cast<std::size_t>(i); };
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      const double depth = depths.values[at(i, j)];
      if (!(depth > 0)) continue;
      vertexAt[at(i, j)] = static_cast<int>(mesh.vertices.size());
      mesh.vertices.push_back(
          X * (depth * Vector3d(halfX * (2.0 * i / (columns - 1) - 1), halfY * (2.0 * j / (rows - 1) - 1), 1)));
    }
  const auto add = [&](int a, int b, int c) {
    if (a >= 0 && b >= 0 && c >= 0) mesh.triangles.push_back({a, b, c});
  };
  for (int j = 0; j + 1 < rows; ++j)
    for (int i = 0; i + 1 < columns; ++i) {
      const int a = vertexAt[at(i, j)], b = vertexAt[at(i + 1, j)], c = vertexAt[at(i + 1, j + 1)],
                d = vertexAt[at(i, j + 1)];
      add(a, c, b);
      add(a, d, c);
    }
  if (mesh.triangles.empty())
    throw Error("the depth map shows nothing: no three pixels beside each other have a depth above 0",
                map.at("heights").position(), "look at 'height_range', the depths of black and white");
  return mesh;
}

HeightmapShape elevations(const Value& map, ReadContext& context) {
  HeightmapShape shape;
  shape.size = {finite(map, "xsize"), finite(map, "ysize")};
  for (int i = 0; i < 2; ++i)
    if (!(shape.size[static_cast<std::size_t>(i)] > 0))
      throw Error("the size of a heightmap must be positive", map.at(i == 0 ? "xsize" : "ysize").position());
  shape.X = poseOf(map);
  Samples heights = readSamples(map, context);
  shape.columns = heights.columns;
  shape.rows = heights.rows;
  shape.heights = std::move(heights.values);
  return shape;
}

}  // namespace

Geometry::Data readHeightmap(const TextFile& file, std::string_view json, ReadContext& context) {
  const Value map = parseYaml(json, file.path());
  if (!map.isMap() || map.string("type", "") != "Heightmap")
    throw Error("not a heightmap: its 'type' is not \"Heightmap\"",
                map.position().known() ? map.position() : inFile(file.path()));
  // The size counts where both are given, as in Klamp't.
  if (!map.contains("xsize") && map.contains("xfov")) return seenSurface(map, context);
  return elevations(map, context);
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
  if (!map->X.R.isIdentity(1e-12)) {
    Value rows = Value::list();
    for (int i = 0; i < 3; ++i)
      rows.push_back(Value(std::vector<double>{map->X.R(i, 0), map->X.R(i, 1), map->X.R(i, 2)}));
    info.set("orientation", std::move(rows));
  }
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
