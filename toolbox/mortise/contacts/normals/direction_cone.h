#pragma once

/// Cones of directions, given by the unit vectors that no direction of the cone leads along: what lies around an edge
/// or a corner of a surface. For the files of this room alone.

#include <span>

#include "mortise/math/transform.h"

namespace mortise {

/// True when d (unit) leads along none of the vectors by more than the sine.
inline bool inCone(std::span<const Vector3d> cone, const Vector3d& d, double sine) {
  for (const Vector3d& u : cone)
    if (u.dot(d) > sine) return false;
  return true;
}

/// Turns d to the nearest direction of the cone. Returns false, with d in between, where d leads along one vector by
/// more than the sine.
inline bool clampToCone(std::span<const Vector3d> cone, double sine, Vector3d& d) {
  for (const Vector3d& u : cone) {
    const double along = u.dot(d);
    if (along <= 0) continue;
    if (along > sine) return false;
    d = (d - along * u).normalized();
  }
  return true;
}

}  // namespace mortise
