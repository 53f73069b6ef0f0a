#include "mortise/dynamics/robot_dynamics.h"

#include <Eigen/Dense>
#include <cstdlib>
#include <gtest/gtest.h>
#include <new>

#include "mortise/base/random.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

const Vector3d kGravity(0.4, -1.1, -9.8);

/// A tree with everything: branches, prismatic links, odd axes, massless links, a fixed rotation in between.
RobotDescription treeDescription() {
  RobotDescription robot = test::armDescription(9);
  robot.links[1].motion = LinkMotion::prismatic;
  robot.links[2].axis = Vector3d(0.3, -0.5, 0.8);
  robot.links[3].axis = -Vector3d::UnitX();
  robot.links[3].X_PL0.R = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  robot.links[4].parent = 1;
  robot.links[5].inertia = BodyInertia();
  robot.links[6].motion = LinkMotion::prismatic;
  robot.links[6].axis = Vector3d(0, 0, -2);
  robot.links[7].parent = 3;
  robot.links[8].inertia.inertia << 0.03, 0.004, -0.002, 0.004, 0.05, 0.001, -0.002, 0.001, 0.04;
  return robot;
}

class RobotDynamicsTest : public testing::Test {
 protected:
  void SetUp() override { randomize(); }
  void randomize() {
    for (VectorXd* v : {&q, &dq, &ddq, &tau}) {
      v->resize(n);
      for (int i = 0; i < n; ++i) (*v)[i] = random.uniform(-2, 2);
    }
    dynamics.setState(q, dq);
  }

  RobotPtr robot = Robot::compile(treeDescription());
  RobotDynamics dynamics{robot};
  int n = robot->numLinks();
  RandomStream random{7, "dynamics"};
  VectorXd q, dq, ddq, tau;
};

TEST_F(RobotDynamicsTest, FramesAreThoseOfTheKernel) {
  RobotState state(*robot);
  state.q = q;
  state.dq = dq;
  updateFrames(*robot, state);
  std::vector<Vector3d> v(n), w(n);
  linkVelocities(*robot, state, v, w);
  for (int i = 0; i < n; ++i) {
    EXPECT_LT((dynamics.X_WL(i).R - state.X_WL[i].R).norm(), 1e-14);
    EXPECT_LT((dynamics.X_WL(i).p - state.X_WL[i].p).norm(), 1e-14);
    EXPECT_LT((dynamics.angularVelocity(i) - w[i]).norm(), 1e-13);
    EXPECT_LT((dynamics.pointVelocity(i, Vector3d::Zero()) - v[i]).norm(), 1e-13);
  }
}

TEST_F(RobotDynamicsTest, JacobiansGiveVelocitiesAndAccelerations) {
  const Vector3d p(0.1, -0.2, 0.3);
  Matrix6X J(6, n), Jdot(6, n);
  for (int link = 0; link < n; ++link) {
    dynamics.jacobian(link, p, J);
    dynamics.jacobianRate(link, p, Jdot);
    EXPECT_LT(((J * dq).tail<3>() - dynamics.pointVelocity(link, p)).norm(), 1e-12);
    EXPECT_LT(((J * dq).head<3>() - dynamics.angularVelocity(link)).norm(), 1e-12);
    EXPECT_LT((J * ddq + Jdot * dq - dynamics.pointAcceleration(link, p, ddq)).norm(), 1e-11) << "link " << link;
    Matrix3X part(3, n);
    dynamics.positionJacobian(link, p, part);
    EXPECT_EQ(part, Matrix3X(J.bottomRows<3>()));
    dynamics.orientationJacobian(link, part);
    EXPECT_EQ(part, Matrix3X(J.topRows<3>()));
  }
}

TEST_F(RobotDynamicsTest, AllJacobiansHoldEveryLinks) {
  const Vector3d p(0.1, -0.2, 0.3);
  Matrix6X all(6, n), J(6, n);
  dynamics.allJacobians(all);
  for (int link = 0; link < n; ++link) {
    dynamics.jacobian(link, p, J);
    const Vector3d point = dynamics.X_WL(link) * p;
    for (int i = 0; i < n; ++i) {
      Eigen::Matrix<double, 6, 1> column = Eigen::Matrix<double, 6, 1>::Zero();
      if (i == link || robot->isAncestor(i, link))
        column << all.col(i).head<3>(), all.col(i).tail<3>() + Vector3d(all.col(i).head<3>()).cross(point);
      EXPECT_LT((J.col(i) - column).norm(), 1e-13) << "link " << link << ", column " << i;
    }
  }
}

