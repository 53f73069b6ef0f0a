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

/// m: how far a ball comes that rolls at 1 m/s, in `time`. Sliding and rolling share one cone with MuJoCo, where the
/// force and torque of a contact point along (mu^2 slip, rho^2 omega); elsewhere each has its own limit, and a ball
/// whose arm would take more friction than there is slides.
double wayOf(bool shared, double arm, double friction, double time) {
  if (!shared) {
    const double a = std::min(5.0 / 7 * arm / kRadius, friction) * kGravity;
    return time - 0.5 * a * time * time;
  }
  if (arm > 1) {  // It stops turning at once, and torque F r holds it so.
    const double a = friction * kGravity / std::hypot(1, friction * kRadius / arm);
    return time - 0.5 * a * time * time;
  }
  const double inertia = 0.4 * kRadius * kRadius, h = 1e-6;
  double way = 0, v = 1, omega = v / kRadius;
  for (double t = 0; t < time; t += h) {
    const double slip = v - omega * kRadius;
    const double size = std::hypot(friction * slip, arm * omega, 1e-4 * friction);
    const double force = kGravity * friction * friction * slip / size, torque = kGravity * arm * arm * omega / size;
    way += v * h;
    v -= force * h;
    const double next = omega + (force * kRadius - torque) / inertia * h;
    omega = next * omega < 0 ? 0 : next;
  }
  return way;
}

TEST_P(Rolling, HoldsFromSmallArmsToTheLargestThatASurfaceMayHave) {
  constexpr double kFriction = 0.5, kTime = 0.15;
  for (const double arm : {1e-3, 1e-2, 0.05, 0.1, 0.3, 1.0, 10.0, 1e3, 1e6}) {
    Balls balls = rollingBalls(arm, 1);
    for (Surface& surface : balls.b.scene.surfaces) surface.friction = kFriction;
    auto scene = build(balls.b.scene);
    advance(*scene, static_cast<int>(std::lround(kTime / 0.001)));
    const BodyState state = bodyOf(*scene, balls.b.scene, balls.bodies[0]);
    EXPECT_NEAR(state.X_WB.p.x(), wayOf(GetParam() == "mujoco", arm, kFriction, kTime), 0.003) << arm;
    EXPECT_NEAR(state.X_WB.p.z(), kRadius, 1e-3) << arm << ": the ground carries it";
  }
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
