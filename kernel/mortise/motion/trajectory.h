#pragma once

#include <vector>

#include "mortise/math/transform.h"

namespace mortise {

/// Timed configurations, linear in between; what `.path` files hold. Times are seconds and never decrease.
struct Trajectory {
  std::vector<double> times;
  std::vector<VectorXd> configurations;

  bool empty() const { return times.empty(); }
  double startTime() const { return times.empty() ? 0 : times.front(); }
  double endTime() const { return times.empty() ? 0 : times.back(); }
  /// Position and rate at `t`, held constant (rate zero) before the start and after the end. Sizes must match already;
  /// allocates nothing.
  void evaluate(double t, VectorXd& q, VectorXd& dq) const;
};

}  // namespace mortise
