#include "mortise/geometry/geometry.h"

#include <gtest/gtest.h>

#include "mortise/math/rotation.h"

namespace mortise {
namespace {

GeometryPtr make(Geometry::Data data) { return std::make_shared<Geometry>(std::move(data), 0.01, "file"); }

TriangleMesh tetrahedron() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

TEST(Geometry, BoundsOfEveryShape) {
  const auto expect = [](const Geometry::Data& data, const Vector3d& min, const Vector3d& max) {
    const AxisAlignedBounds b = Geometry(data).bounds();
    EXPECT_TRUE(b.min.isApprox(min, 1e-12) || (b.min - min).norm() < 1e-12) << b.min.transpose();
    EXPECT_TRUE(b.max.isApprox(max, 1e-12) || (b.max - max).norm() < 1e-12) << b.max.transpose();
  };
  expect(PointShape{{1, 2, 3}}, {1, 2, 3}, {1, 2, 3});
  expect(SegmentShape{{1, 0, 0}, {0, 1, 2}}, {0, 0, 0}, {1, 1, 2});
  expect(TriangleShape{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}, {1, 1, 1});
  expect(PolygonShape{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {0, 0, 0}, {1, 1, 1});
  expect(SphereShape{{1, 0, 0}, 2}, {-1, -2, -2}, {3, 2, 2});
  expect(AxisAlignedBoxShape{{-1, 0, 0}, {1, 2, 3}}, {-1, 0, 0}, {1, 2, 3});
  expect(BoxShape{{rotationZ(EIGEN_PI / 2), {5, 0, 0}}, {1, 2, 3}}, {3, 0, 0}, {5, 1, 3});
  expect(EllipsoidShape{{rotationX(EIGEN_PI / 2), {0, 0, 0}}, {1, 2, 3}}, {-1, -3, -2}, {1, 3, 2});
  expect(CylinderShape{{0, 0, 1}, Vector3d::UnitX(), 0.5, 2}, {0, -0.5, 0.5}, {2, 0.5, 1.5});
  expect(CapsuleShape{{0, 0, 0}, {0, 0, 2}, 0.5}, {-0.5, -0.5, -0.5}, {0.5, 0.5, 2.5});
  expect(tetrahedron(), {0, 0, 0}, {1, 1, 1});
  expect(PointCloud{{{1, 2, 3}, {-1, 0, 0}}}, {-1, 0, 0}, {1, 2, 3});
  expect(GeometryGroup{{make(SphereShape{{1, 0, 0}, 1}), make(PointShape{{5, 0, 0}}), make(PointCloud{})}}, {0, -1, -1},
         {5, 1, 1});
  EXPECT_TRUE(Geometry().bounds().empty());
}

TEST(Geometry, TypesCountsEmptiness) {
  EXPECT_EQ(Geometry().typeName(), "");
  EXPECT_EQ(Geometry(SphereShape{}).typeName(), "GeometricPrimitive");
  EXPECT_EQ(Geometry(tetrahedron()).typeName(), "TriangleMesh");
  EXPECT_EQ(Geometry(GeometryGroup{}).typeName(), "Group");
  const Geometry group(GeometryGroup{{make(tetrahedron()), make(tetrahedron()), make(SphereShape{})}});
  EXPECT_EQ(group.numTriangles(), 8);
  EXPECT_EQ(group.numVertices(), 8);
  EXPECT_FALSE(group.empty());
  EXPECT_TRUE(Geometry(GeometryGroup{{make(PointCloud{})}}).empty());
  EXPECT_TRUE(Geometry(TriangleMesh{{{0, 0, 0}}, {}}).empty());
}

}  // namespace
}  // namespace mortise
