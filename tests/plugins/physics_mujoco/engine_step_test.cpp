#include "mujoco_test.h"

// Velocities are MuJoCo's own.

namespace mortise::test {
namespace {

class MujocoStep : public Mujoco {
 protected:
  /// An arm that pushes, a stack, and a wrench.
  static SceneDescription scene() {
    SceneBuilder b;
    b.addFixed(nullptr);
    for (int i = 0; i < 3; ++i) b.addBox({0.1, 0.1, 0.1}, 1, RigidTransform::translation({0, 0, 0.05 + 0.1001 * i}));
    const int link = b.addBody(nullptr, RigidTransform::translation({1, 0, 1}),
                               {1, Vector3d(0.2, 0, 0), Matrix3d::Identity() * 0.02});
    b.addJoint(SceneJoint::Type::revolute, -1, link, Vector3d(0, -1, 0));
    b.scene.joints[0].lower = -0.5;
    b.finish();
    return b.scene;
  }
  static void addStack(HandContacts& contacts) {
    const Vector3d size(0.1, 0.1, 0.1);
    contacts.addBox(1, size);
    contacts.addBox(2, size, 1, Vector3d::UnitZ(), Vector3d(0, 0, 0.05));
    contacts.addBox(3, size, 2, Vector3d::UnitZ(), Vector3d(0, 0, 0.05));
  }
  /// How far the top of a stack of five sinks in half a second; infinity when the engine gives up.
  double sinking(const char* solver, int iterations) {
    SceneBuilder b;
    b.addFixed(nullptr);
    const Vector3d size(0.1, 0.1, 0.1);
    for (int i = 0; i < 5; ++i) b.addBox(size, 1, RigidTransform::translation({0, 0, 0.05 + 0.1 * i}));
    b.finish();
    HandContacts contacts(b.scene);
    for (int i = 1; i <= 5; ++i)
      contacts.addBox(i, size, i - 1, Vector3d::UnitZ(), i > 1 ? Vector3d(0, 0, 0.05) : Vector3d::Zero());
    auto scene = make(settingsOf({{"solver", Value(solver)}, {"iterations", Value(iterations)}}))->build(b.scene);
    try {
      contacts.advance(*scene, 500);
    } catch (const Error&) {
      return std::numeric_limits<double>::infinity();
    }
    const double height = bodyOf(*scene, b.scene, 5).X_WB.p.z();
    return std::isfinite(height) ? 0.45 - height : std::numeric_limits<double>::infinity();
  }
};

TEST_P(MujocoStep, VelocitiesChangeInTheEnginesStepAlone) {
  SceneDescription description = scene();
  HandContacts contacts(description);
  addStack(contacts);
  auto scene = engine("normalized")->build(description);
  stepSpy() = {};
  JointDrive drive;
  drive.stiffness = 1000;
  drive.damping = 20;
  drive.target = 0.3;
  drive.maxEffort = 30;
  drive.minEffort = -30;
  drive.dryFriction = 0.2;
  for (int i = 0; i < 300; ++i) {
    drive.target = i < 150 ? 0.3 : -1;
    scene->setJointDrives(std::span(&drive, 1));
    if (i % 50 == 0) scene->applyWrench(3, Vector3d(3, 0, 0), Vector3d::Zero(), Vector3d(0, 0, 0.25));
    contacts.step(*scene);
  }
  EXPECT_EQ(stepSpy().calls, 300);
  EXPECT_EQ(stepSpy().changedOutside, 0);
  EXPECT_GT(stepSpy().largestChange, 0.05);
}

TEST_P(MujocoStep, OneIterationIsWorse) {
  const double best = sinking("Newton", 100), many = sinking("PGS", 100), one = sinking("PGS", 1);
  RecordProperty("newton_sinks", std::to_string(best));
  RecordProperty("pgs_100_sinks", std::to_string(many));
  RecordProperty("pgs_1_sinks", std::to_string(one));
  EXPECT_NEAR(many, best, 0.02 * best);
  EXPECT_GT(std::abs(one - best), 2 * best);
}

TEST_P(MujocoStep, ANonFiniteStepIsRefusedAndLeavesTheState) {
  SceneBuilder b;
  const int link = b.addBody(nullptr, {}, {1, Vector3d(0.2, 0, 0), Matrix3d::Identity() * 0.02});
  b.addJoint(SceneJoint::Type::revolute, -1, link, Vector3d(0, -1, 0));
  b.finish();
  auto scene = engine()->build(b.scene);
  JointDrive drive;
  drive.feedforward = 1e6;
  scene->setJointDrives(std::span(&drive, 1));
  advance(*scene, 2);
  const JointState before = jointOf(*scene, b.scene, 0);
  drive.feedforward = 8e9;  // MuJoCo takes no acceleration above 1e10.
  scene->setJointDrives(std::span(&drive, 1));
  EXPECT_THROW(scene->step(kStep), Error);
  const JointState after = jointOf(*scene, b.scene, 0);
  EXPECT_EQ(after.position, before.position);
  EXPECT_EQ(after.velocity, before.velocity);
  drive = JointDrive();
  scene->setJointDrives(std::span(&drive, 1));
  scene->step(kStep);  // And goes on.
}

TEST_P(MujocoStep, MoreContactsThanMujocoHoldsAreRefused) {
  SceneBuilder b;
  b.addFixed(nullptr);
  const int ball = b.addSphere(0.1, 1, {0, 0, 0.0999});
  b.finish();
  HandContacts contacts(b.scene);
  auto scene = engine()->build(b.scene);
  SceneContact contact;
  contact.bodyA = contact.idA = ball;
  contact.gap = -1e-4;
  contact.bodyB = contact.idB = 0;
  contact.material.friction = 0.5;
  std::vector<SceneContact> many;
  for (int i = 0; i < 6000; ++i) {
    contact.key = static_cast<std::uint64_t>(i + 1);
    many.push_back(contact);
  }
  scene->setContacts(many);
  // Versions after 2.2 keep no dense matrix of all rows.
  const bool early = scene->effectiveSettings().at("engine").asString().starts_with("MuJoCo 2.2");
  if (early)
    EXPECT_THROW(scene->step(kStep), Error);
  else
    scene->step(kStep);
  scene->setContacts(std::span(many).first(300));
  scene->step(kStep);
  EXPECT_EQ(scene->contacts().size(), 300u);
  EXPECT_GT(scene->effectiveSettings().at("times_grown").asInteger(), 0);
}

TEST_P(MujocoStep, SnapshotsContinueBitForBitInASceneThatHasNotGrown) {
  for (const char* profile : {"recommended", "normalized"}) {
    SceneBuilder b;
    b.addFixed(nullptr);
    HandContacts contacts(b.scene);
    const Vector3d size(0.1, 0.12, 0.1);
    int below = 0;
    for (int i = 0; i < 18; ++i) {
      const int box =
          b.addBox(size, 1, {rotationZ(0.2 * i), Vector3d(0.2 * (i / 6), 0.003 * i, 0.06 + 0.11 * (i % 6))});
      if (i % 6 == 0) below = 0;
      contacts.addBox(box, size, below, Vector3d::UnitZ(), below ? Vector3d(0, 0, 0.05) : Vector3d::Zero());
      below = box;
    }
    const int belt = b.addBox({2, 1, 0.1}, 1, RigidTransform::translation({5, 0, 0}));
    b.scene.bodies[belt].motion = BodyMotion::kinematic;
    b.scene.bodies[belt].w_WB = Vector3d(0.1, 0.2, 0.3);
    const int link = b.addBody(nullptr, RigidTransform::translation({8, 0, 1}),
                               {1, Vector3d(0.2, 0, 0), Matrix3d::Identity() * 0.02});
    b.addJoint(SceneJoint::Type::revolute, -1, link, Vector3d(0, -1, 0));
    b.finish();
    auto scene = engine(profile)->build(b.scene);
    JointDrive drive;
    drive.stiffness = 50;
    drive.target = 1;
    drive.dryFriction = 0.3;
    drive.maxEffort = 2;
    scene->setJointDrives(std::span(&drive, 1));
    contacts.advance(*scene, 250);
    EXPECT_GT(scene->effectiveSettings().at("times_grown").asInteger(), 0);
    scene->applyWrench(1, Vector3d(1, 2, 3), Vector3d(0.1, 0, 0), Vector3d(0, 0, 0.1));
    const auto middle = snapshot(*scene);
    contacts.advance(*scene, 150);
    const auto end = snapshot(*scene);
    auto fresh = engine(profile)->build(b.scene);
    for (Scene* again : {fresh.get(), scene.get()}) {
      ByteReader in(middle);
      again->restore(in);
      EXPECT_TRUE(in.atEnd());
      EXPECT_EQ(snapshot(*again), middle);
      contacts.advance(*again, 150);
      EXPECT_TRUE(snapshot(*again) == end) << profile << (again == fresh.get() ? ", fresh" : "");
    }
  }
}

MORTISE_FOR_MUJOCO(MujocoStep);

}  // namespace
}  // namespace mortise::test
