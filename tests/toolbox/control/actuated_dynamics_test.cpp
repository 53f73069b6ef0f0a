#include "mortise/control/actuated_dynamics.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "mortise/base/random.h"
#include "mortise/configuration/drivers.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

const Vector3d kGravity(0.5, -1, -9.8);

VectorXd randomVector(RandomStream& random, int size, double maximum = 1) {
  VectorXd v(size);
  for (int i = 0; i < size; ++i) v[i] = random.uniform(-maximum, maximum);
  return v;
}

/// A tree of seven links with axes in all directions.
RobotDescription tree() {
  RobotDescription robot = test::armDescription(7);
  for (int i = 0; i < 7; ++i) {
    robot.links[i].axis = Vector3d(0.3 * i - 1, 0.7 - 0.2 * i, 0.4).normalized();
    robot.links[i].inertia.mass = 1 + 0.3 * i;
  }
  robot.links[3].parent = 1;
  robot.links[5].parent = 0;
  robot.links[4].motion = LinkMotion::prismatic;
  return robot;
}

/// A floating base, a box, with one leg of two links.
RobotDescription hopper() {
  RobotDescription robot;
  robot.name = "hopper";
  const Vector3d axes[] = {Vector3d::UnitX(), Vector3d::UnitY(), Vector3d::UnitZ(), Vector3d::UnitZ(),
                           Vector3d::UnitY(), Vector3d::UnitX(), Vector3d::UnitY(), Vector3d::UnitY()};
  for (int i = 0; i < 8; ++i) {
    Link link;
    link.name = "link" + std::to_string(i);
    link.parent = i - 1;
    link.axis = axes[i];
    if (i < 3) link.motion = LinkMotion::prismatic;
    if (i == 5) link.inertia = test::boxInertia(8, Vector3d(0.3, 0.4, 0.2));
    if (i > 5) link.inertia = test::boxInertia(1, Vector3d(0.05, 0.05, 0.4));
    if (i == 7) link.X_PL0.p = Vector3d(0, 0, -0.4);
    robot.links.push_back(link);
  }
  robot.joints.push_back({JointType::floating, 5, -1});
  for (int i = 6; i < 8; ++i) {
    robot.joints.push_back({JointType::normal, i, -1});
    Driver driver;
    driver.name = robot.links[i].name;
    driver.links = {i};
    robot.drivers.push_back(driver);
  }
  return robot;
}

TEST(ActuatedDynamics, IsForwardDynamics) {
  const RobotPtr robot = Robot::compile(tree());
  ActuatedDynamics dynamics(robot);
  RobotDynamics reference(robot);
  RandomStream random(1, "forward");
  ASSERT_EQ(dynamics.numCoordinates(), 7);
  for (int trial = 0; trial < 20; ++trial) {
    const VectorXd q = randomVector(random, 7, 2), dq = randomVector(random, 7), x = randomVector(random, 7, 10);
    dynamics.update(q, dq, kGravity, false);
    reference.setState(q, dq);
    VectorXd ddq(7), expected(7), tau(7);
    dynamics.accelerations(x, ddq);
    setDriverTorques(*robot, x, tau);
    reference.forwardDynamics(tau, kGravity, expected);
    EXPECT_LT((ddq - expected).norm(), 1e-9 * (1 + expected.norm()));
    // Rows of a point, and the torques of rest.
    Matrix6X J(6, 7);
    const Vector3d p(0.1, 0.2, 0.3);
    reference.jacobian(4, p, J);
    const VectorXd bias = reference.pointAcceleration(4, p, VectorXd::Zero(7));
    Eigen::MatrixXd A(6, 7);
    VectorXd b(6);
    dynamics.rows(J, -bias, A, b);
    EXPECT_LT((A * x - b - reference.pointAcceleration(4, p, expected)).norm(), 1e-9 * (1 + expected.norm()));
    VectorXd rest(7), C(7);
    dynamics.restTorques(3, dq, rest);
    reference.inverseDynamics(-3 * dq, kGravity, C);
    EXPECT_LT((rest - C).norm(), 1e-9);
    // The center of mass, by differences of its velocity.
    constexpr double h = 1e-6;
    reference.setState(q + h * dq, dq);
    const Vector3d after = reference.centerOfMassVelocity();
    reference.setState(q - h * dq, dq);
    EXPECT_LT((dynamics.centerOfMassBias() - (after - reference.centerOfMassVelocity()) / (2 * h)).norm(), 1e-6);
  }
}

