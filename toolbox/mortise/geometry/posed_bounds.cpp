#include "mortise/geometry/posed_bounds.h"

#include <cmath>

#include "mortise/base/interruption.h"
#include "mortise/geometry/convex/shape_elements.h"
#include "mortise/geometry/grids/implicit_mesh.h"

namespace mortise {

namespace {

void includeBounds(const AxisAlignedBounds& other, AxisAlignedBounds& bounds) {
  if (other.empty()) return;
  bounds.include(other.min);
  bounds.include(other.max);
}

AxisAlignedBounds widened(AxisAlignedBounds bounds, double margin) {
  if (bounds.empty()) return bounds;
  bounds.min.array() -= margin;
  bounds.max.array() += margin;
  return bounds;
}

bool sound(double margin) { return margin >= 0 && std::isfinite(margin); }

/// Finds the bounds of the corners that triangles have; false where something is wrong with the mesh.
bool meshBounds(const TriangleMesh& mesh, const RigidTransform& X, AxisAlignedBounds& bounds) {
  InterruptionPoints points;
  for (const auto& triangle : mesh.triangles) {
    points.pass();
    for (const int corner : triangle) {
      if (corner < 0 || static_cast<std::size_t>(corner) >= mesh.vertices.size()) return false;
      const Vector3d& vertex = mesh.vertices[static_cast<std::size_t>(corner)];
      if (!vertex.allFinite()) return false;
      bounds.include(X * vertex);
    }
  }
  return true;
}

/// All points of a map with triangles are corners of some.
bool heightmapBounds(const HeightmapShape& map, const RigidTransform& X, AxisAlignedBounds& bounds) {
  if (map.rows < 2 || map.columns < 2) return true;
  if (map.heights.size() < static_cast<std::size_t>(map.rows) * static_cast<std::size_t>(map.columns)) return false;
  InterruptionPoints points;
  for (int row = 0; row < map.rows; ++row)
    for (int column = 0; column < map.columns; ++column) {
      points.pass();
      const Vector3d point = map.point(column, row);
      if (!point.allFinite()) return false;
      bounds.include(X * point);
    }
  return true;
}

bool cloudBounds(const PointCloud& cloud, const RigidTransform& X, AxisAlignedBounds& bounds) {
  if (cloud.property("radius") != nullptr) return false;  // Each point is widened by its own.
  InterruptionPoints points;
  for (const Vector3d& point : cloud.points) {
    points.pass();
    if (!point.allFinite()) return false;
    bounds.include(X * point);
  }
  return true;
}

AxisAlignedBounds boundsWith(const Geometry& geometry, double margin, const RigidTransform& X) {
  margin += geometry.margin();
  AxisAlignedBounds bounds;
  if (const auto* group = geometry.as<GeometryGroup>()) {
    for (const GeometryPtr& part : group->parts)
      if (part != nullptr) includeBounds(boundsWith(*part, margin, X), bounds);
    return bounds;
  }
  bool done = false;
  if (const auto* mesh = geometry.as<TriangleMesh>()) {
    done = meshBounds(*mesh, X, bounds);
  } else if (const auto* map = geometry.as<HeightmapShape>()) {
    done = heightmapBounds(*map, X, bounds);
  } else if (const auto* cloud = geometry.as<PointCloud>()) {
    done = cloudBounds(*cloud, X, bounds);
  } else if (const auto* surface = geometry.as<ImplicitSurfaceShape>()) {
    done = meshBounds(implicitSurfaceMesh(*surface), X, bounds);
  }
  if (done && sound(margin)) return widened(bounds, margin);
  // Other shapes, and what is wrong with these.
  bounds = {};
  const ShapeElements made = shapeElements(*geometry.withMargin(margin));
  for (const ConvexElement& element : made.elements) includeBounds(elementBounds(element, X), bounds);
  return bounds;
}

}  // namespace

AxisAlignedBounds posedBounds(const Geometry& geometry, const RigidTransform& X_WS) {
  return boundsWith(geometry, 0, X_WS);
}

}  // namespace mortise
