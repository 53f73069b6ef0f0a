#include "mortise/motion/trajectory.h"

#include <algorithm>

namespace mortise {

void Trajectory::evaluate(double t, VectorXd& q, VectorXd& dq) const {
  dq.setZero();
  if (empty()) return;
  if (t <= times.front()) {
    q = configurations.front();
    return;
  }
  if (!(t < times.back())) {  // A time that is no number ends here too.
    q = configurations.back();
    return;
  }
  const auto next = std::upper_bound(times.begin(), times.end(), t) - times.begin();
  const double span = times[next] - times[next - 1];
  const VectorXd& a = configurations[next - 1];
  const VectorXd& b = configurations[next];
  dq = (b - a) / span;
  q = a + dq * (t - times[next - 1]);
}

}  // namespace mortise
