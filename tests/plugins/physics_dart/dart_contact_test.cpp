#include "dart_scenes.h"

// Contacts from outside, against closed forms.

namespace mortise::test {
namespace {

class DartContacts : public DartTest {
 protected:
  /// Where a block at 2 m/s comes to rest, relative to the distance that Coulomb's law says.
  Eigen::Vector2d slide(double direction, const char* pyramid) {
    SceneBuilder b;
    b.surface.friction = 0.4;
    b.addFixed(nullptr);
    const Vector3d size(0.2, 0.2, 0.04);
    const int block = b.addBox(size, 1, RigidTransform::translation({0, 0, 0.02}));
    b.scene.bodies[block].v_WB = 2 * Vector3d(std::cos(direction), std::sin(direction), 0);
    b.finish();
    HandContacts contacts(b.scene);
    contacts.addBox(block, size);
    auto scene = buildWith(b.scene, {{"friction_direction", Value(pyramid)}});
    contacts.advance(*scene, 800);
    return bodyOf(*scene, b.scene, block).X_WB.p.head<2>() / (4 / (2 * 0.4 * kGravity));
  }
};

TEST_P(DartContacts, RestingForceIsTheWeight) {
  SceneBuilder b;
  b.addFixed(nullptr);
  const Vector3d size(0.2, 0.3, 0.1);
  const int box = b.addBox(size, 3, {rotationZ(0.3), Vector3d(0.3, 0.1, 0.055)});
  b.finish();
  HandContacts contacts(b.scene);
  contacts.addBox(box, size);
  auto scene = build(b.scene);
  contacts.advance(*scene, 2000);
  Vector3d sum = Vector3d::Zero();
  for (int i = 0; i < 500; ++i) {
    contacts.step(*scene);
    sum += contactForceOn(*scene, box) / 500;
  }
  EXPECT_LT((sum - Vector3d(0, 0, 3 * kGravity)).norm(), 1e-3 * 3 * kGravity);
  EXPECT_NEAR(bodyOf(*scene, b.scene, box).X_WB.p.z(), 0.05, 1e-5);
}

TEST_P(DartContacts, PenetrationIsCorrectedAsFastAsDartsParametersSay) {
  SceneBuilder b;
  b.addFixed(nullptr);
  const Vector3d size(0.1, 0.1, 0.1);
  const int box = b.addBox(size, 1, RigidTransform::translation({0, 0, 0.04}));  // 10 mm deep.
  b.finish();
  HandContacts contacts(b.scene);
  contacts.addBox(box, size);
  auto scene = build(b.scene);
  contacts.advance(*scene, 1000);
  EXPECT_NEAR(bodyOf(*scene, b.scene, box).X_WB.p.z(), 0.041, 1e-6);  // No faster than 1 mm/s.
  auto eager = buildWith(b.scene, {{"max_error_reduction_velocity", Value(10.0)}});
  contacts.advance(*eager, 100);
  EXPECT_NEAR(bodyOf(*eager, b.scene, box).X_WB.p.z(), 0.05 - 0.01 * std::pow(0.99, 100), 2e-6);  // 1 % a step.
  auto normalized = buildWith(b.scene, {{"profile", Value("normalized")}});
  EXPECT_EQ(normalized->effectiveSettings().at("error_reduction_parameter").asReal(), b.scene.errorReduction);
}

TEST_P(DartContacts, WhatDoesNotPenetrateIsLeftAlone) {
  SceneBuilder b;
  b.addFixed(nullptr);
  const int ball = b.addSphere(0.1, 2, {0, 0, 0.1005});
  b.finish();
  HandContacts contacts(b.scene);
  contacts.addBall(ball, 0.1);
  auto scene = build(b.scene);
  contacts.step(*scene);
  ASSERT_EQ(scene->contacts().size(), 1u);
  EXPECT_NEAR(scene->contacts()[0].depth, -5e-4, 1e-9);
  EXPECT_EQ(scene->contacts()[0].force.norm(), 0);
  EXPECT_NEAR(bodyOf(*scene, b.scene, ball).v_WB.z(), -kGravity * kStep, 1e-12);
}

TEST_P(DartContacts, SlipsWithinOnePercentOfTheFrictionAngle) {
  const double friction = 0.6;
  for (const double ratio : {0.99, 1.01}) {
    SceneBuilder b;
    b.surface.friction = friction;
    const Matrix3d R_WS = rotationY(std::atan(ratio * friction));  // Downhill is +x of the slope.
    b.addFixed(nullptr, RigidTransform::rotation(R_WS));
    const Vector3d size(0.2, 0.2, 0.05);
    const int block = b.addBox(size, 1, {R_WS, R_WS * Vector3d(0, 0, 0.025)});
    b.finish();
    HandContacts contacts(b.scene);
    contacts.addBox(block, size);
    auto scene = build(b.scene);
    contacts.advance(*scene, 1000);
    const double speed = bodyOf(*scene, b.scene, block).v_WB.norm();
    if (ratio < 1)
      EXPECT_LT(speed, 1e-3);
    else
      EXPECT_NEAR(speed, kGravity * std::cos(std::atan(ratio * friction)) * 0.01 * friction, 0.01);
  }
}

TEST_P(DartContacts, FrictionIsAPyramid) {
  for (int k = 0; k < 8; ++k) {
    const double direction = k * std::numbers::pi / 8;
    const Eigen::Vector2d exact(std::cos(direction), std::sin(direction));
    // Along its edges right, between them up to sqrt(2) times too strong and off course.
    EXPECT_LT((slide(direction, "fixed") - exact).norm(), k % 4 == 0 ? 2.5e-3 : 0.3) << direction;
    EXPECT_LT((slide(direction, "sliding") - exact).norm(), 2.5e-3) << direction;
  }
}

TEST_P(DartContacts, FirstBounceIsTheSquareOfRestitution) {
  for (const double e : {0.5, 0.9})
    for (int phase = 0; phase < 4; ++phase) {
      SceneBuilder b;
      b.surface.restitution = e;
      b.addFixed(nullptr);
      const double height = 1 + phase * 1.1e-3;
      const int ball = b.addSphere(0.05, 0.5, {0, 0, 0.05 + height});
      b.finish();
      HandContacts contacts(b.scene);
      contacts.addBall(ball, 0.05);
      auto scene = build(b.scene);
      double highest = 0;
      for (int i = 0; i < 900; ++i) {
        contacts.step(*scene);
        if (i > 470) highest = std::max(highest, bodyOf(*scene, b.scene, ball).X_WB.p.z() - 0.05);
      }
      EXPECT_NEAR(highest, e * e * height, 0.02 * e * e * height) << "e " << e << ", phase " << phase;
    }
}

TEST_P(DartContacts, EachPairHasItsOwnMaterial) {
  // Two blocks on one slope; what a pair has is its own, not a body's.
  SceneBuilder b;
  const Matrix3d R_WS = rotationY(0.3);
  b.surface.friction = 0.5;
  b.addFixed(nullptr, RigidTransform::rotation(R_WS));
  const Vector3d size(0.1, 0.1, 0.1);
  const int rough = b.addBox(size, 1, {R_WS, R_WS * Vector3d(0, -0.5, 0.05)});
  b.surface.friction = 0.1;
  const int smooth = b.addBox(size, 1, {R_WS, R_WS * Vector3d(0, 0.5, 0.05)});
  b.finish();
  HandContacts contacts(b.scene);
  contacts.addBox(rough, size);
  contacts.addBox(smooth, size);
  auto scene = build(b.scene);
  contacts.advance(*scene, 300);
  EXPECT_LT(bodyOf(*scene, b.scene, rough).v_WB.norm(), 1e-3);
  const double friction = b.scene.material(0, smooth).friction;
  const double speed = 0.3 * kGravity * (std::sin(0.3) - friction * std::cos(0.3));
  EXPECT_NEAR(bodyOf(*scene, b.scene, smooth).v_WB.norm(), speed, 0.01 * speed);
}

TEST_P(DartContacts, StackOfTenStands) {
  SceneBuilder b;
  b.addFixed(nullptr);
  const Vector3d size(0.1, 0.1, 0.1);
  HandContacts contacts(b.scene);
  int below = 0;
  for (int i = 0; i < 10; ++i) {
    const int box = b.addBox(size, 1, {rotationZ(0.1 * i), Vector3d(0.002 * (i % 3), 0, 0.05 + 0.1 * i)});
    contacts.addBox(box, size, below, Vector3d::UnitZ(), below ? Vector3d(0, 0, 0.05) : Vector3d::Zero());
    below = box;
  }
  b.finish();
  auto scene = build(b.scene);
  contacts.advance(*scene, 500);
  const BodyState early = bodyOf(*scene, b.scene, below);
  contacts.advance(*scene, 300);
  EXPECT_LT((bodyOf(*scene, b.scene, below).X_WB.p - early.X_WB.p).norm(), 1e-5);
  EXPECT_NEAR(contactForceOn(*scene, 1).z(), kGravity, 1e-2 * kGravity);  // From below and above.
}

TEST_P(DartContacts, VeryLightBodiesDoNotEndTheProcess) {
  // Debian's DART asserts, and so does its copy of ODE's LCP solver.
  for (const double mass : {1e-3, 1e-9, 1e-12}) {
    SceneBuilder b;
    b.addFixed(nullptr);
    const Vector3d size(0.02, 0.03, 0.01);
    const int block = b.addBox(size, mass, {rotationAbout({1, 2, 3}, 0.01), {0, 0, 0.0052}});
    b.finish();
    HandContacts contacts(b.scene);
    contacts.addBox(block, size);
    auto scene = build(b.scene);
    contacts.advance(*scene, 300);
    EXPECT_NEAR(bodyOf(*scene, b.scene, block).X_WB.p.z(), 0.005, 2e-5) << mass;
  }
}

TEST_P(DartContacts, SpinningBodiesKeepTheirMomentum) {
  for (const double h : {1e-3, 1e-4}) {
    SceneBuilder b;
    b.scene.gravity.setZero();
    const Vector3d size(0.1, 0.2, 0.3);
    const int body = b.addBox(size, 1, {});
    b.scene.bodies[body].v_WB = Vector3d(1, 0, 0);
    b.scene.bodies[body].w_WB = Vector3d(0.1, 10, 0.1);  // About the middle axis: it turns over.
    b.finish();
    auto scene = build(b.scene);
    advance(*scene, static_cast<int>(std::lround(1 / h)), h);
    const BodyState end = bodyOf(*scene, b.scene, body);
    const Matrix3d inertia = boxInertia(1, size);
    const Vector3d before = inertia * b.scene.bodies[body].w_WB;
    const Vector3d after = end.X_WB.R * inertia * end.X_WB.R.transpose() * end.w_WB;
    EXPECT_LT((end.v_WB - Vector3d(1, 0, 0)).norm(), 1e-9);
    EXPECT_LT((end.X_WB.p - Vector3d(1, 0, 0)).norm(), 1e-9);
    EXPECT_LT((after - before).norm(), 3.3 * h * before.norm());  // Of the order of the step.
  }
}

TEST_P(DartContacts, OwnDetectionHoldsWhatFalls) {
  SceneBuilder b;
  b.addFixed(planeGeometry());
  const int box = b.addBox({0.1, 0.1, 0.1}, 1, RigidTransform::translation({0, 0, 0.06}));
  const int ball = b.addSphere(0.1, 1, {1, 0, 0.12});
  CapsuleShape capsule;
  capsule.a = Vector3d(-0.1, 0, 0);
  capsule.b = Vector3d(0.1, 0, 0);
  capsule.radius = 0.05;
  const int rod = b.addBody(geometry(capsule), RigidTransform::translation({-1, 0, 0.06}),
                            {1, Vector3d::Zero(), Matrix3d::Identity() * 0.01});
  b.finish();
  auto scene = build(b.scene);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  advance(*scene, 1500);
  EXPECT_EQ(testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr(), "");
  EXPECT_NEAR(bodyOf(*scene, b.scene, box).X_WB.p.z(), 0.05, 1e-3);
  EXPECT_NEAR(bodyOf(*scene, b.scene, ball).X_WB.p.z(), 0.1, 4e-3);  // A mesh within the ball, as DART sets FCL up.
  EXPECT_NEAR(bodyOf(*scene, b.scene, rod).X_WB.p.z(), 0.05, 4e-3);
  EXPECT_FALSE(scene->contacts().empty());
  EXPECT_EQ(scene->effectiveSettings().at("restore").asString(), "approximate");
  scene->setCollision(0, -1, false);
  advance(*scene, 200);
  EXPECT_LT(bodyOf(*scene, b.scene, box).X_WB.p.z(), -0.1);
  EXPECT_THROW(buildWith(b.scene, {{"collision_detector", Value("dart")}}), Error);  // No meshes.
}

TEST_P(DartContacts, FewContactsOfItsOwnCarryAStack) {
  // FCL finds a dozen points between two boxes. The deepest of them lie together on one side, and one has a normal
  // along the faces and the depth of the whole box.
  for (const int maximum : {4, 6, 8, 20}) {
    SceneBuilder b;
    b.addFixed(boxGeometry({2, 2, 0.2}), RigidTransform::translation({0, 0, -0.1}));
    for (int i = 0; i < 5; ++i)
      b.addBox({0.2, 0.2, 0.1}, 1, {rotationZ(0.05 * i), Vector3d(0.002 * i, 0, 0.05 + 0.1 * i)});
    b.finish();
    b.scene.contactSource = ContactSource::engine;
    b.scene.maxContacts = maximum;
    auto scene = build(b.scene);
    advance(*scene, 1500);
    for (int i = 1; i <= 5; ++i) {
      const BodyState state = bodyOf(*scene, b.scene, i);
      EXPECT_NEAR(state.X_WB.p.z(), 0.1 * i - 0.05, 1e-3) << maximum << ", " << i;
      EXPECT_GT(state.X_WB.R(2, 2), 0.9999) << maximum << ", " << i;
    }
    EXPECT_LE(scene->contacts().size(), static_cast<std::size_t>(5 * maximum));
  }
}

MORTISE_FOR_DART(DartContacts);

}  // namespace
}  // namespace mortise::test
