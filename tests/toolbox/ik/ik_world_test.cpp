#include "mortise/ik/ik_world.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/ik/ik_solver.h"
#include "mortise/math/rotation.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

/// Two arms, 1.2 m apart, one standing on its head, and two boxes.
std::shared_ptr<const World> twoArms() {
  World world;
  for (int r = 0; r < 2; ++r) {
    RobotDescription arm = test::armDescription(4);
    arm.links[0].axis = Vector3d::UnitZ();
    arm.links[2].axis = Vector3d::UnitZ();
    if (r == 1) arm.links[0].X_PL0 = RigidTransform(rotationFromMoment({0, 3, 0.2}), {1.2, 0.1, 0.3});
    for (Link& link : arm.links) {
      link.qMin = -2.5;
      link.qMax = 2.5;
    }
    WorldRobot robot;
    robot.name = r == 0 ? "one" : "two";
    robot.robot = Robot::compile(std::move(arm));
    robot.q = VectorXd::Constant(4, 0.1 + 0.2 * r);
    robot.dq = VectorXd::Zero(4);
    world.robots.push_back(std::move(robot));
  }
  world.objects = {test::boxObject("box", {0.6, 0, 0.1}), test::boxObject("crate", {0, 2, 0.1})};
  world.objects[0].X_WO.R = rotationFromMoment({0.3, -0.4, 1.1});
  return std::make_shared<const World>(std::move(world));
}

RigidTransform poseOf(const WorldRobot& robot, const VectorXd& q, int link) {
  RobotState state(*robot.robot);
  state.q = q;
  updateFrames(*robot.robot, state);
  return state.X_WL[static_cast<std::size_t>(link)];
}

TEST(IKWorld, StandsAsTheWorldDoes) {
  const IKWorld full(twoArms());
  EXPECT_EQ(full.robot()->numLinks(), 4 + 4 + 6 + 6);
  EXPECT_EQ(full.configuration(1, full.start()), full.world().robots[1].q);
  for (int i = 0; i < 2; ++i) {
    const RigidTransform &a = full.pose(i, full.start()), &b = full.world().objects[static_cast<std::size_t>(i)].X_WO;
    EXPECT_LT((a.p - b.p).norm() + (a.R - b.R).norm(), 1e-12);
  }
  EXPECT_THROW(IKWorld(std::make_shared<const World>()), Error);
}

TEST(IKWorld, FindsTheJointsThatMatterOverAll) {
  const IKWorld full(twoArms());
  const auto variables = [&](const std::vector<IKTerm>& terms) {
    IKProblem problem;
    problem.robot = full.robot();
    problem.terms = terms;
    return IKSolver(problem).variables().size();
  };
  EXPECT_EQ(variables({{poseGoal(full.link(0, 3), {})}}), 4u);
  EXPECT_EQ(variables({{poseGoal(full.link(0, 2), {}, full.link(1, 3))}}), 7u);
  EXPECT_EQ(variables({{poseGoal(full.link(0, 3), {}, full.objectLink(1))}}), 10u);
  EXPECT_EQ(variables({{poseGoal(full.objectLink(0), {}, full.objectLink(1))}}), 12u);
  EXPECT_EQ(variables({{full.centerOfMass(1, {})}}), 4u);
}

