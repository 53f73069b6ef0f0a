// Rolling friction: a ball on a plane against closed forms, on the engines that have it.

#include <algorithm>

#include "hand_contacts.h"

namespace mortise::test {
namespace {

constexpr double kRadius = 0.1, kArm = 0.002;

class Rolling : public PhysicsTest {
 protected:
  void SetUp() override {
    PhysicsTest::SetUp();
    if (IsSkipped()) return;
    useNormalized();
    if (!physics().capabilities().rollingFriction) GTEST_SKIP() << "the engine has no rolling friction";
  }

  /// Balls that roll without slipping, each in a lane and with a direction of its own, on a plane.
  struct Balls {
    SceneBuilder b;
    std::vector<int> bodies;
  };
  static Balls rollingBalls(double arm, double speed) {
    Balls balls;
    balls.b.surface.rolling = 0;
    balls.b.addFixed(boxGeometry({40, 40, 0.2}), RigidTransform::translation({0, 0, -0.1}));
    balls.b.surface.rolling = arm;
    for (int k = 0; k < 3; ++k) {
      const int ball = balls.b.addSphere(kRadius, 1 + k, {0.0, 4.0 * k, kRadius});
      const Vector3d v = speed * Vector3d(std::cos(0.5 * k), std::sin(0.5 * k), 0);
      balls.b.scene.bodies[static_cast<std::size_t>(ball)].v_WB = v;
      balls.b.scene.bodies[static_cast<std::size_t>(ball)].w_WB = Vector3d(-v.y(), v.x(), 0) / kRadius;
      balls.bodies.push_back(ball);
    }
    balls.b.finish();
    return balls;
  }
  /// m/s^2: m a = F, 2/5 m r^2 alpha = -F r - rho m g, a = r alpha.
  static double deceleration(double arm) { return 5.0 / 7 * arm * kGravity / kRadius; }
  /// Pyramids of axes that lie across the way, and cones shared with sliding.
  double tolerance() const { return GetParam() == "mujoco" ? 0.01 : 0.02; }
};

TEST_P(Rolling, ABallIsSlowedDownByTheArmOfItsSurface) {
  Balls balls = rollingBalls(kArm, 1);
  auto scene = build(balls.b.scene);
  advance(*scene, 200);
  std::vector<double> before;
  for (const int ball : balls.bodies) before.push_back(bodyOf(*scene, balls.b.scene, ball).v_WB.norm());
  advance(*scene, 1000);
  for (std::size_t k = 0; k < balls.bodies.size(); ++k) {
    const BodyState state = bodyOf(*scene, balls.b.scene, balls.bodies[k]);
    // Tangents lie along the first ball's way; a pyramid's limits across its axes are larger by up to cos + sin.
    const double least = k == 0 ? 1 : 0.99, most = k == 0 || GetParam() == "mujoco" ? 1 : std::sqrt(2.0);
    const double loss = (before[k] - state.v_WB.norm()) / deceleration(kArm);
    EXPECT_GT(loss, least - tolerance()) << k;
    EXPECT_LT(loss, most + tolerance()) << k;
    EXPECT_NEAR(state.w_WB.norm() * kRadius, state.v_WB.norm(), 0.01) << "it rolls on";
  }
}

TEST_P(Rolling, ContactsFromOutsideHaveItToo) {
  Balls balls = rollingBalls(kArm, 1);
  HandContacts contacts(balls.b.scene);
  for (const int ball : balls.bodies) contacts.addBall(ball, kRadius);
  // The support's plane is z = 0 of its frame.
  balls.b.scene.bodies[0].X_WB.p.setZero();
  auto scene = physics().build(balls.b.scene);
  contacts.advance(*scene, 200);
  const double before = bodyOf(*scene, balls.b.scene, balls.bodies[0]).v_WB.norm();
  contacts.advance(*scene, 1000);
  const double after = bodyOf(*scene, balls.b.scene, balls.bodies[0]).v_WB.norm();
  EXPECT_NEAR((before - after) / deceleration(kArm), 1, 0.42);
  EXPECT_GT((before - after) / deceleration(kArm), 1 - tolerance());
}

TEST_P(Rolling, ABallComesToRestAndStays) {
  Balls balls = rollingBalls(0.02, 0.3);
  auto scene = build(balls.b.scene);
  advance(*scene, 1000);
  for (const int ball : balls.bodies) EXPECT_LT(bodyOf(*scene, balls.b.scene, ball).v_WB.norm(), 2e-3);
}

TEST_P(Rolling, WithoutAnArmNothingChanges) {
  // The ground's arm alone counts as much as the ball's.
  const auto lossOf = [&](double ground, double ball) {
    Balls balls = rollingBalls(ball, 1);
    balls.b.scene.surfaces[0].rolling = ground;
    auto scene = build(balls.b.scene);
    advance(*scene, 600);
    return 1 - bodyOf(*scene, balls.b.scene, balls.bodies[0]).v_WB.norm();
  };
  EXPECT_LT(lossOf(0, 0), 0.01);
  EXPECT_NEAR(lossOf(kArm, 0), lossOf(0, kArm), 1e-12);
  EXPECT_NEAR(lossOf(kArm, kArm) / lossOf(0, 2 * kArm), 1, 1e-12);
}

MORTISE_FOR_EVERY_ENGINE(Rolling);

}  // namespace
}  // namespace mortise::test