TEST_F(RobotDynamicsTest, PointAccelerationIsADerivative) {
  constexpr double h = 1e-5;
  const Vector3d p(0.1, -0.2, 0.3);
  for (int link = 0; link < n; ++link) {
    dynamics.setState(q, dq);
    const Eigen::Matrix<double, 6, 1> a = dynamics.pointAcceleration(link, p, ddq);
    Vector3d v[2], w[2];
    for (int side = 0; side < 2; ++side) {
      const double t = side == 0 ? -h : h;
      dynamics.setState(q + t * dq + 0.5 * t * t * ddq, dq + t * ddq);
      v[side] = dynamics.pointVelocity(link, p);
      w[side] = dynamics.angularVelocity(link);
    }
    EXPECT_LT(((v[1] - v[0]) / (2 * h) - a.tail<3>()).norm(), 1e-6 * (1 + a.norm())) << link;
    EXPECT_LT(((w[1] - w[0]) / (2 * h) - a.head<3>()).norm(), 1e-6 * (1 + a.norm())) << link;
  }
}

TEST_F(RobotDynamicsTest, JacobianRateIsADerivative) {
  constexpr double h = 1e-6;
  const Vector3d p(0.1, -0.2, 0.3);
  Matrix6X before(6, n), after(6, n), rate(6, n);
  dynamics.jacobianRate(7, p, rate);
  dynamics.setPosition(q - h * dq);
  dynamics.jacobian(7, p, before);
  dynamics.setPosition(q + h * dq);
  dynamics.jacobian(7, p, after);
  EXPECT_LT(((after - before) / (2 * h) - rate).norm(), 1e-7);
}

TEST_F(RobotDynamicsTest, CenterOfMassMovesAsItsJacobianSays) {
  Matrix3X J(3, n);
  dynamics.centerOfMassJacobian(J);
  EXPECT_LT((J * dq - dynamics.centerOfMassVelocity()).norm(), 1e-13);
  constexpr double h = 1e-6;
  dynamics.setPosition(q + h * dq);
  const Vector3d after = dynamics.centerOfMass();
  dynamics.setPosition(q - h * dq);
  EXPECT_LT(((after - dynamics.centerOfMass()) / (2 * h) - J * dq).norm(), 1e-8);
}

TEST_F(RobotDynamicsTest, MassMatrixIsTheKineticEnergy) {
  Eigen::MatrixXd B(n, n);
  dynamics.massMatrix(B);
  EXPECT_EQ(B, B.transpose());
  EXPECT_NEAR(0.5 * dq.dot(B * dq), dynamics.kineticEnergy(), 1e-12);
}

TEST_F(RobotDynamicsTest, EquationOfMotionHoldsTogether) {
  Eigen::MatrixXd B(n, n);
  VectorXd C(n), G(n), all(n);
  for (int trial = 0; trial < 20; ++trial) {
    randomize();
    dynamics.massMatrix(B);
    dynamics.coriolisForces(C);
    dynamics.gravityForces(kGravity, G);
    dynamics.inverseDynamics(ddq, kGravity, all);
    EXPECT_LT((B * ddq + C + G - all).norm(), 1e-11 * (1 + all.norm()));
  }
}

TEST_F(RobotDynamicsTest, ForwardDynamicsUndoesInverseDynamics) {
  VectorXd torque(n), result(n);
  for (int trial = 0; trial < 20; ++trial) {
    randomize();
    const LinkWrench wrenches[] = {{7, Vector3d(1, 2, 3), Vector3d(-4, 5, 6)},
                                   {4, Vector3d(0, 1, 0), Vector3d(7, 0, 0)}};
    dynamics.inverseDynamics(ddq, kGravity, torque, wrenches);
    dynamics.forwardDynamics(torque, kGravity, result, wrenches);
    EXPECT_LT((result - ddq).norm(), 1e-9);
  }
}

TEST_F(RobotDynamicsTest, SolvesWithTheMassMatrix) {
  Eigen::MatrixXd B(n, n);
  VectorXd result(n);
  dynamics.massMatrix(B);
  dynamics.solveMassMatrix(tau, result);
  EXPECT_LT((B * result - tau).norm(), 1e-10);
}

TEST_F(RobotDynamicsTest, ExternalForcesActThroughTheJacobian) {
  VectorXd without(n), with(n);
  const Vector3d f(3, -2, 5), m(0.5, 1, -1);
  const LinkWrench wrench[] = {{7, m, f}};
  dynamics.inverseDynamics(ddq, kGravity, without);
  dynamics.inverseDynamics(ddq, kGravity, with, wrench);
  Matrix6X J(6, n);
  dynamics.jacobian(7, Vector3d::Zero(), J);
  EXPECT_LT((without - with - J.topRows<3>().transpose() * m - J.bottomRows<3>().transpose() * f).norm(), 1e-12);
}

