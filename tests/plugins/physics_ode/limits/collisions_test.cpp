// The ODE backend moves bodies as a program on ODE alone does.

#include "tests/plugins/physics_ode/plain/collisions.h"

#include <gtest/gtest.h>

#include "tests/support/plain/plain_comparison.h"

namespace mortise::test {
namespace {

SideBySide onOde(const Collision& c) { return sideBySide(c, "ode", plain::collideOnOde); }

TEST(PlainOde, EveryLimitIsShownHere) {
  EXPECT_EQ(declaredLimits("ode"), std::vector<std::string>{"energy of bodies that tumble"});
}

TEST(PlainOde, MovesBodiesAsTheBackendDoes) {
  for (const Collision& c : plainCollisions()) {
    SCOPED_TRACE(textOf(c));
    EXPECT_LE(onOde(c).apart, 1e-9);
  }
}

/// Newton's law of restitution and Coulomb's of friction together, on a ball that is caught between two.
TEST(PlainOde, GainsEnergyByFrictionBetweenTwoBodies) {
  const SideBySide both = onOde({Bodies::three, 1, 300, 7, 3e-3, ContactSource::engine, 1});
  EXPECT_GE(both.libraryFigures.growth, 0.04);
  EXPECT_LE(both.libraryFigures.growth, 0.05);
  EXPECT_NEAR(both.ourFigures.growth, both.libraryFigures.growth, 1e-9);
}

}  // namespace
}  // namespace mortise::test
