// A fixed selection of collisions, on every engine: momentum is kept, energy does not come from nowhere.

#include <cmath>
#include <gtest/gtest.h>

#include "tests/support/collision_laws.h"
#include "tests/support/engines.h"
#include "tests/support/plugins.h"

namespace mortise {
namespace {

class Collisions : public testing::TestWithParam<const char*> {
 protected:
  static Registry& registry() {
    static NullLog log;
    static Registry* const instance = test::makeRegistry(log).release();
    return *instance;
  }
  static LogSink& log() {
    static NullLog nothing;
    return nothing;
  }
  static test::CollisionClaims claims() { return test::CollisionClaims::of(registry(), GetParam(), log()); }
};

TEST_P(Collisions, OfTwoEqualBallsExchangeTheirVelocities) {
  MORTISE_NEEDS_ENGINES(GetParam());
  const test::CollisionOutcome out =
      test::collide({test::Bodies::spheres, 1, 1, 2, 1e-3}, GetParam(), registry(), log());
  EXPECT_LE(out.momentum, 1e-12);
  if (!claims().bounces) GTEST_SKIP() << "the engine declares that nothing bounces";
  EXPECT_NEAR(out.restitution, 1, 0.01);
  EXPECT_LE(out.growth, 1e-9);
  EXPECT_EQ(out.worst, StepStatus::normal);
}

TEST_P(Collisions, KeepMomentumAndDoNotMakeEnergy) {
  MORTISE_NEEDS_ENGINES(GetParam());
  const test::CollisionClaims can = claims();
  for (const test::Collision& c : test::pairwiseCollisions()) {
    if (c.contacts == ContactSource::engine && !can.ownContacts) continue;
    SCOPED_TRACE(test::textOf(c));
    const test::CollisionOutcome out = test::collide(c, GetParam(), registry(), log());
    const auto bounds = test::CollisionBounds::declared(c, can);
    EXPECT_NE(out.worst, StepStatus::error);
    EXPECT_LE(out.momentum, bounds.momentum);
    EXPECT_LE(out.angular, bounds.angular);
    EXPECT_LE(out.growth, bounds.growth);
    // Whatever is beyond what the watch can see is said.
    if (out.growth > 0.05) {
      EXPECT_TRUE(out.named) << out.growth;
    }
    if (!std::isnan(out.restitution)) {
      EXPECT_NEAR(out.restitution, c.restitution, bounds.restitution);
    }
  }
}

/// Newton's law of restitution and Coulomb's of friction give energy to a ball that is wedged between two, without
/// bound when friction is more than the wedge is steep; `mortise` lets it bounce less.
TEST(CollisionsOfThree, GiveNoEnergyByFriction) {
  NullLog log;
  const auto registry = test::makeRegistry(log);
  for (const double restitution : {0.3, 0.8, 1.0})
    for (const double friction : {0.3, 0.63, 1.0, 2.0})
      for (const double mass : {1.0, 300.0}) {
        test::Collision c = {test::Bodies::three, restitution, mass, 7, 3e-3};
        c.friction = friction;
        SCOPED_TRACE(test::textOf(c));
        const test::CollisionOutcome out = test::collide(c, "mortise", *registry, log);
        EXPECT_LE(out.growth, 1e-3);
        EXPECT_LE(out.momentum, 1e-12);
        EXPECT_FALSE(out.named);
      }
}

/// Without friction nothing is taken from the bounce.
TEST(CollisionsOfThree, BounceInFullWithoutFriction) {
  NullLog log;
  const auto registry = test::makeRegistry(log);
  const test::CollisionOutcome out = test::collide({test::Bodies::three, 1, 300, 7, 3e-3}, "mortise", *registry, log);
  EXPECT_LE(out.growth, 1e-9);
  EXPECT_NEAR(out.kept, 1, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Engines, Collisions, testing::Values("mortise", "ode", "bullet", "mujoco", "dart"),
                         [](const auto& given) { return std::string(given.param); });

}  // namespace
}  // namespace mortise
