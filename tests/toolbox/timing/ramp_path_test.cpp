#include "mortise/timing/ramp_path.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/math/constants.h"
#include "mortise/timing/bound_usage.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/vector.h"

namespace mortise {
namespace {

CoordinateLimits rampLimit(double v, double a) {
  CoordinateLimits limits;
  limits.vMin = -v;
  limits.vMax = v;
  limits.aMax = a;
  return limits;
}

TEST(RampPath, OneCoordinateTakesTheTimeOfATrapezoid) {
  const CoordinateLimits limits[] = {rampLimit(2, 4)};
  // Full speed after 0.5 s and 0.5 m, 0.5 s and 0.5 m to brake: 3 m take 0.5 + 1 + 0.5 s.
  EXPECT_NEAR(RampPath::throughMilestones({vector({1}), vector({4})}, limits).duration(), 2, 1e-12);
  // Too short to get up to speed: 2 sqrt(d / a).
  EXPECT_NEAR(RampPath::throughMilestones({vector({1}), vector({0})}, limits).duration(), 1, 1e-12);
  // A rest in the middle.
  EXPECT_NEAR(RampPath::throughMilestones({vector({0}), vector({1}), vector({4})}, limits).duration(), 3, 1e-12);
  // Repeated milestones take no time.
  EXPECT_NEAR(RampPath::throughMilestones({vector({1}), vector({1}), vector({4}), vector({4})}, limits).duration(), 2,
              1e-12);
}

TEST(RampPath, VelocitiesMayDifferByDirection) {
  CoordinateLimits one = rampLimit(2, kInfinity);
  one.vMin = -0.5;
  one.aMax = 1e6;
  const double forth = RampPath::throughMilestones({vector({0}), vector({1})}, {&one, 1}).duration();
  const double back = RampPath::throughMilestones({vector({1}), vector({0})}, {&one, 1}).duration();
  EXPECT_NEAR(forth, 0.5, 1e-5);
  EXPECT_NEAR(back, 2, 1e-5);
}

TEST(RampPath, TheSlowestCoordinateSetsThePaceAndAllStayOnTheLine) {
  const CoordinateLimits limits[] = {rampLimit(1, 10), rampLimit(5, 2), rampLimit(9, 9)};
  const VectorXd a = vector({0, 1, 2}), b = vector({3, -1, 2});
  const RampPath path = RampPath::throughMilestones({a, b}, limits);
  // Of the fraction of the way: velocity min(1/3, 5/2), acceleration min(10/3, 2/2) = 1.
  EXPECT_NEAR(path.duration(), 3 + 1.0 / 3, 1e-12);
  VectorXd q(3), dq(3), ddq(3);
  for (double t = 0; t <= path.duration(); t += 0.01) {
    path.evaluate(t, q, dq, ddq);
    const double u = q[0] / 3;
    EXPECT_NEAR(q[1], 1 - 2 * u, 1e-12);
    EXPECT_EQ(q[2], 2);
    EXPECT_NEAR(dq[1] * 3, -2 * dq[0], 1e-12);
  }
}

TEST(RampPath, CircularCoordinatesGoTheShortWayAndCountOn) {
  CoordinateLimits one = rampLimit(1, 1);
  one.circular = true;
  const RampPath path =
      RampPath::throughMilestones({vector({3}), vector({-3}), vector({-2}), vector({0.5})}, {&one, 1});
  VectorXd q(1), dq(1), ddq(1);
  path.evaluate(path.duration(), q, dq, ddq);
  EXPECT_NEAR(q[0], 0.5 + 2 * M_PI, 1e-12);
  double before = 3;
  for (double t = 0; t <= path.duration(); t += 0.01) {
    path.evaluate(t, q, dq, ddq);
    EXPECT_LT(std::abs(q[0] - before), 0.011);
    before = q[0];
  }
}

TEST(RampPath, PartsOfARampAreTheRamp) {
  RandomStream random(1);
  for (int i = 0; i < 500; ++i) {
    const RampEnds goal{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    const auto ramp = shortestRamp(goal, rampLimit(1.2, random.uniform(0.5, 5)));
    ASSERT_TRUE(ramp);
    const double cut = random.uniform(0, ramp->T);
    const ParabolicRamp first = rampBefore(*ramp, cut), last = rampFrom(*ramp, cut);
    EXPECT_NEAR(first.T + last.T, ramp->T, 1e-12);
    for (int k = 0; k <= 20; ++k) {
      const double t = ramp->T * k / 20;
      double x = 0, dx = 0, ddx = 0, y = 0, dy = 0, ddy = 0;
      ramp->evaluate(t, x, dx, ddx);
      if (t < cut)
        first.evaluate(t, y, dy, ddy);
      else
        last.evaluate(t - cut, y, dy, ddy);
      EXPECT_NEAR(x, y, 1e-9);
      EXPECT_NEAR(dx, dy, 1e-9);
    }
  }
}

/// Position and velocity are continuous, and the velocity is the position's.
void expectSmooth(const RampPath& path, double maxVelocity, double maxAcceleration) {
  const int n = path.size();
  VectorXd q(n), dq(n), ddq(n), q0(n), dq0(n);
  const double step = path.duration() / 2000;
  path.evaluate(0, q0, dq0, ddq);
  for (int k = 1; k <= 2000; ++k) {
    path.evaluate(step * k, q, dq, ddq);
    EXPECT_LE((q - q0).cwiseAbs().maxCoeff(), maxVelocity * step * (1 + 1e-6) + 1e-9);
    EXPECT_LE((dq - dq0).cwiseAbs().maxCoeff(), maxAcceleration * step * (1 + 1e-6) + 1e-8);
    q0 = q;
    dq0 = dq;
  }
}

TEST(RampPath, ReplacingAStretchKeepsTheRest) {
  RandomStream random(2);
  for (int i = 0; i < 50; ++i) {
    std::vector<CoordinateLimits> limits;
    for (int j = 0; j < 3; ++j) limits.push_back(rampLimit(random.uniform(0.5, 2), random.uniform(1, 8)));
    std::vector<VectorXd> milestones;
    for (int k = 0; k < 5; ++k)
      milestones.push_back(vector({random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)}));
    RampPath path = RampPath::throughMilestones(milestones, limits);
    for (int round = 0; round < 30; ++round) {
      double from = random.uniform(0, path.duration()), to = random.uniform(0, path.duration());
      if (from > to) std::swap(from, to);
      VectorXd q0(3), dq0(3), q1(3), dq1(3), ddq(3);
      path.evaluate(from, q0, dq0, ddq);
      path.evaluate(to, q1, dq1, ddq);
      std::vector<RampEnds> goals;
      for (int j = 0; j < 3; ++j)  // Rounding must not take velocities out of bounds.
        goals.push_back({q0[j], std::clamp(dq0[j], limits[j].vMin, limits[j].vMax), q1[j],
                         std::clamp(dq1[j], limits[j].vMin, limits[j].vMax)});
      const double T = minimumTime(goals, limits);
      if (!(T < to - from)) continue;
      std::vector<ParabolicRamp> ramps;
      for (int j = 0; j < 3; ++j) {
        const auto ramp = rampOfTime(goals[j], limits[j], T);
        if (!ramp) break;
        ramps.push_back(*ramp);
      }
      if (ramps.size() < 3) continue;
      const double before = path.duration();
      path.replace(from, to, ramps);
      EXPECT_NEAR(path.duration(), before - (to - from) + T, 1e-9);
    }
    expectSmooth(path, 2, 8);
    VectorXd q(3), dq(3), ddq(3);
    path.evaluate(0, q, dq, ddq);
    EXPECT_TRUE(q.isApprox(milestones.front()));
    path.evaluate(path.duration(), q, dq, ddq);
    EXPECT_TRUE(q.isApprox(milestones.back()));
    EXPECT_TRUE(dq.isZero(1e-9));

    HermiteTrajectory trajectory = path.trajectory();
    const BoundUsage usage = boundUsage(trajectory, limits);
    EXPECT_LE(usage.velocity, 1 + 1e-6);
    EXPECT_LE(usage.acceleration, 1 + 1e-4) << "knots that are one may cost a little";
    keepToBounds(trajectory, limits);
    EXPECT_LE(boundUsage(trajectory, limits).acceleration, 1 + 1e-9);
    // The cubics are the ramps.
    const HermiteTrajectory same = path.trajectory();
    VectorXd p(3), dp(3);
    for (int k = 0; k <= 1000; ++k) {
      const double t = path.duration() * k / 1000;
      path.evaluate(t, q, dq, ddq);
      same.evaluate(t, p, dp);
      EXPECT_LT((p - q).cwiseAbs().maxCoeff(), 1e-9);
      EXPECT_LT((dp - dq).cwiseAbs().maxCoeff(), 1e-7);
    }
  }
}

TEST(RampPath, EvaluatesWithoutAllocating) {
  const CoordinateLimits limits[] = {rampLimit(1, 1), rampLimit(1, 1)};
  const RampPath path =
      RampPath::throughMilestones({vector({0, 0}), vector({1, 2}), vector({0, 3}), vector({1, 1})}, limits);
  VectorXd q(2), dq(2), ddq(2);
  const std::size_t before = test::allocationCount;
  for (double t = -1; t < path.duration() + 1; t += 0.01) path.evaluate(t, q, dq, ddq);
  EXPECT_EQ(test::allocationCount, before);
}

TEST(RampPath, WrongInputSaysSo) {
  const CoordinateLimits limits[] = {rampLimit(1, 1), rampLimit(1, 1)};
  const std::string names[] = {"shoulder", "elbow"};
  const auto message = [&](const std::vector<VectorXd>& milestones, std::span<const CoordinateLimits> with) {
    try {
      RampPath::throughMilestones(milestones, with, names);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message({vector({0, 0}), vector({1})}, limits).find("milestone 1"), std::string::npos);
  EXPECT_NE(message({vector({0, 0}), vector({1, NAN})}, limits).find("not finite"), std::string::npos);
  CoordinateLimits stuck[] = {rampLimit(1, 1), rampLimit(0, 1)};
  EXPECT_NE(message({vector({0, 0}), vector({1, 1})}, stuck).find("'elbow'"), std::string::npos);
  EXPECT_EQ(message({vector({0, 0}), vector({1, 0})}, stuck), "") << "it need not move";
  stuck[1] = rampLimit(1, 0);
  EXPECT_NE(message({vector({0, 0}), vector({1, 1})}, stuck).find("acceleration"), std::string::npos);
  CoordinateLimits wild[] = {rampLimit(1, kInfinity), rampLimit(1, kInfinity)};
  EXPECT_NE(message({vector({0, 0}), vector({1, 1})}, wild).find("acceleration: 4"), std::string::npos);
  wild[0].vMax = NAN;
  EXPECT_NE(message({vector({0, 0}), vector({1, 1})}, wild).find("'shoulder'"), std::string::npos);

  EXPECT_EQ(RampPath::throughMilestones({}, limits).duration(), 0);
  const RampPath rest = RampPath::throughMilestones({vector({1, 2}), vector({1, 2})}, limits);
  EXPECT_EQ(rest.duration(), 0);
  VectorXd q(2), dq(2), ddq(2);
  rest.evaluate(0, q, dq, ddq);
  EXPECT_EQ(q, vector({1, 2}));
  ASSERT_EQ(rest.trajectory().times.size(), 1u);
}

}  // namespace
}  // namespace mortise
