#include "mortise/timing/parabolic_ramp.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "mortise/base/random.h"

namespace mortise {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

CoordinateLimits bounds(double v, double a) { return {.vMin = -v, .vMax = v, .aMax = a}; }

double shortest(const RampEnds& goal, const CoordinateLimits& limits) {
  const auto ramp = shortestRamp(goal, limits);
  return ramp ? ramp->T : kInf;
}

/// Ends where it should, without jumps, and within its bounds, all to 1e-9.
void expectGood(const ParabolicRamp& ramp, const RampEnds& goal, const CoordinateLimits& limits,
                const std::string& what) {
  double x = 0, v = 0, a = 0;
  ramp.evaluate(0, x, v, a);
  if (ramp.T > 0) {
    EXPECT_NEAR(x, goal.x0, 1e-9) << what;
    EXPECT_NEAR(v, goal.v0, 1e-9) << what;
  }
  ramp.evaluate(ramp.T, x, v, a);
  EXPECT_EQ(x, goal.x1) << what;
  EXPECT_EQ(v, goal.v1) << what;
  ASSERT_LE(0, ramp.t1) << what;
  ASSERT_LE(ramp.t1, ramp.t2) << what;
  ASSERT_LE(ramp.t2, ramp.T) << what;
  for (const double seam : {ramp.t1, ramp.t2, ramp.T}) {
    double xBefore = 0, vBefore = 0;
    const double before = std::nextafter(seam, -1.0);
    if (before < 0) continue;
    ramp.evaluate(before, xBefore, vBefore, a);
    ramp.evaluate(seam, x, v, a);
    EXPECT_NEAR(x, xBefore, 1e-9) << what << " at " << seam;
    EXPECT_NEAR(v, vBefore, 1e-9 * std::max(1.0, limits.aMax * 1e-6)) << what << " at " << seam;
  }
  for (int k = 0; k <= 200; ++k) {
    ramp.evaluate(ramp.T * k / 200, x, v, a);
    ASSERT_TRUE(std::isfinite(x) && std::isfinite(v) && std::isfinite(a)) << what;
    ASSERT_LE(x, limits.xMax + 1e-9) << what;
    ASSERT_GE(x, limits.xMin - 1e-9) << what;
    ASSERT_LE(v, limits.vMax + 1e-9) << what;
    ASSERT_GE(v, limits.vMin - 1e-9) << what;
    ASSERT_LE(std::abs(a), limits.aMax * (1 + 1e-12)) << what;
  }
}

/// Times by trying velocities u in the middle, without any of the formulas under test: from v0 to u and from u to v1
/// with full acceleration, and in between as long as it takes at u. `visit` gets each time that does it.
template <typename Visit>
void tryVelocities(const RampEnds& goal, const CoordinateLimits& limits, int steps, Visit visit) {
  const double d = goal.x1 - goal.x0, a = limits.aMax;
  for (int k = 0; k <= steps; ++k) {
    const double u = limits.vMin + (limits.vMax - limits.vMin) * k / steps;
    const double ramps = (std::abs(u - goal.v0) + std::abs(goal.v1 - u)) / a;
    const double distance =
        (goal.v0 + u) / 2 * std::abs(u - goal.v0) / a + (goal.v1 + u) / 2 * std::abs(goal.v1 - u) / a;
    if (u != 0 && (d - distance) / u >= 0) visit(ramps + (d - distance) / u);
  }
}

TEST(ParabolicRamp, RestToRestTakesTheTimesOfTheTextbook) {
  EXPECT_NEAR(shortest({0, 0, 1, 0}, bounds(kInf, 1)), 2, 1e-14) << "PP: 2 sqrt(d / a)";
  EXPECT_NEAR(shortest({0, 0, -1, 0}, bounds(10, 4)), 1, 1e-14);
  EXPECT_NEAR(shortest({0, 0, 5, 0}, bounds(2, 4)), 3, 1e-14) << "PLP: d / v + v / a";
  EXPECT_NEAR(shortest({2, 0, -3, 0}, bounds(2, 4)), 3, 1e-14);
  EXPECT_EQ(shortest({1, 0, 1, 0}, bounds(2, 4)), 0) << "nothing to do";
  EXPECT_EQ(shortest({1, 2, 1, 2}, bounds(2, 4)), 0);
}

TEST(ParabolicRamp, VelocitiesAtTheEndsCount) {
  EXPECT_NEAR(shortest({0, 1, 0.5, 0}, bounds(5, 1)), 1, 1e-7) << "P: exactly the way of braking";
  EXPECT_NEAR(shortest({0, 0, 0.5, 1}, bounds(5, 1)), 1, 1e-7);
  EXPECT_NEAR(shortest({0, 1, 0, 0}, bounds(5, 1)), 1 + std::sqrt(2), 1e-12) << "stops beyond, and comes back";
  EXPECT_NEAR(shortest({0, 1, 0, -1}, bounds(5, 1)), 2, 1e-7) << "P";
  EXPECT_NEAR(shortest({0, -1, 2, 0}, bounds(1, 1)), 4.5, 1e-12) << "turns round at -0.5 (1 s), then 2.5 m";
  // A slower pace upwards than downwards.
  EXPECT_NEAR(shortest({0, 0, 5, 0}, {.vMin = -5, .vMax = 1, .aMax = 1}), 6, 1e-14);
  EXPECT_NEAR(shortest({5, 0, 0, 0}, {.vMin = -5, .vMax = 1, .aMax = 1}), 2 * std::sqrt(5), 1e-13);
}

TEST(ParabolicRamp, InfiniteAndZeroBounds) {
  const auto line = shortestRamp({1, 0, 4, 0}, bounds(2, kInf));
  ASSERT_TRUE(line);
  EXPECT_EQ(line->T, 1.5);
  double x = 0, v = 0, a = 0;
  line->evaluate(0.5, x, v, a);
  EXPECT_EQ(x, 2);
  EXPECT_EQ(v, 2);
  EXPECT_EQ(a, 0);
  const auto jump = shortestRamp({1, 0, 4, 0}, bounds(kInf, kInf));
  ASSERT_TRUE(jump);
  EXPECT_EQ(jump->T, 0);
  jump->evaluate(0, x, v, a);
  EXPECT_EQ(x, 4);
  const auto slowJump = rampOfTime({1, 0, 4, 0}, bounds(kInf, kInf), 3);
  ASSERT_TRUE(slowJump);
  slowJump->evaluate(1, x, v, a);
  EXPECT_EQ(x, 2) << "in company: at constant velocity";
  EXPECT_FALSE(shortestRamp({0, 0, 1, 0}, bounds(0, 1)));
  EXPECT_FALSE(shortestRamp({0, 0, 1, 0}, bounds(0, kInf)));
  EXPECT_FALSE(shortestRamp({0, 0, 1, 0}, bounds(1, 0)));
  EXPECT_FALSE(shortestRamp({0, 2, 1, 0}, bounds(1, 1))) << "too fast already";
  EXPECT_EQ(shortest({3, 0, 3, 0}, bounds(0, 0)), 0) << "a weld that stays";
  EXPECT_TRUE(rampOfTime({3, 0, 3, 0}, bounds(0, 0), 2));
  EXPECT_EQ(shortest({3, 0, 3, 0}, bounds(0, kInf)), 0);
}

TEST(ParabolicRamp, BoundsOfPositionAreKeptWhenThereIsTimeToSpare) {
  // 1 m/s towards a wall 0.5 m away, full braking 1 m/s^2; the goal is behind, and there are 20 s. The least
  // acceleration would run through the wall.
  const RampEnds goal{0, 1, -0.2, 0};
  CoordinateLimits limits = bounds(2, 1);
  const auto free = rampOfTime(goal, limits, 20);
  ASSERT_TRUE(free);
  double lowest = 0, highest = 0;
  free->range(lowest, highest);
  EXPECT_GT(highest, 1);
  limits.xMax = 0.5 + 1e-12;
  const auto held = rampOfTime(goal, limits, 20);
  ASSERT_TRUE(held);
  expectGood(*held, goal, limits, "wall");
  limits.xMax = 0.45;
  EXPECT_FALSE(rampOfTime(goal, limits, 20)) << "nobody can brake that hard";
  const CoordinateLimits wide = widened(limits, 0, 1);
  EXPECT_NEAR(wide.xMax, 0.5, 1e-15);
  EXPECT_TRUE(rampOfTime(goal, wide, 20));
}

TEST(ParabolicRamp, RandomRampsAreAsShortAsAnyThatCanBeTried) {
  RandomStream random(11, "ramps");
  for (int trial = 0; trial < 2000; ++trial) {
    CoordinateLimits limits = bounds(0, std::exp(random.uniform(-3, 3)));
    limits.vMin = -std::exp(random.uniform(-3, 3));
    limits.vMax = std::exp(random.uniform(-3, 3));
    const double size = std::exp(random.uniform(-8, 3));
    RampEnds goal{random.uniform(-1, 1) * size, random.uniform(limits.vMin, limits.vMax), random.uniform(-1, 1) * size,
                  random.uniform(limits.vMin, limits.vMax)};
    if (trial % 4 == 1) goal.v0 = 0;
    if (trial % 4 == 2) goal.v1 = 0;
    if (trial % 8 == 3) goal.v0 = goal.v1 = 0;
    if (trial % 16 == 7) goal.x1 = goal.x0;
    if (trial % 16 == 15) goal.v1 = goal.v0 = limits.vMax;
    const std::string what = "trial " + std::to_string(trial);
    const auto ramp = shortestRamp(goal, limits);
    ASSERT_TRUE(ramp) << what << ": " << goal.x0 << " " << goal.v0 << " to " << goal.x1 << " " << goal.v1;
    expectGood(*ramp, goal, limits, what);
    double best = kInf;
    tryVelocities(goal, limits, 20000, [&](double T) { best = std::min(best, T); });
    EXPECT_LE(ramp->T, best + 1e-8 * (1 + best)) << what;
    // Velocities that were not tried lie between; near rest their times differ most.
    const double step = (limits.vMax - limits.vMin) / 20000;
    EXPECT_GE(ramp->T, best - 2 * step / limits.aMax - 0.02 * best - 1e-9) << what;
  }
}

TEST(ParabolicRamp, SynchronisedRampsArriveTogetherAndNoSoonerThanTheyMust) {
  RandomStream random(12, "synchronized");
  int later = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const int n = 1 + static_cast<int>(random.uniform(0, 6));
    std::vector<RampEnds> goals;
    std::vector<CoordinateLimits> limits;
    double slowest = 0;
    for (int i = 0; i < n; ++i) {
      limits.push_back(bounds(random.uniform(0.2, 2), random.uniform(0.2, 5)));
      const double v = limits.back().vMax;
      const bool rest = random.uniform(0, 1) < 0.3;
      goals.push_back({random.uniform(-1, 1), rest ? 0 : random.uniform(-v, v), random.uniform(-1, 1),
                       rest ? 0 : random.uniform(-v, v)});
      // Walls as near as the ends allow, so that every one of them can be met.
      const auto reach = [&](double x, double w) { return x + w * std::abs(w) / (2 * limits.back().aMax); };
      limits.back().xMax =
          std::max({goals[i].x0, goals[i].x1, reach(goals[i].x0, goals[i].v0), reach(goals[i].x1, -goals[i].v1)});
      limits.back().xMin =
          std::min({goals[i].x0, goals[i].x1, reach(goals[i].x0, goals[i].v0), reach(goals[i].x1, -goals[i].v1)});
      slowest = std::max(slowest, shortest(goals[i], limits[i]));
    }
    const double T = minimumTime(goals, limits);
    const std::string what = "trial " + std::to_string(trial);
    ASSERT_TRUE(std::isfinite(T)) << what;
    EXPECT_GE(T, slowest) << what;
    if (T > slowest + 1e-9) ++later;
    for (int i = 0; i < n; ++i) {
      const auto ramp = rampOfTime(goals[i], limits[i], T);
      ASSERT_TRUE(ramp) << what << " coordinate " << i;
      EXPECT_EQ(ramp->T, T);
      expectGood(*ramp, goals[i], limits[i], what + " coordinate " + std::to_string(i));
    }
    // No shorter time does it for all: between two times that were tried nothing else can be possible.
    for (const double fraction : {0.2, 0.5, 0.8, 0.95, 0.999}) {
      bool all = true;
      for (int i = 0; i < n && all; ++i) {
        const RampEnds& g = goals[i];
        // The ways that can be gone in this time, from the velocities in the middle that leave time for it.
        double minimum = kInf, maximum = -kInf;
        const double a = limits[i].aMax, time = T * fraction;
        for (int k = 0; k <= 4000; ++k) {
          const double u = limits[i].vMin + (limits[i].vMax - limits[i].vMin) * k / 4000;
          const double rest = time - (std::abs(u - g.v0) + std::abs(g.v1 - u)) / a;
          if (rest < 0) continue;
          const double distance =
              (g.v0 + u) / 2 * std::abs(u - g.v0) / a + (g.v1 + u) / 2 * std::abs(g.v1 - u) / a + u * rest;
          minimum = std::min(minimum, distance);
          maximum = std::max(maximum, distance);
        }
        const double d = g.x1 - g.x0;
        all = d >= minimum + 1e-3 * (1 + T) && d <= maximum - 1e-3 * (1 + T);
      }
      EXPECT_FALSE(all) << what << ": " << T * fraction << " s would do instead of " << T;
    }
  }
  EXPECT_GT(later, 10) << "some have to wait longer than for the slowest alone";
}

