#include "mortise/model/robot.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "tests/kernel/model/robots.h"

namespace mortise {
namespace {

std::string refusal(RobotDescription description) {
  try {
    Robot::compile(std::move(description));
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(Robot, CompileDerivesItsTables) {
  const RobotPtr robot = Robot::compile(test::floatingArm());
  EXPECT_EQ(robot->numLinks(), 8);
  EXPECT_EQ(robot->floatingBaseLink(), 5);
  EXPECT_EQ(robot->jointOfLink(0), 0);
  EXPECT_EQ(robot->jointOfLink(5), 0);
  EXPECT_EQ(robot->jointOfLink(7), 2);
  EXPECT_EQ(robot->driverOfLink(3), -1);
  EXPECT_EQ(robot->driverOfLink(7), 0);
  EXPECT_EQ(robot->children(5), (std::vector<int>{6, 7}));
  EXPECT_TRUE(robot->isAncestor(2, 7));
  EXPECT_TRUE(robot->isAncestor(7, 7));
  EXPECT_FALSE(robot->isAncestor(6, 7));
  EXPECT_EQ(robot->totalMass(), 8);
  EXPECT_EQ(robot->initialConfiguration()[6], 0.25);
}

TEST(Robot, PairsAreSortedAndUnique) {
  RobotDescription d = test::floatingArm();
  d.selfCollisionPairs = {{6, 7}, {0, 1}, {6, 7}};
  EXPECT_EQ(Robot::compile(d)->description().selfCollisionPairs, (std::vector<std::pair<int, int>>{{0, 1}, {6, 7}}));
}

TEST(Robot, OnlyAnExactChainIsAFloatingBase) {
  RobotDescription d = test::floatingArm();
  d.links[4].axis = -Vector3d::UnitY();
  EXPECT_EQ(Robot::compile(d)->floatingBaseLink(), -1);
  d = test::floatingArm();
  d.joints[0].type = JointType::normal;
  EXPECT_EQ(Robot::compile(d)->floatingBaseLink(), -1);
}

TEST(Robot, DriverValues) {
  RobotDescription d = test::floatingArm();
  Driver affine;
  affine.name = "both";
  affine.type = DriverType::affine;
  affine.links = {6, 7};
  affine.scale = {2, -4};
  affine.offset = {1, 3};
  d.drivers.push_back(affine);
  const RobotPtr robot = Robot::compile(d);
  VectorXd q = VectorXd::Zero(8), dq = VectorXd::Zero(8);
  setDriverValue(*robot, 1, 0.5, q);
  EXPECT_EQ(q[6], 2);
  EXPECT_EQ(q[7], 1);
  EXPECT_EQ(driverValue(*robot, 1, q), 0.5);
  EXPECT_EQ(driverValue(*robot, 0, q), 1);
  dq[6] = 4;
  EXPECT_EQ(driverVelocity(*robot, 1, dq), 1);  // Mean of 4/2 and 0.
}

TEST(Robot, UselessDescriptionsAreRefusedWithEveryReason) {
  EXPECT_NE(refusal({}).find("no links"), std::string::npos);
  RobotDescription d = test::floatingArm();
  d.links[2].parent = 2;
  d.links[3].inertia.mass = -1;
  d.links[4].axis.setZero();
  d.links[6].X_PL0.p.x() = std::numeric_limits<double>::quiet_NaN();
  d.links[7].qMin = std::numeric_limits<double>::quiet_NaN();
  d.joints[1].link = 99;
  d.drivers[0].links = {8};
  d.selfCollisionPairs = {{3, 3}};
  const std::string text = refusal(d);
  for (const char* part :
       {"link 2 ", "link 3 ", "link 4 ", "link 6 ", "link 7 ", "joint 1 ", "driver 0 ", "pair (3, 3)"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(Robot, ChainsMustHaveTheirLength) {
  RobotDescription d = test::floatingArm();
  d.joints[0].link = 4;
  EXPECT_NE(refusal(d).find("chain of exactly 6 links"), std::string::npos);
}

TEST(Robot, AffineDriversNeedOneScaleALink) {
  RobotDescription d = test::floatingArm();
  d.drivers[0].type = DriverType::affine;
  EXPECT_NE(refusal(d).find("one scale and one offset"), std::string::npos);
  d.drivers[0].scale = {0};
  d.drivers[0].offset = {0};
  EXPECT_NE(refusal(d).find("scales other than 0"), std::string::npos);
}

}  // namespace
}  // namespace mortise
