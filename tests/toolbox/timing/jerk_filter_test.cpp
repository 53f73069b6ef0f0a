#include "mortise/timing/jerk_filter.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/math/constants.h"
#include "mortise/timing/bound_usage.h"
#include "mortise/timing/optimal_timing.h"
#include "tests/support/vector.h"

namespace mortise {
namespace {

CoordinateLimits jerkTestLimits(double v, double a) {
  CoordinateLimits limits;
  limits.vMin = -v;
  limits.vMax = v;
  limits.aMax = a;
  return limits;
}

/// The largest velocity and acceleration of a coordinate, and jerk over a millisecond, at places a hundred times finer
/// than the knots.
struct Finest {
  double velocity = 0, acceleration = 0, jerk = 0;
};
double accelerationAt(const HermiteTrajectory& motion, double t, Eigen::Index j) {
  const auto after = std::upper_bound(motion.times.begin(), motion.times.end(), t);
  const auto k = static_cast<std::size_t>(after - motion.times.begin());
  if (k == 0 || k == motion.times.size()) return 0;
  const double h = motion.times[k] - motion.times[k - 1], u = (t - motion.times[k - 1]) / h;
  const double d = (motion.configurations[k][j] - motion.configurations[k - 1][j]) / h;
  return (motion.velocities[k - 1][j] * (6 * u - 4) + motion.velocities[k][j] * (6 * u - 2) + d * (6 - 12 * u)) / h;
}
Finest finest(const HermiteTrajectory& motion, Eigen::Index j) {
  Finest maximum;
  VectorXd q = motion.configurations.front(), dq = q;
  for (std::size_t k = 0; k + 1 < motion.times.size(); ++k)
    for (int i = 0; i < 100; ++i) {
      const double t = motion.times[k] + (motion.times[k + 1] - motion.times[k]) * i / 100;
      motion.evaluate(t, q, dq);
      const double a = accelerationAt(motion, t, j);
      maximum.velocity = std::max(maximum.velocity, std::abs(dq[j]));
      maximum.acceleration = std::max(maximum.acceleration, std::abs(a));
      maximum.jerk = std::max(maximum.jerk, std::abs(accelerationAt(motion, t + 1e-3, j) - a) / 1e-3);
    }
  return maximum;
}

TEST(JerkFilter, ATrapezoidTakesTheWindowLonger) {
  // 3 m at 1 m/s with 2 m/s^2: 3.5 s. With a jerk of 8 m/s^3, of which 97 % are used, it takes 0.25 s / 0.97 to build
  // up.
  const std::vector<CoordinateLimits> limits = {jerkTestLimits(1, 2)};
  const OptimalTiming timing = timeOptimally(blendedCurve({vector({0}), vector({3})}, 0), limits);
  const JerkLimitedMotion motion = limitJerk(timing.trajectory, limits, std::vector<double>{8});
  EXPECT_NEAR(timing.trajectory.endTime(), 3.5, 1e-6);
  EXPECT_NEAR(motion.duration, 3.5 + 0.25 / 0.97, 1e-5);
  EXPECT_LE(motion.peakJerk, 1 + 1e-9);
  EXPECT_GT(motion.peakJerk, 0.96);
  EXPECT_EQ(motion.trajectory.configurations.back()[0], 3);
}

TEST(JerkFilter, KeepsAllBoundsOnACheckAHundredTimesFiner) {
  RandomStream random(5);
  const std::vector<CoordinateLimits> limits(4, jerkTestLimits(2, 5));
  const std::vector<double> jerks(4, 60);
  for (int trial = 0; trial < 5; ++trial) {
    std::vector<VectorXd> path;
    for (int i = 0; i < 6; ++i) {
      VectorXd q(4);
      for (int j = 0; j < 4; ++j) q[j] = random.uniform(-2, 2);
      path.push_back(q);
    }
    const OptimalTiming timing = timeOptimally(blendedCurve(path, 0.05), limits);
    const JerkLimitedMotion motion = limitJerk(timing.trajectory, limits, jerks, timing.milestoneTimes);
    EXPECT_LE(boundUsage(motion.trajectory, limits).velocity, 1 + 1e-9);
    EXPECT_LE(boundUsage(motion.trajectory, limits).acceleration, 1 + 1e-9);
    for (Eigen::Index j = 0; j < 4; ++j) {
      const Finest maximum = finest(motion.trajectory, j);
      EXPECT_LE(maximum.velocity, 2 * (1 + 1e-6));
      EXPECT_LE(maximum.acceleration, 5 * (1 + 1e-3));
      EXPECT_LE(maximum.jerk, 60);
    }
    EXPECT_GE(motion.duration, timing.trajectory.endTime());
    EXPECT_LT(motion.duration, timing.trajectory.endTime() + 0.2);
    // A tenth of what the acceleration does in the window.
    EXPECT_LT(motion.deviation, 0.02);
    ASSERT_EQ(motion.milestoneTimes.size(), path.size());
    VectorXd q(4), dq(4);
    for (std::size_t i = 0; i < path.size(); ++i) {
      motion.trajectory.evaluate(motion.milestoneTimes[i], q, dq);
      EXPECT_LT((q - path[i]).norm(), 0.1);
    }
  }
}

TEST(JerkFilter, RestsStayRests) {
  const std::vector<CoordinateLimits> limits(2, jerkTestLimits(1, 2));
  const OptimalTiming timing = timeOptimally(blendedCurve({vector({0, 0}), vector({1, 0}), vector({1, 1})}, 0), limits);
  const JerkLimitedMotion motion =
      limitJerk(timing.trajectory, limits, std::vector<double>(2, 10), timing.milestoneTimes);
  // On straight lines it stays on them.
  for (const VectorXd& q : motion.trajectory.configurations)
    EXPECT_LT(std::min(std::abs(q[1]), std::abs(q[0] - 1)), 1e-12);
  VectorXd q(2), dq(2);
  motion.trajectory.evaluate(motion.milestoneTimes[1], q, dq);
  EXPECT_LT((q - vector({1, 0})).norm(), 1e-9);
  EXPECT_LT(dq.norm(), 1e-9);
}

TEST(JerkFilter, RefusesWhatMeansNothing) {
  const std::vector<CoordinateLimits> limits = {jerkTestLimits(1, 2)};
  HermiteTrajectory moving{{0, 1}, {vector({0}), vector({1})}, {vector({1}), vector({1})}};
  EXPECT_THROW(limitJerk(moving, limits, std::vector<double>{1}), Error);
  moving.velocities = {vector({0}), vector({0})};
  EXPECT_THROW(limitJerk(moving, limits, std::vector<double>{0}), Error);
  const std::vector<CoordinateLimits> wide = {jerkTestLimits(10, 10)};
  EXPECT_EQ(limitJerk(moving, wide, std::vector<double>{kInfinity}).duration, 1);
}

}  // namespace
}  // namespace mortise
