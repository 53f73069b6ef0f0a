#include "allocation_count.h"
#include "hand_contacts.h"

// Changes of bodies and pairs, reactions of stops and constraints, solvers and friction models of the ODE backend.

namespace mortise::test {
namespace {

class OdeFeatures : public PhysicsTest {
 protected:
  static Value settings(std::string_view key, Value value) {
    Value map = Value::map();
    map.set(key, std::move(value));
    return map;
  }
  static Value solver(const char* name) { return settings("solver", std::string(name)); }
};

TEST_P(OdeFeatures, BodiesChangeBetweenDynamicAndKinematic) {
  SceneBuilder b;
  const int falling = b.addBody(nullptr, RigidTransform::translation({0, 0, 1}),
                                {2, Vector3d(0.1, 0.05, 0), Matrix3d::Identity() * 0.1});
  b.scene.bodies[falling].v_WB = Vector3d(1, 0, 0);
  const int held = b.addBody(nullptr, {}, {1, Vector3d::Zero(), Matrix3d::Identity() * 0.1});
  b.addJoint(SceneJoint::Type::revolute, -1, held, Vector3d::UnitZ());
  const int fixed = b.addFixed(nullptr);
  b.finish();
  for (const char* name : {"exact", "quick"}) {
    auto scene = make(solver(name))->build(b.scene);
    advance(*scene, 100);
    const BodyState before = bodyOf(*scene, b.scene, falling);
    EXPECT_NEAR(before.v_WB.z(), -0.1 * kGravity, 1e-9);
    scene->setBodyMotion(falling, BodyMotion::kinematic);
    EXPECT_LT((bodyOf(*scene, b.scene, falling).X_WB.p - before.X_WB.p).norm(), 1e-12);
    EXPECT_LT((bodyOf(*scene, b.scene, falling).v_WB - before.v_WB).norm(), 1e-12);
    scene->applyWrench(falling, Vector3d(100, 0, 0), Vector3d::Zero(), Vector3d::Zero());
    advance(*scene, 100);
    const BodyState coasting = bodyOf(*scene, b.scene, falling);
    EXPECT_LT((coasting.v_WB - before.v_WB).norm(), 1e-12) << name;
    EXPECT_LT((coasting.X_WB.p - before.X_WB.p - 0.1 * before.v_WB).norm(), 1e-9) << name;
    scene->setBodyMotion(falling, BodyMotion::dynamic);
    advance(*scene, 100);
    EXPECT_NEAR(bodyOf(*scene, b.scene, falling).v_WB.z(), -0.2 * kGravity, 1e-9) << name;
    EXPECT_THROW(scene->setBodyMotion(held, BodyMotion::kinematic), Error);
    EXPECT_THROW(scene->setBodyMotion(fixed, BodyMotion::dynamic), Error);
    EXPECT_THROW(scene->setBodyMotion(falling, BodyMotion::fixed), Error);
  }
}

TEST_P(OdeFeatures, KinematicBodyBecomesDynamicOnlyWithMass) {
  SceneBuilder b;
  const int light = b.addBody(nullptr, {}, {});
  b.scene.bodies[light].motion = BodyMotion::kinematic;
  b.scene.bodies[light].inertia.mass = 0;
  const int heavy = b.addBody(nullptr, {}, {1, Vector3d(0.2, 0, 0), Matrix3d::Identity()});
  b.scene.bodies[heavy].motion = BodyMotion::kinematic;
  b.scene.bodies[heavy].w_WB = Vector3d(0, 0, 1);
  b.finish();
  auto scene = build(b.scene);
  advance(*scene, 100);
  EXPECT_LT(bodyOf(*scene, b.scene, heavy).X_WB.p.norm(), 1e-12);  // It turns about its own origin.
  EXPECT_THROW(scene->setBodyMotion(light, BodyMotion::dynamic), Error);
  scene->setBodyMotion(heavy, BodyMotion::dynamic);
  advance(*scene, 100);
  EXPECT_LT(bodyOf(*scene, b.scene, heavy).X_WB.p.z(), -0.04);
}

TEST_P(OdeFeatures, CollisionsAreSwitched) {
  SceneBuilder b;
  b.addFixed(planeGeometry());
  const int box = b.addBox({0.2, 0.2, 0.2}, 1, RigidTransform::translation({0, 0, 0.1}));
  const int other = b.addBox({0.2, 0.2, 0.2}, 1, RigidTransform::translation({1, 0, 0.1}));
  b.finish();
  b.scene.filter.allow(0, other, false);
  auto scene = build(b.scene);
  advance(*scene, 50);
  EXPECT_GT(bodyOf(*scene, b.scene, box).X_WB.p.z(), 0.099);
  scene->setCollision(box, -1, false);
  ByteWriter off;
  scene->save(off);
  advance(*scene, 100);
  EXPECT_LT(bodyOf(*scene, b.scene, box).X_WB.p.z(), 0.06);
  scene->setCollision(0, other, true);  // Never on beyond the description.
  advance(*scene, 100);
  EXPECT_LT(bodyOf(*scene, b.scene, other).X_WB.p.z(), -0.1);
  auto again = build(b.scene);
  ByteReader in(off.bytes());
  again->restore(in);
  advance(*again, 100);
  EXPECT_LT(bodyOf(*again, b.scene, box).X_WB.p.z(), 0.06);
  auto on = build(b.scene);
  on->setCollision(box, 0, false);
  on->setCollision(0, box, true);
  advance(*on, 100);
  EXPECT_GT(bodyOf(*on, b.scene, box).X_WB.p.z(), 0.099);
  EXPECT_THROW(on->setCollision(17, 0, false), Error);
}

TEST_P(OdeFeatures, StopReadsTheMomentItHolds) {
  // A pendulum hangs against a stop at 0.5 rad, its own weight pushing on: 2 kg at 0.3 m.
  for (const char* name : {"exact", "quick"})
    for (const double side : {1.0, -1.0}) {
      SceneBuilder b;
      const int link = b.addBody(nullptr, RigidTransform::translation({0, 0, 1}),
                                 {2, Vector3d(0.3, 0, 0), Matrix3d::Identity() * 0.01});
      const int joint =
          b.addJoint(SceneJoint::Type::revolute, -1, link, Vector3d(0, side, 0));  // Falls to side * q > 0.
      (side > 0 ? b.scene.joints[joint].upper : b.scene.joints[joint].lower) = 0.5 * side;
      b.finish();
      auto scene = make(solver(name))->build(b.scene);
      advance(*scene, 1500);
      const JointState state = jointOf(*scene, b.scene, joint);
      EXPECT_NEAR(state.position, 0.5 * side, 1e-3) << name;
      const double moment = 2 * kGravity * 0.3 * std::cos(0.5);
      EXPECT_NEAR(state.stop, -side * moment, 0.02 * moment) << name << side;
      EXPECT_EQ(state.effort, 0);
    }
}

TEST_P(OdeFeatures, PrismaticStopReadsTheForceItHolds) {
  for (const char* name : {"exact", "quick"}) {
    SceneBuilder b;
    const int link = b.addBody(nullptr, {}, {3, Vector3d(0.1, 0.2, 0), Matrix3d::Identity() * 0.01});
    const int joint = b.addJoint(SceneJoint::Type::prismatic, -1, link, Vector3d::UnitZ());
    b.scene.joints[joint].lower = -0.05;
    b.finish();
    auto scene = make(solver(name))->build(b.scene);
    advance(*scene, 500);
    EXPECT_NEAR(jointOf(*scene, b.scene, joint).stop, 3 * kGravity, 0.02 * 3 * kGravity) << name;
  }
}

TEST_P(OdeFeatures, ConstraintsAreReadInTheirOrder) {
  SceneBuilder b;
  const int fixedA = b.addFixed(nullptr), fixedB = b.addFixed(nullptr);
  const int welded = b.addBody(nullptr, {}, {1, Vector3d::Zero(), Matrix3d::Identity() * 0.1});
  const int door = b.addBody(nullptr, {}, {1, Vector3d(0.5, 0, 0), Matrix3d::Identity() * 0.1});
  const int drawer = b.addBody(nullptr, {}, {2, Vector3d::Zero(), Matrix3d::Identity() * 0.1});
  b.finish();
  const auto constrain = [&](SceneConstraint::Type type, int x, int y, const Vector3d& axis) {
    SceneConstraint c;
    c.type = type;
    c.a = x;
    c.b = y;
    c.axis = axis;
    b.scene.constraints.push_back(c);
    return b.scene.constraints.size() - 1;
  };
  using Type = SceneConstraint::Type;
  constrain(Type::hinge, fixedA, fixedB, Vector3d::UnitX());  // Between fixed bodies: nothing moves.
  constrain(Type::fixed, welded, fixedA, Vector3d::UnitX());
  const auto hinge = constrain(Type::hinge, door, -1, Vector3d::UnitY());
  b.scene.constraints[hinge].upper = 0.3;
  constrain(Type::slider, fixedB, -1, Vector3d::UnitX());
  const auto slider = constrain(Type::slider, drawer, fixedB, Vector3d::UnitZ());
  b.scene.constraints[slider].friction = 5;
  b.scene.constraints[slider].lower = -0.1;
  for (const char* name : {"exact", "quick"}) {
    auto scene = make(solver(name))->build(b.scene);
    std::vector<JointState> states(b.scene.constraints.size());
    advance(*scene, 100);
    scene->readConstraints(states);
    EXPECT_NEAR(states[slider].position, -0.5 * (kGravity - 2.5) * 0.01, 2e-3) << name;
    EXPECT_NEAR(states[slider].velocity, -(kGravity - 2.5) * 0.1, 1e-2) << name;
    EXPECT_NEAR(states[slider].effort, 5, 1e-3) << name;  // Against the fall.
    advance(*scene, 1400);
    scene->readConstraints(states);
    EXPECT_NEAR(states[hinge].position, 0.3, 1e-3) << name;
    EXPECT_NEAR(states[hinge].stop, -0.5 * kGravity * std::cos(0.3), 0.02 * 0.5 * kGravity) << name;
    EXPECT_NEAR(states[slider].position, -0.1, 1e-3) << name;
    for (const std::size_t still : {0, 1, 3}) {
      EXPECT_EQ(states[still].position, 0) << name;
      EXPECT_EQ(states[still].stop, 0) << name;
    }
    EXPECT_LT(bodyOf(*scene, b.scene, welded).X_WB.p.norm(), 1e-5) << name;
    std::vector<JointState> wrong(2);
    EXPECT_THROW(scene->readConstraints(wrong), Error);
  }
}

TEST_P(OdeFeatures, KlamptsFrictionIsLowerAndHasCorners) {
  // Sliding distance along ODE's first direction: 0.707 of the coefficient; along the diagonal as much again.
  for (const char* name : {"exact", "quick"}) {
    double distance[2];
    for (const int diagonal : {0, 1}) {
      SceneBuilder b;
      b.surface.friction = 0.5;
      b.addFixed(nullptr);
      const Vector3d size(0.2, 0.2, 0.02);
      const int block = b.addBox(size, 1, RigidTransform::translation({0, 0, 0.01}));
      const double angle = diagonal ? std::numbers::pi / 4 : 0;
      b.scene.bodies[block].v_WB = Vector3d(std::cos(angle), std::sin(angle), 0);
      b.finish();
      HandContacts contacts(b.scene);
      contacts.addBox(block, size);
      Value options = solver(name);
      options.set("friction_model", "klampt");
      auto scene = make(options)->build(b.scene);
      contacts.advance(*scene, 800);
      distance[diagonal] = bodyOf(*scene, b.scene, block).X_WB.p.head<2>().norm();
    }
    const double straight = 1 / (2 * 0.707 * 0.5 * kGravity);
    EXPECT_NEAR(distance[0], straight, 0.02 * straight) << name;
    EXPECT_NEAR(distance[1], straight / std::sqrt(2.0), 0.02 * straight) << name;
  }
}

TEST_P(OdeFeatures, UndrivenChainKeepsItsMomentum) {
  // A robot of eight links that floats and folds: impulses between links cancel.
  SceneBuilder b;
  b.scene.gravity.setZero();
  int parent = -1;
  for (int i = 0; i < 8; ++i) {
    const int link = b.addBody(nullptr, RigidTransform::translation({0.3 * i, 0, 0}),
                               {1.0 + 0.1 * i, Vector3d(0.15, 0, 0), boxInertia(1, {0.3, 0.05, 0.05})});
    if (parent >= 0)
      b.addJoint(SceneJoint::Type::revolute, parent, link, i % 2 ? Vector3d(0, 1, 0) : Vector3d(0, 0.6, 0.8));
    parent = link;
  }
  b.finish();
  auto scene = build(b.scene);
  scene->applyWrench(parent, Vector3d(30, 200, 500), Vector3d(1, 2, 3), Vector3d(2.4, 0, 0));
  scene->applyWrench(2, Vector3d(0, -100, 300), Vector3d::Zero(), Vector3d(0.7, 0, 0));
  const auto momentum = [&] {
    Vector3d linear = Vector3d::Zero(), angular = Vector3d::Zero();
    const auto bodies = bodiesOf(*scene, b.scene.bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const BodyInertia& I = b.scene.bodies[i].inertia;
      const Vector3d c = bodies[i].X_WB * I.com;
      const Vector3d v = bodies[i].v_WB + bodies[i].w_WB.cross(c - bodies[i].X_WB.p);
      linear += I.mass * v;
      angular += bodies[i].X_WB.R * (I.inertia * (bodies[i].X_WB.R.transpose() * bodies[i].w_WB)) + I.mass * c.cross(v);
    }
    return std::pair(linear, angular);
  };
  scene->step(kStep);
  const auto [linear, angular] = momentum();
  advance(*scene, 5000);
  const auto [endLinear, endAngular] = momentum();
  EXPECT_LT((endLinear - linear).norm(), 1e-9 * linear.norm());
  EXPECT_LT((endAngular - angular).norm(), 2e-3 * angular.norm());
  // The joints hold together.
  const auto bodies = bodiesOf(*scene, b.scene.bodies.size());
  for (std::size_t i = 0; i + 1 < bodies.size(); ++i)
    EXPECT_LT((bodies[i].X_WB * Vector3d(0.3, 0, 0) - bodies[i + 1].X_WB.p).norm(), 1e-4) << i;
}

TEST_P(OdeFeatures, SnapshotHoldsMotionChanges) {
  SceneBuilder b;
  b.addFixed(planeGeometry());
  const int box = b.addBody(boxGeometry({0.1, 0.1, 0.1}), RigidTransform::translation({0, 0, 0.3}),
                            {1, Vector3d(0.01, 0, 0), Matrix3d::Identity() * 0.002});
  b.scene.bodies[box].w_WB = Vector3d(1, 2, 3);
  b.finish();
  auto scene = build(b.scene);
  advance(*scene, 50);
  scene->setBodyMotion(box, BodyMotion::kinematic);
  advance(*scene, 20);
  ByteWriter middle;
  scene->save(middle);
  const auto go = [&](Scene& on) {
    advance(on, 20);
    on.setBodyMotion(box, BodyMotion::dynamic);
    advance(on, 200);
    ByteWriter out;
    on.save(out);
    return out.bytes();
  };
  const auto end = go(*scene);
  auto fresh = build(b.scene);
  for (Scene* again : {scene.get(), fresh.get()}) {
    ByteReader in(middle.bytes());
    again->restore(in);
    EXPECT_EQ(go(*again), end);
  }
}

TEST_P(OdeFeatures, ExternalContactsAllocateNothingOnceWarm) {
  SceneBuilder b;
  b.addFixed(nullptr);
  const Vector3d size(0.1, 0.1, 0.1);
  HandContacts contacts(b.scene);
  int below = 0;
  for (int i = 0; i < 6; ++i) {
    const int box = b.addBox(size, 1, RigidTransform::translation({0, 0, 0.05 + 0.1 * i}));
    contacts.addBox(box, size, below, Vector3d::UnitZ(), below ? Vector3d(0, 0, 0.05) : Vector3d::Zero());
    below = box;
  }
  b.finish();
  auto scene = build(b.scene);
  contacts.advance(*scene, 50);
  ByteWriter bytes;
  scene->save(bytes);
  const long before = allocationCount();
  contacts.advance(*scene, 50);
  for (int i = 0; i < 10; ++i) {
    bytes.bytes().clear();
    scene->save(bytes);
    ByteReader in(bytes.bytes());
    scene->restore(in);
  }
  EXPECT_EQ(allocationCount() - before, 0);
}

INSTANTIATE_TEST_SUITE_P(, OdeFeatures, testing::Values(std::string("ode")),
                         [](const testing::TestParamInfo<std::string>& backend) { return backend.param; });

}  // namespace
}  // namespace mortise::test
