#include "mortise/geometry/preshrink.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "tests/toolbox/contacts/contact_scenes.h"

namespace mortise {
namespace {

template <typename Shape>
GeometryPtr shrunk(Shape shape, double amount) {
  return preshrunk(std::make_shared<const Geometry>(std::move(shape), 0.5, "file"), amount);
}

void expectBounds(const GeometryPtr& geometry, const Vector3d& size, double tolerance) {
  const AxisAlignedBounds bounds = geometry->bounds();
  EXPECT_NEAR((bounds.max - bounds.min - size).norm(), 0, tolerance);
  EXPECT_EQ(geometry->margin(), 0.5);
  EXPECT_EQ(geometry->file(), "file");
}

TEST(Preshrink, MovesEachFaceInwardByTheAmount) {
  const Vector3d size(0.2, 0.3, 0.4), smaller(0.19, 0.29, 0.39);
  expectBounds(shrunk(test::boxMesh(size), 0.005), smaller, 1e-7);
  expectBounds(shrunk(test::triangleSoup(test::boxMesh(size)), 0.005), smaller, 1e-7);
  expectBounds(shrunk(test::subdivided(test::boxMesh(size)), 0.005), smaller, 1e-7);
  expectBounds(shrunk(test::hullOf(test::boxMesh(size)), 0.005), smaller, 1e-7);
  expectBounds(shrunk(test::boxShape(size), 0.005), smaller, 1e-12);
  expectBounds(shrunk(AxisAlignedBoxShape{Vector3d::Zero(), size}, 0.005), smaller, 1e-12);
  expectBounds(shrunk(SphereShape{{1, 2, 3}, 0.1}, 0.005), Vector3d::Constant(0.19), 1e-12);
  expectBounds(shrunk(CylinderShape{{0, 0, 0}, {0, 0, 1}, 0.1, 0.4}, 0.005), {0.19, 0.19, 0.39}, 1e-12);
}

TEST(Preshrink, LeavesWhatHasNoInsideOrIsThin) {
  const auto sheet = std::make_shared<const Geometry>(test::gridMesh(3, 1));
  EXPECT_EQ(preshrunk(sheet, 0.01), sheet);
  const auto thin = std::make_shared<const Geometry>(test::boxMesh({1, 1, 0.01}));
  EXPECT_EQ(preshrunk(thin, 0.005), thin);
  const auto small = std::make_shared<const Geometry>(SphereShape{{0, 0, 0}, 0.005});
  EXPECT_EQ(preshrunk(small, 0.005), small);
  EXPECT_EQ(preshrunk(thin, 0), thin);
  EXPECT_THROW(preshrunk(thin, -1), Error);
}

TEST(Preshrink, WithPaddingContactsAreThoseOfTheShape) {
  const double padding = 0.0025;
  const auto box =
      makeCollisionShape(preshrunk(std::make_shared<const Geometry>(test::boxMesh({0.2, 0.2, 0.2})), padding));
  const auto contacts =
      test::contactsOf(box, RigidTransform::translation({0, 0, 0.0995}), test::shapeOf(test::gridMesh(4, 1)), padding);
  ASSERT_EQ(contacts.size(), 4u);
  for (const GeneratedContact& contact : contacts) {
    EXPECT_NEAR(contact.gap, -0.0005, 1e-7);
    EXPECT_TRUE(contact.reliable);
  }
}

}  // namespace
}  // namespace mortise
