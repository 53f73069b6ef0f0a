#include "mortise/simulation/actuator.h"

#include <gtest/gtest.h>
#include <numbers>

#include "mortise/simulation/scene_builder.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

struct Bench {
  explicit Bench(RobotDescription description) {
    world.robots.push_back(test::placedRobot(std::move(description)));
    map = buildScene(world);
    drives.resize(map.description.joints.size());
  }
  const Robot& robot() const { return *world.robots[0].robot; }
  const VectorXd& q() const { return world.robots[0].q; }
  const VectorXd& dq() const { return world.robots[0].dq; }

  World world;
  SceneMap map;
  std::vector<JointDrive> drives;
};

TEST(Actuator, IsOffUntilCommanded) {
  Bench bench(test::armDescription(1));
  ActuatorBank bank(bench.robot(), bench.map.robots[0]);
  bank.update(bench.q(), bench.dq(), 0.001, bench.drives);
  EXPECT_EQ(bench.drives[0].stiffness, 0);
  EXPECT_EQ(bench.drives[0].damping, 0);
  EXPECT_EQ(bench.drives[0].feedforward, 0);
  EXPECT_EQ(bank.commands()[0].kP, 400) << "gains are preset from the robot";
}

TEST(Actuator, IntegratesTheErrorAndStopsAtTheTorqueLimit) {
  RobotDescription arm = test::armDescription(1);
  arm.drivers[0].servoI = 50;
  arm.drivers[0].torqueMin = -8;
  arm.drivers[0].torqueMax = 8;
  Bench bench(arm);
  ActuatorBank bank(bench.robot(), bench.map.robots[0]);
  bank.commands()[0].mode = ActuatorCommand::Mode::pid;
  bank.commands()[0].position = 0.1;
  for (int i = 0; i < 1000; ++i) bank.update(bench.q(), bench.dq(), 0.001, bench.drives);
  EXPECT_NEAR(bench.drives[0].feedforward, 50 * 0.1 * 1.0, 1e-9);
  for (int i = 0; i < 1000; ++i) bank.update(bench.q(), bench.dq(), 0.001, bench.drives);
  EXPECT_NEAR(bench.drives[0].feedforward, 8, 1e-9) << "kI times the integral stays within the torque limit";
  EXPECT_EQ(bench.drives[0].maxEffort, 8);
}

TEST(Actuator, GoesTheShortWayRoundOnJointsThatTurnFully) {
  RobotDescription arm = test::armDescription(1);
  arm.links[0].q = 3;
  Bench bench(arm);
  ActuatorBank bank(bench.robot(), bench.map.robots[0]);
  bank.commands()[0].mode = ActuatorCommand::Mode::pid;
  bank.commands()[0].position = -3;
  bank.update(bench.q(), bench.dq(), 0.001, bench.drives);
  EXPECT_NEAR(bench.drives[0].target, 2 * std::numbers::pi - 3, 1e-12);
}

TEST(Actuator, DrivesAllLinksOfAnAffineDriver) {
  RobotDescription arm = test::armDescription(2);
  arm.drivers.resize(1);
  arm.drivers[0].type = DriverType::affine;
  arm.drivers[0].links = {0, 1};
  arm.drivers[0].scale = {1, -2};
  arm.drivers[0].offset = {0.1, 0.2};
  arm.drivers[0].torqueMin = -3;
  arm.drivers[0].torqueMax = 5;
  arm.links[0].q = 0.1 + 0.5;
  arm.links[1].q = 0.2 - 1.0;
  Bench bench(arm);
  ActuatorBank bank(bench.robot(), bench.map.robots[0]);
  bank.commands()[0].mode = ActuatorCommand::Mode::pid;
  bank.commands()[0].position = 0.7;
  bank.commands()[0].velocity = 0.3;
  bank.update(bench.q(), bench.dq(), 0.001, bench.drives);
  EXPECT_NEAR(bench.drives[0].target, 0.8, 1e-12);
  EXPECT_NEAR(bench.drives[1].target, 0.2 - 1.4, 1e-12);
  EXPECT_NEAR(bench.drives[1].targetVelocity, -0.6, 1e-12);
  EXPECT_EQ(bench.drives[1].minEffort, -10) << "limits turn over with a negative scale";
  EXPECT_EQ(bench.drives[1].maxEffort, 6);

  const JointState joints[] = {{0, 0, 1.5}, {0, 0, -3}};
  bank.readTorques(joints);
  EXPECT_NEAR(bank.torques()[0], 1.5, 1e-12);
}

TEST(Actuator, PushesAVirtualLinkThroughItsJoint) {
  RobotDescription arm = test::armDescription(2);
  arm.drivers[0].type = DriverType::translation;
  arm.drivers[0].links = {0, 1};
  Bench bench(arm);
  ActuatorBank bank(bench.robot(), bench.map.robots[0]);
  EXPECT_TRUE(bank.unsupported().empty());
  bank.commands()[0].mode = ActuatorCommand::Mode::pid;
  bank.commands()[0].position = 0.7;
  bank.update(bench.q(), bench.dq(), 0.001, bench.drives);
  EXPECT_EQ(bench.drives[0].target, 0.7);
  EXPECT_EQ(bench.drives[0].stiffness, 400);
  EXPECT_EQ(bench.drives[1].stiffness, 0) << "the pushed link's own joint is left alone";
}

TEST(Actuator, SaysWhichDriversItLeavesAlone) {
  RobotDescription robot = test::armDescription(6);
  for (int i = 0; i < 3; ++i) robot.links[i].motion = LinkMotion::prismatic;
  robot.joints = {{JointType::floating, 5, -1}};
  robot.drivers.resize(1);
  robot.drivers[0].type = DriverType::translation;
  robot.drivers[0].links = {0, 5};
  Bench bench(robot);
  ActuatorBank bank(bench.robot(), bench.map.robots[0]);
  ASSERT_EQ(bank.unsupported().size(), 1u) << "a floating base has no joints";
  EXPECT_NE(bank.unsupported()[0].find("rod0"), std::string::npos);
}

TEST(Actuator, ContinuesAfterRestore) {
  RobotDescription arm = test::armDescription(1);
  arm.drivers[0].servoI = 50;
  Bench bench(arm);
  ActuatorBank bank(bench.robot(), bench.map.robots[0]);
  bank.commands()[0].mode = ActuatorCommand::Mode::pid;
  bank.commands()[0].position = 0.1;
  bank.update(bench.q(), bench.dq(), 0.001, bench.drives);
  ByteWriter out;
  bank.save(out);
  bank.update(bench.q(), bench.dq(), 0.001, bench.drives);
  const double expected = bench.drives[0].feedforward;
  ActuatorBank other(bench.robot(), bench.map.robots[0]);
  ByteReader in(out.bytes());
  other.restore(in);
  other.update(bench.q(), bench.dq(), 0.001, bench.drives);
  EXPECT_EQ(bench.drives[0].feedforward, expected);
}

}  // namespace
}  // namespace mortise
