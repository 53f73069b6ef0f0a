#include "mujoco_test.h"

// Trees, joints of the world, drives.

namespace mortise::test {
namespace {

class MujocoJoints : public Mujoco {
 protected:
  static SceneConstraint constraint(SceneConstraint::Type type, int a, int b, const Vector3d& point,
                                    const Vector3d& axis) {
    SceneConstraint c;
    c.type = type;
    c.a = a;
    c.b = b;
    c.point = point;
    c.axis = axis;
    return c;
  }
  static std::vector<JointState> constraintsOf(const Scene& scene, const SceneDescription& description) {
    std::vector<JointState> out(description.constraints.size());
    scene.readConstraints(out);
    return out;
  }
  /// A square of four bars in the x-z plane, hung on the world by its upper bar; the last hinge closes the loop.
  static SceneDescription fourBar(SceneConstraint::Type last) {
    SceneBuilder b;
    const Vector3d size(0.4, 0.02, 0.02);
    const int top = b.addFixed(nullptr, RigidTransform::translation({0, 0, 1}));
    const int left = b.addBox(size, 1, {rotationY(std::numbers::pi / 2), Vector3d(-0.2, 0, 0.8)});
    const int right = b.addBox(size, 1, {rotationY(std::numbers::pi / 2), Vector3d(0.2, 0, 0.8)});
    const int low = b.addBox(size, 1, RigidTransform::translation({0, 0, 0.6}));
    b.scene.bodies[low].v_WB = Vector3d(0.5, 0, 0);
    b.scene.bodies[left].w_WB = b.scene.bodies[right].w_WB = Vector3d(0, -0.5 / 0.4, 0);
    b.scene.bodies[left].v_WB = b.scene.bodies[right].v_WB = Vector3d(0.25, 0, 0);
    using Type = SceneConstraint::Type;
    b.scene.constraints = {constraint(Type::hinge, left, top, {-0.2, 0, 1}, Vector3d::UnitY()),
                           constraint(Type::hinge, right, top, {0.2, 0, 1}, Vector3d::UnitY()),
                           constraint(Type::hinge, low, left, {-0.2, 0, 0.6}, Vector3d::UnitY()),
                           constraint(last, low, right, {0.2, 0, 0.6}, Vector3d::UnitY())};
    b.scene.contactSource = ContactSource::external;  // Bars overlap at their hinges.
    b.finish();
    return b.scene;
  }
};

TEST_P(MujocoJoints, ALoopOfHingesStaysClosed) {
  const SceneDescription description = fourBar(SceneConstraint::Type::hinge);
  for (const char* profile : {"recommended", "normalized"}) {
    auto scene = engine(profile)->build(description);
    double worst = 0, minimum = 1;
    for (int i = 0; i < 2000; ++i) {
      scene->step(kStep);
      const auto bodies = bodiesOf(*scene, 4);
      const Vector3d a = bodies[3].X_WB * Vector3d(0.2, 0, 0), b = bodies[2].X_WB * Vector3d(0.2, 0, 0);
      worst = std::max(worst, (a - b).norm());
      minimum = std::min(minimum, bodies[3].X_WB.R(2, 2));
    }
    RecordProperty(std::string("loop_error_") + profile, std::to_string(worst));
    EXPECT_LT(worst, profile[0] == 'r' ? 2e-3 : 1e-5) << profile;
    EXPECT_GT(minimum, 0.9999) << profile;  // A parallelogram: the lower bar stays level.
    const auto states = constraintsOf(*scene, description);
    EXPECT_NEAR(states[0].position, -states[2].position, 2e-2);  // The loop's hinge turns with the others.
    EXPECT_NEAR(states[3].position, states[2].position, 2e-2);
    EXPECT_NEAR(states[3].velocity, states[2].velocity, 2e-2);
  }
}

TEST_P(MujocoJoints, WhatEqualitiesCannotDoIsRefused) {
  EXPECT_THROW(engine()->build(fourBar(SceneConstraint::Type::slider)), Error);
  SceneDescription description = fourBar(SceneConstraint::Type::hinge);
  description.constraints[3].friction = 1;
  EXPECT_THROW(engine()->build(description), Error);
  description.constraints[3].friction = 0;
  description.constraints[3].lower = -1;
  EXPECT_THROW(engine()->build(description), Error);
  EXPECT_NO_THROW(engine()->build(fourBar(SceneConstraint::Type::fixed)));
}

TEST_P(MujocoJoints, PositionsOfWorldJointsAreThoseOfTheFirstBody) {
  using Type = SceneConstraint::Type;
  for (const bool worldFirst : {false, true}) {
    SceneBuilder b;
    b.scene.gravity.setZero();
    const int wheel = b.addBox({0.2, 0.2, 0.2}, 1, {rotationZ(0.3), Vector3d(1, 0, 0)});
    const int sled = b.addBox({0.2, 0.2, 0.2}, 1, {rotationX(0.7), Vector3d(3, 0, 0)});
    b.scene.bodies[wheel].w_WB = Vector3d(0, 0, 2);
    b.scene.bodies[sled].v_WB = Vector3d(0, 0.5, 0);
    b.scene.constraints = {constraint(Type::hinge, wheel, -1, {1, 0, 0}, Vector3d::UnitZ()),
                           constraint(Type::slider, sled, -1, {3, 0, 0}, Vector3d::UnitY())};
    if (worldFirst)
      for (SceneConstraint& c : b.scene.constraints) std::swap(c.a, c.b);
    b.finish();
    auto scene = engine()->build(b.scene);
    advance(*scene, 1000);
    const auto states = constraintsOf(*scene, b.scene);
    const double sign = worldFirst ? -1 : 1;
    EXPECT_NEAR(states[0].position, sign * 2, 1e-9);
    EXPECT_NEAR(states[0].velocity, sign * 2, 1e-9);
    EXPECT_NEAR(states[1].position, sign * 0.5, 1e-9);
    EXPECT_NEAR(states[1].velocity, sign * 0.5, 1e-9);
    // Set by hand: along its joint only.
    BodyState state = bodyOf(*scene, b.scene, sled);
    state.X_WB.p.y() += 0.25;
    scene->setBodyState(sled, state);
    EXPECT_NEAR(constraintsOf(*scene, b.scene)[1].position, sign * 0.75, 1e-9);
    state.X_WB.p.x() += 0.1;
    EXPECT_THROW(scene->setBodyState(sled, state), Error);
  }
}

TEST_P(MujocoJoints, VelocitiesBesideAJointLoseWhatItTakes) {
  using Type = SceneConstraint::Type;
  SceneBuilder b;
  b.scene.gravity.setZero();
  // A body on a hinge 0.5 m from its center, one on a slider at 45 degrees, and two that hang on each other.
  const Matrix3d I = 0.01 * Matrix3d::Identity();
  const int bob = b.addBody(nullptr, RigidTransform::translation({0, 0, -0.5}), {1, Vector3d::Zero(), I});
  const int sled = b.addBody(nullptr, RigidTransform::translation({5, 0, 0}), {2, Vector3d::Zero(), I});
  const int first = b.addBody(nullptr, RigidTransform::translation({9, 0, 0}), {1, Vector3d::Zero(), I});
  const int second = b.addBody(nullptr, RigidTransform::translation({10, 0, 0}), {1, Vector3d::Zero(), I});
  b.scene.bodies[bob].v_WB = Vector3d(1, 0.3, 0.2);
  b.scene.bodies[sled].v_WB = Vector3d(1, 0, 0);
  b.scene.bodies[second].v_WB = Vector3d(0, 1, 0);
  b.scene.constraints = {constraint(Type::hinge, bob, -1, {0, 0, 0}, Vector3d::UnitY()),
                         constraint(Type::slider, sled, -1, {5, 0, 0}, Vector3d(1, 1, 0)),
                         constraint(Type::hinge, first, second, {9.5, 0, 0}, Vector3d::UnitZ())};
  b.finish();
  auto scene = engine()->build(b.scene);
  const double rate = 0.5 / (0.01 + 0.25);  // Angular momentum about the hinge, over the inertia about it.
  EXPECT_NEAR(bodyOf(*scene, b.scene, bob).w_WB.y(), -rate, 1e-12);
  EXPECT_NEAR(bodyOf(*scene, b.scene, bob).v_WB.x(), 0.5 * rate, 1e-12);
  EXPECT_NEAR(bodyOf(*scene, b.scene, sled).v_WB.x(), 0.5, 1e-12);
  EXPECT_NEAR(bodyOf(*scene, b.scene, sled).v_WB.y(), 0.5, 1e-12);
  // A hinge between them changes neither their momentum nor their angular momentum.
  const BodyState f = bodyOf(*scene, b.scene, first), s = bodyOf(*scene, b.scene, second);
  EXPECT_NEAR(f.v_WB.y() + s.v_WB.y(), 1, 1e-12);
  EXPECT_NEAR(9 * f.v_WB.y() + 10 * s.v_WB.y() + 0.01 * (f.w_WB.z() + s.w_WB.z()), 10, 1e-12);
  EXPECT_NEAR(f.v_WB.y() + 0.5 * f.w_WB.z(), s.v_WB.y() - 0.5 * s.w_WB.z(), 1e-12);
  EXPECT_GT(f.v_WB.y(), 0.01);
  // The same of a state that is set later.
  BodyState state = bodyOf(*scene, b.scene, bob);
  state.v_WB = Vector3d(-2, 0, 1);
  state.w_WB.setZero();
  scene->setBodyState(bob, state);
  EXPECT_NEAR(bodyOf(*scene, b.scene, bob).w_WB.y(), 2 * rate, 1e-12);
}

TEST_P(MujocoJoints, InertiasAreThoseThatAreGiven) {
  // The moments of a disc that a file rounds, of a rod, and some that no body has.
  const Vector3d inertias[] = {{0.0333, 0.0333, 0.0667}, {1e-9, 0.1, 0.1}, {0.01, 0.01, 0.05}, {0.3, 0.1, 0.1}};
  for (const Vector3d& moments : inertias)
    for (const bool hinged : {false, true})
      for (int axis = 0; axis < 3; ++axis) {
        SceneBuilder b;
        b.scene.gravity.setZero();
        const RigidTransform X = RigidTransform::rotation(rotationZ(0.4) * rotationY(0.8));
        const Matrix3d R = rotationX(hinged ? 0 : 0.6);
        const Matrix3d I = R * moments.asDiagonal() * R.transpose();
        const int body = b.addBody(nullptr, X, {2, Vector3d::Zero(), I});
        const Vector3d along = X.R * R.col(axis);
        if (hinged) b.scene.constraints = {constraint(SceneConstraint::Type::hinge, body, -1, {0, 0, 0}, along)};
        b.finish();
        auto scene = engine()->build(b.scene);
        scene->applyWrench(body, Vector3d::Zero(), 0.1 * along, Vector3d::Zero());
        scene->step(1e-3);
        const double exact = 1e-3 * 0.1 / moments[axis];
        EXPECT_NEAR(bodyOf(*scene, b.scene, body).w_WB.dot(along) / exact, 1, 1e-6)
            << moments.transpose() << ", axis " << axis;
      }
}

TEST_P(MujocoJoints, FrictionOfAWorldJointHoldsUpToCreep) {
  SceneBuilder b;
  const int box = b.addBox({0.1, 0.1, 0.1}, 1, RigidTransform::translation({0.5, 0, 1}));
  b.scene.constraints = {constraint(SceneConstraint::Type::hinge, box, -1, {0, 0, 1}, Vector3d::UnitY())};
  b.scene.constraints[0].friction = 10;  // The weight's moment is 4.9.
  b.finish();
  for (const char* profile : {"recommended", "normalized"}) {
    auto scene = engine(profile)->build(b.scene);
    advance(*scene, 1000);
    const JointState state = constraintsOf(*scene, b.scene)[0];
    RecordProperty(std::string("creep_") + profile, std::to_string(std::abs(state.velocity)));
    EXPECT_LT(std::abs(state.velocity), profile[0] == 'r' ? 0.03 : 1e-5) << profile;
    EXPECT_NEAR(std::abs(state.effort), 0.5 * kGravity, 1e-2) << profile;
  }
}

TEST_P(MujocoJoints, StopsGiveWayAndHold) {
  for (const char* profile : {"recommended", "normalized"}) {
    SceneBuilder b;
    const int link = b.addBody(nullptr, {}, {1, Vector3d(0.5, 0, 0), Matrix3d::Identity() * 0.02});
    b.addJoint(SceneJoint::Type::revolute, -1, link, Vector3d(0, -1, 0));  // Gravity lowers q.
    b.scene.joints[0].lower = -0.6;
    b.finish();
    auto scene = engine(profile)->build(b.scene);
    double lowest = 0, back = 0;
    for (int i = 0; i < 2000; ++i) {
      scene->step(kStep);
      const JointState state = jointOf(*scene, b.scene, 0);
      lowest = std::min(lowest, state.position);
      if (lowest < -0.6) back = std::max(back, state.velocity);
    }
    RecordProperty(std::string("overshoot_") + profile, std::to_string(-0.6 - lowest));
    RecordProperty(std::string("rebound_") + profile, std::to_string(back));
    const bool soft = profile[0] == 'r';
    EXPECT_GT(lowest, -0.6 - (soft ? 0.035 : 6e-3)) << profile;
    EXPECT_LT(back, soft ? 0.7 : 1.2) << profile;
    const JointState state = jointOf(*scene, b.scene, 0);
    EXPECT_NEAR(state.position, -0.6, soft ? 2e-3 : 1e-5) << profile;
    EXPECT_NEAR(state.stop, 0.5 * kGravity * std::cos(0.6), 1e-2) << profile;
    EXPECT_EQ(state.effort, 0) << profile;
  }
}

TEST_P(MujocoJoints, DrivesAreImplicit) {
  // Stiff enough that explicit drives would be stable below a step of 2e-5 s only.
  SceneBuilder b;
  b.scene.gravity.setZero();
  const double inertia = 6e-5;
  const int link =
      b.addBody(nullptr, {}, {0.02, Vector3d(0.05, 0, 0), Matrix3d::Identity() * (inertia - 0.02 * 0.05 * 0.05)});
  b.addJoint(SceneJoint::Type::revolute, -1, link, Vector3d(0, -1, 0));
  b.finish();
  auto scene = engine()->build(b.scene);
  JointDrive d;
  d.stiffness = 40000;
  d.damping = 10;
  d.target = 0.3;
  scene->setJointDrives(std::span(&d, 1));
  double q = 0, v = 0;
  for (int i = 0; i < 200; ++i) {
    scene->step(kStep);
    v = (inertia * v + kStep * d.stiffness * (d.target - q)) /
        (inertia + kStep * d.damping + kStep * kStep * d.stiffness);
    q += kStep * v;
    const JointState state = jointOf(*scene, b.scene, 0);
    ASSERT_NEAR(state.position, q, 1e-9) << i;
    ASSERT_NEAR(state.effort, d.stiffness * (d.target - q) - d.damping * v, 1e-6 * d.stiffness) << i;
  }
}

TEST_P(MujocoJoints, ASaturatedDriveIsItsLimit) {
  SceneBuilder b;
  b.scene.gravity.setZero();
  const int link = b.addBody(nullptr, {}, {1, Vector3d(0.2, 0, 0), Matrix3d::Identity() * 0.06});
  b.addJoint(SceneJoint::Type::revolute, -1, link, Vector3d(0, -1, 0));
  b.finish();
  auto scene = engine()->build(b.scene);
  JointDrive d;
  d.stiffness = 5000;
  d.damping = 50;
  d.target = 100;
  d.minEffort = -0.5;
  d.maxEffort = 2;
  scene->setJointDrives(std::span(&d, 1));
  advance(*scene, 500);
  EXPECT_NEAR(jointOf(*scene, b.scene, 0).velocity, 2 / 0.1 * 0.5, 1e-9);
  EXPECT_EQ(jointOf(*scene, b.scene, 0).effort, 2);
  EXPECT_EQ(scene->effectiveSettings().at("saturated_drives").asInteger(), 500);
}

TEST_P(MujocoJoints, AKinematicBaseCarriesItsRobot) {
  SceneBuilder b;
  const int base = b.addBox({0.2, 0.2, 0.2}, 1, RigidTransform::translation({0, 0, 1}));
  b.scene.bodies[base].motion = BodyMotion::kinematic;
  b.scene.bodies[base].v_WB = Vector3d(0.5, 0, 0);
  const int link = b.addBody(nullptr, RigidTransform::translation({0, 0, 1}),
                             {1, Vector3d(0, 0, -0.3), Matrix3d::Identity() * 0.02});
  b.addJoint(SceneJoint::Type::revolute, base, link, Vector3d::UnitY());
  b.finish();
  auto scene = engine()->build(b.scene);
  advance(*scene, 1000);
  EXPECT_NEAR((bodyOf(*scene, b.scene, base).X_WB.p - Vector3d(0.5, 0, 1)).norm(), 0, 1e-12);
  EXPECT_NEAR((bodyOf(*scene, b.scene, link).X_WB.p - Vector3d(0.5, 0, 1)).norm(), 0, 1e-9);
  EXPECT_NEAR(jointOf(*scene, b.scene, 0).position, 0, 1e-9);  // Steady motion swings nothing.
}

TEST_P(MujocoJoints, MotionChangesBackAndForth) {
  SceneBuilder b;
  const int box = b.addBox({0.1, 0.2, 0.3}, 2, RigidTransform::translation({0, 0, 1}));
  b.finish();
  auto scene = engine()->build(b.scene);
  advance(*scene, 100);
  scene->setBodyMotion(box, BodyMotion::kinematic);
  const double v = bodyOf(*scene, b.scene, box).v_WB.z();
  EXPECT_NEAR(v, -0.1 * kGravity, 1e-12);
  scene->applyWrench(box, Vector3d(100, 0, 0), Vector3d::Zero(), Vector3d::Zero());
  advance(*scene, 100);
  EXPECT_EQ(bodyOf(*scene, b.scene, box).v_WB.z(), v);
  scene->setBodyMotion(box, BodyMotion::dynamic);
  advance(*scene, 100);
  EXPECT_NEAR(bodyOf(*scene, b.scene, box).v_WB.z(), -0.2 * kGravity, 1e-12);
}

MORTISE_FOR_MUJOCO(MujocoJoints);

}  // namespace
}  // namespace mortise::test
