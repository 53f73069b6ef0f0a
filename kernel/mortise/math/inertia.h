#pragma once

#include "mortise/math/transform.h"

namespace mortise {

/// Mass, center of mass and rotational inertia of a rigid body B. `inertia` is about the center of mass,
/// expressed in the axes of B. SI units.
struct BodyInertia {
  double mass = 0;
  Vector3d com = Vector3d::Zero();
  Matrix3d inertia = Matrix3d::Zero();

  /// The same matter expressed in frame A, with X_AB the pose of B in A.
  BodyInertia expressedIn(const RigidTransform& X_AB) const;
  /// The rigid union of two bodies expressed in the same frame.
  BodyInertia combinedWith(const BodyInertia& other) const;
  /// Inertia about the body's origin.
  Matrix3d inertiaAboutOrigin() const;
  /// Non-negative mass, symmetric positive semidefinite inertia that meets the triangle inequality (to `tolerance`,
  /// relative).
  bool physical(double tolerance = 1e-6) const;

  bool operator==(const BodyInertia&) const = default;
};

}  // namespace mortise
