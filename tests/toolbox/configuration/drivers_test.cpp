#include "mortise/configuration/drivers.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"

namespace mortise {
namespace {

/// Four links; an affine driver moves 0 and 2, a normal one 1; 3 has none.
RobotPtr robot() {
  RobotDescription description;
  description.name = "r";
  for (int i = 0; i < 4; ++i) {
    Link link;
    link.name = "l" + std::to_string(i);
    link.parent = i - 1;
    description.links.push_back(link);
    description.joints.push_back({JointType::normal, i, -1});
  }
  Driver pair;
  pair.name = "pair";
  pair.type = DriverType::affine;
  pair.links = {0, 2};
  pair.scale = {2, -0.5};
  pair.offset = {0.1, 0.2};
  Driver single;
  single.name = "single";
  single.links = {1};
  description.drivers = {pair, single};
  return Robot::compile(description);
}

TEST(Drivers, ValuesBothWays) {
  const RobotPtr r = robot();
  VectorXd q = VectorXd::Constant(4, 9), values;
  setDriverValues(*r, Eigen::Vector2d(0.3, -1), q);
  EXPECT_TRUE(q.isApprox(Eigen::Vector4d(0.7, -1, 0.05, 9), 1e-15));
  driverValues(*r, q, values);
  EXPECT_TRUE(values.isApprox(Eigen::Vector2d(0.3, -1), 1e-15));
  EXPECT_NEAR(driverMismatch(*r, q), 0, 1e-15);
  q[0] += 0.2;  // The mean over the links moves by 0.05.
  driverValues(*r, q, values);
  EXPECT_NEAR(values[0], 0.35, 1e-15);
  EXPECT_NEAR(driverMismatch(*r, q), 0.1, 1e-15);
}

TEST(Drivers, VelocitiesBothWays) {
  const RobotPtr r = robot();
  VectorXd dq = VectorXd::Constant(4, 9), rates;
  setDriverVelocities(*r, Eigen::Vector2d(0.3, -1), dq);
  EXPECT_TRUE(dq.isApprox(Eigen::Vector4d(0.6, -1, -0.15, 9), 1e-15));
  driverVelocities(*r, dq, rates);
  EXPECT_TRUE(rates.isApprox(Eigen::Vector2d(0.3, -1), 1e-15));
}

TEST(Drivers, TorquesBothWays) {
  const RobotPtr r = robot();
  VectorXd tau, torques;
  setDriverTorques(*r, Eigen::Vector2d(3, 4), tau);
  EXPECT_TRUE(tau.isApprox(Eigen::Vector4d(6, 4, -1.5, 0), 1e-15));
  driverTorques(*r, tau, torques);
  EXPECT_TRUE(torques.isApprox(Eigen::Vector2d(3, 4), 1e-15));
  // The nearest of what the driver can do.
  driverTorques(*r, Eigen::Vector4d(1, 0, 0, 7), torques);
  EXPECT_NEAR(torques[0], 2 / 4.25, 1e-15);
}

TEST(Drivers, SizesMustFit) {
  const RobotPtr r = robot();
  VectorXd v;
  EXPECT_THROW(driverValues(*r, VectorXd(3), v), Error);
  EXPECT_THROW(setDriverTorques(*r, VectorXd(3), v), Error);
  EXPECT_THROW(setDriverValues(*r, VectorXd::Zero(2), v), Error);
}

}  // namespace
}  // namespace mortise
