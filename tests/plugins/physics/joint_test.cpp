#include "scenes.h"

namespace mortise::test {
namespace {

class Joints : public PhysicsTest {};
class FixedJoints : public PhysicsTest {};

struct PendulumCase {
  RigidTransform X_WP;  // Of what it hangs on.
  bool onFixedBody;     // Or on the world.
  double yawOfAxis;     // The axis is horizontal.
};

TEST_P(Joints, PendulumHasTheRightPeriod) {
  const PendulumCase cases[] = {
      {{}, false, 0},
      {{rotationAbout({1, 1, 0}, 0.8), Vector3d(1, 2, 3)}, true, 0},
      {{rotationAbout({1, -2, 0.5}, 2.5), Vector3d(-1, 0, 1)}, true, 1.1},
      {{}, false, 2.2},
  };
  for (const PendulumCase& c : cases) {
    SceneBuilder b;
    const double length = 0.5, mass = 1.2, amplitude = 0.1;
    const int base = c.onFixedBody ? b.addFixed(nullptr, c.X_WP) : -1;
    const Vector3d axis_W(std::cos(c.yawOfAxis), std::sin(c.yawOfAxis), 0);
    // At zero the rod hangs straight down along -z of the link, whose frame is turned by some rotation about z.
    const Matrix3d R0 = rotationZ(0.4);
    const Matrix3d R_WB = rotationAbout(axis_W, amplitude) * R0;
    const double about = 0.01;
    const int link =
        b.addBody(nullptr, {R_WB, c.X_WP.p}, {mass, Vector3d(0, 0, -length), Matrix3d::Identity() * about});
    const int joint = b.addJoint(SceneJoint::Type::revolute, base, link, R0.transpose() * axis_W, amplitude);
    b.finish();
    auto scene = build(b.scene);
    const double period = truth::measuredPeriod(
        4, kStep, 60, [&] { scene->step(kStep); }, [&] { return jointOf(*scene, b.scene, joint).position; });
    const double exact = truth::pendulumPeriod(about + mass * length * length, mass * kGravity * length, amplitude);
    EXPECT_NEAR(period, exact, 1e-3 * exact);
  }
}

TEST_P(Joints, PrismaticJointFallsAlongItsAxis) {
  SceneBuilder b;
  const Vector3d axis_W = Vector3d(0.6, 0, -0.8);
  const Matrix3d R = rotationAbout({1, 1, 1}, 1);
  const int link = b.addBody(nullptr, {R, Vector3d(0, 0, 5)}, {2, Vector3d(0.1, 0.2, 0), Matrix3d::Identity() * 0.05});
  const int joint = b.addJoint(SceneJoint::Type::prismatic, -1, link, R.transpose() * axis_W);
  b.finish();
  auto scene = build(b.scene);
  advance(*scene, 500);
  const JointState state = jointOf(*scene, b.scene, joint);
  EXPECT_NEAR(state.velocity, 0.8 * kGravity * 0.5, 1e-3);
  EXPECT_NEAR(state.position, 0.5 * 0.8 * kGravity * 0.25, 5e-3);
  const BodyState body = bodyOf(*scene, b.scene, link);
  EXPECT_LT((body.X_WB.p - (Vector3d(0, 0, 5) + axis_W * state.position)).norm(), 1e-4);
  EXPECT_LT((body.X_WB.R - R).norm(), 1e-4);
}

TEST_P(Joints, StopHolds) {
  // A rod falls onto its stop and stays there.
  SceneBuilder b;
  const int link = b.addBody(nullptr, {}, {1, Vector3d(0.5, 0, 0), Matrix3d::Identity() * 0.02});
  const int joint = b.addJoint(SceneJoint::Type::revolute, -1, link, Vector3d(0, -1, 0));  // Gravity lowers q.
  b.scene.joints[joint].lower = -0.6;
  b.scene.joints[joint].upper = 1;
  b.finish();
  auto scene = build(b.scene);
  double lowest = 0, fastestBack = 0;
  for (int i = 0; i < 2000; ++i) {
    scene->step(kStep);
    const JointState state = jointOf(*scene, b.scene, joint);
    lowest = std::min(lowest, state.position);
    if (state.position < -0.5) fastestBack = std::max(fastestBack, state.velocity);
  }
  EXPECT_GT(lowest, -0.6 - 5e-3);
  EXPECT_LT(fastestBack, 0.1);
  EXPECT_NEAR(jointOf(*scene, b.scene, joint).position, -0.6, 1e-3);
  EXPECT_NEAR(jointOf(*scene, b.scene, joint).velocity, 0, 1e-3);
}

TEST_P(Joints, StopsBeyondHalfATurnAreKept) {
  // The angle counts on over whole turns, and the stop is where the count says.
  SceneBuilder b;
  b.scene.gravity.setZero();
  const int link = b.addBody(nullptr, {}, {1, Vector3d(0.2, 0, 0), Matrix3d::Identity() * 0.02});
  const int joint = b.addJoint(SceneJoint::Type::revolute, -1, link, Vector3d(0, 0, 1));
  b.scene.joints[joint].lower = -3.5;
  b.scene.joints[joint].upper = 10;
  b.finish();
  auto scene = build(b.scene);
  std::vector<JointDrive> drives(1);
  drives[0].feedforward = 0.5;
  scene->setJointDrives(drives);
  advance(*scene, 3000);
  EXPECT_NEAR(jointOf(*scene, b.scene, joint).position, 10, 2e-3);
  drives[0].feedforward = -0.5;
  scene->setJointDrives(drives);
  advance(*scene, 4000);
  EXPECT_NEAR(jointOf(*scene, b.scene, joint).position, -3.5, 2e-3);
}

TEST_P(Joints, PrismaticStopHolds) {
  SceneBuilder b;
  const int link = b.addBody(nullptr, {}, {1, Vector3d::Zero(), Matrix3d::Identity() * 0.02});
  const int joint = b.addJoint(SceneJoint::Type::prismatic, -1, link, Vector3d(0, 0, 1));
  b.scene.joints[joint].lower = -0.3;
  b.scene.joints[joint].upper = 0.2;
  b.finish();
  auto scene = build(b.scene);
  advance(*scene, 1500);
  EXPECT_NEAR(jointOf(*scene, b.scene, joint).position, -0.3, 1e-3);
  std::vector<JointDrive> drives(1);
  drives[0].feedforward = 3 * kGravity;
  scene->setJointDrives(drives);
  advance(*scene, 1500);
  EXPECT_NEAR(jointOf(*scene, b.scene, joint).position, 0.2, 1e-3);
}

TEST_P(Joints, SetJointStateMovesWhatHangsOnIt) {
  SceneBuilder b;
  b.scene.gravity.setZero();
  const BodyInertia inertia{1, Vector3d(0.5, 0, 0), Matrix3d::Identity() * 0.02};
  const int first = b.addBody(nullptr, {}, inertia);
  const int second = b.addBody(nullptr, RigidTransform::translation({1, 0, 0}), inertia);
  const int j1 = b.addJoint(SceneJoint::Type::revolute, -1, first, Vector3d::UnitZ());
  const int j2 = b.addJoint(SceneJoint::Type::revolute, first, second, Vector3d::UnitZ());
  b.finish();
  auto scene = build(b.scene);
  scene->setJointState(j2, 0.3, 0);
  scene->setJointState(j1, std::numbers::pi / 2, 2.0);
  const BodyState state = bodyOf(*scene, b.scene, second);
  EXPECT_LT((state.X_WB.p - Vector3d(0, 1, 0)).norm(), 1e-9);
  EXPECT_LT((state.X_WB.R - rotationZ(std::numbers::pi / 2 + 0.3)).norm(), 1e-9);
  EXPECT_LT((state.v_WB - Vector3d(-2, 0, 0)).norm(), 1e-9);
  EXPECT_NEAR(state.w_WB.z(), 2, 1e-9);
  scene->step(kStep);
  EXPECT_NEAR(jointOf(*scene, b.scene, j1).position, std::numbers::pi / 2, 5e-3);
  EXPECT_NEAR(jointOf(*scene, b.scene, j2).position, 0.3, 1e-2);
}

TEST_P(Joints, WorldHingeSliderAndFixedJointsHold) {
  if (!physics().capabilities().worldJoints) GTEST_SKIP() << "the backend has no joints between free bodies";
  SceneBuilder b;
  const Vector3d size(0.1, 0.1, 0.1);
  const int hung = b.addBox(size, 1, RigidTransform::translation({0.5, 0, 2}));
  const int slid = b.addBox(size, 1, RigidTransform::translation({3, 0, 2}));
  const int upper = b.addBox(size, 1, RigidTransform::translation({5, 0, 2}));
  const int lower = b.addBox(size, 1, RigidTransform::translation({5, 0, 1.5}));
  SceneConstraint hinge;
  hinge.type = SceneConstraint::Type::hinge;
  hinge.a = hung;
  hinge.point = Vector3d(0, 0, 2);
  hinge.axis = Vector3d::UnitY();
  SceneConstraint slider;
  slider.type = SceneConstraint::Type::slider;
  slider.a = slid;
  slider.axis = Vector3d(0, 0, 1);
  slider.point = Vector3d(3, 0, 2);
  slider.lower = -0.4;
  slider.upper = 0.4;
  SceneConstraint fixed;
  fixed.type = SceneConstraint::Type::fixed;
  fixed.a = upper;
  fixed.b = lower;
  SceneConstraint stiff = hinge;  // Friction larger than the weight's moment: does not swing.
  stiff.a = upper;
  stiff.point = Vector3d(4.5, 0, 2);
  stiff.friction = 30;
  b.scene.constraints = {hinge, slider, fixed, stiff};
  b.finish();
  auto scene = build(b.scene);
  double lowest = 0;
  for (int i = 0; i < 1500; ++i) {
    scene->step(kStep);
    const auto bodies = bodiesOf(*scene, 4);
    EXPECT_NEAR((bodies[hung].X_WB.p - Vector3d(0, 0, 2)).norm(), 0.5, 2e-3);
    EXPECT_NEAR(bodies[hung].X_WB.p.y(), 0, 1e-3);
    lowest = std::min(lowest, bodies[hung].X_WB.p.z() - 2);
  }
  EXPECT_NEAR(lowest, -0.5, 5e-3);
  const auto bodies = bodiesOf(*scene, 4);
  EXPECT_LT((bodies[slid].X_WB.p - Vector3d(3, 0, 1.6)).norm(), 2e-3);
  EXPECT_LT((bodies[upper].X_WB.p - Vector3d(5, 0, 2)).norm(), 5e-3);
  EXPECT_LT((bodies[lower].X_WB.p - Vector3d(5, 0, 1.5)).norm(), 5e-3);
}

TEST_P(FixedJoints, HoldALightBodyAtAHeavyOneAnywhere) {
  if (!physics().capabilities().worldJoints) GTEST_SKIP() << "the backend has no joints between free bodies";
  for (const bool lightFirst : {false, true}) {
    SceneBuilder b;
    const Vector3d at(7, -3, 2);
    const int heavy = b.addBox({0.4, 0.5, 0.1}, 1, RigidTransform::translation(at));
    const int light = b.addBox({0.02, 0.1, 0.02}, 0.02, RigidTransform::translation(at + Vector3d(-0.25, 0, 0)));
    SceneConstraint held, handle;
    held.a = heavy;  // By the world.
    handle.a = lightFirst ? light : heavy;
    handle.b = lightFirst ? heavy : light;
    b.scene.constraints = {held, handle};
    b.finish();
    auto scene = build(b.scene);
    for (int i = 0; i < 300; ++i) {
      scene->step(kStep);
      const auto bodies = bodiesOf(*scene, 2);
      ASSERT_LT((bodies[light].X_WB.p - bodies[heavy].X_WB.p - Vector3d(-0.25, 0, 0)).norm(), 1e-4) << i;
      ASSERT_LT((bodies[heavy].X_WB.p - at).norm(), 1e-4) << i;
    }
  }
}

MORTISE_FOR_EACH_BACKEND(Joints);
MORTISE_FOR_EVERY_ENGINE(FixedJoints);

}  // namespace
}  // namespace mortise::test
