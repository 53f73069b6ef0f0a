#include "mortise/geometry/convex/planar_face.h"

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <map>

#include "mortise/geometry/convex/convex_hull.h"
#include "mortise/geometry/convex/element_cores.h"
#include "mortise/math/rotation.h"

namespace mortise {

namespace {

using Triangle = std::array<int, 3>;

/// For each vertex the first one in the same place.
std::vector<int> firstInPlace(const std::vector<Vector3d>& vertices) {
  std::map<std::array<double, 3>, int> places;
  std::vector<int> first(vertices.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vector3d& p = vertices[i];
    // Adding zero makes one of the two zeros.
    first[i] = places.try_emplace({p.x() + 0.0, p.y() + 0.0, p.z() + 0.0}, static_cast<int>(i)).first->second;
  }
  return first;
}

/// Triangles by the edges that they have in common, edges named by their welded ends in ascending order.
std::map<std::pair<int, int>, std::vector<int>> trianglesByEdge(const std::vector<Triangle>& triangles,
                                                                const std::vector<int>& candidates,
                                                                const std::vector<int>& first) {
  std::map<std::pair<int, int>, std::vector<int>> edges;
  for (const int t : candidates)
    for (std::size_t k = 0; k < 3; ++k) {
      const Triangle& corners = triangles[static_cast<std::size_t>(t)];
      const int a = first[static_cast<std::size_t>(corners[k])],
                b = first[static_cast<std::size_t>(corners[(k + 1) % 3])];
      edges[std::minmax(a, b)].push_back(t);
    }
  return edges;
}

const Vector3d& cornerOf(const TriangleMesh& mesh, int t, std::size_t k) {
  return mesh.vertices[static_cast<std::size_t>(mesh.triangles[static_cast<std::size_t>(t)][k])];
}

Vector3d unitNormal(const TriangleMesh& mesh, int t) {
  const Vector3d& a = cornerOf(mesh, t, 0);
  return (cornerOf(mesh, t, 1) - a).cross(cornerOf(mesh, t, 2) - a).normalized();
}

/// Returns the triangle nearest to a point of those whose normal, or its opposite, is about `wanted`; -1: there is
/// none.
int nearestTriangle(const TriangleMesh& mesh, const Vector3d& point, const Vector3d& wanted, double cosine) {
  int seed = -1;
  double nearest = std::numeric_limits<double>::infinity();
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) {
    if (!(std::abs(unitNormal(mesh, t).dot(wanted)) >= cosine)) continue;
    ElementFeature feature;
    const double distance =
        (nearestOnTriangle(cornerOf(mesh, t, 0), cornerOf(mesh, t, 1), cornerOf(mesh, t, 2), point, feature) - point)
            .squaredNorm();
    if (distance < nearest) {
      nearest = distance;
      seed = t;
    }
  }
  return seed;
}

}  // namespace

std::vector<Vector3d> planarFace(const TriangleMesh& mesh, const Vector3d& point, const Vector3d& normal,
                                 const PlanarFaceOptions& options) {
  const auto corner = [&](int t, std::size_t k) -> const Vector3d& { return cornerOf(mesh, t, k); };
  const double cosine = std::cos(options.angle);
  const Vector3d wanted = normal.normalized();
  const int seed = nearestTriangle(mesh, point, wanted, cosine);
  if (seed < 0) return {};
  Vector3d n = unitNormal(mesh, seed);
  if (n.dot(wanted) < 0) n = -n;
  const Vector3d origin = corner(seed, 0);
  std::vector<int> coplanar;
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) {
    if (!(std::abs(unitNormal(mesh, t).dot(n)) >= cosine)) continue;
    bool within = true;
    for (std::size_t k = 0; k < 3; ++k) within &= std::abs((corner(t, k) - origin).dot(n)) <= options.distance;
    if (within) coplanar.push_back(t);
  }
  const std::vector<int> first = firstInPlace(mesh.vertices);
  const auto edges = trianglesByEdge(mesh.triangles, coplanar, first);
  std::vector<char> reached(mesh.triangles.size(), 0);
  std::vector<int> open = {seed};
  reached[static_cast<std::size_t>(seed)] = 1;
  // Coordinates in the plane.
  const Vector3d x = n.unitOrthogonal(), y = n.cross(x);
  std::vector<Eigen::Vector2d> corners;
  while (!open.empty()) {
    const int t = open.back();
    open.pop_back();
    const Triangle& own = mesh.triangles[static_cast<std::size_t>(t)];
    for (std::size_t k = 0; k < 3; ++k) {
      const Vector3d offset = corner(t, k) - origin;
      corners.emplace_back(offset.dot(x), offset.dot(y));
      const int a = first[static_cast<std::size_t>(own[k])], b = first[static_cast<std::size_t>(own[(k + 1) % 3])];
      for (const int next : edges.at(std::minmax(a, b))) {
        if (reached[static_cast<std::size_t>(next)]) continue;
        reached[static_cast<std::size_t>(next)] = 1;
        open.push_back(next);
      }
    }
  }
  std::vector<Vector3d> face;
  for (const int i : planarHull(corners, options.distance)) {
    const Eigen::Vector2d& at = corners[static_cast<std::size_t>(i)];
    face.emplace_back(origin + at.x() * x + at.y() * y);
  }
  return face;
}

}  // namespace mortise
