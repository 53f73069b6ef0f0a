/// What must hold for any pair of shapes in any pose.

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "tests/support/allocation_counter.h"
#include "tests/toolbox/contacts/contact_scenes.h"

namespace mortise {
namespace {

using test::ballMesh;
using test::boxMesh;
using test::boxShape;
using test::generatorOf;
using test::gridMesh;
using test::shapeOf;

Matrix3d randomRotation(RandomStream& random) {
  return rotationFromMoment(Vector3d(random.gaussian(), random.gaussian(), random.gaussian()));
}

std::vector<CollisionShapePtr> manyShapes() {
  RandomStream random(7, "shapes");
  TriangleMesh bumpy = ballMesh(0.1, 16);
  for (Vector3d& v : bumpy.vertices) v *= 1 + 0.3 * std::sin(40 * v.x()) * std::cos(50 * v.y());
  PointCloud cloud;
  for (int i = 0; i < 60; ++i) cloud.points.push_back(randomRotation(random) * Vector3d(0.1, 0, 0));
  HeightmapShape hills;
  hills.columns = hills.rows = 12;
  hills.size = {0.3, 0.3};
  for (int i = 0; i < 144; ++i) hills.heights.push_back(0.02 * random.uniform(-1, 1));
  GeometryGroup group;
  group.parts.push_back(std::make_shared<const Geometry>(SphereShape{{0.1, 0, 0}, 0.04}));
  group.parts.push_back(std::make_shared<const Geometry>(boxMesh({0.1, 0.05, 0.08})));
  TriangleMesh open = gridMesh(5, 0.1);
  for (Vector3d& v : open.vertices) v.z() = 2 * v.x() * v.y();
  return {shapeOf(boxMesh({0.15, 0.1, 0.2})),
          shapeOf(bumpy),
          shapeOf(open),
          shapeOf(boxShape({0.12, 0.2, 0.1})),
          shapeOf(test::hullOf(ballMesh(0.1, 10))),
          shapeOf(SphereShape{{0.01, 0, 0}, 0.1}),
          shapeOf(CapsuleShape{{-0.1, 0, 0}, {0.1, 0.02, 0}, 0.03}),
          shapeOf(cloud, 0.005),
          shapeOf(hills),
          shapeOf(group),
          shapeOf(CylinderShape{{0, 0, -0.1}, {0, 0, 1}, 0.06, 0.2}),
          shapeOf(EllipsoidShape{{}, {0.1, 0.05, 0.12}}),
          shapeOf(SegmentShape{{-0.1, 0, 0}, {0.1, 0.02, 0}}),
          shapeOf(boxMesh({0.1, 0.1, 0.1}), 0.004)};
}

/// The nearest points of two shapes are always among their contacts, normals are units, and points lie midway.
TEST(ContactProperties, TheNearestPointsAreAmongTheContacts) {
  const auto shapes = manyShapes();
  RandomStream random(11, "poses");
  QueryWorkspace workspace;
  const double padding = 0.004;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (std::size_t j = 0; j < shapes.size(); ++j) {
      ContactRules rules;
      rules.maxContacts = 6;
      ContactGenerator generator = generatorOf({{shapes[i], padding}, {shapes[j], padding}}, rules);
      for (int sample = 0; sample < 12; ++sample) {
        generator.reset();
        RigidTransform X;
        X.R = randomRotation(random);
        const Vector3d direction = randomRotation(random).col(0);
        X.p = 0.6 * direction;
        // Comes nearer along a line until the gap is what is wanted.
        const double wanted = random.uniform(0.0005, 0.0085);
        DistanceResult nearest;
        for (int step = 0; step < 36; ++step) {
          nearest = distance(*shapes[i], X, *shapes[j], {}, workspace);
          if (std::abs(nearest.distance - wanted) < 1e-7) break;
          X.p -= (nearest.distance - wanted) * direction;
        }
        nearest = distance(*shapes[i], X, *shapes[j], {}, workspace);
        if (!(nearest.distance > 1e-4 && nearest.distance < 0.0089)) continue;
        SCOPED_TRACE(testing::Message() << "shapes " << i << " and " << j << ", sample " << sample);
        generator.setPose(0, X);
        generator.update();
        double minimum = 1;
        for (const GeneratedContact& contact : generator.contacts()) {
          minimum = std::min(minimum, contact.gap);
          EXPECT_NEAR(contact.normal.norm(), 1, 1e-9);
          EXPECT_LE(contact.gap, 0.001 + 1e-9);
        }
        // A corner that is just beside a face counts as over it, and is then that much nearer.
        EXPECT_LE(minimum, nearest.distance - 2 * padding + 1e-6);
        EXPECT_GE(minimum, nearest.distance - 2 * padding - 1e-5);
        EXPECT_LE(generator.contacts().size(), 6u);
      }
    }
  }
}

/// Shapes that cross come apart along the way that is found, which is no longer than it need be along its direction,
/// and the contacts lead that way.
TEST(ContactProperties, TheWayOutOfDeepOverlapLeadsOut) {
  const auto shapes = manyShapes();
  RandomStream random(13, "poses");
  RecoveryWorkspace workspace;
  LayerWorkspace layer;
  int crossings = 0;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (std::size_t j = 0; j < shapes.size(); ++j) {
      const ContactSurface a(shapes[i]), b(shapes[j]);
      ContactGenerator generator = generatorOf({{shapes[i], 0.002}, {shapes[j], 0.002}});
      for (int sample = 0; sample < 3; ++sample) {
        RigidTransform X;
        X.R = randomRotation(random);
        X.p = 0.1 * Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
        if (!collectLayer(a, b, X, 0.001, layer)) continue;
        SCOPED_TRACE(testing::Message() << "shapes " << i << " and " << j << ", sample " << sample);
        ++crossings;
        const SeparatingMotion separation = recover(a, b, X, layer.crossings, Vector3d::Zero(), workspace);
        ASSERT_TRUE(separation.found);
        EXPECT_NEAR(separation.direction.norm(), 1, 1e-9);
        const auto meets = [&](double t) {
          return collide(*shapes[i], RigidTransform::translation(t * separation.direction), *shapes[j], X,
                         workspace.query);
        };
        EXPECT_FALSE(meets(separation.distance));
        EXPECT_TRUE(meets(separation.distance * (1 - 1e-5) - 1e-9));

        generator.reset();
        generator.setPose(1, X);
        generator.update();
        ASSERT_EQ(generator.pairs().size(), 1u);
        EXPECT_TRUE(generator.pairs()[0].crossing);
        ASSERT_FALSE(generator.contacts().empty());
        for (const GeneratedContact& contact : generator.contacts()) {
          EXPECT_NEAR(contact.normal.norm(), 1, 1e-9);
          EXPECT_TRUE(contact.point.allFinite());
        }
        EXPECT_LT(generator.pairs()[0].minGap, 0);
      }
    }
  }
  EXPECT_GT(crossings, 100);
}

