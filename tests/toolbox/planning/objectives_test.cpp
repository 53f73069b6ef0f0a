#include "mortise/planning/goals/objectives.h"

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/planning/spaces/function_space.h"
#include "mortise/planning/spaces/robot_space.h"
#include "tests/support/vector.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

/// Lower bounds never exceed what a way through random places costs.
void expectLowerBounds(PlanningSpace& space, const PlanningObjective& objective) {
  RandomStream random(3);
  VectorXd a, b, c;
  for (int i = 0; i < 300; ++i) {
    space.sample(random, a);
    space.sample(random, b);
    space.sample(random, c);
    const double minimum = objective.lowerBound(a, b);
    EXPECT_GE(minimum, 0);
    EXPECT_LE(minimum, objective.edgeCost(a, b) + 1e-12);
    EXPECT_LE(minimum, objective.edgeCost(a, c) + objective.edgeCost(c, b) + 1e-9);
  }
}

std::vector<CoordinateLimits> limits() {
  std::vector<CoordinateLimits> all(2);
  all[0].vMin = -1;
  all[0].vMax = 2;
  all[0].aMax = 4;
  all[1].vMin = -0.5;
  all[1].vMax = 0.5;
  all[1].aMax = 1;
  return all;
}

TEST(Objectives, LengthsAndTimes) {
  FunctionSpace space(vector({0, 0}), vector({4, 4}));
  const VectorXd a = vector({0, 0}), b = vector({3, 4});
  const LengthObjective length(space);
  EXPECT_NEAR(length.edgeCost(a, b), 5, 1e-12);
  EXPECT_EQ(length.terminalCost(b), 0);
  expectLowerBounds(space, length);
  const WeightedLengthObjective weighted(space, vector({1, 0.5}));
  EXPECT_NEAR(weighted.edgeCost(a, b), std::hypot(3, 2), 1e-12);
  expectLowerBounds(space, weighted);

  const TimeObjective time(space, limits());
  EXPECT_NEAR(time.edgeCost(a, vector({3, 0.1})), 1.5, 1e-12);
  EXPECT_NEAR(time.edgeCost(vector({3, 0}), vector({0, 0.1})), 3, 1e-12) << "slower backwards";
  EXPECT_NEAR(time.edgeCost(a, b), 8, 1e-12);
  expectLowerBounds(space, time);
  const TimeObjective rest(space, limits(), true);
  EXPECT_NEAR(rest.edgeCost(a, vector({0, 4})), 8 + 0.5, 1e-12) << "0.5 s to get up to speed, and to brake";
  EXPECT_NEAR(rest.edgeCost(a, vector({0, 0.16})), 0.8, 1e-12) << "never reaches its speed";
  EXPECT_EQ(rest.edgeCost(a, a), 0);
  expectLowerBounds(space, rest);
  // The same as ramps of one coordinate.
  const RampEnds goal{0, 0, 2.5, 0};
  EXPECT_NEAR(rest.edgeCost(a, vector({2.5, 0})), minimumTime({&goal, 1}, std::vector{limits()[0]}), 1e-9);

  EXPECT_THROW(WeightedLengthObjective(space, vector({1})), Error);
  EXPECT_THROW(WeightedLengthObjective(space, vector({1, -1})), Error);
  EXPECT_THROW(TimeObjective(space, {}), Error);
  std::vector<CoordinateLimits> stuck = limits();
  stuck[1].vMax = 0;
  EXPECT_THROW(TimeObjective(space, stuck), Error);
}

