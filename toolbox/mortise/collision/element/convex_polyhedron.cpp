#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

#include "mortise/geometry/convex/convex_element.h"
#include "mortise/geometry/convex/convex_hull.h"

namespace mortise {

namespace {

/// Below this many corners looking at each is faster than walking, and sure to find the farthest.
constexpr std::size_t kFewCorners = 40;

/// Corners of a flat set in order around it, with triangles on both sides.
TriangleMesh twoSided(const std::vector<Vector3d>& points) {
  TriangleMesh mesh;
  mesh.vertices = hullCorners(points, std::numeric_limits<int>::max());
  const int count = static_cast<int>(mesh.vertices.size());
  for (int i = 1; i + 1 < count; ++i) mesh.triangles.push_back({0, i, i + 1});
  for (int i = 1; i + 1 < count; ++i) mesh.triangles.push_back({0, i + 1, i});
  return mesh;
}

}  // namespace

ConvexPolyhedron ConvexPolyhedron::of(const std::vector<Vector3d>& points) {
  ConvexPolyhedron result;
  if (points.empty()) return result;
  const auto hull = convexHull(points);
  TriangleMesh mesh = hull ? *hull : twoSided(points);
  result.solid = hull.has_value();
  result.vertices = std::move(mesh.vertices);
  const std::size_t count = result.vertices.size();
  for (const Vector3d& v : result.vertices) result.center += v / static_cast<double>(count);

  std::vector<std::vector<int>> around(count);
  for (const auto& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k)
      for (const int other : {t[(k + 1) % 3], t[(k + 2) % 3]})
        if (auto& list = around[static_cast<std::size_t>(t[k])];
            std::find(list.begin(), list.end(), other) == list.end())
          list.push_back(other);
  result.firstNeighbor.push_back(0);
  for (auto& list : around) {
    std::sort(list.begin(), list.end());
    result.neighbors.insert(result.neighbors.end(), list.begin(), list.end());
    result.firstNeighbor.push_back(static_cast<int>(result.neighbors.size()));
  }

  for (const auto& t : mesh.triangles) {
    const Vector3d& a = result.vertices[static_cast<std::size_t>(t[0])];
    const Vector3d cross = (result.vertices[static_cast<std::size_t>(t[1])] - a)
                               .cross(result.vertices[static_cast<std::size_t>(t[2])] - a);
    const double length = cross.norm();
    if (!(length > 0)) continue;
    const Vector3d normal = cross / length;
    // Rounding in the hull's construction must not leave a corner outside.
    double offset = normal.dot(a);
    for (const Vector3d& v : result.vertices) offset = std::max(offset, normal.dot(v));
    result.triangles.push_back(t);
    result.normals.push_back(normal);
    result.offsets.push_back(offset);
  }
  return result;
}

int ConvexPolyhedron::support(const Vector3d& direction, int start) const {
  if (vertices.size() <= kFewCorners) {
    std::size_t best = 0;
    double maximum = direction.dot(vertices[0]);
    for (std::size_t i = 1; i < vertices.size(); ++i)
      if (const double along = direction.dot(vertices[i]); along > maximum) {
        maximum = along;
        best = i;
      }
    return static_cast<int>(best);
  }
  int best = start >= 0 && static_cast<std::size_t>(start) < vertices.size() ? start : 0;
  double maximum = direction.dot(vertices[static_cast<std::size_t>(best)]);
  for (bool climbing = true; climbing;) {
    climbing = false;
    const std::size_t from = static_cast<std::size_t>(best);
    for (int k = firstNeighbor[from]; k < firstNeighbor[from + 1]; ++k) {
      const int candidate = neighbors[static_cast<std::size_t>(k)];
      const double along = direction.dot(vertices[static_cast<std::size_t>(candidate)]);
      if (along > maximum) {
        maximum = along;
        best = candidate;
        climbing = true;
      }
    }
  }
  return best;
}

}  // namespace mortise
