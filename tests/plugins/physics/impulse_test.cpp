#include "scenes.h"

// Momentum that joints and contacts take and give, in every engine.

namespace mortise::test {
namespace {

class Impulses : public PhysicsTest {};

TEST_P(Impulses, StartingVelocitiesBesideAJointLoseWhatItTakes) {
  // A body on a hinge 0.5 m from its center, one on a slider at 45 degrees, and two that hang on each other.
  SceneBuilder b;
  b.scene.gravity.setZero();
  const Matrix3d I = 0.01 * Matrix3d::Identity();
  const auto body = [&](const Vector3d& p, double mass, const Vector3d& v) {
    const int index = b.addBody(nullptr, RigidTransform::translation(p), {mass, Vector3d::Zero(), I});
    b.scene.bodies[index].v_WB = v;
    return index;
  };
  const int bob = body({0, 0, -0.5}, 1, {1, 0.3, 0.2}), sled = body({5, 0, 0}, 2, {1, 0, 0});
  const int first = body({9, 0, 0}, 1, {0, 0, 0}), second = body({10, 0, 0}, 1, {0, 1, 0});
  const auto join = [&](SceneConstraint::Type type, int a, int c, const Vector3d& point, const Vector3d& axis) {
    SceneConstraint constraint;
    constraint.type = type;
    constraint.a = a;
    constraint.b = c;
    constraint.point = point;
    constraint.axis = axis.normalized();
    b.scene.constraints.push_back(constraint);
  };
  join(SceneConstraint::Type::hinge, bob, -1, {0, 0, 0}, Vector3d::UnitY());
  join(SceneConstraint::Type::slider, sled, -1, {5, 0, 0}, {1, 1, 0});
  join(SceneConstraint::Type::hinge, first, second, {9.5, 0, 0}, Vector3d::UnitZ());
  b.finish();
  auto scene = build(b.scene);
  scene->step(kStep);
  // Angular momentum about the hinge, over the inertia about it.
  EXPECT_NEAR(bodyOf(*scene, b.scene, bob).w_WB.y(), -0.5 / 0.26, 5e-3);
  EXPECT_NEAR(bodyOf(*scene, b.scene, sled).v_WB.x(), 0.5, 2e-3);
  EXPECT_NEAR(bodyOf(*scene, b.scene, sled).v_WB.y(), 0.5, 2e-3);
  const BodyState f = bodyOf(*scene, b.scene, first), s = bodyOf(*scene, b.scene, second);
  EXPECT_NEAR(f.v_WB.y() + s.v_WB.y(), 1, 2e-3);
  EXPECT_NEAR(f.v_WB.y() + 0.5 * f.w_WB.z(), s.v_WB.y() - 0.5 * s.w_WB.z(), 2e-3);
  EXPECT_NEAR(f.w_WB.z(), 0.5 / (0.5 + 0.02), 2e-2);
}

TEST_P(Impulses, FrictionOfTwoBodiesKeepsTheirAngularMomentum) {
  // Balls that have sunk into each other, of which one spins: friction acts on both at one point.
  SceneBuilder b;
  b.scene.gravity.setZero();
  b.surface.friction = 0.5;
  const double radius = 0.1, depth = 0.004;
  const int first = b.addSphere(radius, 1, {0, 0, 0}), second = b.addSphere(radius, 3, {2 * radius - depth, 0, 0});
  b.scene.bodies[first].v_WB = Vector3d(1, 0.2, 0);
  b.scene.bodies[first].w_WB = Vector3d(0, 10, 50);
  b.finish();
  b.scene.contactSource = ContactSource::external;
  auto scene = physics().build(b.scene);
  const auto momentum = [&] {
    Vector3d sum = Vector3d::Zero();
    for (const int i : {first, second}) {
      const BodyState state = bodyOf(*scene, b.scene, i);
      const BodyInertia& inertia = b.scene.bodies[i].inertia;
      const Matrix3d& R = state.X_WB.R;
      sum += inertia.mass * state.X_WB.p.cross(state.v_WB) + R * inertia.inertia * R.transpose() * state.w_WB;
    }
    return sum;
  };
  const Vector3d before = momentum();
  SceneContact contact;
  contact.key = 1;
  contact.bodyA = first;
  contact.bodyB = second;
  contact.idA = b.scene.bodies[first].id;
  contact.idB = b.scene.bodies[second].id;
  contact.point = Vector3d(radius - 0.5 * depth, 0, 0);
  contact.normal = -Vector3d::UnitX();
  contact.gap = -depth;
  contact.material = b.scene.material(contact.idA, contact.idB);
  scene->setContacts(std::span(&contact, 1));
  scene->step(kStep);
  EXPECT_LT(bodyOf(*scene, b.scene, first).w_WB.z(), 49) << "there was no friction";
  EXPECT_LT((momentum() - before).norm(), 1e-4 * before.norm());
}

MORTISE_FOR_EVERY_ENGINE(Impulses);

}  // namespace
}  // namespace mortise::test
