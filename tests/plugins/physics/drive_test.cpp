#include "scenes.h"

namespace mortise::test {
namespace {

class Drives : public PhysicsTest {
 protected:
  void SetUp() override {
    PhysicsTest::SetUp();
    if (!IsSkipped()) useNormalized();
  }
  /// One link on a revolute joint about the world's -y axis, so that gravity pulls q down, with `inertia` about the
  /// joint's axis altogether.
  void makeLink(double mass, double arm, double inertia, bool gravity) {
    b_ = SceneBuilder();
    if (!gravity) b_.scene.gravity.setZero();
    const double about = inertia - mass * arm * arm;
    const int link = b_.addBody(nullptr, {}, {mass, Vector3d(arm, 0, 0), Matrix3d::Identity() * about});
    b_.addJoint(SceneJoint::Type::revolute, -1, link, Vector3d(0, -1, 0));
    b_.finish();
    scene_ = build(b_.scene);
  }
  void drive(const JointDrive& drive) { scene_->setJointDrives(std::span(&drive, 1)); }
  JointState joint() { return jointOf(*scene_, b_.scene, 0); }

  SceneBuilder b_;
  std::unique_ptr<Scene> scene_;
};

TEST_P(Drives, SpringAndDamperFollowTheImplicitFormula) {
  const double inertia = 0.1;
  makeLink(1, 0.2, inertia, false);
  JointDrive d;
  d.stiffness = 100;
  d.damping = 1;
  d.target = 0.5;
  drive(d);
  double q = 0, v = 0;
  for (int i = 0; i < 1000; ++i) {
    scene_->step(kStep);
    // inertia dv/dt = kP (target - q) - kD v with q and v of the end of the step.
    v = (inertia * v + kStep * d.stiffness * (d.target - q)) /
        (inertia + kStep * d.damping + kStep * kStep * d.stiffness);
    q += kStep * v;
    ASSERT_NEAR(joint().position, q, 1e-4) << "step " << i;
    ASSERT_NEAR(joint().effort, d.stiffness * (d.target - q) - d.damping * v, 0.02) << "step " << i;
  }
}

TEST_P(Drives, StiffGainOnALightLinkIsStable) {
  // Explicit, this gain would be stable only below a step of 2e-5 s.
  const double mass = 0.02, arm = 0.05;
  makeLink(mass, arm, mass * arm * arm + 1e-5, true);
  JointDrive d;
  d.stiffness = 40000;
  d.damping = 10;
  d.target = 0.3;
  drive(d);
  for (int i = 0; i < 1000; ++i) {
    scene_->step(kStep);
    ASSERT_LT(std::abs(joint().position), 0.5) << "step " << i;
  }
  const double load = mass * kGravity * arm * std::cos(d.target);
  EXPECT_NEAR(joint().position, d.target - load / d.stiffness, 1e-6);
  EXPECT_NEAR(joint().velocity, 0, 1e-5);
  EXPECT_NEAR(joint().effort, load, 0.02 * load + 1e-4);
}

TEST_P(Drives, StiffChainIsStable) {
  // Seven light links in a row, each held by a gain of the kind real files have.
  SceneBuilder b;
  const double mass = 0.05, length = 0.05;
  int parent = -1;
  for (int i = 0; i < 7; ++i) {
    const int link = b.addBody(nullptr, RigidTransform::translation({i * length, 0, 0}),
                               {mass, Vector3d(0.5 * length, 0, 0), Matrix3d::Identity() * 2e-5});
    b.addJoint(SceneJoint::Type::revolute, parent, link, i % 2 ? Vector3d(0, 0, 1) : Vector3d(0, -1, 0));
    parent = link;
  }
  b.finish();
  auto scene = build(b.scene);
  std::vector<JointDrive> drives(7);
  for (JointDrive& d : drives) {
    d.stiffness = 40000;
    d.damping = 10;
    d.target = 0.2;
    d.minEffort = -200;
    d.maxEffort = 200;
    d.dryFriction = 0.1;
    d.viscousFriction = 0.1;
  }
  scene->setJointDrives(drives);
  advance(*scene, 1500);
  for (int i = 0; i < 7; ++i) {
    const JointState state = jointOf(*scene, b.scene, i);
    EXPECT_NEAR(state.position, 0.2, 2e-3) << "joint " << i;
    EXPECT_NEAR(state.velocity, 0, 1e-2) << "joint " << i;
  }
}

TEST_P(Drives, EffortLimitIsHonoured) {
  const double inertia = 0.1;
  makeLink(1, 0.2, inertia, false);
  JointDrive d;
  d.stiffness = 5000;
  d.damping = 50;
  d.target = 100;
  d.minEffort = -0.5;  // Not the negative of the other.
  d.maxEffort = 2;
  drive(d);
  advance(*scene_, 500);
  EXPECT_NEAR(joint().velocity, 2 / inertia * 0.5, 1e-3 * 10);
  EXPECT_NEAR(joint().effort, 2, 1e-9);
  d.target = -1000;
  drive(d);
  advance(*scene_, 500);
  EXPECT_NEAR(joint().velocity, (2 - 0.5) / inertia * 0.5, 2e-3 * 10);
  EXPECT_NEAR(joint().effort, -0.5, 1e-9);
}

TEST_P(Drives, WeakDriveCannotHoldTheLink) {
  makeLink(1, 0.2, 0.1, true);
  JointDrive d;
  d.stiffness = 5000;
  d.damping = 50;
  d.target = 0.3;
  d.maxEffort = 1;  // The weight's moment is 1.96.
  d.minEffort = -1;
  drive(d);
  scene_->step(kStep);
  EXPECT_NEAR(joint().velocity, (1 - kGravity * 0.2) / 0.1 * kStep, 5e-5);
  advance(*scene_, 299);
  EXPECT_LT(joint().position, -0.3);
}

TEST_P(Drives, OneSidedLimit) {
  const double inertia = 0.1;
  makeLink(1, 0.2, inertia, false);
  JointDrive d;
  d.damping = 1e5;
  d.targetVelocity = 100;
  d.maxEffort = 2;
  drive(d);
  advance(*scene_, 200);
  EXPECT_NEAR(joint().velocity, 2 / inertia * 0.2, 1e-3 * 4);
}

TEST_P(Drives, FeedforwardAloneIsATorque) {
  const double inertia = 0.1;
  makeLink(1, 0.2, inertia, false);
  JointDrive d;
  d.feedforward = 5;
  d.maxEffort = 3;
  drive(d);
  advance(*scene_, 200);
  EXPECT_NEAR(joint().velocity, 3 / inertia * 0.2, 1e-3 * 6);
  EXPECT_NEAR(joint().effort, 3, 1e-12);
}

TEST_P(Drives, DryFrictionSticksBelowItsLimit) {
  makeLink(1, 0.2, 0.1, true);
  JointDrive d;
  d.dryFriction = 1.1 * kGravity * 0.2;
  drive(d);
  advance(*scene_, 1000);
  EXPECT_NEAR(joint().position, 0, 1e-4);
  EXPECT_NEAR(joint().velocity, 0, 1e-5);
}

TEST_P(Drives, DryFrictionSlipsAboveItsLimit) {
  const double inertia = 0.1;
  makeLink(1, 0.2, inertia, false);
  JointDrive d;
  d.dryFriction = 1.2;
  d.feedforward = 1.5;
  drive(d);
  advance(*scene_, 500);
  EXPECT_NEAR(joint().velocity, 0.3 / inertia * 0.5, 1e-3 * 1.5);
  EXPECT_NEAR(joint().effort, 1.5, 1e-12);  // Friction is not the drive's.
  // And it stops: from 1.5 rad/s by 1.2 N*m in 0.125 s.
  d.feedforward = 0;
  drive(d);
  advance(*scene_, 120);
  EXPECT_NEAR(joint().velocity, 1.5 - 1.2 / inertia * 0.12, 1e-2);
  advance(*scene_, 10);
  EXPECT_NEAR(joint().velocity, 0, 1e-5);
}

TEST_P(Drives, ViscousFrictionSetsTheTerminalVelocity) {
  for (const double viscous : {0.5, 1e4}) {
    makeLink(1, 0.2, 0.1, false);
    JointDrive d;
    d.feedforward = 2;
    d.viscousFriction = viscous;
    drive(d);
    advance(*scene_, 2500);
    EXPECT_NEAR(joint().velocity, 2 / viscous, 1e-4 * 2 / viscous);
  }
}

TEST_P(Drives, ViscousFrictionLiesOutsideTheEffortLimit) {
  makeLink(1, 0.2, 0.1, false);
  JointDrive d;
  d.damping = 100;
  d.targetVelocity = 100;
  d.minEffort = -2;
  d.maxEffort = 2;
  d.viscousFriction = 0.5;
  drive(d);
  advance(*scene_, 2500);
  EXPECT_NEAR(joint().velocity, 4, 4e-3);
  EXPECT_NEAR(joint().effort, 2, 1e-6);
}

TEST_P(Drives, PrismaticSpringCarriesTheWeight) {
  SceneBuilder b;
  const int link = b.addBody(nullptr, {}, {3, Vector3d(0.1, 0, 0), Matrix3d::Identity() * 0.05});
  b.addJoint(SceneJoint::Type::prismatic, -1, link, Vector3d::UnitZ());
  b.finish();
  auto scene = build(b.scene);
  JointDrive d;
  d.stiffness = 2000;
  d.damping = 100;
  d.target = 0.1;
  d.minEffort = -100;
  d.maxEffort = 100;
  scene->setJointDrives(std::span(&d, 1));
  advance(*scene, 2000);
  const JointState state = jointOf(*scene, b.scene, 0);
  EXPECT_NEAR(state.position, 0.1 - 3 * kGravity / 2000, 1e-5);
  EXPECT_NEAR(state.effort, 3 * kGravity, 1e-3);
}

TEST_P(Drives, ReactionActsOnTheParent) {
  // A motor inside a free pair of bodies cannot turn the pair.
  SceneBuilder b;
  b.scene.gravity.setZero();
  const int base = b.addBody(nullptr, {}, {2, Vector3d::Zero(), Matrix3d::Identity() * 0.3});
  const int wheel = b.addBody(nullptr, {}, {1, Vector3d::Zero(), Matrix3d::Identity() * 0.1});
  b.addJoint(SceneJoint::Type::revolute, base, wheel, Vector3d::UnitZ());
  b.finish();
  auto scene = build(b.scene);
  JointDrive d;
  d.damping = 1000;
  d.targetVelocity = 8;
  d.minEffort = -1;
  d.maxEffort = 1;
  scene->setJointDrives(std::span(&d, 1));
  advance(*scene, 2000);
  const auto bodies = bodiesOf(*scene, 2);
  EXPECT_NEAR(jointOf(*scene, b.scene, 0).velocity, 8, 1e-2);
  EXPECT_NEAR(bodies[base].w_WB.z(), -2, 1e-2);
  EXPECT_NEAR(bodies[wheel].w_WB.z(), 6, 1e-2);
}

MORTISE_FOR_EVERY_ENGINE(Drives);

}  // namespace
}  // namespace mortise::test
