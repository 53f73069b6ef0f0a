#pragma once

#include "mortise/math/transform.h"

namespace mortise::rigid {

/// A rigid body that no joint of a robot holds, in a frame C at its center of mass with diagonal inertia. A body
/// without mass is fixed or kinematic.
struct FreeBody {
  double mass = 0, inverseMass = 0;
  Vector3d moments = Vector3d::Zero(), inverseMoments = Vector3d::Zero();  ///< About the axes of C.
  RigidTransform X_WC;
  Vector3d v = Vector3d::Zero(), w = Vector3d::Zero();           ///< Velocities of the center of mass, world frame.
  Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();  ///< For the next step, about the center of mass.
  Vector3d turning = Vector3d::Zero();  ///< Angle by which `integrate` turns in the next step beyond `w`.

  void setMass(double m, const Vector3d& principalMoments);
  Vector3d velocityAt(const Vector3d& point) const { return v + w.cross(point - X_WC.p); }
  Vector3d angularAcceleration() const;
  /// Returns what gyroscopic torque adds to the angular velocity in a step in which nothing but torques acts, and sets
  /// `turning`: the body turns with the mean of its angular velocities in its own frame at the start and the end of the
  /// step, which keeps the angular momentum and the kinetic energy to rounding (Simo and Wong, "Unconditionally stable
  /// algorithms for rigid body dynamics that exactly preserve energy and momentum", 1991).
  Vector3d freeGyroscopicChange(double h);
  /// Returns what gyroscopic torque adds to the angular velocity in a step in which contacts or joints act: one Newton
  /// step of the implicit Euler method in the body's frame (Catto, "Numerical methods", Game Developers Conference
  /// 2015), which never gains energy. Sets `turning` to zero.
  Vector3d heldGyroscopicChange(double h);
  /// Moves the body on with its velocities; orientations turn about a fixed axis in the step, by `w` and `turning`.
  void integrate(double h);
};

/// `R` turned by `w` h and kept orthonormal.
Matrix3d turned(const Matrix3d& R, const Vector3d& w, double h);

}  // namespace mortise::rigid
