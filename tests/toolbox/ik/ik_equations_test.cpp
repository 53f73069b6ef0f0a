#include "mortise/ik/equations/ik_equations.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/ik/ik_problem.h"
#include "mortise/math/rotation.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

/// Eight links about changing axes, one of which slides, a branch, a link with scaled axis, and a weld.
RobotPtr branchedRobot() {
  RobotDescription robot = test::armDescription(8);
  for (int i = 0; i < 8; ++i) {
    Link& link = robot.links[static_cast<std::size_t>(i)];
    link.axis = i % 3 == 0 ? Vector3d::UnitZ() : i % 3 == 1 ? Vector3d::UnitY() : Vector3d(0.6, 0, 0.8);
    if (i > 0) link.X_PL0.p = Vector3d(0.3, 0.02 * i, 0.01);
    link.inertia.mass = 1 + i;
    link.inertia.com = Vector3d(0.1, 0.02 * i, -0.05);
    link.qMin = -2.5;
    link.qMax = 2.5;
  }
  robot.links[2].motion = LinkMotion::prismatic;
  robot.links[4].axis *= 2;
  robot.links[7].parent = 3;
  return Robot::compile(std::move(robot));
}

std::vector<IKTerm> oneOfEachTerm() {
  std::vector<IKTerm> terms;
  for (const int destination : {-1, 7}) {
    for (const auto position : {IKGoal::Position::plane, IKGoal::Position::line, IKGoal::Position::point}) {
      IKGoal goal;
      goal.link = 6;
      goal.destination = destination;
      goal.position = position;
      goal.p_LP = Vector3d(0.1, -0.2, 0.3);
      goal.p_DP = Vector3d(0.4, 0.1, 0.2);
      goal.direction_D = Vector3d(1, 2, -0.5);
      terms.push_back({goal});
    }
    for (const auto rotation : {IKGoal::Rotation::twoAxis, IKGoal::Rotation::axis}) {
      IKGoal goal;
      goal.link = 6;
      goal.destination = destination;
      goal.rotation = rotation;
      goal.axis_L = Vector3d(1, 0.3, 0.2);
      goal.axis_D = Vector3d(-0.2, 1, 0.1);
      terms.push_back({goal});
    }
    LookAtGoal lookAt;
    lookAt.link = 5;
    lookAt.destination = destination;
    lookAt.p_LP = Vector3d(0.05, 0.1, 0);
    lookAt.axis_L = Vector3d(1, 1, 0.5);
    lookAt.p_DT = Vector3d(2, 0.5, -1);
    terms.push_back({lookAt});
    terms.push_back({DistanceGoal{6, Vector3d(0.1, 0, 0), destination, Vector3d(0, 0.2, 0), 3, 5}, 0, 2.0});
  }
  CenterOfMassGoal center;
  center.along = {true, false, true};
  terms.push_back({center, 0, 3.0});
  terms.push_back({CoordinateGoal{4, 0.7}});
  return terms;
}

TEST(IKEquations, JacobiansAreDerivatives) {
  RandomStream random(3);
  const RobotPtr robot = branchedRobot();
  const std::vector<IKVariable> variables = ikVariables(*robot);
  ASSERT_EQ(variables.size(), 8u);
  const std::vector<IKTerm> terms = oneOfEachTerm();
  IKEquations equations(robot, terms, variables);
  const int m = equations.size();
  ASSERT_EQ(m, 2 * (6 + 3 + 2 + 1) + 2 + 1);
  std::vector<double> x(8), r(static_cast<std::size_t>(m)), above = r, below = r, J(static_cast<std::size_t>(8 * m));
  for (int sample = 0; sample < 30; ++sample) {
    for (double& value : x) value = random.uniform(-2, 2);
    equations.residual(x.data(), r.data());
    equations.jacobian(J.data());
    for (std::size_t v = 0; v < 8; ++v) {
      constexpr double kStep = 1e-6;
      std::vector<double> moved = x;
      moved[v] += kStep;
      equations.residual(moved.data(), above.data());
      moved[v] -= 2 * kStep;
      equations.residual(moved.data(), below.data());
      for (std::size_t i = 0; i < static_cast<std::size_t>(m); ++i) {
        const double slope = (above[i] - below[i]) / (2 * kStep);
        if (std::abs(above[i] - below[i]) > 1) continue;  // An axis that points the opposite way.
        EXPECT_NEAR(J[v * static_cast<std::size_t>(m) + i], slope, 1e-5) << "row " << i << ", variable " << v;
      }
    }
  }
}

