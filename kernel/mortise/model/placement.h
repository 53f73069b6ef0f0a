#pragma once

#include <optional>

#include "mortise/geometry/geometry.h"
#include "mortise/math/transform.h"

namespace mortise {

/// A pose in the terms of world files, kept as written so that saving changes no digit. Angles in radians. The rotation
/// is Rz(rotateZ) * Ry(rotateY) * Rx(rotateX) * R, with R from `rotationMoment`, or else from `rollPitchYaw`, or else
/// none; scaling comes before the rotation.
struct Placement {
  std::optional<Vector3d> translation;
  std::optional<Vector3d> rollPitchYaw;
  std::optional<Vector3d> rotationMoment;  ///< Rotation vector.
  std::optional<double> rotateX, rotateY, rotateZ;
  std::optional<Vector3d> scale;

  /// The placement of this pose: a translation and, unless R is the identity, a rotation vector. Exact to rounding for
  /// rotation matrices; what R has of shear or scale is lost.
  static Placement of(const RigidTransform& X);

  bool empty() const { return !moves() && !scale; }
  /// Says whether it has anything besides scale.
  bool moves() const { return translation || rollPitchYaw || rotationMoment || rotateX || rotateY || rotateZ; }
  RigidTransform pose() const;  ///< Without scale.
  AffineMap map() const;        ///< With scale.
};

}  // namespace mortise
