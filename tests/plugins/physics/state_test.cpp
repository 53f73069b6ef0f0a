
#include "scenes.h"

namespace mortise::test {
namespace {

class State : public PhysicsTest {
 protected:
  /// A driven arm over boxes, balls and a stack, so that everything a snapshot must hold is in motion.
  static SceneDescription busyScene() {
    SceneBuilder b;
    b.surface.friction = 0.6;
    b.surface.restitution = 0.2;
    b.addFixed(planeGeometry());
    for (int i = 0; i < 6; ++i)
      b.addBox({0.1, 0.12, 0.1}, 0.5, {rotationZ(0.3 * i), Vector3d(0.02 * i, 0, 0.06 + 0.103 * i)});
    for (int i = 0; i < 3; ++i) b.addSphere(0.05, 0.2, {0.3 + 0.11 * i, 0.1, 0.3 + 0.2 * i});
    int parent = b.addFixed(nullptr, RigidTransform::translation({-0.8, 0, 0.4}));
    for (int i = 0; i < 3; ++i) {
      const int link = b.addBody(boxGeometry({0.3, 0.05, 0.05}), RigidTransform::translation({-0.8 + 0.3 * i, 0, 0.4}),
                                 {0.5, Vector3d(0.15, 0, 0), boxInertia(0.5, {0.3, 0.05, 0.05})});
      b.scene.bodies[link].shapes[0].X_BG.p = Vector3d(0.15, 0, 0);
      const int joint =
          b.addJoint(SceneJoint::Type::revolute, parent, link, i ? Vector3d(0, -1, 0) : Vector3d(0, 0, 1));
      b.scene.joints[joint].lower = -1.2;
      b.scene.joints[joint].upper = 1.2;
      parent = link;
    }
    b.finish();
    return b.scene;
  }
  static std::vector<JointDrive> busyDrives() {
    std::vector<JointDrive> drives(3);
    for (std::size_t i = 0; i < 3; ++i) {
      drives[i].stiffness = 100;
      drives[i].damping = 5;
      drives[i].target = 0.4 - 0.5 * static_cast<double>(i);
      drives[i].dryFriction = 0.05;
      drives[i].viscousFriction = 0.1;
      drives[i].minEffort = -8;
      drives[i].maxEffort = 8;
    }
    return drives;
  }
  static std::vector<std::byte> snapshot(const Scene& scene) {
    ByteWriter out;
    scene.save(out);
    return out.bytes();
  }
  void expectSame(const Scene& a, const Scene& b, const SceneDescription& description, double tolerance) {
    const auto x = bodiesOf(a, description.bodies.size()), y = bodiesOf(b, description.bodies.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_LE((x[i].X_WB.p - y[i].X_WB.p).norm(), tolerance) << description.bodies[i].name;
  }
};

TEST_P(State, TwoRunsAreEqualBitForBit) {
  const SceneDescription description = busyScene();
  const auto run = [&] {
    auto scene = build(description);
    scene->setJointDrives(busyDrives());
    advance(*scene, 700);
    return snapshot(*scene);
  };
  EXPECT_EQ(run(), run());
}

TEST_P(State, RestoredSceneContinuesAsIfNothingHappened) {
  auto level = physics().capabilities().restore;
  if (level == PhysicsCapabilities::Restore::none) GTEST_SKIP() << "the backend does not restore";
  const SceneDescription description = busyScene();
  auto scene = build(description);
  // Contacts that an engine finds itself may live in caches that no snapshot reaches; the scene then says so.
  const Value settings = scene->effectiveSettings();
  if (settings.contains("restore") && settings.at("restore").asString() == "approximate")
    level = PhysicsCapabilities::Restore::approximate;
  scene->setJointDrives(busyDrives());
  advance(*scene, 400);
  scene->applyWrench(1, Vector3d(1, 2, 3), Vector3d(0.1, 0, 0), Vector3d(0, 0, 0.1));  // Pending: part of the state.
  const auto middle = snapshot(*scene);
  advance(*scene, 100);
  const auto end = snapshot(*scene);

  auto reference = build(description);  // Stands where the uninterrupted run ended.
  {
    ByteReader in(end);
    reference->restore(in);
    EXPECT_TRUE(in.atEnd());
  }

  const auto check = [&](Scene& again) {
    ByteReader in(middle);
    again.restore(in);
    EXPECT_EQ(snapshot(again), middle);
    advance(again, 100);
    if (level == PhysicsCapabilities::Restore::bitwise)
      EXPECT_EQ(snapshot(again), end);
    else
      expectSame(again, *reference, description, 1e-2);  // Boxes tumble onto each other.
  };
  check(*scene);
  auto fresh = build(description);
  check(*fresh);
}

TEST_P(State, SnapshotOfAnotherSceneIsRefused) {
  SceneBuilder b;
  b.addSphere(0.1, 1, {0, 0, 0});
  b.finish();
  auto other = build(b.scene);
  const auto bytes = snapshot(*other);
  auto scene = build(busyScene());
  ByteReader in(bytes);
  EXPECT_THROW(scene->restore(in), Error);
}

TEST_P(State, BadInputIsRefused) {
  SceneBuilder b;
  b.addSphere(0.1, 1, {0, 0, 0});
  b.finish();
  auto scene = build(b.scene);
  EXPECT_THROW(scene->step(0), Error);
  EXPECT_THROW(scene->step(std::nan("")), Error);
  EXPECT_THROW(scene->setJointDrives(std::vector<JointDrive>(3)), Error);
  SceneDescription massless = b.scene;
  massless.bodies[0].inertia.mass = 0;
  EXPECT_THROW(build(massless), Error);
}

TEST_P(State, EffectiveSettingsNameTheSolver) {
  SceneBuilder b;
  b.addSphere(0.1, 1, {0, 0, 0});
  b.finish();
  const Value settings = build(b.scene)->effectiveSettings();
  ASSERT_TRUE(settings.isMap());
  EXPECT_TRUE(settings.contains("engine"));
  EXPECT_TRUE(settings.contains("solver"));
}

MORTISE_FOR_EACH_BACKEND(State);

}  // namespace
}  // namespace mortise::test
