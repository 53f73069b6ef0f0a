#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "mortise/math/rotation.h"

namespace mortise {

/// Two unit vectors that are at right angles to the unit vector `axis` and to each other.
inline void perpendicularTo(const Vector3d& axis, Vector3d& u, Vector3d& v) {
  int smallest = 0;
  axis.cwiseAbs().minCoeff(&smallest);
  u = axis.cross(Vector3d::Unit(smallest)).normalized();
  v = axis.cross(u);
}

/// Returns how the rotation vector e of a rotation changes with the angular velocity that turns it (world side): the
/// inverse of the left Jacobian of SO(3) (Chirikjian, 2011).
inline Matrix3d rotationVectorRate(const Vector3d& e) {
  const double angle = e.norm();
  const Matrix3d x = crossMatrix(e);
  double c = 1.0 / 12;
  if (angle > 1e-4) {
    const double half = 0.5 * angle;
    c = (1 - half * std::cos(half) / std::max(std::sin(half), 1e-9)) / (angle * angle);
  }
  return Matrix3d::Identity() - 0.5 * x + c * x * x;
}

}  // namespace mortise
