#pragma once

#include <Eigen/Core>

namespace mortise {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// Pose of a frame B in a frame A, written `X_AB`: `p_A = X_AB * p_B`, and `X_AC = X_AB * X_BC`.
/// R is kept as given (robot files hold matrices that are orthonormal only to about 1e-6; the reference
/// does not clean them, so neither do we).
struct RigidTransform {
  Matrix3d R = Matrix3d::Identity();
  Vector3d p = Vector3d::Zero();

  RigidTransform() = default;
  RigidTransform(const Matrix3d& rotation, const Vector3d& translation) : R(rotation), p(translation) {}
  static RigidTransform translation(const Vector3d& p) { return {Matrix3d::Identity(), p}; }
  static RigidTransform rotation(const Matrix3d& R) { return {R, Vector3d::Zero()}; }

  /// 12 numbers, R row-major and then the translation: the order of Klamp't's files and of our outputs.
  static RigidTransform fromRows(const double* v) {
    RigidTransform X;
    X.R << v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8];
    X.p << v[9], v[10], v[11];
    return X;
  }
  void toRows(double* v) const {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) v[3 * i + j] = R(i, j);
    for (int i = 0; i < 3; ++i) v[9 + i] = p[i];
  }

  RigidTransform operator*(const RigidTransform& X_BC) const { return {R * X_BC.R, R * X_BC.p + p}; }
  Vector3d operator*(const Vector3d& p_B) const { return R * p_B + p; }
  RigidTransform inverse() const { return {R.transpose(), -(R.transpose() * p)}; }

  bool allFinite() const;
  bool operator==(const RigidTransform&) const = default;
};

}  // namespace mortise
