#pragma once

#include "mortise/math/transform.h"

namespace mortise::rigid {

/// A rigid body that no joint of a robot holds, in a frame C at its center of mass with diagonal inertia. A body
/// without mass is fixed or kinematic.
struct FreeBody {
  double mass = 0, inverseMass = 0;
  Vector3d moments = Vector3d::Zero(), inverseMoments = Vector3d::Zero();  ///< About the axes of C.
  RigidTransform X_WC;
  Vector3d v = Vector3d::Zero(), w = Vector3d::Zero();           ///< Of the center of mass, world frame.
  Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();  ///< For the next step, about the center of mass.

  void setMass(double m, const Vector3d& principalMoments);
  Vector3d velocityAt(const Vector3d& point) const { return v + w.cross(point - X_WC.p); }
  Vector3d angularAcceleration() const;
  /// What gyroscopic torque adds to the angular velocity in a step: one Newton step of the implicit Euler method in the
  /// body's frame (Catto, "Numerical methods", Game Developers Conference 2015), which never gains energy.
  Vector3d gyroscopicChange(double h) const;
  /// Moves the body on with its velocities; orientations turn about a fixed axis in the step.
  void integrate(double h);
};

/// `R` turned by `w` h and kept orthonormal.
Matrix3d turned(const Matrix3d& R, const Vector3d& w, double h);

}  // namespace mortise::rigid
