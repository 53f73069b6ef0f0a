// Friction and damping of the Bullet backend are those of Bullet alone.

#include <gtest/gtest.h>

#include "tests/plugins/physics_bullet/plain/collisions.h"
#include "tests/plugins/physics_bullet/plain/damping.h"
#include "tests/support/plain/plain_comparison.h"

namespace mortise::test {
namespace {

/// The angular momentum of balls about the origin; centers move with the velocities of the ends of steps.
Vector3d turning(const plain::Scene& scene, const plain::History& history) {
  std::vector<Vector3d> places;
  for (const plain::Body& body : scene.bodies) places.push_back(fromPlain(body.position));
  for (const std::vector<plain::State>& states : history)
    for (std::size_t i = 0; i < places.size(); ++i) places[i] += scene.step * fromPlain(states[i].velocity);
  Vector3d sum = Vector3d::Zero();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const plain::State start = {scene.bodies[i].velocity, scene.bodies[i].spin};
    const plain::State state = history.empty() ? start : history.back()[i];
    sum += scene.bodies[i].mass * places[i].cross(fromPlain(state.velocity)) +
           fromPlain(scene.bodies[i].moments).asDiagonal() * fromPlain(state.spin);
  }
  return sum;
}

TEST(PlainBullet, ChangesAngularMomentumByFriction) {
  Collision c = {Bodies::spheres, 0.8, 1, 5, 1e-2, ContactSource::engine, 0.5};
  c.slant = 0.5;
  const SideBySide both = sideBySide(worldOf(c), c, "bullet",
                                     [](const plain::Scene& scene) { return plain::collideOnBullet(scene, {0.08}); });
  const Vector3d before = turning(both.scene, {}), library = turning(both.scene, both.library),
                 ours = turning(both.scene, both.ours);
  EXPECT_GE((library - before).norm(), 0.01 * before.norm());
  EXPECT_LE((library - ours).norm(), 1e-9 * before.norm());
}

TEST(PlainBullet, DampsRobots) {
  EXPECT_NEAR(plain::dampingOfBullet().linear, 0.04, 1e-7);
  EXPECT_NEAR(plain::dampingOfBullet().angular, 0.04, 1e-7);
}

}  // namespace
}  // namespace mortise::test
