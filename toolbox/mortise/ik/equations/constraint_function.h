#pragma once

#include <Eigen/Core>

#include "mortise/math/transform.h"

namespace mortise {

/// Equations r(x) = 0. Holds a workspace: one object a thread.
class ConstraintFunction {
 public:
  virtual ~ConstraintFunction() = default;
  virtual int dimension() const = 0;  ///< Numbers in x.
  virtual int size() const = 0;       ///< Equations.
  /// Writes r at x. Returns |r|^2.
  virtual double residual(const double* x, double* r) = 0;
  /// Writes dr/dx where `residual` was called last, by columns of `size` numbers.
  virtual void jacobian(double* J) = 0;
};

}  // namespace mortise
