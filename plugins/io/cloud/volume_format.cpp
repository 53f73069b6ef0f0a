#include "cloud/volume_format.h"

#include <cmath>
#include <string>

#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/text/article.h"

namespace mortise::io {

namespace {

/// Says whether the file begins as a grid does: with numbers, not with the XML of the robots that are called .sdf too.
double resemblesVolume(std::string_view head) {
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return 0;
  const char c = head[first];
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' ? 0.9 : 0;
}

}  // namespace

VolumeGrid readVolume(const TextFile& file, Cursor& cursor) {
  VolumeGrid grid;
  cursor.skipSpace();
  const std::size_t begin = cursor.offset();
  for (Vector3d* corner : {&grid.min, &grid.max})
    for (int i = 0; i < 3; ++i) (*corner)[i] = cursor.finite("a coordinate of the grid's box");
  if (!(grid.min.array() < grid.max.array()).all())
    throw Error("the upper corner of the grid's box is not above the lower one", file.position(begin),
                "give the lower corner, then the upper one");
  cursor.skipSpace();
  const std::size_t counts = cursor.offset();
  double total = 1;
  for (int& count : grid.cells) {
    count = cursor.integer("the number of cells along an axis");
    if (count < 1) throw Error("a grid has " + std::to_string(count) + " cells along one axis", file.position(counts));
    total *= count;
  }
  // A digit and a blank for each, but the last may end the file.
  if (2 * total > static_cast<double>(cursor.remaining()) + 1)
    throw Error("the grid claims " + formatReal(total) + " cells, more than the file can hold", file.position(counts),
                "is the file cut off?");
  grid.values.reserve(static_cast<std::size_t>(total));
  for (std::size_t i = 0; i < static_cast<std::size_t>(total); ++i)
    grid.values.push_back(cursor.finite("the number of a cell"));
  return grid;
}

void writeVolume(const VolumeGrid& grid, const std::string& path, GeometryText& text) {
  if (!grid.X.R.isIdentity(1e-12))
    throw Error("a volume grid that is turned cannot be written: its cells run along the axes", inFile(path),
                "turn it back, or convert it to a mesh");
  text.vector(grid.min + grid.X.p).vector(grid.max + grid.X.p).endLine();
  text.integer(grid.cells[0]).integer(grid.cells[1]).integer(grid.cells[2]).endLine();
  std::size_t at = 0;
  for (int i = 0; i < grid.cells[0]; ++i)
    for (int j = 0; j < grid.cells[1]; ++j) {
      for (int k = 0; k < grid.cells[2]; ++k) text.real(grid.values[at++]);
      text.endLine();
    }
}

namespace {

template <typename Shape>
GeometryPtr readShape(ReadContext& context) {
  const TextFile file(context.path, context.content());
  Cursor cursor(file);
  Shape shape;
  shape.grid = readVolume(file, cursor);
  if (cursor.skipSpace()) context.diagnostics.warning("what follows the grid is ignored", cursor.position());
  return std::make_shared<Geometry>(std::move(shape), 0, context.path);
}

template <typename Shape>
void writeVolume(const Geometry& geometry, const std::string& path, const char* name, const char* hint) {
  const auto* shape = geometry.as<Shape>();
  if (!shape) throw Error(withArticle(geometry.typeName()) + " is not an " + name, inFile(path), hint);
  GeometryText text;
  writeVolume(shape->grid, path, text);
  writeFile(path, text.take());
}

}  // namespace

double ImplicitSurfaceFormat::probe(std::string_view, std::string_view head) const { return resemblesVolume(head); }
GeometryPtr ImplicitSurfaceFormat::readGeometry(ReadContext& context) {
  return readShape<ImplicitSurfaceShape>(context);
}
void ImplicitSurfaceFormat::writeGeometry(const Geometry& geometry, const std::string& path) {
  writeVolume<ImplicitSurfaceShape>(geometry, path, "implicit surface",
                                    "occupancy grids are written to .occ, meshes to .off");
}

double OccupancyGridFormat::probe(std::string_view, std::string_view head) const { return resemblesVolume(head); }
GeometryPtr OccupancyGridFormat::readGeometry(ReadContext& context) { return readShape<OccupancyGridShape>(context); }
void OccupancyGridFormat::writeGeometry(const Geometry& geometry, const std::string& path) {
  if (const auto* shape = geometry.as<OccupancyGridShape>(); shape && shape->threshold != 0.5) {
    // The file has no place for another threshold: what it decides is written instead.
    OccupancyGridShape decided = *shape;
    for (double& value : decided.grid.values) value = value > shape->threshold ? 1 : 0;
    decided.threshold = 0.5;
    return writeVolume<OccupancyGridShape>(Geometry(std::move(decided)), path, "", "");
  }
  writeVolume<OccupancyGridShape>(geometry, path, "occupancy grid",
                                  "implicit surfaces are written to .vol, meshes to .off");
}

void ImplicitSurfaceFormat::reportLosses(const Geometry& geometry, WriteContext& context) const {
  if (const auto* shape = geometry.as<ImplicitSurfaceShape>(); shape && std::isfinite(shape->truncation))
    context.diagnostics.warning("the file does not hold that distances end at " + formatReal(shape->truncation) +
                                    " m: those are read back as exact ones",
                                inFile(context.path), "make the grid without a truncation");
}

void OccupancyGridFormat::reportLosses(const Geometry& geometry, WriteContext& context) const {
  if (const auto* shape = geometry.as<OccupancyGridShape>(); shape && shape->threshold != 0.5)
    context.diagnostics.warning("the file holds no threshold: the numbers of cells become 1 above " +
                                    formatReal(shape->threshold) + " and 0 below",
                                inFile(context.path), "scale the numbers so that the threshold is 0.5");
}

}  // namespace mortise::io
