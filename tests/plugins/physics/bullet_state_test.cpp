/// Joints between bodies and snapshots of the Bullet backend.

#include "mortise/base/error.h"
#include "tests/plugins/physics/bullet_fixture.h"

namespace mortise::test {
namespace {

class BulletJoints : public BulletTest {
 protected:
  /// A box in front of a link that a strong drive keeps level; one joint of `type` between them.
  SceneBuilder boxAtLink(SceneConstraint::Type type) {
    SceneBuilder b;
    const int arm = b.addBody(nullptr, RigidTransform::translation({0, 0, 1}),
                              {2, Vector3d(0.2, 0, 0), boxInertia(2, {0.4, 0.1, 0.1})});
    b.addJoint(SceneJoint::Type::revolute, -1, arm, Vector3d::UnitY());
    const int box = b.addBox({0.1, 0.1, 0.1}, 0.5, {rotationZ(0.5), Vector3d(0.5, 0, 1)});
    SceneConstraint constraint;
    constraint.type = type;
    constraint.a = box;
    constraint.b = arm;
    constraint.point = Vector3d(0.4, 0, 1);
    constraint.axis = type == SceneConstraint::Type::slider ? Vector3d::UnitZ() : Vector3d::UnitY();
    b.scene.constraints = {constraint};
    b.finish();
    b.scene.contactSource = ContactSource::external;
    return b;
  }
  /// Of the only constraint, over the next steps: a limit pushes when it is passed, so only its mean carries.
  static JointState meanOf(Scene& scene) {
    JointState mean;
    for (int i = 0; i < 200; ++i) {
      scene.step(kStep);
      JointState state;
      scene.readConstraints({&state, 1});
      mean.position += state.position / 200;
      mean.effort += state.effort / 200;
      mean.stop += state.stop / 200;
    }
    return mean;
  }
  static JointDrive level() {
    JointDrive drive;
    drive.stiffness = 1e5;
    drive.damping = 1e3;
    return drive;
  }
};

TEST_P(BulletJoints, FixedJointAtALinkCarries) {
  SceneBuilder b = boxAtLink(SceneConstraint::Type::fixed);
  auto scene = buildWith(b.scene, {});
  const JointDrive drive = level();
  scene->setJointDrives({&drive, 1});
  advance(*scene, 1000);
  EXPECT_LT((bodyOf(*scene, b.scene, 1).X_WB.p - Vector3d(0.5, 0, 1)).norm(), 5e-3);
  EXPECT_LT((bodyOf(*scene, b.scene, 1).X_WB.R - rotationZ(0.5)).norm(), 0.02);
}

TEST_P(BulletJoints, SliderAtALinkSlidesAlongItsAxisOnly) {
  SceneBuilder b = boxAtLink(SceneConstraint::Type::slider);
  auto scene = buildWith(b.scene, exact());
  const JointDrive drive = level();
  scene->setJointDrives({&drive, 1});
  advance(*scene, 300);
  const BodyState box = bodyOf(*scene, b.scene, 1);
  EXPECT_LT((box.X_WB.p - Vector3d(0.5, 0, 1 - 0.5 * kGravity * 0.09)).norm(), 0.02);
  EXPECT_LT((box.X_WB.R - rotationZ(0.5)).norm(), 0.02);
  JointState state;
  scene->readConstraints({&state, 1});
  EXPECT_NEAR(state.position, -0.5 * kGravity * 0.09, 0.02);
  EXPECT_NEAR(state.velocity, -kGravity * 0.3, 0.05);
}

TEST_P(BulletJoints, HingeAtALinkKeepsItsPinAndItsAxis) {
  SceneBuilder b = boxAtLink(SceneConstraint::Type::hinge);
  auto scene = buildWith(b.scene, exact());
  const JointDrive drive = level();
  scene->setJointDrives({&drive, 1});
  for (int i = 0; i < 500; ++i) {
    scene->step(kStep);
    const BodyState box = bodyOf(*scene, b.scene, 1), arm = bodyOf(*scene, b.scene, 0);
    ASSERT_LT((box.X_WB * (rotationZ(-0.5) * Vector3d(-0.1, 0, 0)) - arm.X_WB * Vector3d(0.4, 0, 0)).norm(), 2e-3) << i;
    ASSERT_GT((box.X_WB.R * rotationZ(-0.5))(1, 1), 0.9999) << i;
  }
  JointState state;
  scene->readConstraints({&state, 1});
  EXPECT_GT(state.position, 0.5);  // It has swung down: turned about +y.
}

TEST_P(BulletJoints, WhatJointsAtLinksLackIsRefused) {
  for (const bool limited : {false, true}) {
    SceneBuilder b = boxAtLink(SceneConstraint::Type::hinge);
    (limited ? b.scene.constraints[0].upper : b.scene.constraints[0].friction) = 0.5;
    EXPECT_THROW(build(b.scene), Error);
  }
}

TEST_P(BulletJoints, HingeBetweenBodiesHasFrictionAndLimits) {
  for (const double friction : {1.2, 0.2}) {  // The weight's moment is 0.98 N m.
    SceneBuilder b;
    const int box = b.addBox({0.1, 0.1, 0.1}, 1, RigidTransform::translation({0.1, 0, 1}));
    SceneConstraint hinge;
    hinge.type = SceneConstraint::Type::hinge;
    hinge.a = box;
    hinge.point = Vector3d(0, 0, 1);
    hinge.axis = Vector3d::UnitY();
    hinge.friction = friction;
    hinge.lower = -1;
    hinge.upper = 0.3;
    b.scene.constraints = {hinge};
    b.finish();
    auto scene = buildWith(b.scene, exact());
    advance(*scene, 2000);
    const JointState state = meanOf(*scene);
    if (friction > 1) {
      EXPECT_NEAR(state.position, 0, 2e-2);
      EXPECT_NEAR(state.effort, -0.98, 0.02);
      EXPECT_EQ(state.stop, 0);
    } else {
      EXPECT_NEAR(state.position, 0.3, 5e-3);
      EXPECT_NEAR(state.stop + state.effort, -0.98 * std::cos(0.3), 0.02);
    }
  }
}

TEST_P(BulletJoints, SliderBetweenBodiesHasFrictionAndLimits) {
  for (const double friction : {12.0, 2.0}) {  // The weight is 9.8 N.
    SceneBuilder b;
    const int box = b.addBox({0.1, 0.1, 0.1}, 1, RigidTransform::translation({0, 0, 1}));
    SceneConstraint slider;
    slider.type = SceneConstraint::Type::slider;
    slider.a = box;
    slider.axis = Vector3d::UnitZ();
    slider.point = Vector3d(0, 0, 1);
    slider.friction = friction;
    slider.lower = -0.2;
    slider.upper = 0.2;
    b.scene.constraints = {slider};
    b.finish();
    auto scene = buildWith(b.scene, exact());
    advance(*scene, 1500);
    const JointState state = meanOf(*scene);
    EXPECT_NEAR(state.position, friction > 10 ? 0 : -0.2, 2e-3);
    EXPECT_NEAR(state.stop + state.effort, kGravity, 0.02 * kGravity);
  }
}

TEST_P(BulletJoints, HingeLimitsBeyondATurnAreRefused) {
  for (const double upper : {7.0, std::numeric_limits<double>::infinity()}) {
    SceneBuilder b;
    const int box = b.addBox({0.1, 0.1, 0.1}, 1, RigidTransform::translation({0.1, 0, 1}));
    SceneConstraint hinge;
    hinge.type = SceneConstraint::Type::hinge;
    hinge.a = box;
    hinge.lower = -0.1;
    hinge.upper = upper;
    b.scene.constraints = {hinge};
    b.finish();
    EXPECT_THROW(build(b.scene), Error);
  }
}

class BulletSnapshots : public BulletTest {
 protected:
  /// An arm that presses on a box, a falling box, a door with friction: everything a snapshot must hold.
  SceneBuilder busy() {
    SceneBuilder b;
    b.addFixed(nullptr);
    box_ = b.addBox(kBulletBox, 1, {rotationAbout({1, 1, 0}, 0.3), Vector3d(1, 0, 0.15)});
    const int door = b.addBox({0.1, 0.4, 0.4}, 1, RigidTransform::translation({2, 0.2, 1}));
    const int base = b.addBox(kBulletBox, 5, RigidTransform::translation({-1, 0, 0.05}));
    const int arm = b.addBody(nullptr, RigidTransform::translation({-1, 0, 0.15}),
                              {1, Vector3d(0.2, 0, 0), boxInertia(1, {0.4, 0.05, 0.05})});
    b.addJoint(SceneJoint::Type::revolute, base, arm, Vector3d::UnitY());
    b.scene.joints[0].upper = 0.05;
    SceneConstraint hinge;
    hinge.type = SceneConstraint::Type::hinge;
    hinge.a = door;
    hinge.point = Vector3d(2, 0, 1);
    hinge.axis = Vector3d(0.5, 0, 1);
    hinge.friction = 0.1;
    hinge.lower = -0.5;
    hinge.upper = 3;
    b.scene.constraints = {hinge};
    b.finish();
    return b;
  }
  int box_ = -1;
};

TEST_P(BulletSnapshots, ContinueBitForBitWithContactsFromOutside) {
  const std::vector<Settings> all = {{},
                                     {{"profile", "normalized"}, {"erp", 0.2}, {"erp2", 0.2}},
                                     {{"solver", "dantzig"}},
                                     {{"warmstarting_factor", 0.85}, {"sleeping", true}}};
  for (const Settings& settings : all) {
    SceneBuilder b = busy();
    HandContacts contacts(b.scene);
    contacts.addBox(box_, kBulletBox);
    contacts.addBox(3, kBulletBox);
    JointDrive drive;
    drive.stiffness = 300;
    drive.damping = 6;
    drive.dryFriction = 0.2;
    drive.target = 0.3;
    drive.minEffort = -20;
    drive.maxEffort = 20;
    auto scene = buildWith(b.scene, settings);
    EXPECT_EQ(scene->effectiveSettings().at("restore").asString(), "bitwise");
    scene->setJointDrives({&drive, 1});
    contacts.advance(*scene, 300);
    scene->setBodyMotion(box_, BodyMotion::kinematic);
    contacts.advance(*scene, 30);
    scene->setBodyMotion(box_, BodyMotion::dynamic);
    scene->applyWrench(3, Vector3d(5, 0, 0), Vector3d(0, 0, 1), Vector3d(-1, 0, 0.1));
    scene->setContacts(contacts.find(*scene));  // Pending ones are part of the state.
    const auto middle = snapshot(*scene);
    scene->step(kStep);
    contacts.advance(*scene, 800);
    const auto end = snapshot(*scene);
    auto fresh = physics_->build(b.scene);
    for (Scene* again : {scene.get(), fresh.get()}) {
      ByteReader in(middle);
      again->restore(in);
      EXPECT_TRUE(in.atEnd());
      EXPECT_TRUE(snapshot(*again) == middle);
      again->step(kStep);
      contacts.advance(*again, 800);
      EXPECT_TRUE(snapshot(*again) == end);
    }
  }
}

TEST_P(BulletSnapshots, OwnContactsAreDeclaredApproximate) {
  SceneBuilder b = busy();
  EXPECT_EQ(build(b.scene)->effectiveSettings().at("restore").asString(), "approximate");
}

INSTANTIATE_TEST_SUITE_P(, BulletJoints, testing::Values(std::string("bullet")));
INSTANTIATE_TEST_SUITE_P(, BulletSnapshots, testing::Values(std::string("bullet")));

}  // namespace
}  // namespace mortise::test
