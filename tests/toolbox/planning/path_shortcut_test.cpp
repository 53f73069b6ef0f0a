#include "mortise/planning/paths/path_shortcut.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "mortise/base/error.h"
#include "mortise/planning/planning_run.h"
#include "tests/toolbox/planning/plane_space.h"

namespace mortise {
namespace {

using test::PlaneSpace;

/// Around a disk of radius 0.5 at the origin, far out.
std::vector<VectorXd> detour() {
  return {vector({-1, 0}),    vector({-1.5, 0.5}), vector({-1.2, 1}), vector({-0.5, 1.8}), vector({0, 1.5}),
          vector({0.3, 1.9}), vector({1, 1}),      vector({1.6, 1}),  vector({1.5, 0.2}),  vector({1, 0})};
}

double lengthOf(const std::vector<VectorXd>& path) {
  double length = 0;
  for (std::size_t i = 1; i < path.size(); ++i) length += (path[i] - path[i - 1]).norm();
  return length;
}

StopConditions rounds(std::int64_t count) {
  StopConditions conditions;
  conditions.foundSolution = false;
  conditions.iterations = count;
  conditions.cost = -1;  // Also paths that cost nothing go on.
  return conditions;
}

/// Tangent, arc, tangent: what no path can beat.
double shortest() { return 2 * std::sqrt(1 - 0.25) + 0.5 * (M_PI - 2 * std::acos(0.5)); }

TEST(PathShortcutter, NeverWorseNeverBlockedAndNearTheShortest) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    PlaneSpace space;
    ShortcutOptions options;
    options.idle = 200;
    options.improvement = 1e-4;
    options.partial = seed % 2 == 0;
    PathShortcutter shortcutter(space, nullptr, options);
    shortcutter.start(detour());
    RandomStream random(seed);
    double cost = lengthOf(detour());
    EXPECT_NEAR(shortcutter.cost(), cost, 1e-12);
    while (!shortcutter.finished()) {
      const bool better = shortcutter.round(random);
      EXPECT_LE(shortcutter.cost(), cost);
      if (better) {
        EXPECT_NEAR(lengthOf(shortcutter.path()), shortcutter.cost(), 1e-9);
      }
      cost = shortcutter.cost();
      ASSERT_TRUE(space.holds(shortcutter.path()));
    }
    EXPECT_EQ(shortcutter.path().front(), detour().front());
    EXPECT_EQ(shortcutter.path().back(), detour().back());
    EXPECT_GE(cost, shortest() - 1e-9);
    EXPECT_LT(cost, 1.05 * shortest());
  }
}

TEST(PathShortcutter, WhatIsFreeBecomesALineAtOnce) {
  PlaneSpace space(0);
  RandomStream random(1);
  StopClock stop(rounds(1000));
  const ShortcutOutcome outcome = shortcutPath(space, nullptr, detour(), random, stop);
  EXPECT_EQ(outcome.path.size(), 2u);
  EXPECT_DOUBLE_EQ(outcome.cost, 2);
  EXPECT_LE(outcome.rounds, 3);
  EXPECT_EQ(stop.fired(), "");
}

TEST(PathShortcutter, TheSameStreamGivesTheSamePath) {
  const auto run = [&](std::uint64_t seed) {
    PlaneSpace space;
    RandomStream random(seed);
    StopClock stop(rounds(300));
    return shortcutPath(space, nullptr, detour(), random, stop).path;
  };
  const auto a = run(1), b = run(1), c = run(2);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i], b[i]);
  EXPECT_TRUE(a.size() != c.size() || a[1] != c[1]);
}

TEST(PathShortcutter, StopsWhenItIsTold) {
  PlaneSpace space;
  RandomStream random(1);
  StopClock none(rounds(0));
  EXPECT_EQ(shortcutPath(space, nullptr, detour(), random, none).path.size(), detour().size());
  StopClock few(rounds(5));
  const ShortcutOutcome outcome = shortcutPath(space, nullptr, detour(), random, few);
  EXPECT_EQ(outcome.rounds, 5);
  EXPECT_EQ(few.fired(), "maxIters");
}

