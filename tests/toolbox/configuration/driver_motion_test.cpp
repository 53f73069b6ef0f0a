#include "mortise/configuration/driver_motion.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/random.h"

namespace mortise {
namespace {

/// Five links; an affine driver moves 0 and 2, a normal one 1 and another one 4; 3 has none.
RobotPtr pairedRobot() {
  RobotDescription description;
  description.name = "r";
  for (int i = 0; i < 5; ++i) {
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
  description.drivers = {pair};
  for (const int link : {1, 4}) {
    Driver single;
    single.name = "single" + std::to_string(link);
    single.links = {link};
    description.drivers.push_back(single);
  }
  return Robot::compile(description);
}

TEST(DriverMotion, GoesToLinksAndBack) {
  const RobotPtr r = pairedRobot();
  RandomStream random(1, "motion");
  Trajectory drivers;
  for (int i = 0; i < 20; ++i) {
    drivers.times.push_back(0.1 * i);
    drivers.configurations.emplace_back(Eigen::Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), i));
  }
  VectorXd q(5);
  q << 9, 9, 9, 0.75, 9;
  const Trajectory links = linkMotionOf(*r, drivers, q);
  EXPECT_EQ(links.times, drivers.times);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(links.configurations[i][3], 0.75) << "a link without a driver stays";
    EXPECT_NEAR(links.configurations[i][0], 0.1 + 2 * drivers.configurations[i][0], 1e-15);
  }
  DriverMotionLoss loss;
  const Trajectory back = driverMotion(*r, links, &loss);
  EXPECT_EQ(back.times, drivers.times);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_TRUE(back.configurations[i].isApprox(drivers.configurations[i], 1e-14));
  EXPECT_TRUE(loss.links.empty());
  EXPECT_LT(loss.mismatch, 1e-14);
}

TEST(DriverMotion, SaysWhatDriversCannotDo) {
  const RobotPtr r = pairedRobot();
  Trajectory motion;
  motion.times = {0, 1};
  motion.configurations = {VectorXd::Zero(5), VectorXd::Zero(5)};
  motion.configurations[1][3] = 0.5;  // No driver.
  motion.configurations[1][0] = 1;    // Half of a pair.
  DriverMotionLoss loss;
  driverMotion(*r, motion, &loss);
  EXPECT_EQ(loss.links, std::vector<int>{3});
  EXPECT_GT(loss.mismatch, 0.1);
}

TEST(DriverMotion, NeedsDriversAndSizes) {
  RobotDescription description = pairedRobot()->description();
  description.drivers.clear();
  const RobotPtr bare = Robot::compile(description);
  EXPECT_THROW(driverMotion(*bare, {}), Error);
  EXPECT_THROW(linkMotionOf(*bare, {}, VectorXd::Zero(5)), Error);
  EXPECT_THROW(linkMotionOf(*pairedRobot(), {}, VectorXd::Zero(4)), Error);
}

}  // namespace
}  // namespace mortise
