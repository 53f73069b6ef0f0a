#pragma once

#include <Eigen/Core>

#include "mortise/math/transform.h"

namespace mortise {

/// Equations r(q) = 0. Holds a workspace: one object a thread.
class ConstraintFunction {
 public:
  virtual ~ConstraintFunction() = default;
  virtual int dimension() const = 0;  ///< Numbers in q.
  virtual int size() const = 0;       ///< Equations.
  /// `r` has `size` entries, `J` (may be null) is size x dimension: dr/dq.
  virtual void evaluate(const VectorXd& q, VectorXd& r, Eigen::MatrixXd* J) = 0;
};

}  // namespace mortise