TEST(IKEquations, GradientsOfWholePosesAreExact) {
  RandomStream random(4);
  const RobotPtr robot = branchedRobot();
  const std::vector<IKVariable> variables = ikVariables(*robot);
  const std::vector<IKTerm> terms = {{poseGoal(6, {rotationFromMoment({0.5, 1, -0.3}), {0.4, 0.2, 0.1}}, 7)}};
  IKEquations equations(robot, terms, variables);
  std::vector<double> x(8), r(6), J(48);
  for (int sample = 0; sample < 30; ++sample) {
    for (double& value : x) value = random.uniform(-1, 1);
    equations.residual(x.data(), r.data());
    equations.jacobian(J.data());
    for (std::size_t v = 0; v < 8; ++v) {
      double gradient = 0;
      for (std::size_t i = 0; i < 6; ++i) gradient += 2 * J[6 * v + i] * r[i];
      std::vector<double> moved = x, scratch(6);
      moved[v] += 1e-6;
      const double above = equations.residual(moved.data(), scratch.data());
      moved[v] -= 2e-6;
      const double below = equations.residual(moved.data(), scratch.data());
      EXPECT_NEAR(gradient, (above - below) / 2e-6, 1e-5 * (1 + std::abs(gradient)));
    }
  }
}

TEST(IKEquations, GoalsOfEveryKindHaveTheirDerivatives) {
  RandomStream random(5);
  const RobotPtr robot = branchedRobot();
  const auto vector = [&] { return Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)); };
  std::vector<IKGoal> goals;
  for (const int destination : {-1, 7, 1})
    for (const auto position :
         {IKGoal::Position::free, IKGoal::Position::plane, IKGoal::Position::line, IKGoal::Position::point})
      for (const auto rotation : {IKGoal::Rotation::free, IKGoal::Rotation::twoAxis, IKGoal::Rotation::axis}) {
        IKGoal goal{6, destination, position, vector(), vector(), vector(), rotation, vector(), vector(), {}};
        goals.push_back(goal);
      }
  IKEquations equations(robot, termsOf(goals), linkVariables(*robot));
  const int m = equations.size();
  ASSERT_EQ(m, 3 * (3 * (1 + 2 + 3) + 4 * (1 + 2)));
  VectorXd q(8), r(m), above(m), below(m);
  Eigen::MatrixXd J(m, 8);
  for (int sample = 0; sample < 20; ++sample) {
    for (double& x : q) x = random.uniform(-2, 2);
    const double squares = equations.residual(q.data(), r.data());
    EXPECT_NEAR(squares, r.squaredNorm(), 1e-10);
    equations.jacobian(J.data());
    for (int i = 0; i < 8; ++i) {
      constexpr double kStep = 1e-6;
      VectorXd moved = q;
      moved[i] += kStep;
      equations.residual(moved.data(), above.data());
      moved[i] -= 2 * kStep;
      equations.residual(moved.data(), below.data());
      if ((above - below).cwiseAbs().maxCoeff() > 1) continue;  // An axis that points the opposite way.
      EXPECT_LT((J.col(i) - (above - below) / (2 * kStep)).cwiseAbs().maxCoeff(), 2e-6) << "sample " << sample;
    }
  }
}

TEST(IKEquations, AxesThatPointTheOtherWayAreFarthest) {
  const RobotPtr robot = Robot::compile(test::armDescription(1));
  IKGoal goal;
  goal.rotation = IKGoal::Rotation::axis;
  goal.axis_L = Vector3d::UnitX();
  goal.axis_D = Vector3d::UnitX();
  IKEquations equations(robot, termsOf({goal}), linkVariables(*robot));
  double r[2];
  for (const double angle : {0.0, 0.3, 1.5, 2.0, 3.0, M_PI})
    EXPECT_NEAR(std::sqrt(equations.residual(&angle, r)), angle, 1e-6);
}

TEST(IKEquations, TheCenterOfMassCountsAlongAxesOfAnyDirection) {
  const RobotPtr robot = branchedRobot();
  CenterOfMassGoal turned, straight;
  turned.axes_W = rotationFromMoment({0.4, -0.7, 0.2});
  turned.along = {true, false, true};
  turned.p_W = straight.p_W = Vector3d(0.3, 0.1, -0.2);
  IKEquations one(robot, std::vector<IKTerm>{{turned}}, linkVariables(*robot));
  IKEquations all(robot, std::vector<IKTerm>{{straight}}, linkVariables(*robot));
  ASSERT_EQ(one.size(), 2);
  const VectorXd q = VectorXd::LinSpaced(8, -1, 1.5);
  Vector3d error;
  Eigen::Vector2d r;
  Eigen::MatrixXd J(2, 8), JAll(3, 8);
  all.residual(q.data(), error.data());
  all.jacobian(JAll.data());
  one.residual(q.data(), r.data());
  one.jacobian(J.data());
  for (const int row : {0, 1}) {
    const Vector3d axis = turned.axes_W.col(2 * row);
    EXPECT_NEAR(r[row], axis.dot(error), 1e-14);
    EXPECT_LT((J.row(row) - axis.transpose() * JAll).cwiseAbs().maxCoeff(), 1e-13);
  }
}