TEST(PathShortcutter, SmoothingRoundsOffCorners) {
  PlaneSpace space;
  const std::vector<VectorXd> corner = {vector({-1, 0}), vector({0, 1}), vector({1, 0})};
  ShortcutOptions options;
  options.vertices = options.shortcuts = options.partial = options.perturbations = false;
  options.smoothing = 3;
  RandomStream random(1);
  StopClock stop(rounds(1000));
  const ShortcutOutcome outcome = shortcutPath(space, nullptr, corner, random, stop, options);
  EXPECT_LT(outcome.cost, lengthOf(corner));
  EXPECT_TRUE(space.holds(outcome.path));
  EXPECT_GT(outcome.path.size(), corner.size());
  double sharpest = 0;
  for (std::size_t i = 1; i + 1 < outcome.path.size(); ++i) {
    const VectorXd a = (outcome.path[i] - outcome.path[i - 1]).normalized(),
                   b = (outcome.path[i + 1] - outcome.path[i]).normalized();
    sharpest = std::max(sharpest, std::acos(std::clamp(a.dot(b), -1.0, 1.0)));
  }
  EXPECT_LT(sharpest, 0.5) << "it was pi / 2";
}

/// Costs of being low.
class Height final : public PlanningObjective {
 public:
  double edgeCost(const VectorXd& a, const VectorXd& b) const override {
    return (a - b).norm() * (1 + std::pow(0.5 * (a[1] + b[1]) - 2, 2));
  }
  double terminalCost(const VectorXd& q) const override { return 100; }
};

TEST(PathShortcutter, ObjectivesCountNotLengths) {
  Height height;
  PlaneSpace space(0);
  const std::vector<VectorXd> line = {vector({-3, 0}), vector({3, 0})};
  RandomStream random(5);
  StopClock stop(rounds(2000));
  ShortcutOptions options;
  options.idle = 0;
  options.improvement = 1e-4;
  const ShortcutOutcome outcome = shortcutPath(space, &height, line, random, stop, options);
  EXPECT_LT(outcome.cost, 0.8 * outcome.costBefore) << "up, along, and down again";
  double highest = 0;
  for (const VectorXd& q : outcome.path) highest = std::max(highest, q[1]);
  EXPECT_GT(highest, 1);
}

TEST(PathShortcutter, HostilePaths) {
  PlaneSpace space;
  RandomStream random(1);
  const auto run = [&](std::vector<VectorXd> path) {
    StopClock stop(rounds(1000));
    return shortcutPath(space, nullptr, std::move(path), random, stop);
  };
  EXPECT_TRUE(run({}).path.empty());
  EXPECT_EQ(run({vector({1, 0})}).path.size(), 1u);
  EXPECT_EQ(run({vector({1, 0}), vector({1, 0})}).path.size(), 2u);
  EXPECT_EQ(run(std::vector<VectorXd>(100, vector({1, 0}))).path.size(), 2u);
  EXPECT_THROW(run({vector({1, 0}), vector({1})}), Error);
  EXPECT_THROW(run({vector({1, 0}), vector({1, NAN})}), Error);
  ShortcutOptions bad;
  bad.improvement = NAN;
  EXPECT_THROW(PathShortcutter(space, nullptr, bad), Error);
  bad = {};
  bad.smoothing = -1;
  EXPECT_THROW(PathShortcutter(space, nullptr, bad), Error);
}

/// Says that no way is free, however short: nothing may change.
class Nowhere final : public test::PlaneSpace {
 public:
  bool visible(const VectorXd&, const VectorXd&) override { return false; }
};

TEST(PathShortcutter, NothingIsTakenForFree) {
  Nowhere space;
  RandomStream random(1);
  StopClock stop(rounds(1000));
  ShortcutOptions options;
  options.smoothing = 2;
  const ShortcutOutcome outcome = shortcutPath(space, nullptr, detour(), random, stop, options);
  EXPECT_EQ(outcome.path, detour());
  EXPECT_EQ(outcome.improvements, 0);
}

}  // namespace
}  // namespace mortise
