#include "mortise/planning/goals/ik_goal_region.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/math/rotation.h"
#include "mortise/planning/spaces/multi_robot_space.h"
#include "mortise/planning/spaces/object_space.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

/// Seven joints, about 1.2 m long, that turn about z, y, x, y, x, y, x.
RobotDescription sevenJoints(const std::string& name, const Vector3d& p) {
  RobotDescription robot = test::armDescription(7);
  robot.name = name;
  const double lengths[] = {0, 0.2, 0.15, 0.25, 0.2, 0.2, 0.1};
  for (int i = 0; i < 7; ++i) {
    Link& link = robot.links[static_cast<std::size_t>(i)];
    link.axis = i == 0       ? Vector3d(Vector3d::UnitZ())
                : i % 2 == 1 ? Vector3d(Vector3d::UnitY())
                             : Vector3d(Vector3d::UnitX());
    link.X_PL0.p = i == 0 ? p : Vector3d(lengths[i], 0, i == 1 ? 0.2 : 0.0);
    link.geometry =
        std::make_shared<Geometry>(AxisAlignedBoxShape{Vector3d(0.02, -0.02, -0.02), Vector3d(0.08, 0.02, 0.02)});
    link.qMin = -2.8;
    link.qMax = 2.8;
  }
  return robot;
}

std::shared_ptr<const WorldCollider> world(bool two = false, bool affine = false) {
  World w;
  RobotDescription left = sevenJoints("left", Vector3d::Zero());
  if (affine) {
    left.drivers.resize(6);
    left.drivers[5] = {
        .name = "wrist", .type = DriverType::affine, .links = {5, 6}, .scale = {1, -0.5}, .offset = {0, 0.2}};
  }
  w.robots.push_back(test::placedRobot(left));
  if (two) w.robots.push_back(test::placedRobot(sevenJoints("right", Vector3d(0, 1.4, 0))));
  w.objects.push_back(test::boxObject("box", Vector3d(0.4, 0.2, 0.35)));
  return std::make_shared<const WorldCollider>(std::make_shared<const World>(std::move(w)));
}

std::shared_ptr<const World> worldOf(const std::shared_ptr<const WorldCollider>& collider) {
  return {collider, &collider->world()};
}

IKGoal hand(const Vector3d& p, bool turned = true) {
  IKGoal goal;
  goal.link = 6;
  goal.position = IKGoal::Position::point;
  goal.p_LP = Vector3d(0.1, 0, 0);
  goal.p_DP = p;
  if (turned) {
    goal.rotation = IKGoal::Rotation::fixed;
    goal.rotationVector_DL = Vector3d(0, 0.5, 0.2);
  }
  return goal;
}

/// How far a whole configuration of the robot is from the goal: meters and rad.
void expectHand(const Robot& robot, const VectorXd& full, const IKGoal& goal, double tolerance) {
  RobotState state(robot);
  state.q = full;
  updateFrames(robot, state);
  const RigidTransform& X_WL = state.X_WL[static_cast<std::size_t>(goal.link)];
  EXPECT_LE((X_WL * goal.p_LP - goal.p_DP).norm(), tolerance);
  if (goal.rotation == IKGoal::Rotation::fixed) {
    EXPECT_LE(momentFromRotation(rotationFromMoment(goal.rotationVector_DL).transpose() * X_WL.R).norm(), tolerance);
  }
}

TEST(IKGoalRegion, SamplesSolveTheGoalWithinLimits) {
  const auto collider = world();
  RobotSpace space(collider, 0, VectorXd::Zero(7));
  const IKGoal goal = hand(Vector3d(0.6, 0, 0.4));
  IKGoalRegion region(space, worldOf(collider), {{0, {goal}}});
  RandomStream random(1);
  std::vector<VectorXd> given;
  VectorXd q;
  for (int i = 0; i < 60; ++i) {
    if (!region.sample(random, q)) continue;
    EXPECT_TRUE(region.contains(q));
    EXPECT_EQ(region.distance(q), 0);
    EXPECT_TRUE(space.feasible(q));
    expectHand(space.robot(), q, goal, 1e-6);
    for (const VectorXd& other : given) EXPECT_GT(space.distance(q, other), 1e-3);
    given.push_back(q);
  }
  EXPECT_GE(given.size(), 50U);
  const IKGoalRegion::Statistics& counts = region.statistics();
  EXPECT_EQ(counts.given, static_cast<std::int64_t>(given.size()));
  EXPECT_EQ(counts.tried, counts.unsolved + counts.known + counts.given + counts.violated[0] + counts.violated[1] +
                              counts.violated[2]);
  EXPECT_GT(counts.violated[2], 0) << "some arms reach through the box";
  q[1] += 0.1;
  EXPECT_FALSE(region.contains(q));
  const double near = region.distance(q);
  q[1] += 0.1;
  EXPECT_GT(near, 0);
  EXPECT_GT(region.distance(q), near);

  // The same numbers from the same stream; a copy begins anew.
  RandomStream again(1);
  const std::unique_ptr<PlanningGoal> copy = region.copy();
  std::size_t same = 0;
  for (int i = 0; i < 60; ++i)
    if (copy->sample(again, q)) {
      EXPECT_EQ(q, given.at(same++));
    }
  EXPECT_EQ(same, given.size());
}