TEST(ActuatedDynamics, WeldedLinksStandAndAffineDriversMoveTheirLinksTogether) {
  RobotDescription description = tree();
  description.joints[2].type = JointType::weld;
  description.drivers.erase(description.drivers.begin() + 6);
  description.drivers[5].type = DriverType::affine;
  description.drivers[5].links = {5, 6};
  description.drivers[5].scale = {1, -2};
  description.drivers[5].offset = {0, 0.3};
  description.drivers.erase(description.drivers.begin() + 2);
  const RobotPtr robot = Robot::compile(description);
  ActuatedDynamics dynamics(robot);
  EXPECT_EQ(dynamics.numCoordinates(), 5);
  EXPECT_EQ(dynamics.coordinate(2), -1);
  EXPECT_EQ(dynamics.coordinate(5), dynamics.coordinate(6));
  RandomStream random(2, "affine");
  const VectorXd q = randomVector(random, 7), x = randomVector(random, 5, 10);
  VectorXd dq = randomVector(random, 7);
  dq[2] = 0;
  dq[6] = -2 * dq[5];
  dynamics.update(q, dq, kGravity, false);
  VectorXd ddq(7);
  dynamics.accelerations(x, ddq);
  EXPECT_EQ(ddq[2], 0);
  EXPECT_NEAR(ddq[6], -2 * ddq[5], 1e-12);
  EXPECT_NEAR(dynamics.coordinateRate(dynamics.coordinate(6), dq), dq[5], 1e-15);
  // Forces that are missing do no work along the motions that are left (d'Alembert).
  RobotDynamics reference(robot);
  reference.setState(q, dq);
  VectorXd tau(7), needed(7);
  setDriverTorques(*robot, x, tau);
  reference.inverseDynamics(ddq, kGravity, needed);
  const VectorXd missing = needed - tau;
  for (const int link : {0, 1, 3, 4}) EXPECT_NEAR(missing[link], 0, 1e-9) << link;
  EXPECT_NEAR(missing[5] - 2 * missing[6], 0, 1e-9);
  EXPECT_GT(std::abs(missing[2]), 1e-3) << "the weld carries something";
}

TEST(ActuatedDynamics, FloatingBaseIsMovedBySupportsOnly) {
  const RobotPtr robot = Robot::compile(hopper());
  ASSERT_EQ(robot->floatingBaseLink(), 5);
  ActuatedDynamics dynamics(robot);
  const std::vector<SupportPoint> supports = {{7, Vector3d(0.1, 0.05, -0.4), Vector3d::UnitZ(), 0.6},
                                              {7, Vector3d(-0.1, 0, -0.4), Vector3d(0.6, 0, 0.8), 0}};
  dynamics.setSupports(supports, 5);
  EXPECT_EQ(dynamics.numForces(), 6);
  RandomStream random(4, "supports");
  RobotDynamics reference(robot);
  for (int trial = 0; trial < 20; ++trial) {
    const VectorXd q = randomVector(random, 8), dq = randomVector(random, 8);
    VectorXd x = randomVector(random, 8, 10).cwiseAbs();
    dynamics.update(q, dq, kGravity, false);
    VectorXd ddq(8), expected(8), tau = VectorXd::Zero(8);
    dynamics.accelerations(x, ddq);
    tau.tail(2) = x.head(2);
    reference.setState(q, dq);
    Matrix3X J(3, 8);
    for (int k = 0; k < 2; ++k) {
      reference.positionJacobian(7, supports[k].p_LP, J);
      const Vector3d f = dynamics.supportForce(k, x);
      tau += J.transpose() * f;
      const double along = f.dot(supports[k].normal);
      EXPECT_GT(along, 0);
      EXPECT_LE((f - along * supports[k].normal).norm(), supports[k].friction * along * (1 + 1e-12) + 1e-12);
    }
    reference.forwardDynamics(tau, kGravity, expected);
    EXPECT_LT((ddq - expected).norm(), 1e-8 * (1 + expected.norm()));
  }
  // One edge alone is on the cone.
  VectorXd x = VectorXd::Zero(8);
  x[4] = 3;
  const Vector3d f = dynamics.supportForce(0, x);
  EXPECT_NEAR(f.z(), 3, 1e-12);
  EXPECT_NEAR(f.head<2>().norm(), 1.8, 1e-12);
}

