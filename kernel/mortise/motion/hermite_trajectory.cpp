#include "mortise/motion/hermite_trajectory.h"

#include <algorithm>

#include "mortise/base/expect.h"

namespace mortise {

void HermiteTrajectory::evaluate(double t, VectorXd& q, VectorXd& dq) const {
  MORTISE_REQUIRE_SIZE(configurations, times.size(), "one for each time");
  MORTISE_REQUIRE_SIZE(velocities, times.size(), "one for each time");
  MORTISE_REQUIRE_SIZE(dq, q.size(), "as q");
  if (empty()) {
    dq.setZero();
    return;
  }
  if (t < times.front() || t > times.back()) {
    q = t < times.front() ? configurations.front() : configurations.back();
    dq.setZero();
    return;
  }
  const auto after = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), t) - times.begin());
  if (after == times.size()) {  // At the end: as it arrives there.
    q = configurations.back();
    dq = velocities.back();
    return;
  }
  const std::size_t i = after - 1;
  const double span = times[after] - times[i], u = (t - times[i]) / span;
  for (const std::size_t k : {i, after}) {
    MORTISE_REQUIRE_SIZE(q, configurations[k].size(), "one for each coordinate");
    MORTISE_REQUIRE_SIZE(velocities[k], configurations[k].size(), "one for each coordinate");
  }
  for (Eigen::Index j = 0; j < q.size(); ++j) {
    const double a = configurations[i][j], d = configurations[after][j] - a;
    const double va = velocities[i][j] * span, vb = velocities[after][j] * span;
    // a + u va + u^2 (3 d - 2 va - vb) + u^3 (va + vb - 2 d)
    const double square = 3 * d - 2 * va - vb, cube = va + vb - 2 * d;
    q[j] = a + u * (va + u * (square + u * cube));
    dq[j] = (va + u * (2 * square + u * 3 * cube)) / span;
  }
}

}  // namespace mortise
