// A fixed selection of collisions, on every engine: momentum is kept, energy does not come from nowhere.

#include "tests/support/collisions.h"

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/inspect/physics_capabilities.h"
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
  static Value capabilities() {
    return physicsCapabilities(registry(), registry().require(Kind::physics, GetParam()), log());
  }
  static LogSink& log() {
    static NullLog nothing;
    return nothing;
  }
  /// Whether the engine declares that it cannot do this.
  static bool limited(const std::string& subject) {
    const Value can = capabilities();
    for (const Value& limit : can.at("limits").items())
      if (limit.string("subject", "") == subject) return true;
    return false;
  }
};

TEST_P(Collisions, OfTwoEqualBallsExchangeTheirVelocities) {
  MORTISE_NEEDS_ENGINES(GetParam());
  const test::CollisionOutcome out =
      test::collide({test::Bodies::spheres, 1, 1, 2, 1e-3}, GetParam(), registry(), log());
  EXPECT_LE(out.momentum, 1e-12);
  if (!capabilities().at("restitution").asBool()) GTEST_SKIP() << "the engine declares that nothing bounces";
  EXPECT_NEAR(out.restitution, 1, 0.01);
  EXPECT_LE(out.growth, 1e-9);
  EXPECT_EQ(out.worst, StepStatus::normal);
}

TEST_P(Collisions, KeepMomentumAndDoNotMakeEnergy) {
  MORTISE_NEEDS_ENGINES(GetParam());
  const bool own = capabilities().at("ownContacts").asBool();
  const bool grows = limited("energy of collisions"), bounces = capabilities().at("restitution").asBool();
  const double kept = limited("momentum of bodies that turn") ? 1e-6 : 1e-9;
  for (const test::Collision& c : test::pairwiseCollisions()) {
    if (c.contacts == ContactSource::engine && !own) continue;
    SCOPED_TRACE(test::textOf(c));
    const test::CollisionOutcome out = test::collide(c, GetParam(), registry(), log());
    EXPECT_NE(out.worst, StepStatus::error);
    EXPECT_LE(out.momentum, kept);
    EXPECT_LE(out.angular, std::max(1e-9, 2 * c.step * c.speed / 0.1));
    if (c.friction == 0) {
      EXPECT_LE(out.growth, grows ? 0.2 : 1e-6);
    }
    // Whatever is beyond what the watch can see is said.
    if (out.growth > 0.05) {
      EXPECT_TRUE(out.named) << out.growth;
    }
    if (limited("restitution of its own contacts") && c.contacts == ContactSource::engine) continue;
    // What a penetration's correction adds.
    const double added = grows ? 0.08 : 0;
    if (bounces && c.speed >= 1 && !std::isnan(out.restitution)) {
      EXPECT_NEAR(out.restitution, c.restitution, 0.02 + 2e-3 / c.speed + added);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, Collisions, testing::Values("mortise", "ode", "bullet", "mujoco", "dart"),
                         [](const auto& given) { return std::string(given.param); });

}  // namespace
}  // namespace mortise
