#include "mortise/modeling/robot_edit.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/math/rotation.h"
#include "mortise/model/robot_state.h"
#include "tests/kernel/model/robots.h"
#include "tests/support/error_text.h"

namespace mortise {
namespace {

using test::errorText;

GeometryPtr ball() { return std::make_shared<Geometry>(SphereShape{{0, 0, 0}, 0.1}); }

/// A base with two fingers that one affine driver closes, a normal driver on the base, and a sensor of each kind.
RobotDescription gripper() {
  RobotDescription robot;
  robot.name = "gripper";
  for (const char* name : {"palm", "left", "right"}) {
    Link link;
    link.name = name;
    link.parent = robot.links.empty() ? -1 : 0;
    link.inertia = {.mass = 1, .com = {0.1, 0, 0}, .inertia = Matrix3d::Identity()};
    link.geometry = ball();
    link.X_PL0.p = Vector3d(0, 0, 0.5);
    robot.links.push_back(link);
  }
  robot.joints = {{JointType::weld, 0, -1}, {JointType::normal, 1, -1}, {JointType::normal, 2, -1}};
  Driver close;
  close.name = "close";
  close.type = DriverType::affine;
  close.links = {1, 2};
  close.scale = {1, -1};
  close.offset = {0, 0.5};
  robot.drivers = {close};
  robot.selfCollisionPairs = {{1, 2}};
  Value force = Value::map();
  force.set("type", "ForceTorqueSensor");
  force.set("name", "tip");
  force.set("link", "left");
  Value torque = Value::map();
  torque.set("type", "DriverTorqueSensor");
  torque.set("name", "torque");
  torque.set("indices", Value::fromText("0"));
  Value position = Value::map();
  position.set("type", "JointPositionSensor");
  position.set("name", "q");
  position.set("indices", Value::fromText("1 2"));
  robot.sensors = Value::list();
  for (Value* sensor : {&force, &torque, &position}) robot.sensors.push_back(*sensor);
  return robot;
}

TEST(RobotEdit, MassesScaleTheirInertia) {
  RobotDescription robot = gripper();
  setLinkMass(robot, 1, 4);
  EXPECT_EQ(robot.links[1].inertia.mass, 4);
  EXPECT_EQ(robot.links[1].inertia.inertia, Matrix3d(4 * Matrix3d::Identity()));
  EXPECT_THROW(setLinkMass(robot, 3, 1), Error);
  EXPECT_THROW(setLinkMass(robot, 0, -1), Error);
  const RobotPtr before = Robot::compile(gripper());
  RobotDescription changed = before->description();
  setLinkMass(changed, 2, 3);
  const RobotPtr after = Robot::compile(changed);
  EXPECT_EQ(after->totalMass(), 5);
  EXPECT_EQ(before->totalMass(), 3);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(after->link(i).geometry, before->link(i).geometry);
}

TEST(RobotEdit, FindsLinksByName) {
  RobotDescription robot = gripper();
  EXPECT_EQ(requireLink(robot, "right"), 2);
  EXPECT_NE(errorText([&] { requireLink(robot, "rihgt"); }).find("did you mean 'right'"), std::string::npos);
  robot.links[2].name = "left";
  EXPECT_NE(errorText([&] { requireLink(robot, "left"); }).find("1, 2"), std::string::npos);
}

TEST(RobotEdit, RenamingTakesSensorsAndDriversAlong) {
  RobotDescription robot = gripper();
  robot.drivers[0].name = "left";
  renameLink(robot, 1, "thumb");
  EXPECT_EQ(robot.links[1].name, "thumb");
  EXPECT_EQ(robot.drivers[0].name, "thumb");
  EXPECT_EQ(robot.sensors[0].at("link").asString(), "thumb");
  EXPECT_THROW(renameLink(robot, 1, "right"), Error);
  EXPECT_THROW(renameLink(robot, 1, ""), Error);
}

TEST(RobotEdit, AddingALinkAddsJointDriverAndPairs) {
  RobotDescription robot = gripper();
  Link tip;
  tip.name = "tip";
  tip.parent = 1;
  tip.geometry = ball();
  tip.qMax = 1;
  tip.torqueMax = 7;
  EXPECT_EQ(addLink(robot, tip), 3);
  const RobotPtr compiled = Robot::compile(robot);
  EXPECT_EQ(compiled->joints()[compiled->jointOfLink(3)].type, JointType::normal);
  EXPECT_EQ(compiled->driver(compiled->driverOfLink(3)).torqueMin, -7);
  EXPECT_TRUE(selfCollisionEnabled(robot, 3, 0));
  EXPECT_TRUE(selfCollisionEnabled(robot, 2, 3));
  EXPECT_FALSE(selfCollisionEnabled(robot, 1, 3));
  tip.parent = 9;
  EXPECT_THROW(addLink(robot, tip), Error);
  tip.parent = 0;
  EXPECT_THROW(addLink(robot, tip, JointType::floating), Error);
}

TEST(RobotEdit, RemovingTakesEverythingBelowAndKeepsIndicesTrue) {
  RobotDescription robot = gripper();
  const RobotIndexMap map = removeLinks(robot, {1});
  EXPECT_EQ(map.links, (std::vector<int>{0, -1, 1}));
  EXPECT_EQ(map.drivers, (std::vector<int>{0}));
  EXPECT_EQ(robot.drivers[0].links, std::vector<int>{1});
  EXPECT_EQ(robot.drivers[0].scale, std::vector<double>{-1});
  EXPECT_EQ(robot.drivers[0].offset, std::vector<double>{0.5});
  EXPECT_TRUE(robot.selfCollisionPairs.empty());
  // Those that named the link are gone; the driver's stays.
  ASSERT_EQ(robot.sensors.size(), 1u);
  EXPECT_EQ(robot.sensors[0].at("name").asString(), "torque");
  EXPECT_EQ(Robot::compile(robot)->numLinks(), 2);
  EXPECT_THROW(removeLinks(robot, {0}), Error);
  EXPECT_EQ(robot.links.size(), 2u);
}

TEST(RobotEdit, WhatIsLeftOfAChainHasNormalJoints) {
  RobotDescription robot = test::floatingArm();
  removeLinks(robot, {3});
  ASSERT_EQ(robot.links.size(), 3u);
  ASSERT_EQ(robot.joints.size(), 3u);
  for (const Joint& joint : robot.joints) EXPECT_EQ(joint.type, JointType::normal);
  EXPECT_TRUE(robot.drivers.empty());
  EXPECT_NO_THROW(Robot::compile(robot));
}

TEST(RobotEdit, ReorderingMovesNothing) {
  RobotDescription robot = gripper();
  const RobotPtr before = Robot::compile(robot);
  const RobotIndexMap map = reorderLinks(robot, {0, 2, 1});
  EXPECT_EQ(map.links, (std::vector<int>{0, 2, 1}));
  const RobotPtr after = Robot::compile(robot);
  RobotState a(*before), b(*after);
  a.q = Vector3d(0, 0.3, 0.7);
  b.q = Vector3d(0, 0.7, 0.3);
  updateFrames(*before, a);
  updateFrames(*after, b);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(after->link(map.links[i]).name, before->link(i).name);
    EXPECT_EQ(b.X_WL[map.links[i]], a.X_WL[i]);
  }
  EXPECT_EQ(robot.drivers[0].links, (std::vector<int>{2, 1}));
  EXPECT_EQ(robot.sensors[0].at("link").asString(), "left");
  EXPECT_EQ(robot.sensors[2].at("indices").text(), "2 1");
  EXPECT_NE(errorText([&] { reorderLinks(robot, {1, 0, 2}); }).find("before its parent"), std::string::npos);
  EXPECT_THROW(reorderLinks(robot, {0, 1}), Error);
  EXPECT_THROW(reorderLinks(robot, {0, 1, 1}), Error);
}

TEST(RobotEdit, MountingAGripperOnAnArm) {
  RobotDescription arm = test::floatingArm();
  arm.links[7].geometry = ball();
  arm.links[6].geometry = ball();
  const RigidTransform X_LM = RigidTransform::translation({0, 0, 2});
  const AddedLinks added = mountRobot(arm, 7, X_LM, "hand", gripper());
  EXPECT_EQ(added.firstLink, 8);
  EXPECT_EQ(added.firstDriver, 1);
  EXPECT_EQ(arm.links[8].name, "hand:palm");
  EXPECT_EQ(arm.links[8].parent, 7);
  EXPECT_EQ(arm.links[8].X_PL0.p, Vector3d(0, 0, 2.5));
  EXPECT_EQ(arm.links[10].parent, 8);
  EXPECT_EQ(arm.drivers[1].name, "hand:close");
  EXPECT_EQ(arm.drivers[1].links, (std::vector<int>{9, 10}));
  EXPECT_TRUE(selfCollisionEnabled(arm, 9, 10));
  EXPECT_TRUE(selfCollisionEnabled(arm, 7, 9));
  EXPECT_TRUE(selfCollisionEnabled(arm, 6, 8));
  EXPECT_FALSE(selfCollisionEnabled(arm, 7, 8));  // They touch where they are mounted.
  EXPECT_EQ(arm.sensors[0].at("link").asInteger(), 9);
  EXPECT_EQ(arm.sensors[0].at("name").asString(), "hand:tip");
  EXPECT_EQ(arm.sensors[1].at("indices").text(), "1");
  EXPECT_EQ(arm.sensors[2].at("indices").text(), "9 10");
  EXPECT_NO_THROW(Robot::compile(arm));
  EXPECT_THROW(mountRobot(arm, 99, {}, "", gripper()), Error);
}

TEST(RobotEdit, ShapesOnLinks) {
  RobotDescription robot = gripper();
  robot.links[1].geometry = nullptr;
  robot.selfCollisionPairs.clear();
  mountGeometry(robot, 1, RigidTransform::translation({1, 0, 0}), ball());
  EXPECT_TRUE(robot.links[1].geometry->bounds().max.isApprox(Vector3d(1.1, 0.1, 0.1)));
  EXPECT_TRUE(selfCollisionEnabled(robot, 1, 2));
  EXPECT_FALSE(selfCollisionEnabled(robot, 0, 1));
  robot.links[2].geometryFile = "finger.off";
  mountGeometry(robot, 2, {}, ball());
  EXPECT_EQ(robot.links[2].geometry->typeName(), "Group");
  EXPECT_TRUE(robot.links[2].geometryFile.empty());
}

TEST(RobotEdit, MergedRobotsStandSideBySide) {
  const RobotDescription both = mergeRobots("pair", {{"a", gripper()}, {"b", gripper()}});
  EXPECT_EQ(both.links.size(), 6u);
  EXPECT_EQ(both.links[3].name, "b:palm");
  EXPECT_EQ(both.links[3].parent, -1);
  EXPECT_TRUE(selfCollisionEnabled(both, 0, 3));
  EXPECT_EQ(both.drivers.size(), 2u);
  EXPECT_EQ(both.sensors.size(), 6u);
  EXPECT_NO_THROW(Robot::compile(both));
}

TEST(RobotEdit, FreeingARobotFromTheWorld) {
  RobotDescription robot = gripper();
  Link body;
  body.name = "cart";
  body.inertia.mass = 10;
  body.geometry = ball();
  addFloatingBase(robot, body);
  const RobotPtr compiled = Robot::compile(robot);
  EXPECT_EQ(compiled->numLinks(), 9);
  EXPECT_EQ(compiled->floatingBaseLink(), 5);
  EXPECT_EQ(compiled->totalMass(), 13);
  EXPECT_EQ(compiled->link(0).name, "cart_tx");
  EXPECT_EQ(compiled->link(6).parent, 5);
  EXPECT_EQ(robot.drivers[0].links, (std::vector<int>{7, 8}));
  EXPECT_TRUE(selfCollisionEnabled(robot, 5, 8));
  EXPECT_FALSE(selfCollisionEnabled(robot, 5, 6));
  EXPECT_EQ(robot.sensors[2].at("indices").text(), "7 8");
  RobotState state(*compiled), before(*Robot::compile(gripper()));
  updateFrames(*compiled, state);
  updateFrames(*Robot::compile(gripper()), before);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(state.X_WL[6 + i], before.X_WL[i]);
  EXPECT_THROW(addFloatingBase(robot, body), Error);
}

TEST(RobotEdit, ARigidObjectAsARobot) {
  const BodyInertia inertia = {.mass = 2, .com = {0, 0, 0.1}, .inertia = Matrix3d::Identity()};
  const RobotPtr robot = Robot::compile(rigidObjectRobot("box", inertia, ball(), "box.off"));
  EXPECT_EQ(robot->floatingBaseLink(), 5);
  EXPECT_EQ(robot->link(5).name, "box");
  EXPECT_EQ(robot->link(5).inertia, inertia);
  EXPECT_EQ(robot->numDrivers(), 0);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(robot->link(i).inertia.mass, 0);
  RobotState state(*robot);
  const RigidTransform X_WB(rotationFromRollPitchYaw({0.1, 0.2, 0.3}), {1, 2, 3});
  setFloatingBasePose(*robot, X_WB, state.q);
  updateFrames(*robot, state);
  EXPECT_TRUE(state.X_WL[5].R.isApprox(X_WB.R, 1e-12));
  EXPECT_TRUE(state.X_WL[5].p.isApprox(X_WB.p, 1e-12));
}

TEST(RobotEdit, SelfCollisionsOneByOne) {
  RobotDescription robot = gripper();
  setSelfCollision(robot, 2, 0, true);
  setSelfCollision(robot, 2, 0, true);
  EXPECT_EQ(robot.selfCollisionPairs, (std::vector<std::pair<int, int>>{{0, 2}, {1, 2}}));
  setSelfCollision(robot, 1, 2, false);
  EXPECT_FALSE(selfCollisionEnabled(robot, 1, 2));
  EXPECT_THROW(setSelfCollision(robot, 1, 1, true), Error);
}

}  // namespace
}  // namespace mortise
