#include "mortise/geometry/convex/convex_element.h"

#include <algorithm>
#include <cmath>

#include "mortise/geometry/convex/element_cores.h"

namespace mortise {

ConvexElement ConvexElement::point(const Vector3d& p, double radius) {
  ConvexElement e;
  e.kind = CoreKind::point;
  e.radius = radius;
  e.a = p;
  return e;
}

ConvexElement ConvexElement::segment(const Vector3d& a, const Vector3d& b, double radius) {
  ConvexElement e;
  e.kind = CoreKind::segment;
  e.radius = radius;
  e.a = a;
  e.b = b;
  return e;
}

ConvexElement ConvexElement::triangle(const Vector3d& a, const Vector3d& b, const Vector3d& c, double radius) {
  ConvexElement e;
  e.kind = CoreKind::triangle;
  e.radius = radius;
  e.a = a;
  e.b = b;
  e.c = c;
  return e;
}

ConvexElement ConvexElement::box(const RigidTransform& X, const Vector3d& halfSize, double radius) {
  ConvexElement e;
  e.kind = CoreKind::box;
  e.radius = radius;
  e.X = X;
  e.half = halfSize;
  return e;
}

ConvexElement ConvexElement::cylinder(const RigidTransform& X, double radiusOfCore, double halfHeight, double radius) {
  ConvexElement e;
  e.kind = CoreKind::cylinder;
  e.radius = radius;
  e.X = X;
  e.half = Vector3d(radiusOfCore, radiusOfCore, halfHeight);
  return e;
}

ConvexElement ConvexElement::ellipsoid(const RigidTransform& X, const Vector3d& semiAxes, double radius) {
  ConvexElement e;
  e.kind = CoreKind::ellipsoid;
  e.radius = radius;
  e.X = X;
  e.half = semiAxes;
  return e;
}

ConvexElement ConvexElement::hull(const ConvexPolyhedron* polyhedron, double radius) {
  // Sets without an extent in two directions are better served as what they are.
  const auto& v = polyhedron->vertices;
  if (v.size() == 1) return point(v[0], radius);
  if (v.size() == 2) return segment(v[0], v[1], radius);
  if (v.size() == 3) return triangle(v[0], v[1], v[2], radius);
  ConvexElement e;
  e.kind = CoreKind::hull;
  e.radius = radius;
  e.polyhedron = polyhedron;
  return e;
}

ConvexElement moved(const ConvexElement& element, const RigidTransform& X) {
  ConvexElement e = element;
  switch (element.kind) {
    case CoreKind::triangle:
      e.c = X * element.c;
      [[fallthrough]];
    case CoreKind::segment:
      e.b = X * element.b;
      [[fallthrough]];
    case CoreKind::point:
      e.a = X * element.a;
      break;
    case CoreKind::box:
    case CoreKind::cylinder:
    case CoreKind::ellipsoid:
      e.X = X * element.X;
      break;
    case CoreKind::hull:
      break;
  }
  return e;
}

Vector3d coreSupport(const ConvexElement& e, const Vector3d& direction, int* vertex) {
  switch (e.kind) {
    case CoreKind::point:
      return e.a;
    case CoreKind::segment:
      return direction.dot(e.b - e.a) > 0 ? e.b : e.a;
    case CoreKind::triangle: {
      const double da = direction.dot(e.a), db = direction.dot(e.b), dc = direction.dot(e.c);
      if (da >= db && da >= dc) return e.a;
      return db >= dc ? e.b : e.c;
    }
    case CoreKind::box: {
      const Vector3d local = e.X.R.transpose() * direction;
      return e.X * Vector3d(std::copysign(e.half[0], local[0]), std::copysign(e.half[1], local[1]),
                            std::copysign(e.half[2], local[2]));
    }
    case CoreKind::cylinder: {
      const Vector3d local = e.X.R.transpose() * direction;
      const double across = std::hypot(local[0], local[1]);
      const double scale = across > 0 ? e.half[0] / across : 0;
      return e.X * Vector3d(scale * local[0], scale * local[1], std::copysign(e.half[2], local[2]));
    }
    case CoreKind::ellipsoid: {
      const Vector3d scaled = (e.X.R.transpose() * direction).cwiseProduct(e.half);
      const double length = scaled.norm();
      if (!(length > 0)) return e.X.p;
      return e.X * (scaled.cwiseProduct(e.half) / length);
    }
    case CoreKind::hull: {
      const int at = e.polyhedron->support(direction, vertex ? *vertex : 0);
      if (vertex) *vertex = at;
      return e.polyhedron->vertices[static_cast<std::size_t>(at)];
    }
  }
  return e.a;
}

Vector3d coreCenter(const ConvexElement& e) {
  switch (e.kind) {
    case CoreKind::point:
      return e.a;
    case CoreKind::segment:
      return 0.5 * (e.a + e.b);
    case CoreKind::triangle:
      return (e.a + e.b + e.c) / 3;
    case CoreKind::hull:
      return e.polyhedron->center;
    default:
      return e.X.p;
  }
}

Vector3d supportPoint(const ConvexElement& element, const Vector3d& direction) {
  const Vector3d core = coreSupport(element, direction);
  return element.radius > 0 ? Vector3d(core + element.radius * direction.normalized()) : core;
}

AxisAlignedBounds elementBounds(const ConvexElement& e, const RigidTransform& X_FE) {
  AxisAlignedBounds bounds;
  const auto around = [&bounds](const Vector3d& center, const Vector3d& half) {
    bounds.min = center - half;
    bounds.max = center + half;
  };
  switch (e.kind) {
    case CoreKind::triangle:
      bounds.include(X_FE * e.c);
      [[fallthrough]];
    case CoreKind::segment:
      bounds.include(X_FE * e.b);
      [[fallthrough]];
    case CoreKind::point:
      bounds.include(X_FE * e.a);
      break;
    case CoreKind::box:
      around(X_FE * e.X.p, (X_FE.R * e.X.R).cwiseAbs() * e.half);
      break;
    case CoreKind::cylinder: {
      // A circle of radius r with unit normal n reaches r * sqrt(1 - n_i^2) along axis i.
      const Vector3d axis = X_FE.R * e.X.R.col(2);
      const Vector3d across = (Vector3d::Ones() - axis.cwiseAbs2()).cwiseMax(0).cwiseSqrt();
      around(X_FE * e.X.p, e.half[0] * across + e.half[2] * axis.cwiseAbs());
      break;
    }
    case CoreKind::ellipsoid:
      around(X_FE * e.X.p, ((X_FE.R * e.X.R) * e.half.asDiagonal()).rowwise().norm());
      break;
    case CoreKind::hull:
      for (const Vector3d& v : e.polyhedron->vertices) bounds.include(X_FE * v);
      break;
  }
  bounds.min.array() -= e.radius;
  bounds.max.array() += e.radius;
  return bounds;
}

}  // namespace mortise
