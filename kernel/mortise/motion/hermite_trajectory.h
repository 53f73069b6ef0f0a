#pragma once

#include <vector>

#include "mortise/math/transform.h"
#include "mortise/motion/trajectory.h"

namespace mortise {

/// Timed configurations with velocities, cubic in between (Hermite); what `.milestones` files hold. Times are seconds
/// and never decrease; as many velocities as configurations.
struct HermiteTrajectory {
  std::vector<double> times;
  std::vector<VectorXd> configurations;
  std::vector<VectorXd> velocities;

  bool empty() const { return times.empty(); }
  double startTime() const { return times.empty() ? 0 : times.front(); }
  double endTime() const { return times.empty() ? 0 : times.back(); }
  /// Position and velocity at `t`, held constant (velocity zero) before the start and after the end. Sizes must match
  /// already; allocates nothing.
  void evaluate(double t, VectorXd& q, VectorXd& dq) const;
};

}  // namespace mortise
