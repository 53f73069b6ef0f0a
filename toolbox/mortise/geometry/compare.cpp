#include "mortise/geometry/compare.h"

#include <type_traits>

namespace mortise {

namespace {

bool same(std::monostate, std::monostate) { return true; }
bool same(const PointShape& a, const PointShape& b) { return a.point == b.point; }
bool same(const SegmentShape& a, const SegmentShape& b) { return a.a == b.a && a.b == b.b; }
bool same(const TriangleShape& a, const TriangleShape& b) { return a.a == b.a && a.b == b.b && a.c == b.c; }
bool same(const PolygonShape& a, const PolygonShape& b) { return a.vertices == b.vertices; }
bool same(const SphereShape& a, const SphereShape& b) { return a.center == b.center && a.radius == b.radius; }
bool same(const AxisAlignedBoxShape& a, const AxisAlignedBoxShape& b) { return a.min == b.min && a.max == b.max; }
bool same(const BoxShape& a, const BoxShape& b) { return a.X == b.X && a.size == b.size; }
bool same(const EllipsoidShape& a, const EllipsoidShape& b) { return a.X == b.X && a.radii == b.radii; }
bool same(const CylinderShape& a, const CylinderShape& b) {
  return a.base == b.base && a.axis == b.axis && a.radius == b.radius && a.height == b.height;
}
bool same(const CapsuleShape& a, const CapsuleShape& b) { return a.a == b.a && a.b == b.b && a.radius == b.radius; }
bool same(const ConvexHullShape& a, const ConvexHullShape& b) { return a.points == b.points; }
bool same(const HeightmapShape& a, const HeightmapShape& b) {
  return a.X == b.X && a.columns == b.columns && a.rows == b.rows && a.size == b.size && a.heights == b.heights;
}

bool same(const VolumeGrid& a, const VolumeGrid& b) {
  return a.X == b.X && a.min == b.min && a.max == b.max && a.cells == b.cells && a.values == b.values;
}
bool same(const ImplicitSurfaceShape& a, const ImplicitSurfaceShape& b) {
  return same(a.grid, b.grid) && a.truncation == b.truncation;
}
bool same(const OccupancyGridShape& a, const OccupancyGridShape& b) {
  return same(a.grid, b.grid) && a.threshold == b.threshold;
}

bool same(const PointCloud& a, const PointCloud& b) {
  if (a.points != b.points || a.columns != b.columns || a.rows != b.rows) return false;
  if (a.properties.size() != b.properties.size()) return false;
  for (std::size_t i = 0; i < a.properties.size(); ++i)
    if (a.properties[i].name != b.properties[i].name || a.properties[i].values != b.properties[i].values) return false;
  return true;
}

bool near(const Vector3d& a, const Vector3d& b, double tolerance) {
  return a == b || ((a - b).array().abs() <= tolerance * a.array().abs().max(b.array().abs()).max(1.0)).all();
}

bool same(const TriangleMesh& a, const TriangleMesh& b, double tolerance) {
  if (a.triangles.size() != b.triangles.size()) return false;
  if (a.triangles.empty()) return a.vertices == b.vertices;
  for (std::size_t i = 0; i < a.triangles.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      if (!near(a.vertices[static_cast<std::size_t>(a.triangles[i][k])],
                b.vertices[static_cast<std::size_t>(b.triangles[i][k])], tolerance))
        return false;
  return true;
}

bool same(const GeometryGroup& a, const GeometryGroup& b, double tolerance) {
  if (a.parts.size() != b.parts.size()) return false;
  for (std::size_t i = 0; i < a.parts.size(); ++i)
    if (!sameShape(a.parts[i], b.parts[i], tolerance)) return false;
  return true;
}

}  // namespace

bool sameShape(const Geometry& a, const Geometry& b, double vertexTolerance) {
  if (a.margin() != b.margin()) return false;
  if (&a.data() == &b.data()) return true;
  return std::visit(
      [vertexTolerance](const auto& x, const auto& y) {
        if constexpr (!std::is_same_v<decltype(x), decltype(y)>)
          return false;
        else if constexpr (requires { same(x, y, vertexTolerance); })
          return same(x, y, vertexTolerance);
        else
          return same(x, y);
      },
      a.data(), b.data());
}

bool sameShape(const GeometryPtr& a, const GeometryPtr& b, double vertexTolerance) {
  if (!a || !b) return (!a || a->empty()) && (!b || b->empty());
  return a == b || sameShape(*a, *b, vertexTolerance);
}

}  // namespace mortise
