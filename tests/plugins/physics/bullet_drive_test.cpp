/// The Bullet backend's own drive solver: exact at any gain, under limits, and together with contacts.

#include "tests/plugins/physics/scenes.h"

namespace mortise::test {
namespace {

class BulletDrives : public PhysicsTest {
 protected:
  /// A horizontal chain of `n` links of length `kLength` along x, hinged about y, the first at the origin.
  static constexpr double kLength = 0.2;
  SceneBuilder chain(int n, double lastMass) {
    SceneBuilder b;
    for (int i = 0; i < n; ++i) {
      const double mass = i == n - 1 ? lastMass : 2.0;
      BodyInertia inertia{mass, Vector3d(0.5 * kLength, 0, 0), boxInertia(mass, {kLength, 0.05, 0.05})};
      b.addBody(nullptr, RigidTransform::translation({kLength * i, 0, 0}), inertia);
      b.addJoint(SceneJoint::Type::revolute, i - 1, i, Vector3d::UnitY());
    }
    b.finish();
    return b;
  }
};

TEST_P(BulletDrives, StiffSerialArmHoldsItsLoad) {
  constexpr int n = 7;
  constexpr double kP = 40000;
  SceneBuilder b = chain(n, 0.01);  // A light last link: an explicit drive would explode at once.
  auto scene = build(b.scene);
  std::vector<JointDrive> drives(n);
  for (JointDrive& drive : drives) {
    drive.stiffness = kP;
    drive.damping = 400;
  }
  scene->setJointDrives(drives);
  advance(*scene, 3000);
  // Moments of the weights beyond each joint; the arm sags by less than a milliradian, so levers stay as they are.
  for (int i = 0; i < n; ++i) {
    double moment = 0;
    for (int k = i; k < n; ++k) moment += b.scene.bodies[k].inertia.mass * kGravity * kLength * (k - i + 0.5);
    const JointState joint = jointOf(*scene, b.scene, i);
    EXPECT_NEAR(joint.effort, -moment, 2e-3 * moment + 1e-6) << i;
    EXPECT_NEAR(joint.position, moment / kP, 2e-3 * moment / kP + 1e-9) << i;
    EXPECT_NEAR(joint.velocity, 0, 1e-5) << i;
  }
}

TEST_P(BulletDrives, StepOfACriticallyDampedJointFollowsImplicitEuler) {
  SceneBuilder b;
  const double inertia = 0.02;
  b.addBody(nullptr, {}, {1, Vector3d::Zero(), Matrix3d::Identity() * inertia});
  b.addJoint(SceneJoint::Type::revolute, -1, 0, Vector3d::UnitZ());
  b.scene.gravity.setZero();
  b.finish();
  auto scene = build(b.scene);
  JointDrive drive;
  drive.stiffness = 50;
  drive.damping = 2;
  drive.target = 0.3;
  scene->setJointDrives({&drive, 1});
  double q = 0, v = 0;
  for (int i = 0; i < 500; ++i) {
    scene->step(kStep);
    v = (inertia * v + kStep * drive.stiffness * (drive.target - q)) /
        (inertia + kStep * drive.damping + kStep * kStep * drive.stiffness);
    q += kStep * v;
    ASSERT_NEAR(jointOf(*scene, b.scene, 0).position, q, 1e-9) << i;
    ASSERT_NEAR(jointOf(*scene, b.scene, 0).velocity, v, 1e-9) << i;
  }
}

/// A lever pressed against a wall by a drive at its limit.
TEST_P(BulletDrives, SaturatedDrivePressesWithItsLimit) {
  SceneBuilder b;
  b.surface.friction = 0;  // It would act on a lever of its own.
  const double limit = 5, reach = 0.5;
  b.addFixed(boxGeometry({1, 1, 0.2}), RigidTransform::translation({reach, 0, -0.15}));
  SphereShape tip;
  tip.center = Vector3d(reach, 0, 0);
  tip.radius = 0.04;
  const int arm = b.addBody(geometry(tip), {}, {1, Vector3d(0.25, 0, 0), boxInertia(1, {0.5, 0.05, 0.05})});
  b.addJoint(SceneJoint::Type::revolute, -1, arm, Vector3d::UnitY());
  b.scene.gravity.setZero();
  b.finish();
  auto scene = build(b.scene);
  JointDrive drive;
  drive.stiffness = 40000;
  drive.damping = 400;
  drive.target = 1;  // Far inside the wall.
  drive.minEffort = -limit;
  drive.maxEffort = limit;
  scene->setJointDrives({&drive, 1});
  double fastest = 0;
  for (int i = 0; i < 1000; ++i) {
    scene->step(kStep);
    const JointState joint = jointOf(*scene, b.scene, 0);
    EXPECT_LE(std::abs(joint.effort), limit * (1 + 1e-12));
    if (i > 500) fastest = std::max(fastest, std::abs(joint.velocity));
  }
  const Vector3d force = meanContactForceOn(*scene, arm, 100);
  EXPECT_NEAR(force.z(), limit / reach, 0.02 * limit / reach);
  EXPECT_LT(fastest, 1e-3);
}

/// The drive is strong, its limit low: what the wall stops, the drive must not push through, nor may the wall's impulse
/// fling the lever back.
TEST_P(BulletDrives, ImpactAgainstASaturatedDriveGainsNothing) {
  SceneBuilder b;
  b.addFixed(boxGeometry({1, 1, 0.2}), RigidTransform::translation({0.5, 0, -0.25}));
  SphereShape tip;
  tip.center = Vector3d(0.5, 0, 0);
  tip.radius = 0.04;
  const int arm = b.addBody(geometry(tip), {}, {1, Vector3d(0.25, 0, 0), boxInertia(1, {0.5, 0.05, 0.05})});
  b.addJoint(SceneJoint::Type::revolute, -1, arm, Vector3d::UnitY());
  b.scene.joints[0].velocity = 10;
  b.scene.gravity.setZero();
  b.finish();
  auto scene = build(b.scene);
  JointDrive drive;
  drive.stiffness = 40000;
  drive.damping = 400;
  drive.targetVelocity = 10;
  drive.target = 0.5;
  drive.minEffort = -2;
  drive.maxEffort = 2;
  scene->setJointDrives({&drive, 1});
  double back = 0;
  for (int i = 0; i < 300; ++i) {
    scene->step(kStep);
    back = std::min(back, jointOf(*scene, b.scene, 0).velocity);
  }
  EXPECT_GT(back, -0.5);
  EXPECT_LT(jointOf(*scene, b.scene, 0).position, 0.25);
}

TEST_P(BulletDrives, DryFrictionHoldsAgainstContactsBelowItsLimit) {
  for (const bool holds : {true, false}) {
    SceneBuilder b;
    // A box of 1 kg lies on a lever, 0.3 m from the hinge: 2.94 N m.
    const int arm =
        b.addBody(boxGeometry({0.8, 0.2, 0.02}), {}, {1, Vector3d::Zero(), boxInertia(1, {0.8, 0.2, 0.02})});
    b.addJoint(SceneJoint::Type::revolute, -1, arm, Vector3d::UnitY());
    b.addBox({0.1, 0.1, 0.1}, 1, RigidTransform::translation({0.3, 0, 0.06}));
    b.finish();
    auto scene = build(b.scene);
    JointDrive drive;
    drive.dryFriction = holds ? 3.3 : 2.6;
    scene->setJointDrives({&drive, 1});
    advance(*scene, 500);
    if (holds)
      EXPECT_LT(std::abs(jointOf(*scene, b.scene, 0).position), 2e-3);
    else
      EXPECT_GT(std::abs(jointOf(*scene, b.scene, 0).position), 0.02);
  }
}

TEST_P(BulletDrives, StopHoldsAgainstDriveAndImpact) {
  SceneBuilder b;
  const int arm = b.addBody(boxGeometry({0.8, 0.2, 0.02}), {}, {1, Vector3d::Zero(), boxInertia(1, {0.8, 0.2, 0.02})});
  b.addJoint(SceneJoint::Type::revolute, -1, arm, Vector3d::UnitY());
  b.scene.joints[0].lower = -0.1;
  b.scene.joints[0].upper = 0.1;
  b.addBox({0.1, 0.1, 0.1}, 5, RigidTransform::translation({0.3, 0, 0.5}));
  b.finish();
  auto scene = build(b.scene);
  JointDrive drive;
  drive.stiffness = 1000;
  drive.damping = 10;
  drive.target = 2;
  scene->setJointDrives({&drive, 1});
  for (int i = 0; i < 1000; ++i) {
    scene->step(kStep);
    const double q = jointOf(*scene, b.scene, 0).position;
    ASSERT_LT(q, 0.1 + 1e-3) << i;
    ASSERT_GT(q, -0.1 - 1e-3) << i;
  }
  EXPECT_NEAR(jointOf(*scene, b.scene, 0).position, 0.1, 1e-4);
}

TEST_P(BulletDrives, DrivesOfAFloatingRobotKeepItsMomentum) {
  SceneBuilder b;
  const Vector3d size(0.3, 0.1, 0.1);
  const int base = b.addBox(size, 3, {});
  const int left = b.addBox(size, 1, RigidTransform::translation({0.35, 0, 0}));
  const int right = b.addBox(size, 1, RigidTransform::translation({-0.35, 0, 0}));
  for (const int body : {left, right}) {
    b.addJoint(SceneJoint::Type::revolute, base, body, Vector3d(0, 1, 0.3));
    b.scene.joints.back().X_PC0.p.z() = 0.02;
  }
  b.scene.gravity.setZero();
  b.finish();
  auto scene = build(b.scene);
  std::vector<JointDrive> drives(2);
  for (JointDrive& drive : drives) {
    drive.stiffness = 200;
    drive.damping = 5;
  }
  drives[0].target = 1;
  drives[1].target = 0.7;
  scene->setJointDrives(drives);
  double spin = 0;
  for (int i = 0; i < 1000; ++i) {
    scene->step(kStep);
    Vector3d momentum = Vector3d::Zero(), angular = Vector3d::Zero();
    const auto bodies = bodiesOf(*scene, 3);
    for (int k = 0; k < 3; ++k) {
      const BodyInertia& inertia = b.scene.bodies[k].inertia;
      const Matrix3d R = bodies[k].X_WB.R;
      momentum += inertia.mass * bodies[k].v_WB;
      angular +=
          bodies[k].X_WB.p.cross(inertia.mass * bodies[k].v_WB) + R * inertia.inertia * R.transpose() * bodies[k].w_WB;
      spin = std::max(spin, inertia.mass * bodies[k].v_WB.norm());
    }
    ASSERT_LT(momentum.norm(), 2e-3 * std::max(spin, 0.1)) << i;
    ASSERT_LT(angular.norm(), 2e-3 * std::max(spin, 0.1)) << i;
  }
  EXPECT_GT(spin, 0.1);  // It did move.
  EXPECT_NEAR(jointOf(*scene, b.scene, 0).position, 1, 1e-2);
}

INSTANTIATE_TEST_SUITE_P(, BulletDrives, testing::Values(std::string("bullet")));

}  // namespace
}  // namespace mortise::test
