/// Which pairs of a scene come near each other at all.

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "tests/toolbox/contacts/contact_scenes.h"

namespace mortise {
namespace {

using test::shapeOf;

constexpr double kRadius = 0.3;

struct Balls {
  std::shared_ptr<const ContactScene> scene;
  std::vector<Vector3d> places;
};

/// Balls in a box; the first `numFixed` never meet each other, as terrains do not, and of the others some pairs do not.
Balls ballsOf(RandomStream& random, int numFixed, int numBalls, double size) {
  const CollisionShapePtr ball = shapeOf(SphereShape{Vector3d::Zero(), kRadius});
  PairTable pairs(numBalls);
  Balls balls;
  for (int a = 0; a < numBalls; ++a) {
    balls.places.emplace_back(random.uniform(0, size), random.uniform(0, size), random.uniform(0, size));
    for (int b = std::max(a + 1, numFixed); b < numBalls; ++b) pairs.set(a, b, random.below(4) > 0);
  }
  balls.scene = std::make_shared<const ContactScene>(
      std::vector<ContactBody>(static_cast<std::size_t>(numBalls), {ball, 0.01}), pairs);
  return balls;
}

std::vector<IdPair> expectedOf(const Balls& balls) {
  std::vector<IdPair> pairs;
  balls.scene->pairs().forEachPair([&](int a, int b) {
    const Vector3d gap = balls.places[static_cast<std::size_t>(a)] - balls.places[static_cast<std::size_t>(b)];
    if (gap.cwiseAbs().maxCoeff() <= 2 * (kRadius + 0.01) + 0.001) pairs.push_back({a, b});
  });
  return pairs;
}

TEST(NearPairs, AreThoseWhoseBoxesOverlap) {
  RandomStream random(5, "balls");
  std::vector<IdPair> found;
  for (const int fixed : {0, 1, 20, 60}) {
    Balls balls = ballsOf(random, fixed, 60, 3);
    ContactGenerator generator(balls.scene);
    for (int step = 0; step < 4; ++step) {  // The order of the step before is that of other places.
      for (int id = 0; id < 60; ++id) {
        balls.places[static_cast<std::size_t>(id)].x() += step * random.uniform(-1, 1);
        generator.setPose(id, RigidTransform::translation(balls.places[static_cast<std::size_t>(id)]));
      }
      const std::vector<IdPair> expected = expectedOf(balls);
      EXPECT_EQ(generator.nearPairs(100'000, found), expected.size());
      EXPECT_EQ(found, expected) << fixed;
      if (fixed < 60) {
        EXPECT_GT(expected.size(), 5u);
      }
      EXPECT_EQ(generator.nearPairs(3, found), expected.size());
      EXPECT_EQ(found.size(), std::min<std::size_t>(3, expected.size()));
      EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
    }
  }
}

TEST(NearPairs, OfTerrainsAreNotLookedFor) {
  RandomStream random(6, "balls");
  const Balls balls = ballsOf(random, 40, 60, 1);
  for (int id = 0; id < 60; ++id) {
    if (id < 40) {
      EXPECT_TRUE(balls.scene->quiet(id));
    }
    for (int other = 0; other < id; ++other)
      EXPECT_FALSE(balls.scene->quiet(id) && balls.scene->quiet(other) && balls.scene->pairs()(id, other));
  }
}

TEST(ContactScene, WithOtherPairsFindsTheirContactsAlone) {
  RandomStream random(8, "balls");
  const Balls balls = ballsOf(random, 2, 12, 1);
  PairTable one(12);
  ASSERT_GT(expectedOf(balls).size(), 1u);
  const IdPair pair = expectedOf(balls).front();
  one.set(pair.a, pair.b, true);
  ContactGenerator all(balls.scene), some(std::make_shared<const ContactScene>(balls.scene->withPairs(one)));
  for (int id = 0; id < 12; ++id)
    for (ContactGenerator* generator : {&all, &some})
      generator->setPose(id, RigidTransform::translation(balls.places[static_cast<std::size_t>(id)]));
  all.update();
  some.update();
  std::vector<Vector3d> expected, points;
  for (const GeneratedContact& contact : all.contacts())
    if (contact.a == pair.a && contact.b == pair.b) expected.push_back(contact.point);
  for (const GeneratedContact& contact : some.contacts()) {
    EXPECT_EQ((IdPair{contact.a, contact.b}), pair);
    points.push_back(contact.point);
  }
  EXPECT_EQ(points, expected);
  EXPECT_THROW((void)balls.scene->withPairs(PairTable(3)), Error);
}

}  // namespace
}  // namespace mortise
