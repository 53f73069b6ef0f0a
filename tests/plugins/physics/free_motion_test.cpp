#include "scenes.h"

namespace mortise::test {
namespace {

class FreeMotion : public PhysicsTest {};

TEST_P(FreeMotion, FallsAsGalileoSays) {
  SceneBuilder b;
  const int ball = b.addSphere(0.1, 2, {0, 0, 100});
  b.finish();
  auto scene = build(b.scene);
  advance(*scene, 1000);
  const BodyState state = bodyOf(*scene, b.scene, ball);
  EXPECT_NEAR(state.X_WB.p.z(), 100 - 0.5 * kGravity, 2e-3 * 0.5 * kGravity);
  EXPECT_NEAR(state.v_WB.z(), -kGravity, 1e-9);
}

TEST_P(FreeMotion, ThrownBodyFollowsTheParabola) {
  // The body's frame lies off its center of mass; the center is what flies along the parabola.
  SceneBuilder b;
  const Vector3d com(0.1, -0.2, 0.3);
  const RigidTransform X_WB(rotationAbout({1, 2, 3}, 0.7), Vector3d(1, 2, 3));
  const int body = b.addBody(nullptr, X_WB, {1.5, com, Vector3d(0.02, 0.03, 0.04).asDiagonal().toDenseMatrix()});
  const Vector3d w(1, -2, 0.5), v_com(3, 1, 4);
  b.scene.bodies[body].w_WB = w;
  b.scene.bodies[body].v_WB = v_com - w.cross(X_WB.R * com);
  b.finish();
  auto scene = build(b.scene);
  advance(*scene, 1000);
  const BodyState state = bodyOf(*scene, b.scene, body);
  const Vector3d expected = X_WB * com + v_com + Vector3d(0, 0, -0.5 * kGravity);
  const double path = 5.2;  // Arc length of this parabola over its first second, about.
  EXPECT_LT((state.X_WB * com - expected).norm(), 2e-3 * path);
  const Vector3d velocity = state.v_WB + state.w_WB.cross(state.X_WB.R * com);
  EXPECT_LT((velocity - (v_com + Vector3d(0, 0, -kGravity))).norm(), 1e-6);
}

TEST_P(FreeMotion, RotationKeepsItsAngularMomentum) {
  SceneBuilder b;
  b.scene.gravity.setZero();
  const Matrix3d inertia = Vector3d(0.1, 0.2, 0.25).asDiagonal();
  const int body = b.addBody(nullptr, {}, {1, Vector3d::Zero(), inertia});
  b.scene.bodies[body].w_WB = Vector3d(0.3, 4, 0.1);  // Near the unstable axis: it tumbles.
  b.finish();
  auto scene = build(b.scene);
  const Vector3d before = inertia * b.scene.bodies[body].w_WB;
  const double energyBefore = 0.5 * before.dot(b.scene.bodies[body].w_WB);
  advance(*scene, 2000);
  const BodyState state = bodyOf(*scene, b.scene, body);
  const Vector3d after = state.X_WB.R * inertia * state.X_WB.R.transpose() * state.w_WB;
  EXPECT_LT((after - before).norm(), 1e-2 * before.norm());
  EXPECT_NEAR(0.5 * after.dot(state.w_WB), energyBefore, 2e-2 * energyBefore);
  EXPECT_LT((state.X_WB.R.transpose() * state.X_WB.R - Matrix3d::Identity()).norm(), 1e-9);
}

TEST_P(FreeMotion, WrenchActsForOneStep) {
  SceneBuilder b;
  b.scene.gravity.setZero();
  const Vector3d com(0.1, 0, 0);
  const Matrix3d inertia = Vector3d(0.1, 0.2, 0.3).asDiagonal();
  const int body = b.addBody(nullptr, {}, {2, com, inertia});
  b.finish();
  auto scene = build(b.scene);
  scene->step(kStep);
  scene->applyWrench(body, Vector3d(0, 0, 4), Vector3d(0.5, 0, 0), Vector3d(0.4, 0, 0));
  scene->applyWrench(body, Vector3d(2, 0, 0), Vector3d::Zero(), com);  // Adds up.
  advance(*scene, 10);
  const BodyState state = bodyOf(*scene, b.scene, body);
  const Vector3d torque = Vector3d(0.5, 0, 0) + Vector3d(0.3, 0, 0).cross(Vector3d(0, 0, 4));
  const Vector3d w = inertia.inverse() * torque * kStep;
  EXPECT_LT((state.w_WB - w).norm(), 1e-4 * w.norm());  // Gyroscopic moments are at work, too.
  const Vector3d v = Vector3d(2, 0, 4) / 2 * kStep - w.cross(com);
  EXPECT_LT((state.v_WB - v).norm(), 1e-4 * v.norm());
}

TEST_P(FreeMotion, GravityCanChange) {
  SceneBuilder b;
  const int ball = b.addSphere(0.1, 1, {0, 0, 0});
  b.finish();
  auto scene = build(b.scene);
  scene->setGravity(Vector3d(1, 0, 0));
  advance(*scene, 1000);
  EXPECT_LT((bodyOf(*scene, b.scene, ball).v_WB - Vector3d(1, 0, 0)).norm(), 1e-9);
}

TEST_P(FreeMotion, StateCanBeSet) {
  SceneBuilder b;
  b.scene.gravity.setZero();
  const int body = b.addBody(nullptr, {}, {1, Vector3d(0, 0.2, 0), Matrix3d::Identity()});
  b.finish();
  auto scene = build(b.scene);
  BodyState state;
  state.X_WB = RigidTransform(rotationAbout({0, 1, 1}, 2), Vector3d(1, 2, 3));
  state.v_WB = Vector3d(1, 0, 0);
  state.w_WB = Vector3d(0, 0, 2);
  scene->setBodyState(body, state);
  const BodyState read = bodyOf(*scene, b.scene, body);
  EXPECT_LT((read.X_WB.R - state.X_WB.R).norm(), 1e-12);
  EXPECT_LT((read.X_WB.p - state.X_WB.p).norm(), 1e-12);
  EXPECT_LT((read.v_WB - state.v_WB).norm(), 1e-12);
  EXPECT_LT((read.w_WB - state.w_WB).norm(), 1e-12);
}

MORTISE_FOR_EACH_BACKEND(FreeMotion);

}  // namespace
}  // namespace mortise::test
