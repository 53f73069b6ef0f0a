// What the DART backend declares that it cannot do, shown by a program on DART alone.

#include "tests/plugins/physics_dart/plain/collisions.h"

#include <gtest/gtest.h>

#include "tests/support/plain/plain_comparison.h"

namespace mortise::test {
namespace {

SideBySide onDart(const Collision& c) { return sideBySide(c, "dart", plain::collideOnDart); }

TEST(PlainDart, EveryLimitIsShownHere) {
  // But for the last: DART has no parameter of the kind.
  const std::vector<std::string> shown = {"grips of flat surfaces",           "momentum of bodies that turn",
                                          "energy of bodies that tumble",     "energy of its own contacts",
                                          "restitution of its own contacts",  "friction off its two axes",
                                          "stiffness and damping of contacts"};
  EXPECT_EQ(declaredLimits("dart"), shown);
}

/// The backend hands contacts to DART's solver in an order of its own, which where they contradict each other may
/// choose another solution.
TEST(PlainDart, MovesBodiesAsTheBackendDoes) {
  int seen = 0, apart = 0;
  for (const Collision& c : plainCollisions()) {
    SCOPED_TRACE(textOf(c));
    const SideBySide both = onDart(c);
    ++seen;
    apart += both.apart > 1e-6;
    EXPECT_NEAR(both.ourFigures.growth, both.libraryFigures.growth, 2e-3);
  }
  EXPECT_LE(10 * apart, seen);
}

/// Not in flight as such, and not with the step: until the body has turned by 0.001 rad, after 50 steps here.
TEST(PlainDart, LosesMomentumWhereABodyBeginsToTurn) {
  Collision c = {Bodies::spheres, 0, 1, 0.1, 1e-4, ContactSource::engine};
  c.spin = 0.2;
  World world = worldOf(c);
  world.objects[1].X_WO.p.y() += 10;  // They pass each other.
  const auto after = [&](int steps) {
    const SideBySide both = sideBySide(world, c, "dart", plain::collideOnDart, Value::map(), steps);
    EXPECT_NEAR(both.ourFigures.momentum, both.libraryFigures.momentum, 1e-12);
    return both.libraryFigures.momentum;
  };
  const double soon = after(100);
  EXPECT_GE(soon, 1e-10);
  EXPECT_LE(soon, 1e-8);
  EXPECT_NEAR(after(1000), soon, 1e-12);
}

TEST(PlainDart, GivesEnergyToWhatSinksInWithinAStep) {
  const SideBySide both = onDart({Bodies::rod, 1, 1e-3, 20, 5e-3, ContactSource::engine});
  EXPECT_GE(both.libraryFigures.growth, 0.35);
  EXPECT_LE(both.libraryFigures.growth, 0.45);
  EXPECT_NEAR(both.ourFigures.growth, both.libraryFigures.growth, 1e-6);
}

TEST(PlainDart, GivesEnergyByFrictionOnTheFacetsOfBalls) {
  const SideBySide both = onDart({Bodies::three, 1, 1, 0.5, 7e-4, ContactSource::engine, 1});
  EXPECT_GE(both.libraryFigures.growth, 0.15);
  EXPECT_LE(both.libraryFigures.growth, 0.2);
  EXPECT_NEAR(both.ourFigures.growth, both.libraryFigures.growth, 1e-6);
}

TEST(PlainDart, BallsPartAsideOffTheFacetsThatTheyHave) {
  const SideBySide both = onDart({Bodies::spheres, 1, 1, 1, 1e-4, ContactSource::engine});
  EXPECT_LE(both.libraryFigures.restitution, 0.2);
  EXPECT_NEAR(both.ourFigures.restitution, both.libraryFigures.restitution, 1e-6);
  const SideBySide boxes = onDart({Bodies::boxes, 1, 1, 1, 1e-4, ContactSource::engine});
  EXPECT_NEAR(boxes.libraryFigures.restitution, 1, 0.03);
}

}  // namespace
}  // namespace mortise::test