struct Tumble {
  std::vector<ContactBody> bodies;
  std::vector<Vector3d> starts, spins;
};

Tumble tumble() {
  Tumble result;
  RandomStream random(3, "tumble");
  result.bodies.push_back({shapeOf(gridMesh(12, 1)), 0});
  const auto shapes = manyShapes();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (i == 8) continue;
    result.bodies.push_back({shapes[i], 0.003, i < 5 ? 0 : -1});
    result.starts.emplace_back(random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), random.uniform(0.05, 0.25));
    result.spins.emplace_back(random.gaussian(), random.gaussian(), random.gaussian());
  }
  return result;
}

void move(ContactGenerator& generator, const Tumble& tumble, int step) {
  for (std::size_t i = 0; i < tumble.starts.size(); ++i) {
    RigidTransform X = {rotationFromMoment(0.01 * step * tumble.spins[i]), tumble.starts[i]};
    X.p *= 1 - 0.002 * step;
    generator.setPose(static_cast<int>(i) + 1, X);
  }
}

std::vector<std::byte> bytesOf(const ContactGenerator& generator) {
  ByteWriter out;
  for (const GeneratedContact& contact : generator.contacts()) {
    out.put(contact.key);
    for (const Vector3d* v : {&contact.point, &contact.normal}) out.append(v->data(), 24);
    out.put(contact.gap);
    out.put(contact.reliable);
  }
  for (const ContactPairReport& pair : generator.pairs()) {
    out.put(pair.minGap);
    out.put(pair.crossing);
    out.put(pair.found);
  }
  return out.bytes();
}

