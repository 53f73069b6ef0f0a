#include <cmath>

#include "mortise/geometry/convex/element_cores.h"

namespace mortise {

namespace {

bool isPolytope(CoreKind kind) { return kind <= CoreKind::box; }

/// A point core against any, in the frame of the other.
ElementSeparation againstPoint(const ConvexElement& element, const Vector3d& point) {
  const PointSeparation s = corePointSeparation(element, point);
  ElementSeparation result;
  result.distance = s.distance;
  result.pointA = s.point;
  result.pointB = s.point + s.distance * s.normal;
  result.normal = s.normal;
  result.featureA = s.feature;
  return result;
}

ElementSeparation coreSeparation(const ConvexElement& a, const ConvexElement& b, const RigidTransform& X_AB,
                                 SeparationHint* hint) {
  if (b.kind == CoreKind::point) return againstPoint(a, X_AB * b.a);
  if (a.kind == CoreKind::point) {
    const ElementSeparation s = againstPoint(b, X_AB.R.transpose() * (a.a - X_AB.p));
    ElementSeparation result;
    result.distance = s.distance;
    result.pointA = X_AB * s.pointB;
    result.pointB = X_AB * s.pointA;
    result.normal = -(X_AB.R * s.normal);
    result.featureA = s.featureB;
    result.featureB = s.featureA;
    return result;
  }
  if (isPolytope(a.kind) && isPolytope(b.kind)) {
    const ElementSeparation result = polytopeSeparation(a, moved(b, X_AB));
    if (hint) hint->direction = result.normal;
    return result;
  }
  return iterativeSeparation(a, b, X_AB, hint);
}

}  // namespace

ElementSeparation separation(const ConvexElement& a, const ConvexElement& b, const RigidTransform& X_AB,
                             SeparationHint* hint) {
  ElementSeparation result = coreSeparation(a, b, X_AB, hint);
  result.distance -= a.radius + b.radius;
  result.pointA += a.radius * result.normal;
  result.pointB -= b.radius * result.normal;
  return result;
}

bool overlap(const ConvexElement& a, const ConvexElement& b, const RigidTransform& X_AB, double tolerance,
             SeparationHint* hint) {
  const double reach = a.radius + b.radius + tolerance;
  if (!(reach >= 0)) return separation(a, b, X_AB, hint).distance <= tolerance;
  if (b.kind == CoreKind::point) return corePointSeparation(a, X_AB * b.a).distance <= reach;
  if (a.kind == CoreKind::point) return corePointSeparation(b, X_AB.R.transpose() * (a.a - X_AB.p)).distance <= reach;
  if (isPolytope(a.kind) && isPolytope(b.kind)) return polytopeOverlap(a, moved(b, X_AB), reach, hint);
  return iterativeOverlap(a, b, X_AB, reach, hint);
}

}  // namespace mortise
