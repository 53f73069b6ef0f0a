/// The Bullet backend is Bullet: its own step and solvers make the velocities, its settings count, and what it cannot
/// do is refused.

#include "mortise/base/error.h"
#include "tests/plugins/physics/bullet_fixture.h"

namespace mortise::test {
namespace {

class BulletAdapter : public BulletTest {
 protected:
  /// How far a stack of boxes sinks into itself in half a second.
  double sinkOfStack(const Settings& settings) {
    SceneBuilder b;
    b.addFixed(nullptr);
    constexpr int count = 6;
    for (int i = 0; i < count; ++i) b.addBox(kBulletBox, 1, RigidTransform::translation({0, 0, 0.05 + 0.1 * i}));
    b.finish();
    HandContacts contacts(b.scene);
    contacts.addBox(1, kBulletBox);
    for (int i = 2; i <= count; ++i)
      contacts.addBox(i, kBulletBox, i - 1, Vector3d::UnitZ(), Vector3d(0, 0, 0.5 * kBulletBox.z()));
    auto scene = buildWith(b.scene, settings);
    contacts.advance(*scene, 500);
    return 0.05 + 0.1 * (count - 1) - bodyOf(*scene, b.scene, count).X_WB.p.z();
  }
};

TEST_P(BulletAdapter, EveryStepIsOneOfBullets) {
  SceneBuilder b;
  b.addSphere(0.1, 1, {0, 0, 1});
  b.finish();
  for (const ContactSource source : {ContactSource::external, ContactSource::engine}) {
    b.scene.contactSource = source;
    auto scene = build(b.scene);
    EXPECT_EQ(scene->effectiveSettings().integer("engine_steps", -1), 0);
    for (int i = 0; i < 25; ++i) scene->step(i % 2 == 0 ? 1e-3 : 2.5e-4);
    EXPECT_EQ(scene->effectiveSettings().integer("engine_steps", -1), 25);
  }
}

TEST_P(BulletAdapter, OneIterationIsWorseThanTheDefault) {
  const double usual = sinkOfStack({}), one = sinkOfStack({{"num_iterations", 1}});
  EXPECT_LT(usual, 2e-3);
  EXPECT_GT(one, 5 * usual);
  EXPECT_LT(sinkOfStack({{"num_iterations", 500}, {"least_squares_residual_threshold", 0.0}}), usual);
}

TEST_P(BulletAdapter, EachOfBulletsSolversCarriesABoxOnASlope) {
  for (const char* solver : {"sequential_impulse", "dantzig", "pgs"}) {
    SceneBuilder b;
    const Matrix3d R = rotationY(0.3);  // tan 0.31
    b.surface.friction = 0.5;
    b.addFixed(nullptr, RigidTransform::rotation(R));
    const int box = b.addBox(kBulletBox, 2, {R, R * Vector3d(0, 0, 0.05)});
    b.finish();
    HandContacts contacts(b.scene);
    contacts.addBox(box, kBulletBox);
    auto scene = buildWith(b.scene, {{"solver", solver}});
    contacts.advance(*scene, 300);
    Vector3d force = Vector3d::Zero();
    for (int i = 0; i < 100; ++i) {
      contacts.step(*scene);
      force += contactForceOn(*scene, box) / 100;
    }
    const Vector3d weight(0, 0, 2 * kGravity);
    EXPECT_LT((force - weight).norm(), 0.02 * weight.norm()) << solver;
    EXPECT_LT(bodyOf(*scene, b.scene, box).v_WB.norm(), 1e-3) << solver;
    EXPECT_EQ(scene->effectiveSettings().at("solver").asString(), solver);
  }
}

TEST_P(BulletAdapter, EachOfBulletsSolversMovesARobotWithDrivesAndStops) {
  for (const char* solver : {"sequential_impulse", "dantzig", "pgs"}) {
    SceneBuilder b;
    int parent = -1;
    for (int i = 0; i < 3; ++i) {
      const int link = b.addBody(nullptr, RigidTransform::translation({0.3 * i, 0, 1}),
                                 {1, Vector3d(0.15, 0, 0), boxInertia(1, {0.3, 0.05, 0.05})});
      b.addJoint(SceneJoint::Type::revolute, parent, link, Vector3d::UnitY());
      parent = link;
    }
    b.scene.joints[2].upper = 0.4;  // The last link hangs on its stop, without a drive.
    b.scene.joints[2].lower = -0.4;
    b.finish();
    b.scene.contactSource = ContactSource::external;
    auto scene = buildWith(b.scene, {{"solver", solver}});
    std::vector<JointDrive> drives(3);
    for (int i = 0; i < 2; ++i) {
      drives[i].stiffness = 20000;
      drives[i].damping = 300;
      drives[i].target = 0.1;
    }
    scene->setJointDrives(drives);
    advance(*scene, 2000);
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(jointOf(*scene, b.scene, i).position, 0.1, 3e-3) << solver;
    EXPECT_NEAR(jointOf(*scene, b.scene, 2).position, 0.4, 2e-3) << solver;
    const double moment = kGravity * 0.15 * std::cos(0.6);
    double stop = 0;  // A stop pushes when it is passed, so only its mean carries.
    for (int i = 0; i < 200; ++i) {
      scene->step(kStep);
      stop += jointOf(*scene, b.scene, 2).stop / 200;
    }
    EXPECT_NEAR(stop, -moment, 0.03 * moment) << solver;
  }
}

TEST_P(BulletAdapter, SolversThatTheLibraryLacksAreRefusedWithTheChoices) {
  SceneBuilder b;
  b.addSphere(0.1, 1, {0, 0, 1});
  b.finish();
  try {
    buildWith(b.scene, {{"solver", "block"}});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE((error.message() + error.hint()).find("sequential_impulse"), std::string::npos) << error.message();
  }
}

TEST_P(BulletAdapter, ProfilesSayWhatIsNotSet) {
  SceneBuilder b;
  b.addSphere(0.1, 1, {0, 0, 1});
  b.finish();
  const Value usual = buildWith(b.scene, {})->effectiveSettings();
  EXPECT_EQ(usual.real("erp2", -1), 0.08);
  EXPECT_EQ(usual.real("global_cfm", -1), 0);
  EXPECT_EQ(usual.real("linear_damping", -1), 0);
  EXPECT_EQ(usual.real("linear_damping_of_robots", -1), 0.04);
  EXPECT_EQ(usual.real("max_coordinate_velocity", -1), 100);
  EXPECT_FALSE(usual.at("sleeping").asBool());
  b.scene.errorReduction = 0.7;
  b.scene.constraintForceMixing = 3e-6;
  const Value asked = buildWith(b.scene, {{"erp", 0.3}})->effectiveSettings();
  EXPECT_EQ(asked.real("erp", -1), 0.3);
  EXPECT_EQ(asked.real("erp2", -1), 0.7);
  EXPECT_EQ(asked.real("global_cfm", -1), 3e-6);
  const Value normal = buildWith(b.scene, {{"profile", "normalized"}, {"iterations", 7}})->effectiveSettings();
  EXPECT_EQ(normal.real("erp2", -1), 0.7);
  EXPECT_EQ(normal.real("erp", -1), 0.7);
  EXPECT_EQ(normal.real("global_cfm", -1), 3e-6);
  EXPECT_EQ(normal.real("linear_damping_of_robots", -1), 0);
  EXPECT_EQ(normal.integer("num_iterations", -1), 7);
}

TEST_P(BulletAdapter, DampingOfRobotsIsBulletsUnlessNormalized) {
  // A wheel without any friction, of 4 rad/s. Bullet takes 0.04 (1 + |w|) of it a second.
  for (const bool normalized : {false, true}) {
    SceneBuilder b;
    b.addBody(nullptr, {}, {1, Vector3d::Zero(), Matrix3d::Identity() * 0.1});
    b.addJoint(SceneJoint::Type::revolute, -1, 0, Vector3d::UnitZ());
    b.scene.joints[0].velocity = 4;
    b.finish();
    auto scene = buildWith(b.scene, {{"profile", normalized ? "normalized" : "recommended"}});
    advance(*scene, 1000);
    const double speed = jointOf(*scene, b.scene, 0).velocity;
    if (normalized)
      EXPECT_NEAR(speed, 4, 1e-9);
    else
      EXPECT_LT(speed, 4 * std::exp(-0.04) + 1e-3);
  }
}

TEST_P(BulletAdapter, BodiesSleepOnlyWhenAsked) {
  for (const bool sleeping : {false, true}) {
    SceneBuilder b;
    b.addFixed(nullptr);
    const int box = b.addBox(kBulletBox, 1, RigidTransform::translation({0, 0, 0.05}));
    b.finish();
    HandContacts contacts(b.scene);
    contacts.addBox(box, kBulletBox);
    auto scene = buildWith(b.scene, {{"sleeping", sleeping}});
    contacts.advance(*scene, 4000);
    scene->step(kStep);  // Nothing holds it now.
    scene->step(kStep);
    EXPECT_EQ(bodyOf(*scene, b.scene, box).v_WB.z() == 0, sleeping);
    scene->applyWrench(box, Vector3d(10, 0, 0), Vector3d::Zero(), Vector3d(0, 0, 0.05));
    scene->step(kStep);
    EXPECT_NEAR(bodyOf(*scene, b.scene, box).v_WB.x(), 0.01, 1e-4);
  }
}

TEST_P(BulletAdapter, KinematicBodyPushesAndBecomesDynamicAgain) {
  SceneBuilder b;
  b.addFixed(nullptr);
  const int pusher = b.addBox(kBulletBox, 1, RigidTransform::translation({-0.201, 0, 0.3}));
  b.scene.bodies[pusher].motion = BodyMotion::kinematic;
  b.scene.bodies[pusher].v_WB = Vector3d(0.2, 0, 0);
  const int box = b.addBox(kBulletBox, 1, RigidTransform::translation({0, 0, 0.05}));
  b.finish();
  HandContacts contacts(b.scene);
  contacts.addBox(box, kBulletBox);
  auto scene = buildWith(b.scene, exact());
  const auto step = [&] {
    const auto found = contacts.find(*scene);
    std::vector<SceneContact> all(found.begin(), found.end());
    const auto bodies = bodiesOf(*scene, 3);
    SceneContact side;
    side.key = 1000;
    side.bodyA = side.idA = pusher;
    side.bodyB = side.idB = box;
    side.point = bodies[box].X_WB.p - Vector3d(0.1, 0, 0);
    side.normal = -Vector3d::UnitX();
    side.gap = bodies[box].X_WB.p.x() - bodies[pusher].X_WB.p.x() - 0.2;
    side.material.friction = 0;
    if (side.gap < 1e-3) all.push_back(side);
    scene->setContacts(all);
    scene->step(kStep);
  };
  for (int i = 0; i < 1000; ++i) step();
  EXPECT_NEAR(bodyOf(*scene, b.scene, pusher).X_WB.p.x(), -0.001, 1e-9);
  EXPECT_NEAR(bodyOf(*scene, b.scene, pusher).X_WB.p.z(), 0.3, 1e-12);
  EXPECT_NEAR(bodyOf(*scene, b.scene, box).X_WB.p.x(), 0.199, 1e-3);
  scene->setBodyMotion(pusher, BodyMotion::dynamic);
  contacts.advance(*scene, 100);
  EXPECT_NEAR(bodyOf(*scene, b.scene, pusher).v_WB.z(), -0.98, 1e-9);
  EXPECT_NEAR(bodyOf(*scene, b.scene, pusher).v_WB.x(), 0.2, 1e-9);
  EXPECT_THROW(scene->setBodyMotion(0, BodyMotion::dynamic), Error);
}

TEST_P(BulletAdapter, ContactsThatCannotBeAreRefused) {
  SceneBuilder b;
  b.addFixed(nullptr);
  b.addBox(kBulletBox, 1, RigidTransform::translation({0, 0, 0.05}));
  b.finish();
  b.scene.contactSource = ContactSource::external;
  auto scene = build(b.scene);
  SceneContact good;
  good.bodyA = good.idA = 0;
  good.bodyB = good.idB = 1;
  scene->setContacts({&good, 1});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (int k = 0; k < 6; ++k) {
    SceneContact bad = good;
    if (k == 0) bad.bodyA = -1;
    if (k == 1) bad.bodyB = 2;
    if (k == 2) bad.bodyB = 0;
    if (k == 3) bad.gap = nan;
    if (k == 4) bad.normal = Vector3d(0, 0, 2);
    if (k == 5) bad.material.friction = -1;
    EXPECT_THROW(scene->setContacts({&bad, 1}), Error) << k;
  }
  b.scene.contactSource = ContactSource::engine;
  EXPECT_THROW(build(b.scene)->setContacts({&good, 1}), Error);
}

/// Pairs switched off stop at once, also where Bullet keeps contact points.
TEST_P(BulletAdapter, SwitchedOffPairsLetGo) {
  SceneBuilder b;
  b.addFixed(boxGeometry({1, 1, 0.2}), RigidTransform::translation({0, 0, -0.1}));
  const int box = b.addBox(kBulletBox, 1, RigidTransform::translation({0, 0, 0.05}));
  b.finish();
  auto scene = build(b.scene);
  advance(*scene, 200);
  EXPECT_NEAR(bodyOf(*scene, b.scene, box).X_WB.p.z(), 0.05, 2e-3);
  scene->setCollision(box, -1, false);
  advance(*scene, 100);
  EXPECT_NEAR(bodyOf(*scene, b.scene, box).v_WB.z(), -0.98, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(, BulletAdapter, testing::Values(std::string("bullet")));

}  // namespace
}  // namespace mortise::test