TEST(ParabolicRamp, EveryPossibleTimeHasARampAndNoOther) {
  RandomStream random(13, "times");
  for (int trial = 0; trial < 300; ++trial) {
    const CoordinateLimits limits = bounds(random.uniform(0.5, 2), random.uniform(0.5, 4));
    const RampEnds goal{0, random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5)};
    const double first = minimumTime({&goal, 1}, {&limits, 1});
    EXPECT_FALSE(rampOfTime(goal, limits, first * 0.99)) << trial;
    for (const double extra : {0.0, 0.01, 0.1, 0.5, 1.0, 3.0, 30.0}) {
      const double T = first + extra;
      const auto ramp = rampOfTime(goal, limits, T);
      // A coordinate of the same kind that needs exactly T decides whether T is possible.
      const std::vector<RampEnds> both = {goal, {0, 0, T, 0}};
      const std::vector<CoordinateLimits> with = {limits, bounds(1, kInf)};
      if (minimumTime(both, with) == T) {
        ASSERT_TRUE(ramp) << trial << " " << T;
        expectGood(*ramp, goal, limits, "trial " + std::to_string(trial));
      } else {
        EXPECT_FALSE(ramp) << trial << " " << T;
      }
    }
  }
}

TEST(ParabolicRamp, ExtremeNumbersStayNumbers) {
  const std::vector<double> sizes = {0, 1e-300, 1e-15, 1e-9, 1e-4, 1, 1e4, 1e9};
  for (const double d : sizes)
    for (const double v0 : {0.0, 1e-12, 1e-5, 1.0})
      for (const double v1 : {0.0, -1e-9, 1.0})
        for (const double a : {1e-6, 1.0, 1e9}) {
          const RampEnds goal{5, v0, 5 + d, v1};
          const auto ramp = shortestRamp(goal, bounds(1, a));
          ASSERT_TRUE(ramp) << d << " " << v0 << " " << v1 << " " << a;
          double x = 0, v = 0, acc = 0;
          for (int k = 0; k <= 20; ++k) {
            ramp->evaluate(ramp->T * k / 20, x, v, acc);
            ASSERT_TRUE(std::isfinite(x) && std::isfinite(v) && std::isfinite(acc));
            ASSERT_LE(std::abs(v), 1 + 1e-9);
            ASSERT_LE(std::abs(acc), a);
          }
        }
}

TEST(ParabolicRamp, BrakingAndTurns) {
  const ParabolicRamp brake = brakingRamp(1, -2, 4, 3);
  double x = 0, v = 0, a = 0;
  brake.evaluate(0.25, x, v, a);
  EXPECT_EQ(x, 1 - 0.5 + 0.125);
  EXPECT_EQ(v, -1);
  EXPECT_EQ(a, 4);
  brake.evaluate(2, x, v, a);
  EXPECT_EQ(x, 0.5);
  EXPECT_EQ(v, 0);
  EXPECT_EQ(brake.T, 3);
  EXPECT_EQ(brakingRamp(1, -2, kInf, 0).T, 0);
  EXPECT_EQ(brakingRamp(1, -2, kInf, 0).x1, 1);
  CoordinateLimits spin;
  EXPECT_EQ(nearestTurn(spin, 3, -3), -3);
  spin.circular = true;
  EXPECT_NEAR(nearestTurn(spin, 3, -3), 2 * M_PI - 3, 1e-15);
  EXPECT_NEAR(nearestTurn(spin, 20, 0.5), 6 * M_PI + 0.5, 1e-14);
}

}  // namespace
}  // namespace mortise
