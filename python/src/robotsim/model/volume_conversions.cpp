#include "robotsim/model/volume_conversions.h"

#include <cmath>
#include <stdexcept>

#include "mortise/geometry/convert.h"
#include "mortise/geometry/grids/implicit_mesh.h"

namespace mortise::robotsim {

namespace {

/// Cells of about the same size in the same box; 0 keeps those that there are.
VolumeGrid resampled(const VolumeGrid& grid, double resolution) {
  if (!(resolution > 0)) return grid;
  VolumeGrid result = grid;
  for (int a = 0; a < 3; ++a) {
    const double cells = std::max(1.0, std::round((grid.max[a] - grid.min[a]) / resolution));
    if (!(cells < 2000)) throw std::runtime_error("the resolution is too fine for the size of the grid");
    result.cells[static_cast<std::size_t>(a)] = static_cast<int>(cells);
  }
  result.values.clear();
  for (int i = 0; i < result.cells[0]; ++i)
    for (int j = 0; j < result.cells[1]; ++j)
      for (int k = 0; k < result.cells[2]; ++k) result.values.push_back(grid.interpolate(result.center(i, j, k)));
  return result;
}

/// The middles of the cells whose number `holds`.
template <typename Holds>
PointCloud centers(const VolumeGrid& grid, const Holds& holds) {
  PointCloud cloud;
  for (int i = 0; i < grid.cells[0]; ++i)
    for (int j = 0; j < grid.cells[1]; ++j)
      for (int k = 0; k < grid.cells[2]; ++k)
        if (holds(grid.value(i, j, k))) cloud.points.push_back(grid.X * grid.center(i, j, k));
  return cloud;
}

GeometryPtr ofField(const ImplicitSurfaceShape& field, const std::string& name, double parameter, double margin) {
  if (name == "TriangleMesh") {
    ImplicitSurfaceShape level = field;
    for (double& value : level.grid.values) value -= parameter;
    return std::make_shared<Geometry>(implicitSurfaceMesh(level), margin);
  }
  if (name == "PointCloud")
    return std::make_shared<Geometry>(centers(field.grid, [&](double value) { return value <= parameter; }), margin);
  if (name == "ImplicitSurface")
    return std::make_shared<Geometry>(ImplicitSurfaceShape{resampled(field.grid, parameter), field.truncation}, margin);
  if (name != "OccupancyGrid") return nullptr;
  OccupancyGridShape cells{resampled(field.grid, parameter)};
  for (double& value : cells.grid.values) value = value <= 0 ? 1 : 0;
  return std::make_shared<Geometry>(std::move(cells), margin);
}

GeometryPtr ofCells(const OccupancyGridShape& cells, const std::string& name, double parameter, double margin) {
  if (name == "PointCloud")
    return std::make_shared<Geometry>(centers(cells.grid, [&](double value) { return value > cells.threshold; }),
                                      margin);
  if (name == "OccupancyGrid")
    return std::make_shared<Geometry>(OccupancyGridShape{resampled(cells.grid, parameter), cells.threshold}, margin);
  return nullptr;
}

}  // namespace

GeometryPtr convertedVolume(const Geometry& geometry, const std::string& name, double parameter) {
  const auto* field = geometry.as<ImplicitSurfaceShape>();
  const auto* cells = geometry.as<OccupancyGridShape>();
  if (field == nullptr && cells == nullptr) return nullptr;
  return field != nullptr ? ofField(*field, name, parameter, geometry.margin())
                          : ofCells(*cells, name, parameter, geometry.margin());
}

double cellSizeOf(const Geometry& geometry) {
  if (const auto* field = geometry.as<ImplicitSurfaceShape>()) return field->grid.cellSize().minCoeff();
  if (const auto* cells = geometry.as<OccupancyGridShape>()) return cells->grid.cellSize().minCoeff();
  return 0;
}

}  // namespace mortise::robotsim
