#include <algorithm>
#include <cmath>

#include "mortise/geometry/geometry.h"

namespace mortise {

const PointCloud::Property* PointCloud::property(std::string_view name) const {
  for (const Property& candidate : properties)
    if (candidate.name == name) return &candidate;
  return nullptr;
}

Vector3d HeightmapShape::point(int column, int row) const {
  const auto along = [](double extent, int index, int count) {
    return count > 1 ? extent * (static_cast<double>(index) / (count - 1) - 0.5) : 0.0;
  };
  const std::size_t at =
      static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column);
  return X * Vector3d(along(size[0], column, columns), along(size[1], row, rows), heights[at]);
}

TriangleMesh HeightmapShape::surface() const {
  TriangleMesh mesh;
  mesh.vertices.reserve(heights.size());
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) mesh.vertices.push_back(point(column, row));
  if (rows < 2 || columns < 2) return mesh;
  mesh.triangles.reserve(2 * static_cast<std::size_t>(rows - 1) * static_cast<std::size_t>(columns - 1));
  for (int row = 0; row + 1 < rows; ++row)
    for (int column = 0; column + 1 < columns; ++column) {
      const int a = row * columns + column, b = a + 1, c = a + columns, d = c + 1;
      mesh.triangles.push_back({a, b, d});
      mesh.triangles.push_back({a, d, c});
    }
  return mesh;
}

double VolumeGrid::interpolate(const Vector3d& point) const {
  const Vector3d size = cellSize();
  int low[3], high[3];
  double weight[3];
  for (int axis = 0; axis < 3; ++axis) {
    const int last = cells[static_cast<std::size_t>(axis)] - 1;
    const double at = (point[axis] - min[axis]) / size[axis] - 0.5;
    // Also where `at` is not a number.
    const double clamped = at > 0 ? std::min(at, static_cast<double>(last)) : 0.0;
    low[axis] = std::min(static_cast<int>(clamped), std::max(last - 1, 0));
    high[axis] = std::min(low[axis] + 1, last);
    weight[axis] = clamped - low[axis];
  }
  const auto along = [](double a, double b, double t) { return a + t * (b - a); };
  const auto onZ = [&](int i, int j) { return along(value(i, j, low[2]), value(i, j, high[2]), weight[2]); };
  const auto onY = [&](int i) { return along(onZ(i, low[1]), onZ(i, high[1]), weight[1]); };
  return along(onY(low[0]), onY(high[0]), weight[0]);
}

}  // namespace mortise
