#include "mortise/timing/optimal_timing.h"

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/math/constants.h"
#include "mortise/timing/bound_usage.h"
#include "mortise/timing/path_timing.h"
#include "tests/support/vector.h"

namespace mortise {
namespace {

CoordinateLimits within(double v, double a) {
  CoordinateLimits limits;
  limits.vMin = -v;
  limits.vMax = v;
  limits.aMax = a;
  return limits;
}

double durationOf(const PathCurve& curve, const std::vector<CoordinateLimits>& limits, int grid = 200) {
  OptimalTimingOptions options;
  options.gridPoints = grid;
  const OptimalTiming timing = timeOptimally(curve, limits, {}, options);
  const BoundUsage usage = boundUsage(timing.trajectory, limits);
  EXPECT_LE(usage.velocity, 1 + 1e-9);
  EXPECT_LE(usage.acceleration, 1 + 1e-9);
  return timing.trajectory.endTime();
}

TEST(OptimalTiming, LinesAreTrapezoidsAndTriangles) {
  for (const int grid : {2, 7, 100, 501}) {
    const PathCurve line = blendedCurve({vector({0, 1}), vector({3, 0})}, 0);
    EXPECT_NEAR(durationOf(line, {within(1, 10), within(5, 2)}, grid), 3 + 1.0 / 6, 1e-6) << grid;
    EXPECT_NEAR(durationOf(blendedCurve({vector({0}), vector({1})}, 0), {within(9, 4)}, grid), 1, 1e-6) << grid;
    EXPECT_NEAR(durationOf(blendedCurve({vector({0}), vector({1})}, 0), {within(kInfinity, 4)}, grid), 1, 1e-6);
  }
}

TEST(OptimalTiming, RestsInCornersWithoutBlends) {
  const PathCurve path = blendedCurve({vector({0, 0}), vector({1, 0}), vector({1, 4})}, 0);
  EXPECT_EQ(path.stretches.size(), 2u);
  EXPECT_NEAR(durationOf(path, {within(9, 4), within(9, 4)}), 1 + 2, 1e-6);
}

/// On the parabola y = x^2 / 2 whose second coordinate alone is bounded, that coordinate is bang-bang. The acceleration
/// along the path is constant on each segment, and bounds hold at both of its ends: what is lost shrinks with the grid.
TEST(OptimalTiming, OneBoundedCoordinateIsBangBang) {
  HermiteTrajectory stretch;
  stretch.times = {1, 3};
  stretch.configurations = {vector({1, 0.5}), vector({3, 4.5})};
  stretch.velocities = {vector({1, 1}), vector({1, 3})};
  PathCurve path;
  path.stretches = {stretch};
  const std::vector<CoordinateLimits> limits = {within(kInfinity, kInfinity), within(kInfinity, 2)};
  const double expected = 2 * std::sqrt(4 / 2.0);
  for (const int grid : {100, 400, 1600}) {
    const double duration = durationOf(path, limits, grid);
    EXPECT_GE(duration, expected - 1e-9);
    EXPECT_LE(duration, expected + 2.5 / grid);
  }
}

/// Who reads a file of the motion has positions and velocities at times, and differences of these: no piece may be so
/// short that their digits are worth a part of a bound.
TEST(OptimalTiming, AccelerationsCanBeReadFromTheKnots) {
  RandomStream random(11);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<VectorXd> path;
    for (int i = 0; i < 6; ++i) {
      VectorXd q(4);
      for (int j = 0; j < 4; ++j) q[j] = random.uniform(-2, 2);
      path.push_back(q);
    }
    const HermiteTrajectory motion =
        timeOptimally(blendedCurve(path, 0.05), std::vector<CoordinateLimits>(4, within(2, 4)), {}, {}).trajectory;
    for (std::size_t k = 0; k + 1 < motion.times.size(); ++k) {
      const double h = motion.times[k + 1] - motion.times[k];
      const VectorXd mean = (motion.configurations[k + 1] - motion.configurations[k]) / h;
      const VectorXd a0 = (6 * mean - 4 * motion.velocities[k] - 2 * motion.velocities[k + 1]) / h;
      const VectorXd a1 = (4 * motion.velocities[k + 1] + 2 * motion.velocities[k] - 6 * mean) / h;
      EXPECT_LE(std::max(a0.cwiseAbs().maxCoeff(), a1.cwiseAbs().maxCoeff()), 4 * (1 + 1e-5)) << h;
    }
  }
}

TEST(OptimalTiming, IsAsFastAsBlendsInClosedForm) {
  RandomStream random(3);
  for (int trial = 0; trial < 10; ++trial) {
    std::vector<VectorXd> path;
    for (int i = 0; i < 8; ++i) {
      VectorXd q(5);
      for (int j = 0; j < 5; ++j) q[j] = random.uniform(-2, 2);
      path.push_back(q);
    }
    const std::vector<CoordinateLimits> limits(5, within(2, 4));
    BlendOptions blends;
    blends.deviation = 0.05;
    const double before = timeBlended(path, limits, blends).trajectory.endTime();
    EXPECT_LE(durationOf(blendedCurve(path, 0.05), limits), before * (1 + 1e-9));
  }
}

TEST(OptimalTiming, WhatCannotMoveIsNamed) {
  const PathCurve line = blendedCurve({vector({0, 1}), vector({3, 0})}, 0);
  const std::string names[] = {"arm", "hand"};
  const CoordinateLimits limits[] = {within(1, 1), within(0, 1)};
  EXPECT_THROW(timeOptimally(line, limits, {}, {}, names), Error);
  const CoordinateLimits none[] = {within(kInfinity, kInfinity), within(kInfinity, kInfinity)};
  EXPECT_THROW(timeOptimally(line, none, {}, {}, names), Error);
}

}  // namespace
}  // namespace mortise
