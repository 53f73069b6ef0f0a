#include "mortise/geometry/oriented_box.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "mortise/base/error.h"
#include "mortise/geometry/convex/convex_element.h"
#include "mortise/geometry/convex/convex_hull.h"
#include "mortise/geometry/convex/shape_elements.h"

namespace mortise {

namespace {

using Vector2d = Eigen::Vector2d;

OrientedBox boxAlong(const std::vector<Vector3d>& points, const Matrix3d& R) {
  AxisAlignedBounds bounds;
  for (const Vector3d& p : points) bounds.include(R.transpose() * p);
  return {{R, R * (0.5 * (bounds.min + bounds.max))}, bounds.max - bounds.min};
}

/// Smaller first by volume; where that is nothing, by the sum of the faces, then of the edges.
bool smaller(const OrientedBox& a, const OrientedBox& b) {
  const auto area = [](const Vector3d& s) { return s[0] * s[1] + s[1] * s[2] + s[2] * s[0]; };
  const double scale = 1 - 1e-12;
  if (a.volume() != b.volume()) return a.volume() < scale * b.volume();
  if (area(a.size) != area(b.size)) return area(a.size) < scale * area(b.size);
  return a.size.sum() < scale * b.size.sum();
}

}  // namespace

OrientedBox orientedBox(const std::vector<Vector3d>& points) {
  if (points.empty()) throw Error("a shape without points has no box", {}, "");
  for (const Vector3d& p : points)
    if (!p.allFinite()) throw Error("a point of the shape is not finite", {}, "repair the file");
  const ConvexPolyhedron hull = ConvexPolyhedron::of(points);
  OrientedBox best = boxAlong(hull.vertices, Matrix3d::Identity());
  const auto attempt = [&](const Matrix3d& R) {
    const OrientedBox box = boxAlong(hull.vertices, R);
    if (smaller(box, best)) best = box;
  };
  if (hull.triangles.empty()) {
    if (hull.vertices.size() > 1) attempt(frameAlong(hull.vertices[1] - hull.vertices[0], Vector3d::Zero()).R);
    return best;
  }
  for (std::size_t f = 0; f < hull.triangles.size(); ++f) {
    // Faces of several triangles once.
    bool seen = false;
    for (std::size_t g = 0; g < f && !seen; ++g) seen = std::abs(hull.normals[f].dot(hull.normals[g])) > 1 - 1e-14;
    if (seen) continue;
    const RigidTransform X = frameAlong(hull.normals[f], Vector3d::Zero());
    std::vector<Vector2d> shadow;
    for (const Vector3d& v : hull.vertices) shadow.emplace_back(X.R.col(0).dot(v), X.R.col(1).dot(v));
    const std::vector<int> rim = planarHull(shadow);
    Vector2d direction = Vector2d::UnitX();
    double minimum = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < rim.size(); ++i) {
      const Vector2d along =
          shadow[static_cast<std::size_t>(rim[(i + 1) % rim.size()])] - shadow[static_cast<std::size_t>(rim[i])];
      const double length = along.norm();
      if (!(length > 0)) continue;
      const Vector2d u = along / length, v(-u.y(), u.x());
      double lowU = std::numeric_limits<double>::infinity(), highU = -lowU, highV = -lowU;
      const double lowV = v.dot(shadow[static_cast<std::size_t>(rim[i])]);
      for (const int k : rim) {
        const Vector2d& p = shadow[static_cast<std::size_t>(k)];
        lowU = std::min(lowU, u.dot(p));
        highU = std::max(highU, u.dot(p));
        highV = std::max(highV, v.dot(p));
      }
      if (const double area = (highU - lowU) * (highV - lowV); area < minimum) {
        minimum = area;
        direction = u;
      }
    }
    Matrix3d R;
    R.col(0) = direction.x() * X.R.col(0) + direction.y() * X.R.col(1);
    R.col(2) = X.R.col(2);
    R.col(1) = R.col(2).cross(R.col(0));
    attempt(R);
  }
  return best;
}

AxisAlignedBounds boundsIn(const Geometry& geometry, const RigidTransform& X_FS) {
  AxisAlignedBounds bounds;
  const auto include = [&](const AxisAlignedBounds& part) {
    if (part.empty()) return;
    bounds.include(part.min);
    bounds.include(part.max);
  };
  if (const auto* group = geometry.as<GeometryGroup>()) {
    for (const GeometryPtr& part : group->parts)
      if (part) include(boundsIn(*part, X_FS));
    if (!bounds.empty()) {
      bounds.min.array() -= geometry.margin();
      bounds.max.array() += geometry.margin();
    }
    return bounds;
  }
  if (const auto* surface = geometry.as<ImplicitSurfaceShape>()) {
    const VolumeGrid& grid = surface->grid;
    include(elementBounds(ConvexElement::box(grid.X * RigidTransform::translation(0.5 * (grid.min + grid.max)),
                                             0.5 * (grid.max - grid.min), geometry.margin()),
                          X_FS));
    return bounds;
  }
  const ShapeElements parts = shapeElements(geometry);
  for (const ConvexElement& element : parts.elements) include(elementBounds(element, X_FS));
  return bounds;
}

OrientedBox orientedBox(const Geometry& geometry) {
  if (geometry.empty()) throw Error("an empty shape has no box", {}, "");
  if (geometry.as<ImplicitSurfaceShape>()) {
    const VolumeGrid& grid = geometry.as<ImplicitSurfaceShape>()->grid;
    return {grid.X * RigidTransform::translation(0.5 * (grid.min + grid.max)),
            grid.max - grid.min + Vector3d::Constant(2 * geometry.margin())};
  }
  const ShapeElements parts = shapeElements(geometry);
  // Frames to try with tight bounds of every element: their own, and those of the hull of what is not round.
  std::vector<Vector3d> corners;
  std::vector<Matrix3d> frames = {Matrix3d::Identity()};
  for (const ConvexElement& e : parts.elements) {
    if (e.kind == CoreKind::point) corners.push_back(e.a);
    if (e.kind == CoreKind::segment || e.kind == CoreKind::triangle) {
      corners.push_back(e.a);
      corners.push_back(e.b);
    }
    if (e.kind == CoreKind::triangle) corners.push_back(e.c);
    if (e.kind == CoreKind::hull)
      corners.insert(corners.end(), e.polyhedron->vertices.begin(), e.polyhedron->vertices.end());
    if (e.kind == CoreKind::box || e.kind == CoreKind::cylinder || e.kind == CoreKind::ellipsoid) {
      if (frames.size() < 100) frames.push_back(e.X.R);
      for (int i = 0; i < 8; ++i)
        corners.push_back(e.X * Vector3d(i & 1 ? e.half[0] : -e.half[0], i & 2 ? e.half[1] : -e.half[1],
                                         i & 4 ? e.half[2] : -e.half[2]));
    }
  }
  frames.push_back(orientedBox(corners).X.R);
  OrientedBox best;
  bool first = true;
  for (const Matrix3d& R : frames) {
    AxisAlignedBounds bounds;
    for (const ConvexElement& e : parts.elements) {
      const AxisAlignedBounds part = elementBounds(e, RigidTransform::rotation(R.transpose()));
      bounds.include(part.min);
      bounds.include(part.max);
    }
    const OrientedBox box = {{R, R * (0.5 * (bounds.min + bounds.max))}, bounds.max - bounds.min};
    if (first || smaller(box, best)) best = box;
    first = false;
  }
  return best;
}

}  // namespace mortise
