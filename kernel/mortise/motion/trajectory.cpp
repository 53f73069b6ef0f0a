#include "mortise/motion/trajectory.h"

#include <algorithm>

#include "mortise/base/expect.h"

namespace mortise {

void Trajectory::evaluate(double t, VectorXd& q, VectorXd& dq) const {
  MORTISE_REQUIRE_SIZE(configurations, times.size(), "one for each time");
  MORTISE_REQUIRE_SIZE(dq, q.size(), "as q");
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
  MORTISE_REQUIRE_SIZE(q, a.size(), "one for each coordinate");
  MORTISE_REQUIRE_SIZE(b, a.size(), "one for each coordinate");
  dq = (b - a) / span;
  q = a + dq * (t - times[next - 1]);
}

}  // namespace mortise
