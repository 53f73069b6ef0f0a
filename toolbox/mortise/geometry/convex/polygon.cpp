#include "mortise/geometry/convex/polygon.h"

#include <Eigen/Geometry>
#include <cmath>

namespace mortise {

namespace {

using Vector2d = Eigen::Vector2d;

double turn(const Vector2d& a, const Vector2d& b, const Vector2d& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

/// Within or on the border of a counter-clockwise triangle.
bool within(const Vector2d& a, const Vector2d& b, const Vector2d& c, const Vector2d& p) {
  return turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
}

}  // namespace

Vector3d polygonNormal(const std::vector<Vector3d>& vertices) {
  Vector3d normal = Vector3d::Zero();
  if (vertices.empty()) return normal;
  // From a corner, so that polygons far from the origin keep their digits.
  const Vector3d& origin = vertices.front();
  for (std::size_t i = 0; i < vertices.size(); ++i)
    normal += (vertices[i] - origin).cross(vertices[(i + 1) % vertices.size()] - origin);
  return normal;
}

std::vector<std::array<int, 3>> triangulatePolygon(const std::vector<Vector3d>& vertices) {
  std::vector<std::array<int, 3>> triangles;
  if (vertices.size() < 3) return triangles;
  const Vector3d normal = polygonNormal(vertices);
  const double area = normal.norm();
  // A polygon without area is a fan of slivers: its edges still collide.
  const Vector3d up = area > 0 ? Vector3d(normal / area) : Vector3d::UnitZ();
  const Vector3d u = up.unitOrthogonal(), v = up.cross(u);
  std::vector<Vector2d> flat;
  flat.reserve(vertices.size());
  for (const Vector3d& p : vertices) flat.emplace_back(u.dot(p - vertices[0]), v.dot(p - vertices[0]));

  std::vector<int> ring(vertices.size());
  for (std::size_t i = 0; i < ring.size(); ++i) ring[i] = static_cast<int>(i);
  const auto at = [&](std::size_t i) -> const Vector2d& {
    return flat[static_cast<std::size_t>(ring[i % ring.size()])];
  };
  while (ring.size() > 3) {
    const std::size_t count = ring.size();
    std::size_t best = count;
    double bestShape = -1;
    for (std::size_t i = 0; i < count; ++i) {
      const Vector2d &a = at(i + count - 1), &b = at(i), &c = at(i + 1);
      const double twice = turn(a, b, c);
      if (twice < 0) continue;
      // The fattest ear first, so that slivers stay few.
      const double shape = twice / ((b - a).squaredNorm() + (c - b).squaredNorm() + (a - c).squaredNorm() + 1e-300);
      if (shape <= bestShape) continue;
      bool ear = true;
      for (std::size_t k = i + 2; ear && k < i + count - 1; ++k) {
        const Vector2d& p = at(k);
        if (p == a || p == b || p == c) continue;
        ear = !within(a, b, c, p);
      }
      if (!ear) continue;
      best = i;
      bestShape = shape;
    }
    // Without an ear the border crosses itself, or rounding hides it: any corner that turns the right way will do.
    if (best == count) {
      best = 0;
      for (std::size_t i = 1; i < count; ++i)
        if (turn(at(i + count - 1), at(i), at(i + 1)) > turn(at(best + count - 1), at(best), at(best + 1))) best = i;
    }
    triangles.push_back({ring[(best + count - 1) % count], ring[best], ring[(best + 1) % count]});
    ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(best));
  }
  triangles.push_back({ring[0], ring[1], ring[2]});
  return triangles;
}

}  // namespace mortise
