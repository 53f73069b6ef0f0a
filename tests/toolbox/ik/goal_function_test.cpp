#include "mortise/ik/equations/goal_function.h"

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/ik/constraint_solver.h"
#include "mortise/math/rotation.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

/// Seven revolute links with axes in turn about z, y and x, 0.3 m long, and a branch of one link.
RobotPtr arm() {
  RobotDescription robot = test::armDescription(8);
  for (int i = 0; i < 8; ++i) {
    Link& link = robot.links[i];
    link.axis = i % 3 == 0 ? Vector3d::UnitZ() : i % 3 == 1 ? Vector3d::UnitY() : Vector3d::UnitX();
    if (i > 0) link.X_PL0.p = Vector3d(0.3, 0.02 * i, 0.01);
    link.qMin = -2.5;
    link.qMax = 2.5;
  }
  robot.links[7].parent = 2;
  return Robot::compile(std::move(robot));
}

std::vector<IKGoal> everyKind(RandomStream& random) {
  const auto vector = [&] { return Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)); };
  std::vector<IKGoal> goals;
  for (const int destination : {-1, 7, 1})
    for (const auto position :
         {IKGoal::Position::free, IKGoal::Position::plane, IKGoal::Position::line, IKGoal::Position::point})
      for (const auto rotation :
           {IKGoal::Rotation::free, IKGoal::Rotation::twoAxis, IKGoal::Rotation::axis, IKGoal::Rotation::fixed}) {
        IKGoal goal;
        goal.link = 6;
        goal.destination = destination;
        goal.position = position;
        goal.rotation = rotation;
        goal.p_LP = vector();
        goal.p_DP = vector();
        goal.direction_D = vector();
        goal.axis_L = vector();
        goal.axis_D = goal.rotationVector_DL = vector();
        goals.push_back(goal);
      }
  return goals;
}

TEST(GoalFunction, JacobiansAreDerivatives) {
  RandomStream random(5);
  const RobotPtr robot = arm();
  GoalFunction function(robot, everyKind(random));
  EXPECT_EQ(function.size(), 3 * (4 * (1 + 2 + 3) + 4 * (1 + 2 + 3)));
  for (int sample = 0; sample < 20; ++sample) {
    VectorXd q(8), r(function.size()), above(function.size()), below(function.size());
    for (double& x : q) x = random.uniform(-2, 2);
    Eigen::MatrixXd J(function.size(), 8);
    function.evaluate(q, r, &J);
    for (int i = 0; i < 8; ++i) {
      constexpr double kStep = 1e-6;
      VectorXd moved = q;
      moved[i] += kStep;
      function.evaluate(moved, above, nullptr);
      moved[i] -= 2 * kStep;
      function.evaluate(moved, below, nullptr);
      // Near the opposite way the rotation vector jumps.
      if ((above - below).cwiseAbs().maxCoeff() > 1) continue;
      EXPECT_LT((J.col(i) - (above - below) / (2 * kStep)).cwiseAbs().maxCoeff(), 2e-6) << "sample " << sample;
    }
  }
}

TEST(GoalFunction, AxesThatPointTheOtherWayAreFarthest) {
  RobotDescription one = test::armDescription(1);
  IKGoal goal;
  goal.rotation = IKGoal::Rotation::axis;
  goal.axis_L = Vector3d::UnitX();
  goal.axis_D = Vector3d::UnitX();
  GoalFunction function(Robot::compile(one), {goal});
  VectorXd q(1), r(2);
  for (const double angle : {0.0, 0.3, 1.5, 2.0, 3.0, M_PI}) {
    q[0] = angle;
    function.evaluate(q, r, nullptr);
    EXPECT_NEAR(r.norm(), angle, 1e-6);
  }
}

TEST(ConstraintSolver, ReachesPosesFromNearby) {
  RandomStream random(9);
  const RobotPtr robot = arm();
  ConstraintSolver solver;
  int solved = 0;
  double worst = 0;
  for (int sample = 0; sample < 100; ++sample) {
    VectorXd target(8), q(8);
    for (double& x : target) x = random.uniform(-2, 2);
    RobotState state(*robot);
    state.q = target;
    updateFrames(*robot, state);
    IKGoal goal;
    goal.link = 6;
    goal.position = IKGoal::Position::point;
    goal.rotation = IKGoal::Rotation::fixed;
    goal.p_DP = state.X_WL[6].p;
    goal.rotationVector_DL = momentFromRotation(state.X_WL[6].R);
    for (int i = 0; i < 8; ++i) q[i] = target[i] + random.uniform(-0.4, 0.4);
    GoalFunction function(robot, {goal});
    ConstraintSolverOptions options;
    options.tolerance = 1e-9;
    options.low = VectorXd::Constant(8, -2.5);
    options.high = VectorXd::Constant(8, 2.5);
    const ConstraintSolution result = solver.solve(function, q, options);
    EXPECT_TRUE((q.array() >= -2.5).all() && (q.array() <= 2.5).all());
    if (!result.solved) continue;
    ++solved;
    state.q = q;
    updateFrames(*robot, state);
    worst = std::max(worst, (state.X_WL[6].p - goal.p_DP).norm());
  }
  EXPECT_GE(solved, 97);
  EXPECT_LT(worst, 3e-9);
}

TEST(ConstraintSolver, StopsAtBoundsAndComesAsNearAsTheyLet) {
  // Two rods of 0.5 m in a plane; the first is kept from turning far enough.
  RobotDescription two = test::armDescription(2);
  const RobotPtr robot = Robot::compile(two);
  IKGoal goal;
  goal.link = 1;
  goal.position = IKGoal::Position::point;
  goal.p_LP = Vector3d(0.5, 0, 0);
  goal.p_DP = Vector3d(0, 0, -1);  // Straight down: q = (pi/2, 0).
  GoalFunction function(robot, {goal});
  ConstraintSolver solver;
  ConstraintSolverOptions options;
  options.tolerance = 1e-8;
  VectorXd q = Eigen::Vector2d(0.4, 0.3);
  EXPECT_TRUE(solver.solve(function, q, options).solved);
  EXPECT_NEAR(q[0], M_PI / 2, 1e-3) << "stretched out, where angles count little";

  options.low = Eigen::Vector2d(-1, -3);
  options.high = Eigen::Vector2d(1, 3);
  q = Eigen::Vector2d(0.4, 0.3);
  EXPECT_FALSE(solver.solve(function, q, options).solved);
  EXPECT_DOUBLE_EQ(q[0], 1);
  // Best second angle: the rod points from its joint towards the goal.
  const double x = 0.5 * std::cos(1.0), z = -0.5 * std::sin(1.0);
  const double best = std::atan2(-(-1 - z), -x) - 1;
  EXPECT_NEAR(std::remainder(q[1] - best, 2 * M_PI), 0, 1e-4);
}

TEST(GoalFunction, RefusesWhatCannotBeSolved) {
  const RobotPtr robot = arm();
  IKGoal goal;
  goal.link = 8;
  EXPECT_THROW(GoalFunction(robot, {goal}), Error);
  goal.link = 6;
  goal.destination = 6;
  EXPECT_THROW(GoalFunction(robot, {goal}), Error);
  goal.destination = -1;
  goal.position = IKGoal::Position::plane;
  EXPECT_THROW(GoalFunction(robot, {goal}), Error) << "no direction";
  goal.position = IKGoal::Position::free;
  goal.rotation = IKGoal::Rotation::twoAxis;
  EXPECT_THROW(GoalFunction(robot, {goal}), Error) << "no axes";
}

}  // namespace
}  // namespace mortise