TEST(IKGoalRegion, OnlyWhatIsPlannedForMoves) {
  const auto collider = world(false, true);
  RobotSpaceOptions options;
  options.links = {1, 2, 3, 5};  // 5 brings 6 along, by the driver.
  VectorXd base = VectorXd::Zero(7);
  base[0] = 0.3;
  base[4] = -0.4;
  RobotSpace space(collider, 0, base, options);
  ASSERT_EQ(space.dimension(), 4);
  const IKGoal goal = hand(Vector3d(0.5, 0.2, 0.5), false);
  PlannedGoalFunction function(space, collider->world(), {{0, {goal}}});
  // Rates beside differences, through the driver's scales.
  RandomStream random(3);
  VectorXd q, r(3), ahead(3), behind(3);
  Eigen::MatrixXd J(3, 4);
  for (int i = 0; i < 20; ++i) {
    space.sample(random, q);
    function.residual(q.data(), r.data());
    function.jacobian(J.data());
    for (int c = 0; c < 4; ++c) {
      constexpr double kStep = 1e-6;
      VectorXd moved = q;
      moved[c] += kStep;
      function.residual(moved.data(), ahead.data());
      moved[c] -= 2 * kStep;
      function.residual(moved.data(), behind.data());
      EXPECT_TRUE(((ahead - behind) / (2 * kStep) - J.col(c)).norm() < 1e-7);
    }
  }
  IKGoalRegion region(space, worldOf(collider), {{0, {goal}}});
  VectorXd full;
  int found = 0;
  for (int i = 0; i < 10; ++i) {
    if (!region.sample(random, q)) continue;
    ++found;
    space.lift(q, full);
    EXPECT_DOUBLE_EQ(full[0], 0.3);
    EXPECT_DOUBLE_EQ(full[4], -0.4);
    EXPECT_NEAR(full[6], 0.2 - 0.5 * full[5], 1e-12);
    expectHand(space.robot(), full, goal, 1e-6);
  }
  EXPECT_GT(found, 3);
}

TEST(IKGoalRegion, SeveralRobotsAtOnce) {
  const auto collider = world(true);
  MultiRobotSpace space(collider, {{.robot = 1}, {.robot = 0}});
  const IKGoal left = hand(Vector3d(0.4, 0.5, 0.4)), right = hand(Vector3d(0.45, 0.9, 0.4));
  IKGoalRegion region(space, worldOf(collider), {{0, {left}}, {1, {right}}});
  RandomStream random(1);
  VectorXd q, full;
  int found = 0;
  for (int i = 0; i < 20; ++i) {
    if (!region.sample(random, q)) continue;
    ++found;
    space.lift(q, full);
    expectHand(*collider->world().robots[1].robot, full.head(7), right, 1e-6);
    expectHand(*collider->world().robots[0].robot, full.tail(7), left, 1e-6);
    EXPECT_TRUE(space.feasible(q));
  }
  EXPECT_GT(found, 10);
}

TEST(IKGoalRegion, SeedsComeFirst) {
  const auto collider = world();
  RobotSpace space(collider, 0, VectorXd::Zero(7));
  const IKGoal goal = hand(Vector3d(0.6, 0, 0.4));
  RandomStream random(1);
  IKGoalRegion any(space, worldOf(collider), {{0, {goal}}});
  VectorXd known, q;
  ASSERT_TRUE(any.sample(random, known));
  IKGoalRegionOptions options;
  options.seeds = {known};
  IKGoalRegion region(space, worldOf(collider), {{0, {goal}}}, options);
  ASSERT_TRUE(region.sample(random, q));
  EXPECT_LT(space.distance(q, known), 1e-3);
}

