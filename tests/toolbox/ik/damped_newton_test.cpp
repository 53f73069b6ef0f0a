#include "mortise/ik/damped_newton.h"

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/ik/equations/ik_equations.h"
#include "mortise/math/rotation.h"
#include "mortise/model/robot_state.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

/// Seven revolute links with axes in turn about z, y and x, 0.3 m long, and a branch of one link.
RobotPtr branchedArm() {
  RobotDescription robot = test::armDescription(8);
  for (int i = 0; i < 8; ++i) {
    Link& link = robot.links[static_cast<std::size_t>(i)];
    link.axis = i % 3 == 0 ? Vector3d::UnitZ() : i % 3 == 1 ? Vector3d::UnitY() : Vector3d::UnitX();
    if (i > 0) link.X_PL0.p = Vector3d(0.3, 0.02 * i, 0.01);
    link.qMin = -2.5;
    link.qMax = 2.5;
  }
  robot.links[7].parent = 2;
  return Robot::compile(std::move(robot));
}

/// The point (0.5, 0, 0) of the second of two rods of 0.5 m that turn about y, at `p_W`.
IKEquations endOfTwoRods(const Vector3d& p_W) {
  const RobotPtr robot = Robot::compile(test::armDescription(2));
  IKGoal goal;
  goal.link = 1;
  goal.position = IKGoal::Position::point;
  goal.p_LP = Vector3d(0.5, 0, 0);
  goal.p_DP = p_W;
  return IKEquations(robot, termsOf({goal}), linkVariables(*robot));
}

TEST(DampedNewton, ReachesPosesFromNearby) {
  RandomStream random(9);
  const RobotPtr robot = branchedArm();
  DampedNewton solver;
  DampedNewtonOptions options;
  options.tolerance = 1e-9;
  const VectorXd low = VectorXd::Constant(8, -2.5), high = VectorXd::Constant(8, 2.5);
  int solved = 0;
  double worst = 0;
  for (int sample = 0; sample < 100; ++sample) {
    VectorXd q(8);
    for (double& x : q) x = random.uniform(-2, 2);
    RobotState state(*robot);
    state.q = q;
    updateFrames(*robot, state);
    const RigidTransform X_WL = state.X_WL[6];
    for (double& x : q) x += random.uniform(-0.4, 0.4);
    IKEquations equations(robot, termsOf({poseGoal(6, X_WL)}), linkVariables(*robot));
    const DampedNewtonResult result = solver.solve(equations, q, low, high, options);
    EXPECT_TRUE((q.array() >= -2.5).all() && (q.array() <= 2.5).all());
    if (!result.solved) continue;
    ++solved;
    state.q = q;
    updateFrames(*robot, state);
    worst = std::max(worst, (state.X_WL[6].p - X_WL.p).norm());
  }
  EXPECT_GE(solved, 97);
  EXPECT_LT(worst, 1.1e-9);
}

TEST(DampedNewton, StopsAtLimitsAndComesAsNearAsTheyLet) {
  IKEquations equations = endOfTwoRods(Vector3d(0, 0, -1));  // Straight down: q = (pi/2, 0).
  DampedNewton solver;
  DampedNewtonOptions options;
  options.tolerance = 1e-8;
  const VectorXd none = VectorXd::Constant(2, kInfinity);
  VectorXd q = Eigen::Vector2d(0.4, 0.3);
  EXPECT_TRUE(solver.solve(equations, q, -none, none, options).solved);
  EXPECT_NEAR(q[0], M_PI / 2, 1e-3) << "stretched out, where angles count little";

  // The first rod is kept from turning far enough.
  const Eigen::Vector2d low(-1, -3), high(1, 3);
  q = Eigen::Vector2d(0.4, 0.3);
  EXPECT_FALSE(solver.solve(equations, q, low, high, options).solved);
  EXPECT_DOUBLE_EQ(q[0], 1);
  // Best second angle: the rod points from its joint towards the goal.
  const double x = 0.5 * std::cos(1.0), z = -0.5 * std::sin(1.0);
  const double best = std::atan2(-(-1 - z), -x) - 1;
  EXPECT_NEAR(std::remainder(q[1] - best, 2 * M_PI), 0, 1e-4);
}

TEST(DampedNewton, MovesStartsWithinLimitsFirst) {
  IKEquations equations = endOfTwoRods(Vector3d(0.6, 0, -0.4));
  DampedNewton solver;
  const Eigen::Vector2d low(-2, -2), high(2, 2);
  VectorXd q = Eigen::Vector2d(7, -9), within = Eigen::Vector2d(2, -2);
  solver.solve(equations, q, low, high, {});
  solver.solve(equations, within.data(), low.data(), high.data(), {});
  EXPECT_EQ(q, within);
  EXPECT_THROW(solver.solve(equations, q, low, VectorXd(3), {}), Error);
  q.resize(1);
  EXPECT_THROW(solver.solve(equations, q, low, high, {}), Error);
}

}  // namespace
}  // namespace mortise
