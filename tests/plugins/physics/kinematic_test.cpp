#include "scenes.h"

namespace mortise::test {
namespace {

class Kinematic : public PhysicsTest {
 protected:
  /// An arm of two links beside a box; the second joint is a slider with stops.
  Kinematic() {
    box = b.addBox({0.2, 0.2, 0.2}, 1, RigidTransform::translation({2, 0, 3}));
    const int base = b.addFixed(nullptr, RigidTransform::translation({0, 0, 1}));
    upper = b.addBox({0.1, 0.1, 0.1}, 1, RigidTransform::translation({0, 0, 1}));
    lower = b.addBox({0.1, 0.1, 0.1}, 1, RigidTransform::translation({0.5, 0, 1}));
    b.addJoint(SceneJoint::Type::revolute, base, upper, Vector3d::UnitZ());
    b.addJoint(SceneJoint::Type::prismatic, upper, lower, Vector3d::UnitX());
    b.scene.joints[1].lower = -0.1;
    b.scene.joints[1].upper = 0.2;
    b.finish();
  }
  static JointDrive position(double target, double velocity = 0) {
    JointDrive drive;
    drive.stiffness = 100;
    drive.damping = 10;
    drive.target = target;
    drive.targetVelocity = velocity;
    return drive;
  }
  static JointDrive speed(double velocity) {
    JointDrive drive;
    drive.damping = 1e8;
    drive.targetVelocity = velocity;
    return drive;
  }

