#include "common/noise.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"

namespace mortise::sensors {

namespace {

// The fraction of the largest variance that rounding of numbers that people type may do to a matrix.
constexpr double kTolerance = 1e-9;

/// Cholesky's factor of a positive semidefinite matrix: a column whose pivot vanishes is zero (Higham, 1990). Returns
/// false for a matrix that is not.
bool factorize(const Matrix3d& A, Matrix3d& L) {
  const double tolerance = kTolerance * A.diagonal().maxCoeff();
  L.setZero();
  for (int j = 0; j < 3; ++j) {
    double pivot = A(j, j);
    for (int k = 0; k < j; ++k) pivot -= L(j, k) * L(j, k);
    if (pivot < -tolerance) return false;
    const bool vanishes = pivot <= tolerance;
    if (!vanishes) L(j, j) = std::sqrt(pivot);
    for (int i = j + 1; i < 3; ++i) {
      double rest = A(i, j);
      for (int k = 0; k < j; ++k) rest -= L(i, k) * L(j, k);
      if (!vanishes)
        L(i, j) = rest / L(j, j);
      else if (rest * rest > tolerance * std::max(A(i, i), tolerance))
        return false;
    }
  }
  return true;
}

}  // namespace

double roundedTo(double value, double resolution) {
  if (!(resolution > 0) || !std::isfinite(value)) return value;
  const double steps = std::round(value / resolution);
  return std::isfinite(steps) ? resolution * steps : value;
}

double measured(double value, double variance, double resolution, RandomStream& random) {
  if (variance > 0) value += std::sqrt(variance) * random.gaussian();
  return roundedTo(value, resolution);
}

Vector3d measured(const Vector3d& value, const Vector3d& variance, const Vector3d& resolution, RandomStream& random) {
  Vector3d result;
  for (int i = 0; i < 3; ++i) result[i] = measured(value[i], variance[i], resolution[i], random);
  return result;
}

CovarianceNoise::CovarianceNoise(const Matrix3d& covariance, std::string_view name, const SourcePosition& where)
    : covariance_(covariance) {
  const std::string owner = "'" + std::string(name) + "' ";
  if (!covariance.allFinite()) throw Error(owner + "holds a number that is not finite", where);
  const double largest = covariance.cwiseAbs().maxCoeff();
  if ((covariance - covariance.transpose()).cwiseAbs().maxCoeff() > kTolerance * largest)
    throw Error(owner + "is not symmetric", where,
                "nine numbers, row by row: the variances on the diagonal, elsewhere the covariances, each one twice");
  none_ = largest == 0;
  if (!none_ && !factorize(covariance, factor_))
    throw Error(owner + "is no covariance: some combination of the three would have a negative variance", where,
                "variances on the diagonal must not be negative, and no covariance may exceed the root of the product "
                "of its two variances");
}

Vector3d CovarianceNoise::sample(RandomStream& random) const {
  if (none_) return Vector3d::Zero();
  // One draw after the other: the order in which a constructor's arguments are evaluated is not fixed.
  Vector3d normal;
  for (int i = 0; i < 3; ++i) normal[i] = random.gaussian();
  return factor_ * normal;
}

}  // namespace mortise::sensors