TEST(IKGoalRegion, WhatNoGoalDependsOnStaysAtTheStart) {
  const auto collider = world(true);
  MultiRobotSpace space(collider, {{.robot = 0}, {.robot = 1}});
  IKGoal forearm = hand(Vector3d(0.3, -0.25, 0.4), false), other = hand(Vector3d(0.3, 1.65, 0.4), false);
  forearm.link = other.link = 4;
  IKGoalRegionOptions options;
  options.start = VectorXd::LinSpaced(14, -0.6, 0.7);
  RandomStream random(2);
  VectorXd q;
  const auto sample = [&](std::vector<RobotIKGoals> goals, std::vector<int> stay) {
    IKGoalRegion region(space, worldOf(collider), std::move(goals), options);
    int found = 0;
    for (int i = 0; i < 30; ++i) {
      if (!region.sample(random, q)) continue;
      ++found;
      for (int c = 0; c < 14; ++c)
        EXPECT_EQ(q[c] == options.start[c], std::count(stay.begin(), stay.end(), c) > 0) << c;
    }
    EXPECT_GT(found, 15);
  };
  sample({{0, {forearm}}}, {5, 6, 7, 8, 9, 10, 11, 12, 13});
  sample({{1, {other}}}, {0, 1, 2, 3, 4, 5, 6, 12, 13});
  // Terms involve their joints, too, whatever gives way.
  sample({{0, {forearm}, {{CoordinateGoal{6, 0.25}, 1}}}}, {5, 7, 8, 9, 10, 11, 12, 13});
  sample({{0, {forearm}, {{CenterOfMassGoal{Vector3d(0.1, 0, 0), {true, false, false}}, 1}}}},
         {7, 8, 9, 10, 11, 12, 13});
  EXPECT_THROW(IKGoalRegion(space, worldOf(collider), {{0, {forearm}}}, {.start = VectorXd::Zero(3)}), Error);
}

TEST(IKGoalRegion, WhatIsInTheWayMayMove) {
  // The other arm lies where the hand has to go.
  World w;
  w.robots.push_back(test::placedRobot(sevenJoints("left", Vector3d::Zero())));
  w.robots.push_back(test::placedRobot(sevenJoints("right", Vector3d(0, 1.2, 0))));
  const auto collider = std::make_shared<const WorldCollider>(std::make_shared<const World>(std::move(w)));
  MultiRobotSpace space(collider, {{.robot = 0}, {.robot = 1}});
  RobotState other(*collider->world().robots[1].robot);
  other.q = VectorXd::Zero(7);
  other.q[0] = -M_PI / 2;
  updateFrames(*collider->world().robots[1].robot, other);
  const IKGoal blocked = hand(other.X_WL[5] * Vector3d(0.05, 0, 0), false);
  IKGoalRegionOptions options;
  options.start = VectorXd::Zero(14);
  options.start[7] = -M_PI / 2;
  IKGoalRegion region(space, worldOf(collider), {{0, {blocked}}}, options);
  RandomStream random(2);
  VectorXd q;
  int found = 0;
  for (int i = 0; i < 40; ++i)
    if (region.sample(random, q)) {
      ++found;
      EXPECT_TRUE(space.feasible(q));
      EXPECT_NE(q.tail(7), options.start.tail(7)) << "what is in the way has to move";
    }
  EXPECT_GT(found, 0) << region.explain();
}

TEST(IKGoalRegion, SaysWhyNothingIsFound) {
  const auto collider = world();
  RobotSpace space(collider, 0, VectorXd::Zero(7));
  RandomStream random(1);
  VectorXd q;
  IKGoalRegion far(space, worldOf(collider), {{0, {hand(Vector3d(3, 0, 0))}}});
  EXPECT_FALSE(far.sample(random, q));
  EXPECT_NE(far.explain().find("20 found no solution"), std::string::npos) << far.explain();
  EXPECT_NE(far.explain().find("link 'rod6' of robot 'left'"), std::string::npos) << far.explain();
  EXPECT_NE(far.explain().find("the target is 3 m from link 'rod0', and link 'rod6' reaches no more than 1.2"),
            std::string::npos)
      << far.explain();
  EXPECT_FALSE(far.sample(random, q));
  EXPECT_EQ(far.statistics().tried, 30) << "half as many where nothing was found";
  IKGoalRegion inside(space, worldOf(collider), {{0, {hand(Vector3d(0.4, 0.2, 0.35), false)}}});
  EXPECT_FALSE(inside.sample(random, q));
  EXPECT_NE(inside.explain().find("failed 'collision'"), std::string::npos) << inside.explain();
}

TEST(IKGoalRegion, WrongInputIsRefused) {
  const auto collider = world(true);
  RobotSpace space(collider, 0, VectorXd::Zero(7));
  const auto build = [&](std::vector<RobotIKGoals> goals, IKGoalRegionOptions options = {}) {
    IKGoalRegion(space, worldOf(collider), std::move(goals), std::move(options));
  };
  EXPECT_THROW(build({}), Error);
  EXPECT_THROW(build({{1, {hand(Vector3d::Zero())}}}), Error);
  EXPECT_THROW(build({{7, {hand(Vector3d::Zero())}}}), Error);
  IKGoal bad = hand(Vector3d::Zero());
  bad.link = 7;
  EXPECT_THROW(build({{0, {bad}}}), Error);
  EXPECT_THROW(build({{0, {hand(Vector3d::Zero())}}}, {.tolerance = 0}), Error);
  EXPECT_THROW(build({{0, {hand(Vector3d::Zero())}}}, {.tries = 0}), Error);
  EXPECT_THROW(build({{0, {hand(Vector3d::Zero())}}}, {.seeds = {VectorXd::Zero(3)}}), Error);
}

}  // namespace
}  // namespace mortise
