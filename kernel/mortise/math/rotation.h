#pragma once

#include <Eigen/Geometry>

#include "mortise/math/transform.h"

namespace mortise {

/// Rotations about a coordinate axis, radians.
Matrix3d rotationX(double angle);
Matrix3d rotationY(double angle);
Matrix3d rotationZ(double angle);

/// Rz(yaw) * Ry(pitch) * Rx(roll), the convention of Klamp't's `rotateRPY` and of URDF.
Matrix3d rotationFromRollPitchYaw(const Vector3d& rpy);

/// Rotation about `axis` (unit length not required of the caller: the angle is |axis| * angle).
Matrix3d rotationAboutAxis(const Vector3d& axis, double angle);

/// Exponential map of a rotation vector ("moment") and its inverse; the inverse returns an angle in [0, pi].
Matrix3d rotationFromMoment(const Vector3d& moment);
Vector3d momentFromRotation(const Matrix3d& R);

/// Angles (z, y, x) with R = Rz(z) Ry(y) Rx(x), y in [-pi/2, pi/2]: the last three coordinates of Klamp't's
/// floating base. In the singular position x is 0. z and x are in (-pi, pi].
Vector3d eulerZyxFromRotation(const Matrix3d& R);
Matrix3d rotationFromEulerZyx(const Vector3d& zyx);

/// The element of {angle + 2 pi k} nearest to `reference`.
double unwrapNear(double angle, double reference);

/// Nearest rotation matrix (polar decomposition).
Matrix3d orthonormalized(const Matrix3d& R);

Matrix3d crossMatrix(const Vector3d& v);

}  // namespace mortise
