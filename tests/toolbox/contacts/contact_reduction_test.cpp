#include "mortise/contacts/contact_reduction.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "mortise/base/random.h"
#include "tests/toolbox/contacts/contact_scenes.h"

namespace mortise {
namespace {

std::vector<ReducibleContact> grid(int n, RandomStream& random, double noise) {
  std::vector<ReducibleContact> contacts;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      contacts.push_back({Vector3d(0.1 * i, 0.1 * j, 0), Vector3d::UnitZ(), noise * random.uniform(-1, 1), false});
  return contacts;
}

TEST(ContactReduction, KeepsTheCornersOfAPatchAsTheyAre) {
  RandomStream random(1, "grid");
  auto contacts = grid(11, random, 0);
  contacts[0].gap = -1e-6;
  std::vector<int> chosen;
  ReductionWorkspace workspace;
  reduceContacts(contacts, 4, 0, chosen, workspace);
  EXPECT_EQ(chosen, (std::vector<int>{0, 10, 110, 120}));
}

TEST(ContactReduction, KeepsTheDeepestWhereverItIs) {
  RandomStream random(1, "grid");
  auto contacts = grid(11, random, 0);
  contacts[60].gap = -1e-3;
  std::vector<int> chosen;
  ReductionWorkspace workspace;
  reduceContacts(contacts, 5, 0, chosen, workspace);
  EXPECT_EQ(chosen, (std::vector<int>{0, 10, 60, 110, 120}));
}

TEST(ContactReduction, DoesNotFlickerWithNoise) {
  RandomStream random(2, "grid");
  std::vector<int> chosen, last;
  ReductionWorkspace workspace;
  for (int step = 0; step < 200; ++step) {
    auto contacts = grid(9, random, 1e-5);
    for (const int i : last) contacts[i].kept = true;
    reduceContacts(contacts, 6, 1e-4, chosen, workspace);
    ASSERT_EQ(chosen.size(), 6u);
    if (last.empty()) last = chosen;
    EXPECT_EQ(chosen, last) << step;
    last = chosen;
  }
}

TEST(ContactReduction, KeepsEachDirection) {
  RandomStream random(3, "grid");
  auto contacts = grid(9, random, 0);
  contacts[0].gap = -1e-6;
  contacts.push_back({Vector3d(0.4, 0.4, 0), Vector3d::UnitX(), 0, false});
  std::vector<int> chosen;
  ReductionWorkspace workspace;
  reduceContacts(contacts, 5, 0, chosen, workspace);
  EXPECT_TRUE(std::binary_search(chosen.begin(), chosen.end(), 81));
}

/// A ring of triangles, its axis along y.
TriangleMesh ringMesh(double ring, double tube, int around, int across) {
  TriangleMesh mesh;
  const double turn = 2 * 3.14159265358979323846;
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      const double u = turn * i / around, v = turn * j / across, r = ring + tube * std::cos(v);
      mesh.vertices.emplace_back(r * std::cos(u), tube * std::sin(v), r * std::sin(u));
    }
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      const int a = i * across + j, b = (i + 1) % around * across + j, c = i * across + (j + 1) % across;
      const int d = (i + 1) % around * across + (j + 1) % across;
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({c, b, d});
    }
  return mesh;
}

TEST(ContactScenarios, RingHangsOnAHookFromItsInside) {
  const double radius = 0.01, inner = 0.02, padding = 0.001;
  const std::vector<CollisionShapePtr> hooks = {test::shapeOf(CapsuleShape{{0, -0.1, 0}, {0, 0.1, 0}, radius}),
                                                test::shapeOf(CylinderShape{{0, -0.1, 0}, {0, 1, 0}, radius, 0.2})};
  const auto ring = test::shapeOf(ringMesh(0.025, 0.005, 48, 24));
  for (const auto& hook : hooks) {
    ContactGenerator generator = test::generatorOf({{ring, padding}, {hook, 0}});
    for (int step = 0; step < 40; ++step) {
      // Swings about the hook.
      const double angle = 0.3 * std::sin(0.1 * step);
      const double hang = inner - radius - 0.0007;
      RigidTransform X = {rotationY(angle), {-hang * std::sin(angle), 0, -hang * std::cos(angle)}};
      generator.setPose(0, X);
      generator.update();
      ASSERT_FALSE(generator.contacts().empty()) << step;
      EXPECT_FALSE(generator.pairs()[0].crossing);
      double minimum = 1;
      for (const GeneratedContact& contact : generator.contacts()) {
        EXPECT_GT(contact.normal.dot(-X.p.normalized()), 0.8);
        EXPECT_NEAR(contact.point.norm(), radius, 0.004);
        minimum = std::min(minimum, contact.gap);
      }
      EXPECT_NEAR(minimum, 0.0007 - padding, 1e-4);
    }
  }
}

TEST(ContactScenarios, PegInAHoleTouchesAllRound) {
  // A box in a channel of two walls and a floor, one mesh, all within reach.
  TriangleMesh channel = test::gridMesh(3, 0.5);
  for (const double side : {-1.0, 1.0}) {
    TriangleMesh wall = test::gridMesh(2, 0.5);
    test::transform(wall, {rotationY(0.5 * 3.14159265358979323846), {side * 0.051, 0, 0.5}});
    test::append(channel, wall);
  }
  ContactGenerator generator =
      test::generatorOf({{test::shapeOf(test::boxShape({0.1, 0.1, 0.1})), 0.0025}, {test::shapeOf(channel), 0}});
  generator.setPose(0, RigidTransform::translation({0, 0, 0.051}));
  generator.update();
  int floor = 0, left = 0, right = 0;
  for (const GeneratedContact& contact : generator.contacts()) {
    EXPECT_NEAR(contact.gap, -0.0015, 1e-12);
    floor += contact.normal.z() > 0.99;
    left += contact.normal.x() > 0.99;
    right += contact.normal.x() < -0.99;
  }
  EXPECT_EQ(floor, 4);
  EXPECT_EQ(left, 4);
  EXPECT_EQ(right, 4);
}

}  // namespace
}  // namespace mortise
