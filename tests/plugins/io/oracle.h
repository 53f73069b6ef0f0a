#pragma once

/// Comparison with the numbers of `reference/klampt-oracle`.

#include <cmath>
#include <string>

#include "mortise/base/value.h"
#include "mortise/math/transform.h"

namespace mortise::test {

/// Numbers of an oracle file; null stands for infinite (or not a number) and comes out as infinity with the sign of
/// `expected`.
inline bool near(const Value& oracle, double ours, double tolerance) {
  if (oracle.isNull()) return !std::isfinite(ours);
  const double theirs = oracle.asReal();
  return std::abs(theirs - ours) <= tolerance * std::max(1.0, std::abs(theirs));
}

template <typename Vector>
bool allNear(const Value& oracle, const Vector& ours, double tolerance) {
  if (oracle.size() != static_cast<std::size_t>(ours.size())) return false;
  for (std::size_t i = 0; i < oracle.size(); ++i)
    if (!near(oracle[i], ours[static_cast<Eigen::Index>(i)], tolerance)) return false;
  return true;
}

inline Eigen::Matrix<double, 9, 1> rows(const Matrix3d& m) {
  Eigen::Matrix<double, 9, 1> v;
  for (int i = 0; i < 9; ++i) v[i] = m(i / 3, i % 3);
  return v;
}

inline Eigen::Matrix<double, 12, 1> rows(const RigidTransform& X) {
  Eigen::Matrix<double, 12, 1> v;
  X.toRows(v.data());
  return v;
}

}  // namespace mortise::test