TEST(ContactProperties, ContinuesBitForBitAfterARestore) {
  const Tumble scene = tumble();
  ContactRules rules;
  rules.maxContacts = 5;
  ContactGenerator generator = generatorOf(scene.bodies, rules);
  std::vector<std::vector<std::byte>> expected;
  ByteWriter snapshot;
  for (int step = 0; step < 36; ++step) {
    if (step == 18) generator.save(snapshot);
    move(generator, scene, step);
    generator.update();
    expected.push_back(bytesOf(generator));
    EXPECT_FALSE(expected.back().empty());
  }
  for (const bool used : {false, true}) {
    ContactGenerator other = generatorOf(scene.bodies, rules);
    if (used) {
      for (int step = 35; step > 8; step -= 3) {
        move(other, scene, step);
        other.update();
      }
    }
    ByteReader in(snapshot.bytes());
    other.restore(in);
    EXPECT_TRUE(in.atEnd());
    ByteWriter again;
    other.save(again);
    EXPECT_EQ(again.bytes(), snapshot.bytes());
    for (int step = 18; step < 36; ++step) {
      move(other, scene, step);
      other.update();
      ASSERT_EQ(bytesOf(other), expected[step]) << step;
    }
  }
}

TEST(ContactProperties, SnapshotsOfOtherScenesAreRefused) {
  const Tumble scene = tumble();
  ContactGenerator generator = generatorOf(scene.bodies);
  move(generator, scene, 0);
  generator.update();
  ByteWriter snapshot;
  generator.save(snapshot);
  ContactGenerator other = generatorOf({{shapeOf(boxShape({1, 1, 1})), 0}, {nullptr, 0}});
  ByteReader in(snapshot.bytes());
  EXPECT_THROW(other.restore(in), Error);
  for (std::size_t size = 0; size < snapshot.bytes().size(); size += 7) {
    ByteReader part(std::span(snapshot.bytes()).first(size));
    EXPECT_THROW(generator.restore(part), Error);
  }
}

TEST(ContactProperties, AllocatesNothingOnceWarm) {
  const Tumble scene = tumble();
  ContactGenerator generator = generatorOf(scene.bodies);
  const auto run = [&] {
    for (int step = 0; step < 16; ++step) {
      move(generator, scene, step);
      generator.update();
    }
  };
  run();
  run();
  const std::size_t before = test::allocationCount;
  run();
  EXPECT_EQ(test::allocationCount - before, 0u);
}

TEST(ContactProperties, LimitsHoldForPairsAndGroups) {
  const Tumble scene = tumble();
  ContactRules rules;
  rules.maxContacts = 7;
  rules.maxGroupContacts = 20;
  for (int a = 0; a < 6; ++a)
    for (int b = 0; b < a; ++b) rules.pairLimits.push_back({a, b, 2});
  ContactGenerator generator = generatorOf(scene.bodies, rules);
  int pairsOfGroup = 0, contactsOfGroup = 0, limited = 0;
  for (int step = 0; step < 16; ++step) {
    move(generator, scene, step);
    generator.update();
    pairsOfGroup = contactsOfGroup = 0;
    for (const ContactPairReport& pair : generator.pairs()) {
      EXPECT_LE(pair.count, 7);
      if (pair.b < 6) {
        EXPECT_LE(pair.count, 2);
        limited += pair.found > 2;
      }
      if ((scene.bodies[pair.a].group < 0) == (scene.bodies[pair.b].group < 0)) continue;
      ++pairsOfGroup;
      contactsOfGroup += pair.count;
      EXPECT_GE(pair.count, pair.found > 0 ? 1 : 0);
    }
    // Each pair's fraction is rounded up.
    EXPECT_LE(contactsOfGroup, 20 + pairsOfGroup);
  }
  EXPECT_GT(limited, 0);
}

TEST(ContactProperties, BadInputIsRefused) {
  const auto box = shapeOf(boxShape({1, 1, 1}));
  EXPECT_THROW(generatorOf({{box, -0.1}, {box, 0}}), Error);
  EXPECT_THROW(generatorOf({{box, std::nan("")}, {box, 0}}), Error);
  ContactRules rules;
  rules.margin = -1;
  EXPECT_THROW(generatorOf({{box, 0}}, rules), Error);
  rules = {};
  rules.maxContacts = 0;
  EXPECT_THROW(generatorOf({{box, 0}}, rules), Error);
  rules = {};
  rules.pairLimits = {{0, 5, 3}};
  EXPECT_THROW(generatorOf({{box, 0}, {box, 0}}, rules), Error);
  EXPECT_THROW(ContactScene({{box, 0}}, PairTable(3)), Error);
  ContactGenerator generator = generatorOf({{box, 0}, {nullptr, 0}});
  EXPECT_THROW(generator.setPose(0, RigidTransform::translation({std::nan(""), 0, 0})), Error);
  generator.update();
  EXPECT_TRUE(generator.contacts().empty());
}

}  // namespace
}  // namespace mortise