TEST_F(RobotDynamicsTest, BiasForcesAreTheirParts) {
  VectorXd C(n), G(n), bias(n);
  const Vector3d f(3, -2, 5), m(0.5, 1, -1);
  const LinkWrench wrench[] = {{8, m, f}};
  dynamics.coriolisForces(C);
  dynamics.gravityForces(kGravity, G);
  dynamics.biasForces(kGravity, bias, wrench);
  Matrix6X J(6, n);
  dynamics.jacobian(8, Vector3d::Zero(), J);
  EXPECT_LT((C + G - J.topRows<3>().transpose() * m - J.bottomRows<3>().transpose() * f - bias).norm(), 1e-11);
}

TEST_F(RobotDynamicsTest, ResultsDependOnTheStateAlone) {
  // Whatever was asked before, and in whatever order.
  VectorXd first(n), again(n);
  dynamics.forwardDynamics(tau, kGravity, first);
  Eigen::MatrixXd B(n, n), C(n, n);
  dynamics.massMatrix(B);
  dynamics.inverseDynamics(ddq, kGravity, again);
  dynamics.setPosition(VectorXd::Zero(n));
  dynamics.massMatrix(C);
  dynamics.solveMassMatrix(tau, again);
  dynamics.setState(q, dq);
  dynamics.solveMassMatrix(tau, again);
  dynamics.forwardDynamics(tau, kGravity, again);
  EXPECT_EQ(first, again);
  dynamics.massMatrix(C);
  EXPECT_EQ(B, C);
}

TEST_F(RobotDynamicsTest, MassMatrixFillsAPartOfAnother) {
  Eigen::MatrixXd B(n, n), large = Eigen::MatrixXd::Constant(n + 3, n + 5, 7);
  dynamics.massMatrix(B);
  dynamics.massMatrix(large.block(2, 3, n, n));
  EXPECT_EQ(B, large.block(2, 3, n, n));
  large.block(2, 3, n, n).setConstant(7);
  EXPECT_EQ(large, Eigen::MatrixXd::Constant(n + 3, n + 5, 7));
}

TEST_F(RobotDynamicsTest, TwoLinksInThePlaneAreThoseOfTheTextbook) {
  // Rods that turn about parallel axes: B, C and G in closed form.
  RobotDynamics planar(Robot::compile(test::armDescription(2)));
  const BodyInertia& rod = planar.robot().link(0).inertia;
  const double m = rod.mass, l = 0.5, c = 0.25, I = rod.inertia(1, 1), g = 9.8;
  const Eigen::Vector2d angle(0.4, -1.3), rate(0.7, 2.1);
  planar.setState(angle, rate);
  const double coupling = m * l * c * std::cos(angle[1]), swirl = m * l * c * std::sin(angle[1]);
  Eigen::MatrixXd B(2, 2), expected(2, 2);
  expected << 2 * I + m * (c * c + l * l + c * c) + 2 * coupling, I + m * c * c + coupling, I + m * c * c + coupling,
      I + m * c * c;
  planar.massMatrix(B);
  EXPECT_LT((B - expected).norm(), 1e-15);
  VectorXd C(2), G(2);
  planar.coriolisForces(C);
  EXPECT_LT((C - Eigen::Vector2d(-swirl * rate[1] * (2 * rate[0] + rate[1]), swirl * rate[0] * rate[0])).norm(), 1e-15);
  planar.gravityForces({0, 0, -g}, G);
  // Turning about +y lowers x.
  const double far = m * g * c * std::cos(angle[0] + angle[1]);
  EXPECT_LT((G - Eigen::Vector2d(-(m * c + m * l) * g * std::cos(angle[0]) - far, -far)).norm(), 1e-14);
}

TEST_F(RobotDynamicsTest, TinyInertiaFarFromTheBaseKeepsItsDigits) {
  // A speck that turns in its bearing at the end of a long arm.
  RobotDescription description = test::armDescription(2);
  description.links[1].X_PL0.p = Vector3d(2, 0, 0);
  description.links[1].inertia.mass = 1e-3;
  description.links[1].inertia.com.setZero();
  description.links[1].inertia.inertia = 1e-12 * Matrix3d::Identity();
  RobotDynamics model(Robot::compile(description));
  model.setPosition(Eigen::Vector2d(0.3, 0.8));
  const BodyInertia& rod = model.robot().link(0).inertia;
  const double A = rod.inertia(1, 1) + rod.mass * 0.25 * 0.25 + 1e-3 * 4, I = 1e-12;
  VectorXd x(2), result(2);
  x << 0, 3e-12;
  model.solveMassMatrix(x, result);
  EXPECT_NEAR(result[0], -x[1] / A, 1e-12 * x[1] / A);
  EXPECT_NEAR(result[1], x[1] * (A + I) / (I * A), 3e-12);
}