TEST(Objectives, FunctionsIntegralsAndSums) {
  FunctionSpace space(vector({0, 0}), vector({4, 4}));
  const VectorXd a = vector({0, 0}), b = vector({4, 0});
  const auto edge = [](const VectorXd& p, const VectorXd& q) { return std::abs(q[0] - p[0]); };
  const auto own =
      std::make_shared<FunctionObjective>(FunctionObjective::Costs{edge, [](const VectorXd& q) { return q[1]; }, edge});
  EXPECT_NEAR(own->edgeCost(a, b), 4, 1e-12);
  EXPECT_NEAR(own->terminalCost(vector({0, 3})), 3, 1e-12);
  EXPECT_NEAR(own->lowerBound(a, b), 4, 1e-12);
  EXPECT_EQ(FunctionObjective({edge}).lowerBound(a, b), 0);
  EXPECT_THROW(FunctionObjective({}), Error);

  const auto integral = std::make_shared<PathIntegralObjective>(
      space, [](const VectorXd& q) { return 1 + q[0] * q[0]; }, 0.01, 1.0);
  EXPECT_NEAR(integral->edgeCost(a, b), 4 + 64.0 / 3, 1e-3);
  expectLowerBounds(space, *integral);
  const SumObjective sum({{own, 2}, {integral, 1}});
  EXPECT_NEAR(sum.edgeCost(a, b), 8 + 4 + 64.0 / 3, 1e-3);
  EXPECT_NEAR(sum.terminalCost(vector({0, 3})), 6, 1e-12);
  EXPECT_NEAR(sum.lowerBound(a, b), 12, 1e-9);
  EXPECT_THROW(SumObjective({}), Error);
  EXPECT_THROW(SumObjective({{own, -1}}), Error);
}

TEST(Objectives, TimesOfRobotsComeFromTheirLimits) {
  RobotDescription robot = test::armDescription(3);
  for (int i = 0; i < 3; ++i) {
    robot.links[static_cast<std::size_t>(i)].qMin = -3;
    robot.links[static_cast<std::size_t>(i)].qMax = 3;
    robot.links[static_cast<std::size_t>(i)].velocityMin = -1 - i;
    robot.links[static_cast<std::size_t>(i)].velocityMax = 1 + i;
  }
  robot.drivers.resize(1);
  robot.drivers.push_back(
      {.name = "pair", .type = DriverType::affine, .links = {1, 2}, .scale = {1, -3}, .offset = {0, 0}});
  World w;
  w.robots.push_back(test::placedRobot(robot));
  const auto world = std::make_shared<const World>(std::move(w));
  const auto collider = std::make_shared<const WorldCollider>(world);
  RobotSpace space(collider, 0, VectorXd::Zero(3));
  const std::vector<CoordinateLimits> found = planningLimits(space, *world);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_DOUBLE_EQ(found[0].vMax, 1);
  EXPECT_DOUBLE_EQ(found[1].vMax, 1) << "three times as fast is rod2's limit of 3";
  EXPECT_FALSE(found[1].circular);
  const TimeObjective time(space, found);
  EXPECT_NEAR(time.edgeCost(vector({0, 0}), vector({0.2, 0.5})), 0.5, 1e-12);
  expectLowerBounds(space, time);

  // Round the circle: the short way counts.
  robot.drivers.resize(1);
  for (int i = 0; i < 3; ++i) {
    robot.joints[static_cast<std::size_t>(i)].type = JointType::spin;
    robot.links[static_cast<std::size_t>(i)].qMin = -kInfinity;
    robot.links[static_cast<std::size_t>(i)].qMax = kInfinity;
  }
  World spinning;
  spinning.robots.push_back(test::placedRobot(robot));
  const auto spins = std::make_shared<const World>(std::move(spinning));
  RobotSpace circles(std::make_shared<const WorldCollider>(spins), 0, VectorXd::Zero(3));
  std::vector<CoordinateLimits> round = planningLimits(circles, *spins);
  round[0].vMin = -0.5;
  round[0].vMax = 0.5;
  EXPECT_TRUE(round[0].circular);
  const TimeObjective turning(circles, round);
  EXPECT_NEAR(turning.edgeCost(vector({0.1, 0, 0}), vector({2 * M_PI - 0.1, 0, 0})), 0.4, 1e-9);
  expectLowerBounds(circles, turning);
  const WeightedLengthObjective length(circles, vector({1, 1, 1}), {1, 1, 1});
  EXPECT_NEAR(length.edgeCost(vector({0.1, 0, 0}), vector({2 * M_PI - 0.1, 0, 0})), 0.2, 1e-9);
}

}  // namespace
}  // namespace mortise
