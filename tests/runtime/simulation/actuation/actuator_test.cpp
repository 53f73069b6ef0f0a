#include "mortise/simulation/actuation/actuator.h"

#include <gtest/gtest.h>
#include <numbers>

#include "mortise/simulation/scene/scene_builder.h"
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

/// Two links coupled 1 to -2, torque limits -3 and 5, standing at driver value 0.5.
RobotDescription coupledDescription() {
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
  return arm;
}

TEST(Actuator, CouplesAffineLinksAsKlamptDoesUnderTorque) {
  RobotDescription arm = coupledDescription();
  arm.links[0].q += 0.04;  // Across the scales: (2, 1) . (1, -2) = 0.
  arm.links[1].q += 0.02;
  for (const auto mode : {ActuatorCommand::Mode::torque, ActuatorCommand::Mode::off}) {
    Bench bench(arm);
    ActuatorBank bank(bench.robot(), bench.map.robots[0]);
    bank.commands()[0].mode = mode;
    bank.commands()[0].torque = 2;
    bank.update(bench.q(), bench.dq(), 0.001, bench.drives);
    const double torque = mode == ActuatorCommand::Mode::off ? 0 : 2;
    EXPECT_EQ(bench.drives[0].feedforward, torque);
    EXPECT_EQ(bench.drives[1].feedforward, -2 * torque);
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(bench.drives[i].stiffness, 0.25 * 400);
      EXPECT_EQ(bench.drives[i].damping, 0.001 * 400);
      EXPECT_EQ(bench.drives[i].maxEffort, 50) << "ten times the torque limit";
      EXPECT_EQ(bench.drives[i].minEffort, -50);
    }
    EXPECT_NEAR(bench.drives[0].target, 0.6, 1e-15) << "the spring pulls across the scales only";
    EXPECT_NEAR(bench.drives[1].target, -0.8, 1e-15);
  }
}

TEST(Actuator, TheCouplingDoesNotResistCommonMotion) {
  Bench bench(coupledDescription());
  ActuatorBank bank(bench.robot(), bench.map.robots[0]);
  bank.commands()[0].mode = ActuatorCommand::Mode::torque;
  VectorXd dq(2);
  dq << 3, -6;
  bank.update(bench.q(), dq, 0.001, bench.drives);
  // Moving on like this, both links are at their targets after the step.
  EXPECT_NEAR(bench.drives[0].target, bench.q()[0] + 0.003, 1e-15);
  EXPECT_NEAR(bench.drives[1].target, bench.q()[1] - 0.006, 1e-15);
  EXPECT_NEAR(bench.drives[0].targetVelocity, 3, 1e-14);
  EXPECT_NEAR(bench.drives[1].targetVelocity, -6, 1e-14);
  // Nor does it resist common acceleration once it is seen to go on; a single jolt is not carried on.
  for (const double speed : {3.1, 3.2}) {
    dq << speed, -2 * speed;
    bank.update(bench.q(), dq, 0.001, bench.drives);
  }
  EXPECT_NEAR(bench.drives[0].targetVelocity, 3.3, 1e-12);
  dq << 0, 0;
  bank.update(bench.q(), dq, 0.001, bench.drives);
  EXPECT_EQ(bench.drives[0].targetVelocity, 0);
}

TEST(Actuator, KeepsAffineLinksTogetherAtTheTorqueLimit) {
  Bench bench(coupledDescription());
  ActuatorBank bank(bench.robot(), bench.map.robots[0]);
  bank.commands()[0].mode = ActuatorCommand::Mode::pid;
  bank.commands()[0].position = 1.5;
  bank.update(bench.q(), bench.dq(), 0.001, bench.drives);
  EXPECT_EQ(bench.drives[0].stiffness, 400) << "the PID, until a limit is met";
  // The first link pushes as hard as it may, the second met something and is not at its limit.
  const JointState joints[] = {{0, 0, 5}, {0, 0, -1}};
  bank.readTorques(joints);
  EXPECT_NEAR(bank.torques()[0], (5 + 2) / 5.0, 1e-12);
  bank.update(bench.q(), bench.dq(), 0.001, bench.drives);
  EXPECT_EQ(bench.drives[0].feedforward, 5) << "400 * 1 is cut to the limit";
  EXPECT_EQ(bench.drives[1].feedforward, -10);
  EXPECT_EQ(bench.drives[1].stiffness, 100);
  EXPECT_EQ(bench.drives[1].maxEffort, 50);

  ByteWriter out;
  bank.save(out);
  ActuatorBank other(bench.robot(), bench.map.robots[0]);
  ByteReader in(out.bytes());
  other.restore(in);
  std::vector<JointDrive> again(2);
  other.update(bench.q(), bench.dq(), 0.001, again);
  EXPECT_EQ(again[0].stiffness, 100) << "being at the limit is part of the state";

  bank.commands()[0].position = 0.502;  // 400 * 0.002 and 400 * 0.004 are within the limits again.
  bank.update(bench.q(), bench.dq(), 0.001, bench.drives);
  EXPECT_EQ(bench.drives[0].stiffness, 400);
}

TEST(Actuator, VelocityKeepsAffineLinksTogether) {
  RobotDescription arm = coupledDescription();
  arm.links[0].q += 0.04;
  arm.links[1].q += 0.02;
  Bench bench(arm);
  ActuatorBank bank(bench.robot(), bench.map.robots[0]);
  bank.commands()[0].mode = ActuatorCommand::Mode::velocity;
  bank.commands()[0].velocity = 0.3;
  VectorXd q = bench.q();
  for (int i = 0; i < 200; ++i) {
    bank.update(q, bench.dq(), 0.001, bench.drives);
    for (int k = 0; k < 2; ++k) q[k] += 0.001 * bench.drives[k].targetVelocity;
  }
  EXPECT_NEAR(q[1], 0.2 - 2 * (q[0] - 0.1), 1e-9) << "what was apart is together again";
  EXPECT_NEAR(q[0], 0.6 + 0.3 * 0.2, 1e-9);
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
  for (int i = 0; i < 6; ++i) {
    robot.links[i].motion = i < 3 ? LinkMotion::prismatic : LinkMotion::revolute;
    robot.links[i].axis = Vector3d::Unit(i < 3 ? i : 5 - i);
    robot.links[i].X_PL0 = RigidTransform();
  }
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
