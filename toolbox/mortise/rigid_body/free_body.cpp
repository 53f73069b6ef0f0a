#include "mortise/rigid_body/free_body.h"

#include <Eigen/LU>

#include "mortise/math/rotation.h"

namespace mortise::rigid {

void FreeBody::setMass(double m, const Vector3d& principalMoments) {
  mass = m;
  moments = principalMoments;
  inverseMass = m > 0 ? 1 / m : 0;
  inverseMoments.setZero();
  if (m > 0) inverseMoments = principalMoments.cwiseInverse();
}

Vector3d FreeBody::angularAcceleration() const {
  return X_WC.R * inverseMoments.cwiseProduct(X_WC.R.transpose() * torque);
}

Vector3d FreeBody::gyroscopicChange(double h) const {
  const Vector3d omega = X_WC.R.transpose() * w, spin = moments.cwiseProduct(omega);
  const Vector3d residual = h * omega.cross(spin);
  Matrix3d jacobian = h * (crossMatrix(omega) * moments.asDiagonal() - crossMatrix(spin));
  jacobian.diagonal() += moments;
  return -(X_WC.R * (jacobian.inverse() * residual));
}

void FreeBody::integrate(double h) {
  X_WC.p += h * v;
  X_WC.R = turned(X_WC.R, w, h);
}

Matrix3d turned(const Matrix3d& R, const Vector3d& w, double h) {
  const Matrix3d next = rotationFromMoment(h * w) * R;
  // One step of Newton's method towards the nearest rotation; errors are of the size of rounding.
  return next * (1.5 * Matrix3d::Identity() - 0.5 * next.transpose() * next);
}

}  // namespace mortise::rigid
