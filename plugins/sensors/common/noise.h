#pragma once

/// Changes that sensors make to the true value: Gaussian noise of a given variance, then rounding to a resolution.

#include "mortise/base/random.h"
#include "mortise/base/value.h"
#include "mortise/math/transform.h"

namespace mortise::sensors {

/// The multiple of `resolution` nearest to `value`; `value` itself where the resolution is 0 or the value not finite.
double roundedTo(double value, double resolution);

/// Adds noise of mean 0 and this variance, then rounds. Draws nothing when the variance is 0, so that a sensor without
/// noise leaves its random stream alone.
double measured(double value, double variance, double resolution, RandomStream& random);
/// Each component on its own.
Vector3d measured(const Vector3d& value, const Vector3d& variance, const Vector3d& resolution, RandomStream& random);

/// Noise of three numbers that vary together.
class CovarianceNoise {
 public:
  CovarianceNoise() = default;
  /// Throws `Error` at `where` unless `covariance` is symmetric and positive semidefinite; `name` is the setting's.
  CovarianceNoise(const Matrix3d& covariance, std::string_view name, const SourcePosition& where);

  bool none() const { return none_; }
  const Matrix3d& covariance() const { return covariance_; }
  /// Zero, drawing nothing, when the covariance is zero.
  Vector3d sample(RandomStream& random) const;

 private:
  Matrix3d covariance_ = Matrix3d::Zero();
  Matrix3d factor_ = Matrix3d::Zero();  ///< Lower triangular, covariance = factor factor^T.
  bool none_ = true;
};

}  // namespace mortise::sensors