TEST(IKWorld, HandsOfDifferentRobotsHoldOneBox) {
  const auto world = twoArms();
  const IKWorld full(world);
  RandomStream random(4);
  int solved = 0;
  for (int k = 0; k < 20; ++k) {
    // Where the hands are in random configurations is where the box is to be held: there is a solution.
    const VectorXd a = VectorXd::NullaryExpr(4, [&] { return random.uniform(-2, 2); });
    const VectorXd b = VectorXd::NullaryExpr(4, [&] { return random.uniform(-2, 2); });
    const RigidTransform X_WA = poseOf(world->robots[0], a, 3), X_WB = poseOf(world->robots[1], b, 3);
    IKProblem problem;
    problem.robot = full.robot();
    const RigidTransform X_BoxA(rotationFromMoment({0, 1, 0.3}), {0.1, 0, 0.1});
    const RigidTransform X_BoxB = X_BoxA * X_WA.inverse() * X_WB;
    problem.terms = {{poseGoal(full.link(0, 3), X_BoxA, full.objectLink(0))},
                     {poseGoal(full.link(1, 3), X_BoxB, full.objectLink(0))}};
    IKSolver solver(problem);
    EXPECT_EQ(solver.variables().size(), 14u);
    IKOptions options;
    options.start = full.start();
    const IKSolution one = solver.solve(options);
    options.threads = 3;
    EXPECT_EQ(solver.solve(options).q, one.q) << "the answer does not depend on threads";
    if (!one.solved) continue;
    ++solved;
    const RigidTransform X_WBox = full.pose(0, one.q);
    for (int r = 0; r < 2; ++r) {
      const RigidTransform X = poseOf(world->robots[static_cast<std::size_t>(r)], full.configuration(r, one.q), 3);
      const RigidTransform wanted = X_WBox * (r == 0 ? X_BoxA : X_BoxB);
      EXPECT_LT((X.p - wanted.p).norm(), 1e-8);
      EXPECT_LT((X.R - wanted.R).norm(), 1e-8);
    }
    EXPECT_LT((full.pose(1, one.q).p - world->objects[1].X_WO.p).norm(), 1e-12) << "the crate is left alone";
  }
  EXPECT_EQ(solved, 20);
}

TEST(IKWorld, EachRobotHasItsOwnCenterOfMass) {
  const auto world = twoArms();
  const IKWorld full(world);
  RobotState state(*world->robots[1].robot);
  IKProblem problem;
  problem.robot = full.robot();
  CenterOfMassGoal goal;
  goal.p_W = {1.0, 0.3, 0};
  goal.along = {true, true, false};
  problem.terms = {{full.centerOfMass(1, goal)}, {poseGoal(full.link(0, 3), {}, -1), 1}};
  IKOptions options;
  options.start = full.start();
  IKSolver solver(problem);
  const IKSolution solution = solver.solve(options);
  EXPECT_TRUE(solution.solved);
  state.q = full.configuration(1, solution.q);
  updateFrames(*world->robots[1].robot, state);
  Vector3d sum = Vector3d::Zero();
  for (int l = 0; l < 4; ++l)
    sum += state.X_WL[static_cast<std::size_t>(l)] * world->robots[1].robot->link(l).inertia.com;
  EXPECT_NEAR(sum.x() / 4, 1.0, 1e-8);
  EXPECT_NEAR(sum.y() / 4, 0.3, 1e-8);
}

TEST(IKWorld, RobotsKeepApart) {
  World crowded = *twoArms();
  for (WorldRobot& robot : crowded.robots) {
    RobotDescription description = robot.robot->description();
    for (Link& link : description.links)
      link.geometry =
          std::make_shared<Geometry>(AxisAlignedBoxShape{Vector3d(0, -0.02, -0.02), Vector3d(0.4, 0.02, 0.02)});
    robot.robot = Robot::compile(std::move(description));
  }
  const auto world = std::make_shared<const World>(std::move(crowded));
  const IKWorld full(world);
  const auto collider = std::make_shared<const WorldCollider>(world);
  std::vector<int> links = full.linksOfRobot(0);
  for (const int link : full.linksOfRobot(1)) links.push_back(link);
  IKProblem problem;
  problem.robot = full.robot();
  IKGoal one, two;
  one.link = full.link(0, 3);
  two.link = full.link(1, 3);
  one.position = two.position = IKGoal::Position::point;
  one.p_DP = {0.6, 0.1, 0.25};
  two.p_DP = {0.6, 0.1, 0.32};
  problem.terms = {{one}, {two}, {full.clearance(collider, links, 0.02)}};
  IKOptions options;
  options.start = full.start();
  IKSolver solver(problem);
  const IKSolution solution = solver.solve(options);
  ASSERT_TRUE(solution.solved);
  WorldCollisionState state(collider);
  for (int r = 0; r < 2; ++r) state.setConfiguration(r, full.configuration(r, solution.q));
  const WorldDistance nearest = state.nearest(IdFilter::robots(0), IdFilter::robots(1), {});
  EXPECT_GE(nearest.result.distance, 0.02 - 1e-6);
}

}  // namespace
}  // namespace mortise
