#include "mortise/contacts/contact_generator.h"

#include <gtest/gtest.h>
#include <set>

#include "mortise/base/random.h"
#include "mortise/geometry/transform_geometry.h"
#include "tests/toolbox/contacts/contact_scenes.h"

namespace mortise {
namespace {

using test::ballMesh;
using test::boxMesh;
using test::boxShape;
using test::contactsOf;
using test::generatorOf;
using test::gridMesh;
using test::shapeOf;

constexpr double kPadding = 0.0025;

RigidTransform at(double x, double y, double z) { return RigidTransform::translation({x, y, z}); }

std::set<std::uint64_t> keysOf(std::span<const GeneratedContact> contacts) {
  std::set<std::uint64_t> keys;
  for (const GeneratedContact& contact : contacts) keys.insert(contact.key);
  return keys;
}

TriangleMesh openBox(const Vector3d& size) {
  TriangleMesh mesh = boxMesh(size);
  std::erase_if(mesh.triangles, [&](const auto& t) {
    return mesh.vertices[t[0]].z() > 0 && mesh.vertices[t[1]].z() > 0 && mesh.vertices[t[2]].z() > 0;
  });
  return mesh;
}

TriangleMesh flipped(TriangleMesh mesh) {
  for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

HeightmapShape flatHeightmap(int n, double size) {
  HeightmapShape map;
  map.columns = map.rows = n;
  map.size = {size, size};
  map.heights.assign(static_cast<std::size_t>(n) * n, 0.0);
  return map;
}

/// Everything that is a box against everything that is flat: the same four corners.
TEST(ContactGenerator, BoxOnPlaneHasItsFourCornersWhateverTheyAreMadeOf) {
  const Vector3d size(0.2, 0.3, 0.1);
  const std::vector<CollisionShapePtr> boxes = {shapeOf(boxShape(size)),
                                                shapeOf(boxMesh(size)),
                                                shapeOf(test::triangleSoup(boxMesh(size))),
                                                shapeOf(test::hullOf(boxMesh(size))),
                                                shapeOf(openBox(size)),
                                                shapeOf(flipped(boxMesh(size))),
                                                shapeOf(test::subdivided(boxMesh(size)))};
  const std::vector<CollisionShapePtr> planes = {
      shapeOf(gridMesh(1, 1)), shapeOf(gridMesh(37, 1)), shapeOf(flipped(gridMesh(12, 1))),
      shapeOf(flatHeightmap(21, 2)),
      makeCollisionShape(transformed(Geometry(boxShape({2, 2, 1})), RigidTransform::translation({0, 0, -0.5})))};
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = 0; j < planes.size(); ++j) {
      for (const double gap : {-0.002, -0.0005, 0.0005}) {
        SCOPED_TRACE(testing::Message() << "box " << i << " plane " << j << " gap " << gap);
        ContactRules rules;
        rules.maxContacts = i == 6 ? 4 : 20;
        const auto contacts =
            contactsOf(boxes[i], at(0.013, -0.021, 0.05 + kPadding + gap), planes[j], kPadding, rules);
        ASSERT_EQ(contacts.size(), 4u);
        std::set<std::pair<int, int>> corners;
        for (const GeneratedContact& contact : contacts) {
          EXPECT_EQ(contact.normal, contacts[0].normal);
          EXPECT_NEAR((contact.normal - Vector3d::UnitZ()).norm(), 0, 1e-15);
          EXPECT_NEAR(contact.gap, gap, 1e-12);
          EXPECT_NEAR(std::abs(contact.point.x() - 0.013), 0.1, 1e-12);
          EXPECT_NEAR(std::abs(contact.point.y() + 0.021), 0.15, 1e-12);
          EXPECT_NEAR(contact.point.z(), 0.5 * gap, 1e-12);
          EXPECT_TRUE(contact.reliable);
          corners.insert({contact.point.x() > 0.013, contact.point.y() > -0.021});
        }
        EXPECT_EQ(corners.size(), 4u);
      }
    }
  }
}

TEST(ContactGenerator, TiltedBoxKeepsTheFarCornersWithTheNormalOfTheFloor) {
  const double angle = 0.005;
  RigidTransform X = at(0, 0, 0.05 + 0.0015);
  X.R = rotationY(angle);
  for (const auto& box : {shapeOf(boxShape({0.2, 0.2, 0.1})), shapeOf(boxMesh({0.2, 0.2, 0.1}))}) {
    const auto contacts = contactsOf(box, X, shapeOf(gridMesh(10, 1)), kPadding);
    ASSERT_EQ(contacts.size(), 4u);
    for (const GeneratedContact& contact : contacts) {
      EXPECT_NEAR((contact.normal - Vector3d::UnitZ()).norm(), 0, 1e-15);
      const double height =
          0.0015 + 0.05 - 0.05 * std::cos(angle) + (contact.point.x() > 0 ? -0.1 : 0.1) * std::sin(angle);
      EXPECT_NEAR(contact.gap, height - kPadding, 1e-9);
    }
  }
}

TEST(ContactGenerator, BoxesThatStickOutMeetInTheCornersOfTheCommonArea) {
  const Vector3d size(0.2, 0.2, 0.1);
  for (const bool mesh : {false, true}) {
    const auto box = mesh ? shapeOf(boxMesh(size)) : shapeOf(boxShape(size));
    const auto contacts = contactsOf(box, at(0.05, 0.03, 0.1 + 0.001), box, kPadding);
    ASSERT_EQ(contacts.size(), 4u);
    for (const GeneratedContact& contact : contacts) {
      EXPECT_NEAR((contact.normal - Vector3d::UnitZ()).norm(), 0, 1e-12);
      EXPECT_NEAR(contact.gap, 0.001 - kPadding, 1e-12);
      EXPECT_TRUE(std::abs(contact.point.x() - 0.1) < 1e-9 || std::abs(contact.point.x() + 0.05) < 1e-9);
      EXPECT_TRUE(std::abs(contact.point.y() - 0.1) < 1e-9 || std::abs(contact.point.y() + 0.07) < 1e-9);
    }
  }
}

TEST(ContactGenerator, AlignedStackHasFourContactsALayer) {
  const Vector3d size(0.1, 0.1, 0.1);
  for (const bool mesh : {false, true}) {
    const auto box = mesh ? shapeOf(boxMesh(size)) : shapeOf(boxShape(size));
    ContactGenerator generator =
        generatorOf({{shapeOf(gridMesh(4, 1)), 0}, {box, kPadding}, {box, kPadding}, {box, kPadding}});
    RandomStream random(1, "stack");
    for (int step = 0; step < 50; ++step) {
      double z = 0.05 + kPadding - 0.0001;
      for (int id = 1; id < 4; ++id, z += 0.1 + 2 * kPadding - 0.0001)
        generator.setPose(id, at(1e-7 * random.uniform(-1, 1), 1e-7 * random.uniform(-1, 1), z));
      generator.update();
      ASSERT_EQ(generator.pairs().size(), 3u);
      for (const ContactPairReport& pair : generator.pairs()) {
        EXPECT_EQ(pair.count, 4) << mesh << " step " << step << " pair " << pair.a << " " << pair.b;
        for (int i = pair.first; i < pair.first + pair.count; ++i)
          EXPECT_NEAR(std::abs(generator.contacts()[i].normal.z()), 1, 1e-9);
      }
    }
  }
}

TEST(ContactGenerator, SphereRollsOverSeamsOfAFlatMeshWithoutABump) {
  const auto sphere = shapeOf(SphereShape{Vector3d::Zero(), 0.05});
  for (const auto& plane :
       {shapeOf(gridMesh(20, 1)), shapeOf(test::triangleSoup(gridMesh(20, 1))), shapeOf(flatHeightmap(21, 2))}) {
    ContactGenerator generator = generatorOf({{sphere, kPadding}, {plane, 0}});
    std::uint64_t key = 0;
    for (int step = 0; step <= 400; ++step) {
      // Over seams, along a diagonal, and through corners.
      const double x = -0.2 + 0.001 * step;
      generator.setPose(0, at(x, step % 2 ? x : 0.3 * x, 0.052));
      generator.update();
      ASSERT_EQ(generator.contacts().size(), 1u) << step;
      const GeneratedContact& contact = generator.contacts()[0];
      EXPECT_EQ(contact.normal.z(), 1);
      EXPECT_NEAR(contact.gap, -0.0005, 1e-12);
      if (step == 0) key = contact.key;
      EXPECT_EQ(contact.key, key);
    }
  }
}

TEST(ContactGenerator, SphereAtTheRimOfAMeshFeelsTheRim) {
  const auto contacts =
      contactsOf(shapeOf(SphereShape{Vector3d::Zero(), 0.05}), at(1.03, 0, 0.04), shapeOf(gridMesh(8, 1)), 0.001);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR((contacts[0].normal - Vector3d(0.6, 0, 0.8)).norm(), 0, 1e-12);
  EXPECT_NEAR(contacts[0].gap, -0.001, 1e-12);
}

TEST(ContactGenerator, BoxSlidesOverTrianglesWithTheSameContacts) {
  for (const bool mesh : {false, true}) {
    const auto box = mesh ? shapeOf(boxMesh({0.2, 0.3, 0.1})) : shapeOf(boxShape({0.2, 0.3, 0.1}));
    ContactGenerator generator = generatorOf({{box, kPadding}, {shapeOf(gridMesh(50, 1)), 0}});
    std::set<std::uint64_t> keys;
    for (int step = 0; step < 300; ++step) {
      RigidTransform X = at(-0.3 + 0.002 * step, 0.0013 * step - 0.2, 0.05 + 0.002);
      X.R = rotationZ(0.01 * step);
      generator.setPose(0, X);
      generator.update();
      ASSERT_EQ(generator.contacts().size(), 4u) << step;
      for (const GeneratedContact& contact : generator.contacts()) {
        EXPECT_NEAR((contact.normal - Vector3d::UnitZ()).norm(), 0, 1e-15);
        EXPECT_NEAR(contact.gap, -0.0005, 1e-12);
      }
      if (step == 0)
        keys = keysOf(generator.contacts());
      else
        EXPECT_EQ(keysOf(generator.contacts()), keys) << step;
    }
  }
}

TEST(ContactGenerator, SphereAgainstEverythingIsClosedForm) {
  const auto sphere = shapeOf(SphereShape{Vector3d::Zero(), 0.05});
  PointCloud cloud;
  for (int i = -5; i <= 5; ++i)
    for (int j = -5; j <= 5; ++j) cloud.points.emplace_back(0.2 * i, 0.2 * j, 0);
  EllipsoidShape ellipsoid;
  ellipsoid.X.p = {0, 0, -0.3};
  ellipsoid.radii = {0.5, 0.4, 0.3};
  const std::vector<CollisionShapePtr> others = {shapeOf(cloud),
                                                 shapeOf(ellipsoid),
                                                 shapeOf(CylinderShape{{0, 0, -0.2}, {0, 0, 1}, 0.3, 0.2}),
                                                 shapeOf(CapsuleShape{{-0.2, 0, -0.1}, {0.2, 0, -0.1}, 0.1}),
                                                 shapeOf(SphereShape{{0, 0, -0.1}, 0.1}),
                                                 shapeOf(PointShape{}),
                                                 shapeOf(SegmentShape{{-0.3, 0, 0}, {0.3, 0, 0}}),
                                                 shapeOf(TriangleShape{{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}})};
  for (std::size_t i = 0; i < others.size(); ++i) {
    const auto contacts = contactsOf(sphere, at(0, 0, 0.051), others[i], kPadding);
    ASSERT_EQ(contacts.size(), 1u) << i;
    EXPECT_NEAR((contacts[0].normal - Vector3d::UnitZ()).norm(), 0, 1e-9) << i;
    EXPECT_NEAR(contacts[0].gap, 0.001 - kPadding, 1e-10) << i;
  }
}

TEST(ContactGenerator, CylinderStandsOnItsRimAndLiesOnItsSide) {
  const auto cylinder = shapeOf(CylinderShape{{0, 0, -0.1}, {0, 0, 1}, 0.05, 0.2});
  for (const auto& plane :
       {shapeOf(gridMesh(10, 1)),
        makeCollisionShape(transformed(Geometry(boxShape({2, 2, 1})), RigidTransform::translation({0, 0, -0.5})))}) {
    auto contacts = contactsOf(cylinder, at(0.01, 0.02, 0.102), plane, kPadding);
    ASSERT_EQ(contacts.size(), 8u);
    for (const GeneratedContact& contact : contacts) {
      EXPECT_NEAR(std::hypot(contact.point.x() - 0.01, contact.point.y() - 0.02), 0.05, 1e-9);
      EXPECT_NEAR(contact.gap, -0.0005, 1e-9);
    }
    RigidTransform X = at(0, 0, 0.052);
    X.R = rotationY(0.5 * 3.14159265358979323846);
    contacts = contactsOf(cylinder, X, plane, kPadding);
    ASSERT_EQ(contacts.size(), 2u);
    for (const GeneratedContact& contact : contacts) {
      EXPECT_NEAR(std::abs(contact.point.x()), 0.1, 1e-9);
      EXPECT_NEAR((contact.normal - Vector3d::UnitZ()).norm(), 0, 1e-9);
    }
  }
}

TEST(ContactGenerator, CapsuleLiesOnBothEnds) {
  const auto contacts = contactsOf(shapeOf(CapsuleShape{{-0.1, 0, 0}, {0.1, 0, 0}, 0.02}), at(0.003, 0, 0.021),
                                   shapeOf(gridMesh(10, 1)), kPadding);
  ASSERT_EQ(contacts.size(), 2u);
  for (const GeneratedContact& contact : contacts) EXPECT_NEAR(std::abs(contact.point.x() - 0.003), 0.1, 1e-12);
}

TEST(ContactGenerator, SidesOfThinShellsAreWhereTheBodiesAre) {
  const auto sheet = shapeOf(gridMesh(6, 0.5));
  const auto box = shapeOf(boxMesh({0.1, 0.1, 0.1}));
  for (const double side : {-1.0, 1.0}) {
    const auto contacts = contactsOf(box, at(0, 0, side * 0.052), sheet, kPadding);
    ASSERT_EQ(contacts.size(), 4u);
    for (const GeneratedContact& contact : contacts) EXPECT_EQ(contact.normal.z(), side);
  }
}

TEST(ContactGenerator, BodiesThatSinkDeepArePushedBackToWhereTheyCameFrom) {
  const auto box = shapeOf(boxMesh({0.1, 0.1, 0.1}));
  ContactGenerator generator = generatorOf({{box, kPadding}, {shapeOf(gridMesh(20, 0.5)), 0}});
  for (int step = 0; step <= 80; ++step) {
    const double z = 0.0525 - 0.001 * step;  // Down to 2.7 cm below the middle.
    generator.setPose(0, at(0.01, 0.02, z));
    generator.update();
    ASSERT_EQ(generator.contacts().size(), 4u) << step;
    EXPECT_EQ(generator.pairs()[0].crossing, z <= 0.05);
    EXPECT_EQ(generator.pairs()[0].reliable, z > 0.05);
    for (const GeneratedContact& contact : generator.contacts()) {
      EXPECT_NEAR((contact.normal - Vector3d::UnitZ()).norm(), 0, 1e-12) << step;
      EXPECT_NEAR(contact.gap, z - 0.05 - kPadding, 1e-6) << step;
    }
  }
}

TEST(ContactGenerator, FastBodiesThatJumpIntoASheetGoBackToTheirSide) {
  const auto box = shapeOf(boxMesh({0.1, 0.1, 0.1}));
  for (const double side : {-1.0, 1.0}) {
    ContactGenerator generator = generatorOf({{box, kPadding}, {shapeOf(gridMesh(20, 0.5)), 0}});
    generator.setPose(0, at(0, 0, side * 0.2));
    generator.update();
    EXPECT_TRUE(generator.contacts().empty());
    generator.setPose(0, at(0.01, 0, -side * 0.02));
    generator.update();
    ASSERT_EQ(generator.contacts().size(), 4u);
    for (const GeneratedContact& contact : generator.contacts()) {
      EXPECT_NEAR(contact.normal.z(), side, 1e-12);
      EXPECT_NEAR(contact.gap, -0.07 - kPadding, 1e-6);
    }
  }
}

TEST(ContactGenerator, DeepConvexSolidsPartByTheLeastTranslation) {
  const std::vector<CollisionShapePtr> boxes = {shapeOf(boxShape({0.2, 0.2, 0.2})),
                                                shapeOf(test::hullOf(boxMesh({0.2, 0.2, 0.2})))};
  for (const auto& box : boxes) {
    const auto contacts = contactsOf(box, at(0.02, 0.01, 0.15), box, 0);
    ASSERT_EQ(contacts.size(), 4u);
    for (const GeneratedContact& contact : contacts) {
      EXPECT_NEAR(contact.normal.z(), 1, 1e-9);
      EXPECT_NEAR(contact.gap, -0.05, 1e-6);
      EXPECT_TRUE(contact.reliable);
    }
  }
  const auto ball = contactsOf(shapeOf(SphereShape{Vector3d::Zero(), 0.1}), at(0, 0, 0.05), boxes[0], 0);
  ASSERT_GE(ball.size(), 1u);
  EXPECT_NEAR(ball[0].gap, -0.15, 1e-6);
}

TEST(ContactGenerator, BallInACornerFeelsFloorAndWalls) {
  TriangleMesh corner = gridMesh(4, 0.5);
  TriangleMesh wall = gridMesh(3, 0.5);
  test::transform(wall, {rotationY(0.5 * 3.14159265358979323846), {-0.5, 0, 0.5}});
  test::append(corner, wall);
  const auto contacts =
      contactsOf(shapeOf(SphereShape{Vector3d::Zero(), 0.05}), at(-0.449, 0, 0.051), shapeOf(corner), kPadding);
  ASSERT_EQ(contacts.size(), 2u);
  EXPECT_NEAR(contacts[0].normal.z() + contacts[1].normal.z(), 1, 1e-12);
  EXPECT_NEAR(contacts[0].normal.x() + contacts[1].normal.x(), 1, 1e-12);
}

TEST(ContactGenerator, FineBallOnAPlaneSitsOnItsLowestCorner) {
  const auto contacts =
      contactsOf(shapeOf(ballMesh(0.1, 48)), at(0, 0, 0.1 + 0.001), shapeOf(gridMesh(8, 1)), kPadding);
  ASSERT_GE(contacts.size(), 1u);
  double minimum = 1;
  for (const GeneratedContact& contact : contacts) {
    EXPECT_EQ(contact.normal.z(), 1);
    minimum = std::min(minimum, contact.gap);
  }
  EXPECT_NEAR(minimum, 0.001 - kPadding, 1e-12);
}

TEST(ContactGenerator, FullyBuriedInAHeightmapComesUp) {
  const auto contacts =
      contactsOf(shapeOf(boxShape({0.1, 0.1, 0.1})), at(0, 0, -0.2), shapeOf(flatHeightmap(11, 2)), 0);
  ASSERT_EQ(contacts.size(), 4u);
  for (const GeneratedContact& contact : contacts) {
    EXPECT_NEAR(contact.normal.z(), 1, 1e-12);
    EXPECT_NEAR(contact.gap, -0.25, 1e-5);
  }
}

}  // namespace
}  // namespace mortise
