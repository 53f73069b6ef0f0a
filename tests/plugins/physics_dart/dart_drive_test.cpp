#include "dart_scenes.h"

// Drives and joints in DART's terms.

namespace mortise::test {
namespace {

class DartDrives : public DartTest {
 protected:
  static constexpr double kInertia = 0.1;

  /// A flywheel that gravity does not turn.
  SceneDescription wheel(double inertia = kInertia) {
    SceneBuilder b;
    const int link = b.addBody(nullptr, {}, {1, Vector3d::Zero(), Matrix3d::Identity() * inertia});
    b.addJoint(SceneJoint::Type::revolute, -1, link, Vector3d::UnitZ());
    b.finish();
    return b.scene;
  }
};

TEST_P(DartDrives, SpringIsTheFormulaAtTheEndOfTheStep) {
  const SceneDescription description = wheel();
  for (const double stiffness : {0.0, 10.0, 1e6}) {
    JointDrive d;
    d.stiffness = stiffness;
    d.damping = 3;
    d.target = 0.4;
    d.targetVelocity = 0.7;
    d.feedforward = -1.5;
    d.viscousFriction = 0.2;
    auto scene = build(description);
    scene->setJointState(0, 0.1, 0.3);
    scene->setJointDrives(std::span(&d, 1));
    scene->step(kStep);
    const double mass = kInertia + kStep * (d.damping + d.viscousFriction) + kStep * kStep * d.stiffness;
    const double free = d.stiffness * (d.target - 0.1) + d.damping * d.targetVelocity + d.feedforward;
    const double velocity = (kInertia * 0.3 + kStep * free) / mass;
    const JointState state = jointOf(*scene, description, 0);
    EXPECT_NEAR(state.velocity, velocity, 1e-12 * std::max(1.0, stiffness));
    EXPECT_NEAR(state.position, 0.1 + kStep * velocity, 1e-12);
    const double effort = free - (kStep * d.stiffness + d.damping) * velocity;
    EXPECT_NEAR(state.effort, effort, 1e-9 * std::max(1.0, stiffness));
  }
}

TEST_P(DartDrives, LimitsOfEffortAreKept) {
  const SceneDescription description = wheel();
  for (const char* kind : {"spring", "servo"}) {
    auto scene = buildWith(description, {{"drives", Value(kind)}});
    JointDrive d;
    d.stiffness = 5000;
    d.damping = 50;
    d.target = 1;
    d.minEffort = -0.5;  // Not the negative of the other.
    d.maxEffort = 2;
    scene->setJointDrives(std::span(&d, 1));
    advance(*scene, 200);
    EXPECT_NEAR(jointOf(*scene, description, 0).velocity, 2 / kInertia * 0.2, 1e-6) << kind;
    EXPECT_NEAR(jointOf(*scene, description, 0).effort, 2, 1e-6) << kind;
    // Servos are rows of DART's LCP; springs become constant forces.
    EXPECT_EQ(count(*scene, "solved_groups") > 199, kind[1] == 'e') << kind;
    double minimum = 0, maximum = 0;
    for (int i = 0; i < 2000; ++i) {
      scene->step(kStep);
      minimum = std::min(minimum, jointOf(*scene, description, 0).effort);
      maximum = std::max(maximum, jointOf(*scene, description, 0).effort);
    }
    EXPECT_NEAR(minimum, -0.5, 1e-6) << kind;
    EXPECT_NEAR(maximum, 2, 1e-6) << kind;
  }
}

TEST_P(DartDrives, LightStiffChainIsStable) {
  for (const char* kind : {"spring", "servo"}) {
    SceneBuilder b;
    int parent = -1;
    for (int i = 0; i < 7; ++i) {
      const int link = b.addBody(nullptr, RigidTransform::translation({i * 0.05, 0, 0}),
                                 {0.05, Vector3d(0.025, 0, 0), Matrix3d::Identity() * 2e-5});
      b.addJoint(SceneJoint::Type::revolute, parent, link, i % 2 ? Vector3d(0, 0, 1) : Vector3d(0, -1, 0));
      parent = link;
    }
    b.finish();
    auto scene = buildWith(b.scene, {{"drives", Value(kind)}});
    std::vector<JointDrive> drives(7);
    for (JointDrive& d : drives) {
      d.stiffness = 40000;
      d.damping = 10;
      d.target = 0.2;
      d.minEffort = -200;
      d.maxEffort = 200;
      d.viscousFriction = 0.1;
    }
    scene->setJointDrives(drives);
    advance(*scene, 1500);
    for (int i = 0; i < 7; ++i) {
      EXPECT_NEAR(jointOf(*scene, b.scene, i).position, 0.2, 2e-5) << kind << i;
      EXPECT_NEAR(jointOf(*scene, b.scene, i).velocity, 0, 1e-9) << kind << i;
    }
  }
}

TEST_P(DartDrives, ConstraintsFeelSprings) {
  // DART's own joints leave the implicit part of springs out of the inertia that impulses act on; dry friction would
  // hold (M + h D + h^2 K) / M = 5 times what it should.
  const double inertia = 1e-3, friction = 0.1;
  const SceneDescription description = wheel(inertia);
  JointDrive d;
  d.stiffness = 2000;
  d.damping = 2;
  d.dryFriction = friction;
  ASSERT_NEAR((inertia + kStep * d.damping + kStep * kStep * d.stiffness) / inertia, 5, 1e-12);
  for (const double ratio : {0.99, 1.01}) {
    d.target = ratio * friction / d.stiffness;
    auto scene = build(description);
    scene->setJointDrives(std::span(&d, 1));
    advance(*scene, 500);
    if (ratio < 1)
      EXPECT_NEAR(jointOf(*scene, description, 0).position, 0, 1e-9);
    else
      EXPECT_NEAR(jointOf(*scene, description, 0).position, (ratio - 1) * friction / d.stiffness, 1e-8);
    auto servo = buildWith(description, {{"drives", Value("servo")}});
    servo->setJointDrives(std::span(&d, 1));
    advance(*servo, 500);
    EXPECT_NEAR(jointOf(*servo, description, 0).position, d.target, 1e-9);
  }
}

TEST_P(DartDrives, DryFrictionWithoutSpringsIsCoulombs) {
  const SceneDescription description = wheel();
  JointDrive d;
  d.dryFriction = 0.3;
  auto scene = build(description);
  scene->setJointState(0, 0, 2);
  scene->setJointDrives(std::span(&d, 1));
  advance(*scene, 400);
  EXPECT_NEAR(jointOf(*scene, description, 0).velocity, 2 - 0.4 * 0.3 / kInertia, 1e-6);
  advance(*scene, 600);
  EXPECT_NEAR(jointOf(*scene, description, 0).velocity, 0, 1e-9);
}

TEST_P(DartDrives, StopsHoldWithoutOvershootAndSayHowMuch) {
  SceneDescription description = wheel();
  description.joints[0].lower = -0.2;
  description.joints[0].upper = 0.3;
  auto scene = build(description);
  JointDrive d;
  d.feedforward = 4;
  scene->setJointDrives(std::span(&d, 1));
  double highest = 0;
  for (int i = 0; i < 1000; ++i) {
    scene->step(kStep);
    highest = std::max(highest, jointOf(*scene, description, 0).position);
  }
  EXPECT_LT(highest, 0.3 + 1e-9);
  EXPECT_NEAR(jointOf(*scene, description, 0).position, 0.3, 1e-6);
  EXPECT_NEAR(jointOf(*scene, description, 0).stop, -4, 1e-6);
  EXPECT_NEAR(jointOf(*scene, description, 0).effort, 4, 1e-9);
}

TEST_P(DartDrives, BadDrivesAreRefused) {
  const SceneDescription description = wheel();
  auto scene = build(description);
  JointDrive d;
  d.stiffness = -1;
  EXPECT_THROW(scene->setJointDrives(std::span(&d, 1)), Error);
  d = {};
  d.target = std::nan("");
  EXPECT_THROW(scene->setJointDrives(std::span(&d, 1)), Error);
  d = {};
  d.minEffort = 1;
  d.maxEffort = -1;
  EXPECT_THROW(scene->setJointDrives(std::span(&d, 1)), Error);
  scene->step(kStep);
}

MORTISE_FOR_DART(DartDrives);

}  // namespace
}  // namespace mortise::test
