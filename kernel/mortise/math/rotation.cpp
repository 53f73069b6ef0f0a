#include "mortise/math/rotation.h"

#include <Eigen/SVD>
#include <cmath>
#include <numbers>

#include "mortise/math/constants.h"

namespace mortise {

namespace {

/// atan2 gives -pi for a negative zero; the interval here is (-pi, pi].
double angleOf(double y, double x) {
  const double angle = std::atan2(y, x);
  return angle <= -kPi ? kPi : angle;
}

}  // namespace

Matrix3d rotationX(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Matrix3d R;
  R << 1, 0, 0, 0, c, -s, 0, s, c;
  return R;
}

Matrix3d rotationY(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Matrix3d R;
  R << c, 0, s, 0, 1, 0, -s, 0, c;
  return R;
}

Matrix3d rotationZ(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Matrix3d R;
  R << c, -s, 0, s, c, 0, 0, 0, 1;
  return R;
}

Matrix3d rotationFromRollPitchYaw(const Vector3d& rpy) {
  return rotationZ(rpy[2]) * rotationY(rpy[1]) * rotationX(rpy[0]);
}

Matrix3d rotationAboutAxis(const Vector3d& axis, double angle) { return rotationFromMoment(axis * angle); }

Matrix3d rotationFromMoment(const Vector3d& moment) {
  const double angle2 = moment.squaredNorm(), angle = std::sqrt(angle2);
  // Rodrigues' formula, R = I + a [m] + b [m]^2 with a = sin(t)/t and b = (1 - cos t)/t^2; series near zero. The
  // half-angle form of b does not cancel.
  const bool small = angle < 1e-4;
  const double half = small ? 0 : std::sin(angle / 2) / angle;
  const double a = small ? 1 - angle2 / 6 : std::sin(angle) / angle, b = small ? 0.5 - angle2 / 24 : 2 * half * half;
  // Written out without the zeros of [m]; 0 - ... leaves no negative zero.
  const double x = moment.x(), y = moment.y(), z = moment.z(), u = b * x, v = b * y, w = b * z;
  Matrix3d R;
  R << 1 + (-w * z - v * y), (0 - a * z) + v * x, (0 + a * y) + w * x, (0 + a * z) + u * y, 1 + (-w * z - u * x),
      (0 - a * x) + w * y, (0 - a * y) + u * z, (0 + a * x) + v * z, 1 + (-v * y - u * x);
  return R;
}

Vector3d momentFromRotation(const Matrix3d& R) {
  // By way of the quaternion, which stays well conditioned near angle pi.
  Eigen::Quaterniond q(R);
  if (q.w() < 0) q.coeffs() = -q.coeffs();
  const double sine = q.vec().norm();
  if (sine < 1e-12) return 2 * q.vec() / (q.w() > 0 ? q.w() : 1);
  return q.vec() * (2 * std::atan2(sine, q.w()) / sine);
}

Vector3d eulerZyxFromRotation(const Matrix3d& R) {
  const double cosine = std::hypot(R(0, 0), R(1, 0));
  const double y = std::atan2(-R(2, 0), cosine);
  // With y = +-pi/2 only the sum or difference of the other two shows.
  if (cosine < 1e-10) return {angleOf(-R(0, 1), R(1, 1)), y, 0};
  return {angleOf(R(1, 0), R(0, 0)), y, angleOf(R(2, 1), R(2, 2))};
}

Matrix3d rotationFromEulerZyx(const Vector3d& zyx) { return rotationZ(zyx[0]) * rotationY(zyx[1]) * rotationX(zyx[2]); }

double unwrapNear(double angle, double reference) {
  return angle + 2 * kPi * std::round((reference - angle) / (2 * kPi));
}

Matrix3d orthonormalized(const Matrix3d& R) {
  if (!R.allFinite()) return R;
  const Eigen::JacobiSVD<Matrix3d> svd(R, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Matrix3d U = svd.matrixU();
  const Matrix3d V = svd.matrixV();
  // A rotation, never a reflection: turn the direction that matters least.
  if ((U * V.transpose()).determinant() < 0) U.col(2) = -U.col(2);
  return U * V.transpose();
}

Matrix3d crossMatrix(const Vector3d& v) {
  Matrix3d M;
  M << 0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0;
  return M;
}

}  // namespace mortise
