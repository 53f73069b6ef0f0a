/// What Bullet reaches in closed forms, at its recommended settings and, where it says so, without damping and slop.
/// The bounds are Bullet's, not ours: a test fails when they get worse.

#include "tests/plugins/physics/bullet_fixture.h"

namespace mortise::test {
namespace {

class BulletClosedForm : public BulletTest {
 protected:
  /// Height of the first rebound of a ball dropped from half a meter, as a multiple of what it should be.
  double rebound(const Settings& settings, double restitution, double phase, double h) {
    SceneBuilder b;
    b.surface.restitution = restitution;
    b.addFixed(nullptr);
    const double height = 0.5 + 0.002 * phase;
    const int ball = b.addSphere(0.05, 0.5, {0, 0, 0.05 + height});
    b.finish();
    HandContacts contacts(b.scene);
    contacts.addBall(ball, 0.05);
    auto scene = buildWith(b.scene, settings);
    double highest = 0;
    for (bool up = false;;) {
      contacts.step(*scene, h);
      const BodyState state = bodyOf(*scene, b.scene, ball);
      up = up || state.v_WB.z() > 0.1;
      if (up) highest = std::max(highest, state.X_WB.p.z() - 0.05);
      if (up && state.v_WB.z() < 0) break;
    }
    return highest / (restitution * restitution * height);
  }
  /// A link of inertia 0.1 about a vertical axis.
  std::unique_ptr<Scene> wheel(const Settings& settings) {
    SceneBuilder b;
    b.addBody(nullptr, {}, {1, Vector3d::Zero(), Matrix3d::Identity() * kInertia});
    b.addJoint(SceneJoint::Type::revolute, -1, 0, Vector3d::UnitZ());
    b.finish();
    description_ = b.scene;
    return buildWith(b.scene, settings);
  }
  static constexpr double kInertia = 0.1;
  SceneDescription description_;
};

TEST_P(BulletClosedForm, BlockSlipsAtTheFrictionAngle) {
  for (const double yaw : {0.0, 0.3, 0.8})
    for (const double ratio : {0.98, 1.02}) {
      SceneBuilder b;
      const double angle = std::atan(ratio * 0.5);
      const Matrix3d R = rotationY(angle);
      b.addFixed(nullptr, RigidTransform::rotation(R));
      const int box = b.addBox(kBulletBox, 1, {R * rotationZ(yaw), R * Vector3d(0, 0, 0.05)});
      b.finish();
      HandContacts contacts(b.scene);
      contacts.addBox(box, kBulletBox);
      auto scene = buildWith(b.scene, {});
      contacts.advance(*scene, 1000);
      const Vector3d slid = R.transpose() * bodyOf(*scene, b.scene, box).X_WB.p - Vector3d(0, 0, 0.05);
      const double expected = 0.5 * kGravity * (std::sin(angle) - 0.5 * std::cos(angle));
      if (ratio < 1)
        EXPECT_LT(slid.head<2>().norm(), 5e-4) << yaw;  // Creeps: iterations end at 0.3 mm/s.
      else
        EXPECT_NEAR(slid.x(), expected, 0.03 * expected) << yaw;
    }
}

TEST_P(BulletClosedForm, SlidingDistanceInEightDirections) {
  for (int k = 0; k < 8; ++k) {
    SceneBuilder b;
    b.addFixed(nullptr);
    const Vector3d size(0.2, 0.2, 0.04);
    const int box = b.addBox(size, 1, RigidTransform::translation({0, 0, 0.02}));
    const double direction = k * std::numbers::pi / 4 + 0.1;
    b.scene.bodies[box].v_WB = Vector3d(2 * std::cos(direction), 2 * std::sin(direction), 0);
    b.finish();
    HandContacts contacts(b.scene);
    contacts.addBox(box, size);
    auto scene = buildWith(b.scene, {});
    contacts.advance(*scene, 800);
    const double distance = 4 / (2 * 0.5 * kGravity);
    const Vector3d end = bodyOf(*scene, b.scene, box).X_WB.p;
    EXPECT_LT((end.head<2>() - 0.5 * distance * b.scene.bodies[box].v_WB.head<2>()).norm(), 0.015 * distance) << k;
  }
}

TEST_P(BulletClosedForm, BouncesGainWhatErrorReductionAdds) {
  double worst = 0;
  for (const double e : {0.5, 0.9})
    for (const double phase : {0.0, 0.3, 0.6}) {
      for (const double h : {1e-3, 1e-4}) worst = std::max(worst, std::abs(rebound({}, e, phase, h) - 1));
      // Without error reduction of contacts nothing is added.
      EXPECT_NEAR(rebound({{"erp2", 0.0}}, e, phase, 1e-3), 1, 0.02) << e << ", phase " << phase;
    }
  EXPECT_LT(worst, 0.35);  // The depth of a touch shrinks with the step, so what it adds does not.
}

TEST_P(BulletClosedForm, SoftGroundSinksAsSpringsDo) {
  SceneBuilder b;
  b.surface.stiffness = 2 * 2e4;
  b.surface.damping = 2 * 5e2;
  b.addFixed(nullptr);
  const int box = b.addBox(kBulletBox, 20, RigidTransform::translation({0, 0, 0.0501}));
  b.finish();
  HandContacts contacts(b.scene);
  contacts.addBox(box, kBulletBox);
  auto scene = buildWith(b.scene, exact());
  contacts.advance(*scene, 2000);
  const double sink = 20 * kGravity / (4 * 2e4);
  EXPECT_NEAR(0.05 - bodyOf(*scene, b.scene, box).X_WB.p.z(), sink, 1e-3 * sink);
}

TEST_P(BulletClosedForm, OneDrivenJointFollowsImplicitEuler) {
  auto scene = wheel(exact());
  JointDrive drive;
  drive.stiffness = 50;
  drive.damping = 2;
  drive.target = 0.3;
  scene->setJointDrives({&drive, 1});
  double q = 0, v = 0;
  for (int i = 0; i < 500; ++i) {
    scene->step(kStep);
    v = (kInertia * v + kStep * drive.stiffness * (drive.target - q)) /
        (kInertia + kStep * drive.damping + kStep * kStep * drive.stiffness);
    q += kStep * v;
    ASSERT_NEAR(jointOf(*scene, description_, 0).position, q, 1e-9) << i;
  }
}

TEST_P(BulletClosedForm, EffortLimitsOnBothSidesHold) {
  auto scene = wheel(exact());
  JointDrive drive;
  drive.stiffness = 5000;
  drive.damping = 50;
  drive.target = 1000;
  drive.minEffort = -0.5;
  drive.maxEffort = 2;
  drive.feedforward = 0.3;
  scene->setJointDrives({&drive, 1});
  advance(*scene, 500);
  EXPECT_NEAR(jointOf(*scene, description_, 0).velocity, 2 / kInertia * 0.5, 1e-6);
  EXPECT_NEAR(jointOf(*scene, description_, 0).effort, 2, 1e-9);
  drive.target = -1000;
  scene->setJointDrives({&drive, 1});
  advance(*scene, 500);
  EXPECT_NEAR(jointOf(*scene, description_, 0).velocity, 1.5 / kInertia * 0.5, 1e-6);
}

TEST_P(BulletClosedForm, DryFrictionSticksAndSlips) {
  for (const double torque : {0.9, 1.5}) {
    auto scene = wheel(exact());
    JointDrive drive;
    drive.feedforward = torque;
    drive.dryFriction = 1;
    scene->setJointDrives({&drive, 1});
    advance(*scene, 500);
    EXPECT_NEAR(jointOf(*scene, description_, 0).velocity, std::max(0.0, torque - 1) / kInertia * 0.5, 1e-6);
  }
}

TEST_P(BulletClosedForm, ViscousFrictionSetsTheTerminalSpeed) {
  auto scene = wheel(exact());
  JointDrive drive;
  drive.feedforward = 2;
  drive.viscousFriction = 0.5;
  scene->setJointDrives({&drive, 1});
  advance(*scene, 4000);
  EXPECT_NEAR(jointOf(*scene, description_, 0).velocity, 4, 1e-3);
  EXPECT_NEAR(jointOf(*scene, description_, 0).effort, 2, 1e-9);
}

TEST_P(BulletClosedForm, SplitImpulsesKeepTheHeightOfABounce) {
  const Settings split = {{"split_impulse", true}, {"split_impulse_penetration_threshold", 0.0}};
  double usual = 0, worst = 0;
  for (const double restitution : {0.5, 0.7, 0.9})
    for (const double phase : {0.1, 0.4, 0.7}) {
      usual = std::max(usual, std::abs(rebound({}, restitution, phase, kStep) - 1));
      worst = std::max(worst, std::abs(rebound(split, restitution, phase, kStep) - 1));
    }
  EXPECT_GT(usual, 0.1);
  EXPECT_LT(worst, 0.03);
}

TEST_P(BulletClosedForm, StiffArmHoldsItsLoad) {
  constexpr int n = 7;
  constexpr double length = 0.2, stiffness = 40000;
  SceneBuilder b;
  for (int i = 0; i < n; ++i) {
    const double mass = i == n - 1 ? 0.01 : 2;  // An explicit drive would explode at once.
    b.addBody(nullptr, RigidTransform::translation({length * i, 0, 0}),
              {mass, Vector3d(0.5 * length, 0, 0), boxInertia(mass, {length, 0.05, 0.05})});
    b.addJoint(SceneJoint::Type::revolute, i - 1, i, Vector3d::UnitY());
  }
  b.finish();
  auto scene = buildWith(b.scene, {});
  std::vector<JointDrive> drives(n);
  for (JointDrive& drive : drives) {
    drive.stiffness = stiffness;
    drive.damping = 400;
  }
  scene->setJointDrives(drives);
  advance(*scene, 3000);
  for (int i = 0; i < n; ++i) {
    double moment = 0;
    for (int k = i; k < n; ++k) moment += b.scene.bodies[k].inertia.mass * kGravity * length * (k - i + 0.5);
    const JointState joint = jointOf(*scene, b.scene, i);
    EXPECT_NEAR(joint.effort, -moment, 0.02 * moment + 1e-3) << i;
    EXPECT_NEAR(joint.position, joint.effort / -stiffness, 1e-6) << i;
    EXPECT_NEAR(joint.velocity, 0, 1e-3) << i;
  }
}

TEST_P(BulletClosedForm, StopsHold) {
  SceneBuilder b;
  const int link = b.addBody(nullptr, {}, {1, Vector3d(0.5, 0, 0), Matrix3d::Identity() * 0.02});
  const int joint = b.addJoint(SceneJoint::Type::revolute, -1, link, Vector3d(0, -1, 0));
  b.scene.joints[joint].lower = -0.6;
  b.scene.joints[joint].upper = 1;
  b.finish();
  auto scene = buildWith(b.scene, {});
  double lowest = 0, back = 0;
  for (int i = 0; i < 2000; ++i) {
    scene->step(kStep);
    const JointState state = jointOf(*scene, b.scene, joint);
    lowest = std::min(lowest, state.position);
    if (state.position < -0.5) back = std::max(back, state.velocity);
  }
  EXPECT_GT(lowest, -0.6 - 6e-3);  // A stop acts once it is passed: a step's travel.
  EXPECT_LT(back, 1);              // Error reduction of that travel throws the link back.
  EXPECT_NEAR(jointOf(*scene, b.scene, joint).position, -0.6, 1e-3);
}

TEST_P(BulletClosedForm, PendulumHasTheRightPeriod) {
  const double length = 0.5, amplitude = 0.1, about = 0.01;
  SceneBuilder b;
  const int link = b.addBody(nullptr, RigidTransform::rotation(rotationAbout(Vector3d::UnitY(), amplitude)),
                             {1, Vector3d(0, 0, -length), Matrix3d::Identity() * about});
  b.addJoint(SceneJoint::Type::revolute, -1, link, Vector3d::UnitY(), amplitude);
  b.finish();
  auto scene = buildWith(b.scene, exact());
  double before = amplitude, first = -1, last = -1;
  int crossings = 0;
  for (int i = 1; crossings <= 8; ++i) {
    scene->step(kStep);
    const double now = jointOf(*scene, b.scene, 0).position;
    if (before * now < 0) {
      last = (i - 1 + before / (before - now)) * kStep;
      if (first < 0) first = last;
      ++crossings;
    }
    before = now;
  }
  const double exact = 2 * std::numbers::pi * std::sqrt((about + length * length) / (length * kGravity)) *
                       (1 + amplitude * amplitude / 16);
  EXPECT_NEAR((last - first) / 4, exact, 1e-3 * exact);
}

TEST_P(BulletClosedForm, FloatingRobotLosesLittleMomentum) {
  SceneBuilder b;
  const Vector3d size(0.3, 0.1, 0.1);
  const int base = b.addBox(size, 3, {});
  b.scene.bodies[base].v_WB = Vector3d(0.3, 0, 0.1);
  b.scene.bodies[base].w_WB = Vector3d(0.2, 0.5, 0.3);
  for (const double x : {0.35, -0.35}) {
    const int leg = b.addBox(size, 1, RigidTransform::translation({x, 0, 0}));
    b.addJoint(SceneJoint::Type::revolute, base, leg, Vector3d(0, 1, 0.3));
  }
  b.scene.gravity.setZero();
  b.finish();
  auto scene = buildWith(b.scene, exact());
  std::vector<JointDrive> drives(2);
  for (JointDrive& drive : drives) {
    drive.stiffness = 200;
    drive.damping = 5;
    drive.target = 1;
  }
  scene->setJointDrives(drives);
  const auto momentum = [&] {
    Vector3d sum = Vector3d::Zero();
    const auto bodies = bodiesOf(*scene, 3);
    for (int k = 0; k < 3; ++k) sum += b.scene.bodies[k].inertia.mass * bodies[k].v_WB;
    return sum;
  };
  const Vector3d before = momentum();
  advance(*scene, 5000);
  EXPECT_LT((momentum() - before).norm(), 0.02 * before.norm());
}

INSTANTIATE_TEST_SUITE_P(, BulletClosedForm, testing::Values(std::string("bullet")));

}  // namespace
}  // namespace mortise::test