TEST_F(RobotDynamicsTest, JointsInLineShareOneInertia) {
  RobotDescription description = test::armDescription(3);
  description.links[1].inertia = BodyInertia();
  description.links[2].X_PL0.p.setZero();
  RobotDynamics model(Robot::compile(description));
  VectorXd torque(3), result(3), back(3);
  torque << 1, 2, 2;  // The same torque goes through both.
  model.setState(Eigen::Vector3d(0.1, 0.2, 0.3), Eigen::Vector3d::Constant(0.5));
  model.forwardDynamics(torque, kGravity, result);
  EXPECT_TRUE(result.allFinite());
  EXPECT_EQ(result[1], 0);
  model.inverseDynamics(result, kGravity, back);
  EXPECT_LT((back - torque).norm(), 1e-12);
}

TEST_F(RobotDynamicsTest, GravityIsTheGradientOfThePotential) {
  VectorXd G(n);
  dynamics.gravityForces(kGravity, G);
  constexpr double h = 1e-6;
  for (int i = 0; i < n; ++i) {
    VectorXd moved = q;
    moved[i] += h;
    dynamics.setPosition(moved);
    const double above = dynamics.potentialEnergy(kGravity);
    moved[i] -= 2 * h;
    dynamics.setPosition(moved);
    EXPECT_NEAR((above - dynamics.potentialEnergy(kGravity)) / (2 * h), G[i], 1e-6);
  }
}

TEST_F(RobotDynamicsTest, CoriolisForcesDoNoWorkBeyondTheChangeOfInertia) {
  // dq' (dB/dt - 2 C-matrix) dq = 0, so dq' C = dq' (dB/dt) dq / 2.
  VectorXd C(n);
  dynamics.coriolisForces(C);
  constexpr double h = 1e-6;
  Eigen::MatrixXd before(n, n), after(n, n);
  dynamics.setPosition(q - h * dq);
  dynamics.massMatrix(before);
  dynamics.setPosition(q + h * dq);
  dynamics.massMatrix(after);
  EXPECT_NEAR(dq.dot(C), 0.5 * dq.dot((after - before) / (2 * h) * dq), 1e-6);
}

TEST_F(RobotDynamicsTest, LinksWithoutInertiaGetNoAcceleration) {
  RobotDescription description = test::armDescription(3);
  description.links[2].inertia = BodyInertia();
  const RobotPtr light = Robot::compile(description);
  RobotDynamics model(light);
  VectorXd position(3), result(3), torque(3);
  position << 0.1, 0.2, 0.3;
  torque << 1, 2, 3;
  model.setState(position, VectorXd::Constant(3, 0.5));
  model.forwardDynamics(torque, kGravity, result);
  EXPECT_TRUE(result.allFinite());
  EXPECT_EQ(result[2], 0);
}

TEST_F(RobotDynamicsTest, KeepsItsDigitsFarFromTheOrigin) {
  RobotDescription description = treeDescription();
  description.links[0].X_PL0.p += Vector3d(1000, -2000, 500);
  RobotDynamics away(Robot::compile(description));
  away.setState(q, dq);
  VectorXd here(n), there(n);
  dynamics.forwardDynamics(tau, kGravity, here);
  away.forwardDynamics(tau, kGravity, there);
  EXPECT_LT((here - there).norm(), 1e-9 * here.norm());
}

TEST_F(RobotDynamicsTest, AllocatesNothing) {
  Eigen::MatrixXd B(n, n);
  Matrix6X J(6, n);
  Matrix3X J3(3, n);
  VectorXd out(n);
  const std::size_t before = test::allocationCount;
  dynamics.setState(q, dq);
  dynamics.massMatrix(B);
  dynamics.jacobian(7, Vector3d::Zero(), J);
  dynamics.jacobianRate(7, Vector3d::Zero(), J);
  dynamics.allJacobians(J);
  dynamics.positionJacobian(7, Vector3d::Zero(), J3);
  dynamics.orientationJacobian(7, J3);
  dynamics.centerOfMassJacobian(J3);
  EXPECT_TRUE(dynamics.pointAcceleration(7, Vector3d::Zero(), ddq).allFinite());
  EXPECT_TRUE(dynamics.centerOfMass().allFinite() && dynamics.centerOfMassVelocity().allFinite());
  EXPECT_GT(dynamics.kineticEnergy(), 0);
  EXPECT_TRUE(std::isfinite(dynamics.potentialEnergy(kGravity)));
  dynamics.biasForces(kGravity, out);
  dynamics.coriolisForces(out);
  dynamics.gravityForces(kGravity, out);
  const LinkWrench wrench[] = {{7, Vector3d(1, 2, 3), Vector3d(4, 5, 6)}};
  dynamics.inverseDynamics(ddq, kGravity, out, wrench);
  dynamics.forwardDynamics(tau, kGravity, out, wrench);
  dynamics.solveMassMatrix(tau, out);
  dynamics.setPosition(q);
  EXPECT_EQ(test::allocationCount, before);
}

}  // namespace
}  // namespace mortise