  SceneBuilder b;
  int box, upper, lower;
};

TEST_P(Kinematic, DeclaresWhatItIs) {
  const PhysicsCapabilities can = physics().capabilities();
  EXPECT_FALSE(can.dynamics);
  EXPECT_FALSE(can.ownContacts);
  EXPECT_FALSE(can.collisionChanges);
  EXPECT_FALSE(can.contactSoftness);
  EXPECT_EQ(can.restore, PhysicsCapabilities::Restore::bitwise);
}

TEST_P(Kinematic, JointsAreAtTheirTargetsAfterOneStepAndObjectsStay) {
  auto scene = build(b.scene);
  scene->setJointDrives(std::vector<JointDrive>{position(0.5 * std::numbers::pi, 2), position(0.1)});
  scene->step(kStep);
  EXPECT_EQ(jointOf(*scene, b.scene, 0).position, 0.5 * std::numbers::pi);
  EXPECT_EQ(jointOf(*scene, b.scene, 0).velocity, 2);
  EXPECT_EQ(jointOf(*scene, b.scene, 0).effort, 0);
  const BodyState end = bodyOf(*scene, b.scene, lower);
  EXPECT_NEAR((end.X_WB.p - Vector3d(0, 0.6, 1)).norm(), 0, 1e-15);
  EXPECT_NEAR((end.v_WB - Vector3d(-1.2, 0, 0)).norm(), 0, 1e-14) << "carried along by the first joint";
  EXPECT_NEAR((end.w_WB - Vector3d(0, 0, 2)).norm(), 0, 1e-15);
  scene->applyWrench(box, Vector3d(100, 0, 0), Vector3d::Zero(), Vector3d(2, 0, 3));
  advance(*scene, 1000);
  EXPECT_EQ(bodyOf(*scene, b.scene, box).X_WB.p, Vector3d(2, 0, 3));
}

TEST_P(Kinematic, StopsBoundTheTargetsButLeaveAStartBeyondThemAlone) {
  b.scene.joints[1].position = 0.25;
  auto scene = build(b.scene);
  scene->setJointDrives(std::vector<JointDrive>(2));
  scene->step(kStep);
  EXPECT_EQ(jointOf(*scene, b.scene, 1).position, 0.25) << "nobody asked it to move";
  scene->setJointDrives(std::vector<JointDrive>{position(0), position(0.7, 3)});
  scene->step(kStep);
  EXPECT_EQ(jointOf(*scene, b.scene, 1).position, 0.2);
  EXPECT_EQ(jointOf(*scene, b.scene, 1).velocity, 0);
}

TEST_P(Kinematic, VelocityDrivesIntegrateUntilAStopAndTorquesHold) {
  auto scene = build(b.scene);
  JointDrive torque;
  torque.feedforward = 50;
  scene->setJointDrives(std::vector<JointDrive>{torque, speed(0.5)});
  advance(*scene, 200);
  EXPECT_EQ(jointOf(*scene, b.scene, 0).position, 0);
  EXPECT_NEAR(jointOf(*scene, b.scene, 1).position, 0.1, 1e-12);
  EXPECT_EQ(jointOf(*scene, b.scene, 1).velocity, 0.5);
  advance(*scene, 500);
  EXPECT_EQ(jointOf(*scene, b.scene, 1).position, 0.2);
  EXPECT_EQ(jointOf(*scene, b.scene, 1).velocity, 0);
}

TEST_P(Kinematic, SpeedIsBoundedWhereItIsAskedFor) {
  Value settings = Value::map();
  settings.set("max_speed", 2.0);
  const auto slow = make(settings);
  auto scene = slow->build(b.scene);
  scene->setJointDrives(std::vector<JointDrive>{position(1), position(0)});
  advance(*scene, 100);
  EXPECT_NEAR(jointOf(*scene, b.scene, 0).position, 0.2, 1e-12);
  EXPECT_EQ(jointOf(*scene, b.scene, 0).velocity, 2);
  advance(*scene, 401);
  EXPECT_EQ(jointOf(*scene, b.scene, 0).position, 1) << "arrives, and not beyond";
  EXPECT_EQ(jointOf(*scene, b.scene, 0).velocity, 0);
}

TEST_P(Kinematic, KinematicBodiesGoOnWithTheirVelocity) {
  auto scene = build(b.scene);
  scene->setBodyMotion(box, BodyMotion::kinematic);
  scene->setBodyState(box, {RigidTransform::translation({2, 0, 3}), Vector3d(1, 0, 0), Vector3d(0, 0, 0.5)});
  advance(*scene, 1000);
  const BodyState state = bodyOf(*scene, b.scene, box);
  EXPECT_NEAR((state.X_WB.p - Vector3d(3, 0, 3)).norm(), 0, 1e-12);
  EXPECT_NEAR((state.X_WB.R - rotationZ(0.5)).norm(), 0, 1e-12);
  scene->setBodyMotion(box, BodyMotion::dynamic);
  advance(*scene, 10);
  EXPECT_NEAR(bodyOf(*scene, b.scene, box).X_WB.p.x(), 3, 1e-12);
  EXPECT_THROW(scene->setBodyMotion(upper, BodyMotion::kinematic), Error);
}

TEST_P(Kinematic, ContactsAreReportedWithoutForce) {
  auto scene = build(b.scene);
  SceneContact contact;
  contact.key = 7;
  contact.bodyA = contact.idA = upper;
  contact.bodyB = contact.idB = box;
  contact.gap = -0.002;
  scene->setContacts({&contact, 1});
  scene->step(kStep);
  ASSERT_EQ(scene->contacts().size(), 1u);
  EXPECT_EQ(scene->contacts()[0].key, 7u);
  EXPECT_EQ(scene->contacts()[0].depth, 0.002);
  EXPECT_EQ(scene->contacts()[0].force, Vector3d::Zero());
  scene->step(kStep);
  EXPECT_TRUE(scene->contacts().empty()) << "they hold for one step";
}

TEST_P(Kinematic, ContinuesBitForBitAlsoElsewhere) {
  auto scene = build(b.scene);
  scene->setBodyMotion(box, BodyMotion::kinematic);
  scene->setBodyState(box, {RigidTransform::translation({2, 0, 3}), Vector3d(1, 0.3, 0), Vector3d(0.1, 0.2, 0.5)});
  scene->setJointDrives(std::vector<JointDrive>{speed(0.37), position(0.1)});
  const auto bytes = [](const Scene& of) {
    ByteWriter out;
    of.save(out);
    return out.bytes();
  };
  advance(*scene, 77);
  const auto middle = bytes(*scene);
  advance(*scene, 50);
  const auto end = bytes(*scene);
  auto other = build(b.scene);
  for (Scene* again : {scene.get(), other.get()}) {
    ByteReader in(middle);
    again->restore(in);
    EXPECT_TRUE(in.atEnd());
    advance(*again, 50);
    EXPECT_EQ(bytes(*again), end);
  }
  SceneBuilder strange;
  strange.addSphere(0.1, 1, {0, 0, 0});
  strange.finish();
  ByteReader in(middle);
  EXPECT_THROW(build(strange.scene)->restore(in), Error);
}

TEST_P(Kinematic, RefusesWhatItCannotKeep) {
  SceneConstraint grasp;
  grasp.a = lower;
  grasp.b = box;
  SceneDescription held = b.scene;
  held.constraints.push_back(grasp);
  EXPECT_THROW(build(held), Error);
  held.constraints[0].a = -1;
  EXPECT_NO_THROW(build(held)) << "an object that does not move stays in its joint";
  auto scene = build(b.scene);
  EXPECT_THROW(scene->step(0), Error);
  EXPECT_THROW(scene->setJointDrives(std::vector<JointDrive>(1)), Error);
  EXPECT_THROW(scene->setJointDrives(std::vector<JointDrive>{position(std::nan("")), position(0)}), Error);
  EXPECT_THROW(scene->setCollision(0, 1, false), Error);
}

INSTANTIATE_TEST_SUITE_P(, Kinematic, testing::Values(std::string("kinematic")));

}  // namespace
}  // namespace mortise::test