TEST(IKEquations, OnlyJointsBetweenLinkAndDestinationMatter) {
  const RobotPtr robot = branchedRobot();
  const std::vector<IKVariable> variables = ikVariables(*robot);
  const std::vector<IKTerm> relative = {{poseGoal(6, {}, 7)}};
  EXPECT_EQ(relevantVariables(*robot, variables, relative), (std::vector<int>{4, 5, 6, 7}));
  const std::vector<IKTerm> center = {{CenterOfMassGoal()}};
  EXPECT_EQ(relevantVariables(*robot, variables, center).size(), 8u);
  const std::vector<IKTerm> joint = {{CoordinateGoal{3, 1}}};
  EXPECT_EQ(relevantVariables(*robot, variables, joint), (std::vector<int>{3}));
}

TEST(IKEquations, RefusesWhatCannotBe) {
  const RobotPtr robot = branchedRobot();
  const std::vector<IKVariable> variables = ikVariables(*robot);
  const auto make = [&](const IKTerm& term) { IKEquations(robot, std::vector<IKTerm>{term}, variables); };
  EXPECT_THROW(make({poseGoal(8, {})}), Error);
  EXPECT_THROW(make({poseGoal(6, {}, 6)}), Error);
  EXPECT_THROW(make({poseGoal(6, {}, 8)}), Error);
  EXPECT_THROW(make({poseGoal(6, {}, -2)}), Error);
  IKGoal bare;
  bare.position = IKGoal::Position::plane;
  EXPECT_THROW(make({bare}), Error) << "no direction";
  bare.position = IKGoal::Position::free;
  bare.rotation = IKGoal::Rotation::twoAxis;
  EXPECT_THROW(make({bare}), Error) << "no axes";
  EXPECT_THROW(make({CoordinateGoal{9, 0}}), Error);
  LookAtGoal lookAt;
  lookAt.axis_L.setZero();
  EXPECT_THROW(make({lookAt}), Error);
  EXPECT_THROW(make({DistanceGoal{1, Vector3d::Zero(), -1, Vector3d::Zero(), 2, 1}}), Error);
}

TEST(IKVariables, AffineDriversAreOneVariable) {
  RobotDescription description = test::armDescription(3);
  description.drivers.resize(1);
  description.drivers[0].name = "both";
  description.drivers[0].type = DriverType::affine;
  description.drivers[0].links = {1, 2};
  description.drivers[0].scale = {1, -0.5};
  description.drivers[0].offset = {0, 0.1};
  description.links[1].qMin = -1;
  description.links[1].qMax = 1;
  description.links[2].qMin = -0.3;
  description.links[2].qMax = 0.3;
  const RobotPtr robot = Robot::compile(description);
  const std::vector<IKVariable> variables = ikVariables(*robot);
  ASSERT_EQ(variables.size(), 2u);
  ASSERT_EQ(variables[1].moves.size(), 2u);
  EXPECT_NEAR(variables[1].low, -0.4, 1e-12);
  EXPECT_NEAR(variables[1].high, 0.8, 1e-12);
  VectorXd q = VectorXd::Zero(3);
  setVariable(variables[1], 0.5, q);
  EXPECT_NEAR(q[2], -0.15, 1e-12);
  EXPECT_NEAR(variableValue(variables[1], q), 0.5, 1e-12);
}

TEST(IKTerms, PointsGiveTheKindOfGoalThatTheyDetermine) {
  const RigidTransform X(rotationFromMoment({0.4, -0.8, 1.1}), {0.3, 0.2, -0.5});
  const std::vector<Vector3d> local = {{0, 0, 0}, {0.1, 0, 0}, {0, 0.2, 0.05}, {0.3, 0.1, 0.2}};
  std::vector<Vector3d> targets;
  for (const Vector3d& p : local) targets.push_back(X * p);
  const IKGoal full = pointsGoal(2, local, targets);
  EXPECT_EQ(full.rotation, IKGoal::Rotation::fixed);
  EXPECT_LT((rotationFromMoment(full.rotationVector_DL) - X.R).norm(), 1e-9);
  EXPECT_LT((X * full.p_LP - full.p_DP).norm(), 1e-12);
  const IKGoal axis = pointsGoal(2, {local[0], local[1]}, {targets[0], targets[1]});
  EXPECT_EQ(axis.rotation, IKGoal::Rotation::axis);
  EXPECT_LT((X.R * axis.axis_L - axis.axis_D).norm(), 1e-9);
  EXPECT_EQ(pointsGoal(2, {local[0]}, {targets[0]}).rotation, IKGoal::Rotation::free);
  EXPECT_THROW(pointsGoal(2, {local[0]}, {}), Error);
  EXPECT_THROW(pointsGoal(2, {local[0], local[0]}, {targets[0], targets[1]}), Error);
}

}  // namespace
}  // namespace mortise