TEST(ActuatedDynamics, ViscousFrictionIsThatOfTheEndOfThePeriod) {
  RobotDescription description = test::armDescription(2);
  description.drivers[1].viscousFriction = 7;
  const RobotPtr robot = Robot::compile(description);
  ActuatedDynamics dynamics(robot);
  const Eigen::Vector2d q(0.2, 0.4), dq(1, -2), x(3, 4);
  dynamics.update(q, dq, kGravity, true, 0.01);
  VectorXd ddq(2), tau(2);
  dynamics.accelerations(x, ddq);
  RobotDynamics reference(robot);
  reference.setState(q, dq);
  reference.inverseDynamics(ddq, kGravity, tau);
  EXPECT_NEAR(tau[0], 3, 1e-9);
  EXPECT_NEAR(tau[1], 4 - 7 * (dq[1] + 0.01 * ddq[1]), 1e-9);
}

TEST(ActuatedDynamics, MasslessAndSingularCoordinatesStay) {
  RobotDescription description = test::armDescription(3);
  description.links[2].inertia = BodyInertia();
  const RobotPtr robot = Robot::compile(description);
  ActuatedDynamics dynamics(robot);
  dynamics.update(Vector3d(0.1, 0.2, 0.3), Vector3d(1, 2, 3), kGravity, true);
  VectorXd ddq(3);
  dynamics.accelerations(Vector3d(1, 2, 3), ddq);
  EXPECT_TRUE(ddq.allFinite());
  EXPECT_EQ(ddq[2], 0);
  EXPECT_TRUE(dynamics.scales().allFinite());
  // A floating base pitched by 90 degrees.
  ActuatedDynamics floating(Robot::compile(hopper()));
  VectorXd q = VectorXd::Zero(8), dq = VectorXd::Zero(8);
  q[4] = std::acos(0.0);
  floating.update(q, dq, kGravity, true);
  VectorXd a(8);
  floating.accelerations(Eigen::Vector2d(1, 2), a);
  EXPECT_TRUE(a.allFinite());
  EXPECT_LT(a.cwiseAbs().maxCoeff(), 1e3);
}

TEST(ActuatedDynamics, AllocatesNothing) {
  ActuatedDynamics dynamics(Robot::compile(hopper()));
  const std::vector<SupportPoint> supports = {{7, Vector3d(0.1, 0.05, -0.4), Vector3d::UnitZ(), 0.6}};
  dynamics.setSupports(supports, 4);
  VectorXd q = VectorXd::Constant(8, 0.1), x = VectorXd::Ones(6), ddq(8), torques(2), b(6);
  Eigen::MatrixXd A(6, 6);
  Matrix6X J(6, 8);
  Eigen::Matrix<double, 6, 1> wanted = Eigen::Matrix<double, 6, 1>::Ones();
  const std::size_t before = test::allocationCount;
  dynamics.update(q, q, kGravity, true);
  dynamics.robot().jacobian(7, Vector3d::Zero(), J);
  dynamics.rows(J, wanted, A, b);
  dynamics.linkRow(6, 1, 0, A, b);
  dynamics.coordinateRow(3, 1, 1, A, b);
  dynamics.accelerations(x, ddq);
  dynamics.restTorques(1, q, torques);
  dynamics.centerOfMassBias();
  EXPECT_EQ(test::allocationCount - before, 0u);
}

}  // namespace
}  // namespace mortise
