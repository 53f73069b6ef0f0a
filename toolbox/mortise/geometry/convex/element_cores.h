#pragma once

/// Common parts of the algorithms over convex elements. Everything is about cores, without their radii, in one frame.

#include "mortise/geometry/convex/convex_element.h"

namespace mortise {

/// The element in a frame F where its own frame has the pose `X`. Hulls stay where they are: carry the pose along.
ConvexElement moved(const ConvexElement& element, const RigidTransform& X);

/// Farthest point of the core along a direction. `vertex` is where to start on a hull, and the corner found.
Vector3d coreSupport(const ConvexElement& element, const Vector3d& direction, int* vertex = nullptr);
Vector3d coreCenter(const ConvexElement& element);

/// Nearest point of a segment, as `a + t (b - a)` with t in [0, 1].
double nearestOnSegment(const Vector3d& a, const Vector3d& b, const Vector3d& point);
/// Nearest point of a triangle; `feature` as of a triangle core. Any triangle will do, also one without area.
Vector3d nearestOnTriangle(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& point,
                           ElementFeature& feature);

/// Signed distance of a core, without radius, to a point: as `pointSeparation`.
PointSeparation corePointSeparation(const ConvexElement& element, const Vector3d& point);

/// Signed distance between two cores in one frame, without their radii; as `separation`. `core...` functions for
/// polytopes take point, segment, triangle and box; the others take any kinds, the second posed by `X_AB`.
ElementSeparation polytopeSeparation(const ConvexElement& a, const ConvexElement& b);
/// Says whether two polytope cores come within `reach` of each other.
bool polytopeOverlap(const ConvexElement& a, const ConvexElement& b, double reach, SeparationHint* hint);

ElementSeparation iterativeSeparation(const ConvexElement& a, const ConvexElement& b, const RigidTransform& X_AB,
                                      SeparationHint* hint);
bool iterativeOverlap(const ConvexElement& a, const ConvexElement& b, const RigidTransform& X_AB, double reach,
                      SeparationHint* hint);

/// The part of a core where `point`, on its surface and farthest along `normal`, lies.
ElementFeature featureAt(const ConvexElement& element, const Vector3d& point, const Vector3d& normal);

/// Any unit vector perpendicular to `v`; of a zero vector the z axis.
inline Vector3d anyPerpendicular(const Vector3d& v) {
  int minimum = 0;
  v.cwiseAbs().minCoeff(&minimum);
  const Vector3d axis = Vector3d::Unit(minimum);
  const Vector3d across(v[1] * axis[2] - v[2] * axis[1], v[2] * axis[0] - v[0] * axis[2],
                        v[0] * axis[1] - v[1] * axis[0]);
  const double length = across.norm();
  return length > 0 ? Vector3d(across / length) : Vector3d::UnitZ();
}

}  // namespace mortise
