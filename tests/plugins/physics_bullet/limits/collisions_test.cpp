// What the Bullet backend declares that it cannot do, shown by a program on Bullet alone.

#include "tests/plugins/physics_bullet/plain/collisions.h"

#include <gtest/gtest.h>

#include "tests/support/plain/plain_comparison.h"

namespace mortise::test {
namespace {

SideBySide onBullet(const World& world, const Collision& c, double erp2 = 0.08) {
  Value settings = Value::map();
  settings.set("erp2", erp2);
  return sideBySide(
      world, c, "bullet", [&](const plain::Scene& scene) { return plain::collideOnBullet(scene, {erp2}); }, settings);
}
SideBySide onBullet(const Collision& c, double erp2 = 0.08) { return onBullet(worldOf(c), c, erp2); }

TEST(PlainBullet, EveryLimitIsShownHere) {
  const std::vector<std::string> shown = {"energy of collisions",
                                          "restitution of its own contacts",
                                          "angular momentum in its own contacts",
                                          "energy of bodies that tumble",
                                          "damping of robots",
                                          "grips of flat surfaces"};
  EXPECT_EQ(declaredLimits("bullet"), shown);
}

TEST(PlainBullet, MovesBodiesAsTheBackendDoes) {
  for (const Collision& c : plainCollisions()) {
    SCOPED_TRACE(textOf(c));
    EXPECT_LE(onBullet(c).apart, 1e-9);
  }
}

/// Two balls that bounce without loss, and two that do not bounce, by where in the step they meet.
TEST(PlainBullet, AddsTheCorrectionOfPenetrationToTheVelocity) {
  double fastest = 0;
  for (const ContactSource source : kContactSources)
    for (int phase = 0; phase < 10; ++phase) {
      const Collision c = {Bodies::spheres, 1, 1, 2, 1e-3, source};
      World world = worldOf(c);
      world.objects[0].X_WO.p.x() -= 0.1 * phase * c.speed * c.step;
      const SideBySide both = onBullet(world, c);
      EXPECT_LE(both.apart, 1e-9) << textOf(c) << ", phase " << phase;
      EXPECT_NEAR(both.libraryFigures.restitution, both.ourFigures.restitution, 1e-9);
      EXPECT_LE(both.libraryFigures.restitution, 1.08);
      fastest = std::max(fastest, both.libraryFigures.restitution);
      // But for the slop, 0.01 mm that a step takes.
      const SideBySide without = onBullet(world, c, 0);
      EXPECT_NEAR(without.libraryFigures.restitution, 1, 0.0051);
      EXPECT_NEAR(without.ourFigures.restitution, without.libraryFigures.restitution, 1e-9);
    }
  EXPECT_GE(fastest, 1.06);
}

TEST(PlainBullet, PushesApartWhatDoesNotBounce) {
  double fastest = 0;
  for (int phase = 0; phase < 10; ++phase) {
    const Collision c = {Bodies::spheres, 0, 1, 2, 1e-3, ContactSource::engine};
    World world = worldOf(c);
    world.objects[0].X_WO.p.x() -= 0.1 * phase * c.speed * c.step;
    const SideBySide both = onBullet(world, c);
    EXPECT_LE(both.apart, 1e-9) << "phase " << phase;
    EXPECT_LE(both.libraryFigures.restitution, 0.08);
    EXPECT_NEAR(both.ourFigures.restitution, both.libraryFigures.restitution, 1e-9);
    fastest = std::max(fastest, both.libraryFigures.restitution);
  }
  EXPECT_GE(fastest, 0.06);
}

TEST(PlainBullet, HardlyBouncesOffWhatItFindsBeforeItTouches) {
  const Collision c = {Bodies::floor, 1, 1, 20, 1e-4, ContactSource::engine};
  const SideBySide both = onBullet(c);
  EXPECT_LE(both.libraryFigures.restitution, 0.05);
  EXPECT_NEAR(both.ourFigures.restitution, both.libraryFigures.restitution, 1e-9);
}

/// Newton's law of restitution and Coulomb's of friction together, on a ball that is caught between two, and what the
/// correction of the penetration adds.
TEST(PlainBullet, GainsEnergyByFrictionBetweenTwoBodies) {
  const Collision c = {Bodies::three, 1, 300, 7, 3e-3, ContactSource::engine, 1};
  const SideBySide both = onBullet(c);
  EXPECT_GE(both.libraryFigures.growth, 0.6);
  EXPECT_LE(both.libraryFigures.growth, 0.7);
  EXPECT_NEAR(both.ourFigures.growth, both.libraryFigures.growth, 1e-9);
}

}  // namespace
}  // namespace mortise::test
