#include "mortise/timing/path_timing.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/math/constants.h"
#include "mortise/timing/bound_usage.h"
#include "mortise/timing/ramp_path.h"
#include "tests/support/vector.h"

namespace mortise {
namespace {

CoordinateLimits limit(double v, double a) {
  CoordinateLimits limits;
  limits.vMin = -v;
  limits.vMax = v;
  limits.aMax = a;
  return limits;
}

/// Distance of a configuration from a polyline.
double offPath(const VectorXd& q, const std::vector<VectorXd>& path) {
  double minimum = kInfinity;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const VectorXd d = path[i] - path[i - 1];
    const double u = std::clamp((q - path[i - 1]).dot(d) / d.squaredNorm(), 0.0, 1.0);
    minimum = std::min(minimum, (q - path[i - 1] - u * d).norm());
  }
  return minimum;
}

std::vector<VectorXd> randomPath(RandomStream& random, int milestones, int n) {
  std::vector<VectorXd> path;
  for (int i = 0; i < milestones; ++i) {
    VectorXd q(n);
    for (int j = 0; j < n; ++j) q[j] = random.uniform(-2, 2);
    path.push_back(q);
  }
  return path;
}

TEST(TimeBlended, AStraightLineIsATrapezoid) {
  const CoordinateLimits limits[] = {limit(1, 10), limit(5, 2), limit(9, 9)};
  const VectorXd a = vector({0, 1, 2}), b = vector({3, -1, 2});
  const BlendOutcome outcome = timeBlended({a, b}, limits);
  EXPECT_NEAR(outcome.trajectory.endTime(), 3 + 1.0 / 3, 1e-9);
  EXPECT_EQ(outcome.trajectory.times.size(), 4u) << "up, along, down";
  EXPECT_EQ(outcome.corners, 0);
  // Milestones on the line change nothing.
  const BlendOutcome finer = timeBlended({a, a + 0.25 * (b - a), a + 0.5 * (b - a), b}, limits);
  EXPECT_NEAR(finer.trajectory.endTime(), 3 + 1.0 / 3, 1e-9);
  EXPECT_EQ(finer.stops, 0);
  // A triangle.
  EXPECT_NEAR(timeBlended({vector({0}), vector({1})}, {limits, 1}).trajectory.endTime(), 1 + 1.0 / 10, 1e-9);
}

TEST(TimeBlended, WithoutDeviationItRestsInEveryCorner) {
  RandomStream random(1);
  const std::vector<CoordinateLimits> limits(3, limit(1, 4));
  const std::vector<VectorXd> path = randomPath(random, 8, 3);
  BlendOptions options;
  options.deviation = 0;
  const BlendOutcome outcome = timeBlended(path, limits, options);
  EXPECT_EQ(outcome.stops, 6);
  EXPECT_EQ(outcome.deviation, 0);
  EXPECT_NEAR(outcome.trajectory.endTime(), RampPath::throughMilestones(path, limits).duration(), 1e-9);
}

/// A square corner at speed v with curvature k keeps v^2 k <= a: the middle of the blend can be gone through at no
/// more.
TEST(TimeBlended, CornersAreAsFastAsTheAccelerationAllows) {
  const CoordinateLimits limits[] = {limit(100, 1), limit(100, 1)};
  BlendOptions options;
  options.deviation = 0.05;
  options.pieces = 64;
  const BlendOutcome outcome = timeBlended({vector({0, 0}), vector({1, 0}), vector({1, 1})}, limits, options);
  EXPECT_EQ(outcome.stops, 0);
  EXPECT_NEAR(outcome.deviation, 0.05, 1e-12);
  // reach = 4 * 0.05 / sqrt(2); second derivative 1 / (2 reach) in each coordinate. In the blend, both accelerations
  // are at their bounds when the speed along the path is constant: x = 2 reach.
  const double reach = 0.2 / std::sqrt(2.0), x = 2 * reach;
  // Before and after: from rest with acceleration 1 to that speed over 1 - reach, if it gets no faster.
  ASSERT_GT(2 * (1 - reach), x);
  const double up = 0.5 * (x / 2 + (1 - reach)), peak = std::sqrt(2 * up), v = std::sqrt(x);
  const double expected = 2 * (peak + (peak - v)) + 2 * reach / v;
  EXPECT_NEAR(outcome.trajectory.endTime(), expected, 2e-3 * expected);
  EXPECT_LE(outcome.trajectory.endTime(), expected * (1 + 1e-3));
}

TEST(TimeBlended, RandomPathsKeepToBoundsAndToThePath) {
  RandomStream random(2);
  for (int i = 0; i < 60; ++i) {
    const int n = 1 + static_cast<int>(random.below(7));
    std::vector<CoordinateLimits> limits;
    for (int j = 0; j < n; ++j) {
      limits.push_back(limit(random.uniform(0.2, 3), random.uniform(0.3, 10)));
      limits.back().vMin *= random.uniform(0.3, 1);
    }
    const std::vector<VectorXd> path = randomPath(random, 2 + static_cast<int>(random.below(20)), n);
    BlendOptions options;
    options.deviation = random.uniform(0.001, 0.3);
    const BlendOutcome outcome = timeBlended(path, limits, options);
    const HermiteTrajectory& trajectory = outcome.trajectory;
    const BoundUsage usage = boundUsage(trajectory, limits);
    EXPECT_LE(usage.velocity, 1 + 1e-9);
    EXPECT_LE(usage.acceleration, 1 + 1e-9);
    EXPECT_LT(outcome.stretch, 1.01);
    EXPECT_LE(trajectory.endTime(), RampPath::throughMilestones(path, limits).duration() * (1 + 1e-6));
    EXPECT_TRUE(trajectory.configurations.front().isApprox(path.front()));
    EXPECT_TRUE(trajectory.configurations.back().isApprox(path.back()));
    EXPECT_TRUE(trajectory.velocities.front().isZero(1e-12));
    EXPECT_TRUE(trajectory.velocities.back().isZero(1e-6)) << trajectory.velocities.back().transpose();
    // Densely, by other means: differences of positions.
    VectorXd q(n), dq(n), before(n), dqBefore(n);
    const double step = trajectory.endTime() / 3000;
    trajectory.evaluate(0, before, dqBefore);
    for (int k = 1; k <= 3000; ++k) {
      trajectory.evaluate(step * k, q, dq);
      EXPECT_LE(offPath(q, path), options.deviation + 1e-6);
      for (int j = 0; j < n; ++j) {
        EXPECT_LE((q[j] - before[j]) / step, limits[j].vMax * (1 + 1e-9) + 1e-9);
        EXPECT_GE((q[j] - before[j]) / step, limits[j].vMin * (1 + 1e-9) - 1e-9);
        EXPECT_LE(std::abs(dq[j] - dqBefore[j]) / step, limits[j].aMax * (1 + 1e-9) + 1e-7);
      }
      before = q;
      dqBefore = dq;
    }
  }
}

TEST(TimeBlended, FineGridsGainLittle) {
  RandomStream random(3);
  for (int i = 0; i < 20; ++i) {
    const std::vector<CoordinateLimits> limits(5, limit(1, 5));
    const std::vector<VectorXd> path = randomPath(random, 12, 5);
    BlendOptions options;
    options.deviation = 0.1;
    const double usual = timeBlended(path, limits, options).trajectory.endTime();
    options.pieces = 200;
    const double fine = timeBlended(path, limits, options).trajectory.endTime();
    EXPECT_LE(fine, usual * (1 + 1e-6));
    EXPECT_LE(usual, fine * 1.02);
  }
}

TEST(TimeBlended, BlendsThatAreNotFreeGetSmallerOrRest) {
  const std::vector<CoordinateLimits> limits(2, limit(1, 1));
  const std::vector<VectorXd> path = {vector({0, 0}), vector({1, 0}), vector({1, 1}), vector({2, 1})};
  BlendOptions options;
  options.deviation = 0.1;
  int asked = 0;
  options.free = [&](const VectorXd& a, const VectorXd& corner, const VectorXd& b) {
    ++asked;
    return corner[1] == 1 && (a - corner).norm() < 0.1 && (b - corner).norm() < 0.1;
  };
  const BlendOutcome outcome = timeBlended(path, limits, options);
  EXPECT_EQ(outcome.corners, 2);
  EXPECT_EQ(outcome.stops, 1);
  EXPECT_NEAR(outcome.deviation, 0.1 / 4, 1e-12);
  EXPECT_EQ(asked, 5);
}

TEST(TimeBlended, ACircleOfShortEdgesIsGoneRoundWithoutRests) {
  std::vector<VectorXd> path;
  for (int k = 0; k <= 1000; ++k) path.push_back(vector({std::cos(M_PI * k / 1000), std::sin(M_PI * k / 1000)}));
  const std::vector<CoordinateLimits> limits(2, limit(100, 1));
  BlendOptions options;
  options.deviation = 1e-5;
  const BlendOutcome outcome = timeBlended(path, limits, options);
  EXPECT_EQ(outcome.stops, 0);
  EXPECT_LE(outcome.deviation, 1e-5);
  EXPECT_LE(boundUsage(outcome.trajectory, limits).acceleration, 1 + 1e-9);
  // Bounded below by what it takes at v^2 / r <= sqrt(2), and above by doing so at v^2 = 0.7 from rest to rest.
  EXPECT_GT(outcome.trajectory.endTime(), M_PI / std::pow(2, 0.25));
  EXPECT_LT(outcome.trajectory.endTime(), M_PI / 0.8 + 2);
}

/// As ways that were halved again and again have them: blends that take half of each edge leave next to nothing of it.
TEST(TimeBlended, EdgesOfNearlyTheSameLengthAreNoSlower) {
  const std::vector<CoordinateLimits> limits(2, limit(1, 4));
  const auto winding = [](double spread, bool hair) {
    RandomStream random(7);
    std::vector<VectorXd> path = {vector({1, 1})};
    double heading = 0;
    for (int i = 0; i < 300; ++i) {
      heading += random.uniform(-0.025, 0.025);
      const double length = 0.001 * (1 + spread * random.uniform(-0.5, 0.5));
      path.push_back(path.back() + length * vector({std::cos(heading), std::sin(heading)}));
      if (hair && i % 20 == 3) path.push_back(path.back() + vector({0, 4e-15}));
    }
    return path;
  };
  for (const bool hair : {false, true}) {
    const double duration = timeBlended(winding(0, hair), limits, {.deviation = 1e-3}).trajectory.endTime();
    EXPECT_LT(duration, 3);
    for (double spread = 1e-15; spread < 0.1; spread *= 3) {
      SCOPED_TRACE(spread);
      const BlendOutcome outcome = timeBlended(winding(spread, hair), limits, {.deviation = 1e-3});
      EXPECT_EQ(outcome.stops, 0);
      EXPECT_LT(outcome.stretch, 1.001);
      EXPECT_LT(outcome.trajectory.endTime(), 1.05 * duration);
    }
  }
}

TEST(TimeBlended, ManyMilestones) {
  std::vector<VectorXd> path;
  RandomStream random(4);
  VectorXd q = VectorXd::Zero(2);
  for (int k = 0; k < 20'000; ++k) {
    q += 0.01 * vector({random.uniform(-1, 2), random.uniform(-1, 2)});
    path.push_back(q);
  }
  const std::vector<CoordinateLimits> limits(2, limit(1, 5));
  const BlendOutcome outcome = timeBlended(path, limits);
  EXPECT_LE(boundUsage(outcome.trajectory, limits).acceleration, 1 + 1e-9);
  EXPECT_LE(outcome.trajectory.endTime(), RampPath::throughMilestones(path, limits).duration());
}

TEST(TimeBlended, TurningBackIsNoTrouble) {
  const std::vector<CoordinateLimits> limits(1, limit(1, 1));
  const BlendOutcome outcome = timeBlended({vector({0}), vector({1}), vector({0})}, limits);
  EXPECT_LE(boundUsage(outcome.trajectory, limits).acceleration, 1 + 1e-9);
  double maximum = 0;
  VectorXd q(1), dq(1);
  for (double t = 0; t < outcome.trajectory.endTime(); t += 1e-3) {
    outcome.trajectory.evaluate(t, q, dq);
    maximum = std::max(maximum, q[0]);
  }
  EXPECT_NEAR(maximum, 1, 0.0101);
}

TEST(TimeBlended, WrongInputSaysSo) {
  const std::string names[] = {"shoulder", "elbow"};
  const auto message = [&](const std::vector<VectorXd>& milestones, std::vector<CoordinateLimits> limits,
                           double deviation = 0.01) {
    BlendOptions options;
    options.deviation = deviation;
    try {
      timeBlended(milestones, limits, options, names);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::vector<VectorXd> path = {vector({0, 0}), vector({1, 1}), vector({2, 0})};
  EXPECT_EQ(message(path, {limit(1, 1), limit(1, 1)}), "");
  EXPECT_NE(message(path, {limit(1, 1)}).find("milestone 0"), std::string::npos);
  EXPECT_NE(message({vector({0, 0}), vector({1, kInfinity})}, {limit(1, 1), limit(1, 1)}).find("not finite"),
            std::string::npos);
  EXPECT_NE(message(path, {limit(1, 1), limit(0, 1)}).find("'elbow'"), std::string::npos);
  EXPECT_NE(message(path, {limit(1, 1), limit(1, 0)}).find("'elbow'"), std::string::npos);
  EXPECT_NE(message(path, {limit(1, kInfinity), limit(1, kInfinity)}).find("acceleration: 4"), std::string::npos);
  EXPECT_NE(message(path, {limit(1, 1), limit(1, 1)}, NAN).find("deviation"), std::string::npos);
  EXPECT_NE(message(path, {limit(1, NAN), limit(1, 1)}).find("'shoulder'"), std::string::npos);
  EXPECT_EQ(timeBlended({vector({1}), vector({1})}, std::vector{limit(1, 1)}).trajectory.times.size(), 1u);
  EXPECT_TRUE(timeBlended({}, std::vector{limit(1, 1)}).trajectory.empty());
  // Half of the bounds infinite is enough.
  EXPECT_EQ(message(path, {limit(kInfinity, 1), limit(kInfinity, 1)}), "");
}

TEST(TimeLinear, ConstantSpeedsAndJumpsOfVelocity) {
  const std::vector<CoordinateLimits> limits = {limit(1, kInfinity), limit(0.5, kInfinity)};
  const HermiteTrajectory trajectory =
      timeLinear({vector({0, 0}), vector({1, 0}), vector({1, 0}), vector({1, 1})}, limits);
  ASSERT_EQ(trajectory.times.size(), 4u);
  EXPECT_EQ(trajectory.times, (std::vector<double>{0, 1, 1, 3}));
  VectorXd q(2), dq(2);
  trajectory.evaluate(0.25, q, dq);
  EXPECT_TRUE(q.isApprox(vector({0.25, 0})));
  EXPECT_TRUE(dq.isApprox(vector({1, 0})));
  trajectory.evaluate(2, q, dq);
  EXPECT_TRUE(q.isApprox(vector({1, 0.5})));
  EXPECT_TRUE(dq.isApprox(vector({0, 0.5})));
  EXPECT_NEAR(boundUsage(trajectory, limits).velocity, 1, 1e-12);
  EXPECT_THROW(timeLinear({vector({0}), vector({1})}, std::vector{limit(kInfinity, 1)}), Error);
  EXPECT_THROW(timeLinear({vector({0}), vector({1})}, std::vector{limit(0, 1)}), Error);
}

TEST(BoundUsage, FindWhatIsTooFastBetweenKnots) {
  HermiteTrajectory trajectory;
  trajectory.times = {0, 1};
  trajectory.configurations = {vector({0}), vector({1})};
  trajectory.velocities = {vector({0}), vector({0})};
  // Smooth step: velocity 6 t (1 - t), at most 1.5; acceleration 6 at the ends.
  const std::vector<CoordinateLimits> limits = {limit(1, 3)};
  const BoundUsage usage = boundUsage(trajectory, limits);
  EXPECT_NEAR(usage.velocity, 1.5, 1e-9);
  EXPECT_NEAR(usage.velocityTime, 0.5, 1e-9);
  EXPECT_NEAR(usage.acceleration, 2, 1e-9);
  EXPECT_NEAR(keepToBounds(trajectory, limits), 1.5, 1e-9);
  EXPECT_NEAR(boundUsage(trajectory, limits).velocity, 1, 1e-9);
  EXPECT_LE(boundUsage(trajectory, limits).acceleration, 1);
}

}  // namespace
}  // namespace mortise
