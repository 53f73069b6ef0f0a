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

Vector3d FreeBody::freeGyroscopicChange(double h) {
  constexpr int kMaxIterations = 30;
  constexpr double kTolerance = 1e-15;
  turning.setZero();
  const Vector3d start = X_WC.R.transpose() * w, spin = moments.cwiseProduct(start);
  if (start.cross(spin).isZero(0)) return Vector3d::Zero();
  // The angular velocity at the end, in the frame at the end: I end = exp(-h (start + end) / 2) I start. Newton's
  // method with the derivative of a small turn; its matrix, I and a skew part, is never singular.
  Vector3d end = start;
  for (int i = 0; i < kMaxIterations; ++i) {
    const Vector3d momentum = rotationFromMoment(-0.5 * h * (start + end)) * spin;
    Matrix3d jacobian = -0.5 * h * crossMatrix(momentum);
    jacobian.diagonal() += moments;
    const Vector3d change = jacobian.inverse() * (momentum - moments.cwiseProduct(end));
    end += change;
    if (!(change.squaredNorm() > kTolerance * kTolerance * end.squaredNorm())) {
      if (!end.allFinite()) break;
      const Vector3d mean = 0.5 * (start + end);
      const Vector3d after = X_WC.R * (rotationFromMoment(h * mean) * end);
      turning = X_WC.R * mean - after;
      return after - w;
    }
  }
  // Turns of more than about a radian in a step.
  return heldGyroscopicChange(h);
}

Vector3d FreeBody::heldGyroscopicChange(double h) {
  turning.setZero();
  const Vector3d omega = X_WC.R.transpose() * w, spin = moments.cwiseProduct(omega);
  const Vector3d residual = h * omega.cross(spin);
  Matrix3d jacobian = h * (crossMatrix(omega) * moments.asDiagonal() - crossMatrix(spin));
  jacobian.diagonal() += moments;
  return -(X_WC.R * (jacobian.inverse() * residual));
}

void FreeBody::integrate(double h) {
  X_WC.p += h * v;
  X_WC.R = turned(X_WC.R, w + turning, h);
}

Matrix3d turned(const Matrix3d& R, const Vector3d& w, double h) {
  const Matrix3d next = rotationFromMoment(h * w) * R;
  // One step of Newton's method towards the nearest rotation; errors are of the size of rounding.
  return next * (1.5 * Matrix3d::Identity() - 0.5 * next.transpose() * next);
}

}  // namespace mortise::rigid
