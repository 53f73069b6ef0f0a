#include "mortise/geometry/geometry.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/math/rotation.h"

namespace mortise {
namespace {

GeometryPtr make(Geometry::Data data) { return std::make_shared<Geometry>(std::move(data), 0.01, "file"); }

TriangleMesh tetrahedron() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

/// Signed volume; positive when triangles face outwards.
double volume(const TriangleMesh& mesh) {
  double sum = 0;
  for (const auto& t : mesh.triangles)
    sum += mesh.vertices[t[0]].dot(mesh.vertices[t[1]].cross(mesh.vertices[t[2]])) / 6;
  return sum;
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

TEST(Geometry, RigidMotionKeepsEveryShape) {
  const AffineMap map(RigidTransform(rotationFromRollPitchYaw({0.3, -0.4, 1.2}), {1, 2, 3}));
  const Geometry::Data shapes[] = {PointShape{{1, 2, 3}},
                                   SphereShape{{1, 0, 0}, 2},
                                   BoxShape{{}, {1, 2, 3}},
                                   EllipsoidShape{{}, {1, 2, 3}},
                                   CylinderShape{{0, 0, 1}, Vector3d::UnitX(), 0.5, 2},
                                   CapsuleShape{{0, 0, 0}, {0, 0, 2}, 0.5},
                                   tetrahedron()};
  for (const auto& data : shapes) {
    const GeometryPtr moved = make(data)->transformed(map);
    EXPECT_EQ(moved->data().index(), data.index());
    EXPECT_EQ(moved->margin(), 0.01);
    EXPECT_EQ(moved->file(), "file");
  }
  const auto* cylinder = make(shapes[4])->transformed(map)->as<CylinderShape>();
  EXPECT_NEAR(cylinder->radius, 0.5, 1e-12);
  EXPECT_NEAR(cylinder->height, 2, 1e-12);
  EXPECT_TRUE(cylinder->axis.isApprox(map.A.col(0), 1e-12));
}

TEST(Geometry, ScalingTurnsShapesIntoTheirKin) {
  const AffineMap uneven = AffineMap::scaling({1, 2, 3});
  const auto* ellipsoid = make(SphereShape{{1, 1, 1}, 2})->transformed(uneven)->as<EllipsoidShape>();
  ASSERT_NE(ellipsoid, nullptr);
  EXPECT_EQ(ellipsoid->X.p, Vector3d(1, 2, 3));
  const AxisAlignedBounds b = Geometry(*ellipsoid).bounds();
  EXPECT_TRUE(b.max.isApprox(Vector3d(3, 6, 9), 1e-12));
  EXPECT_NEAR(make(SphereShape{{0, 0, 0}, 2})->transformed(AffineMap::scaling({3, 3, 3}))->as<SphereShape>()->radius, 6,
              1e-12);
  const auto* aligned = make(AxisAlignedBoxShape{{0, 0, 0}, {1, 1, 1}})
                            ->transformed(AffineMap::scaling({-2, 1, 1}))
                            ->as<AxisAlignedBoxShape>();
  ASSERT_NE(aligned, nullptr);
  EXPECT_EQ(aligned->min, Vector3d(-2, 0, 0));
  const auto* turned = make(AxisAlignedBoxShape{{0, 0, 0}, {1, 2, 3}})
                           ->transformed(AffineMap(rotationZ(0.5), {0, 0, 0}))
                           ->as<BoxShape>();
  ASSERT_NE(turned, nullptr);
  EXPECT_TRUE(turned->size.isApprox(Vector3d(1, 2, 3), 1e-12));
  const auto* cylinder = make(CylinderShape{{0, 0, 1}, Vector3d::UnitZ(), 1, 1})
                             ->transformed(AffineMap::scaling({2, 2, 5}))
                             ->as<CylinderShape>();
  ASSERT_NE(cylinder, nullptr);
  EXPECT_NEAR(cylinder->radius, 2, 1e-12);
  EXPECT_NEAR(cylinder->height, 5, 1e-12);
}

TEST(Geometry, MirroredBoxKeepsItsPlaceAndARightHandedFrame) {
  const auto* box = make(BoxShape{{}, {1, 2, 3}})->transformed(AffineMap::scaling({1, 1, -1}))->as<BoxShape>();
  ASSERT_NE(box, nullptr);
  EXPECT_NEAR(box->X.R.determinant(), 1, 1e-12);
  const AxisAlignedBounds b = Geometry(*box).bounds();
  EXPECT_TRUE(b.min.isApprox(Vector3d(0, 0, -3), 1e-12));
  EXPECT_TRUE((b.max - Vector3d(1, 2, 0)).isZero(1e-12));
}

TEST(Geometry, MirroredMeshStaysOutsideOut) {
  const GeometryPtr mirrored = make(tetrahedron())->transformed(AffineMap::scaling({-1, 2, 1}));
  EXPECT_NEAR(volume(*mirrored->as<TriangleMesh>()), 2 * volume(tetrahedron()), 1e-12);
}

TEST(Geometry, ShearIsRefusedWhereItCannotBeHeld) {
  Matrix3d shear = Matrix3d::Identity();
  shear(0, 1) = 0.5;
  const AffineMap map(shear, Vector3d::Zero());
  EXPECT_THROW(make(BoxShape{})->transformed(map), Error);
  EXPECT_THROW(make(AxisAlignedBoxShape{})->transformed(map), Error);
  EXPECT_THROW(make(CapsuleShape{})->transformed(map), Error);
  EXPECT_THROW(make(CylinderShape{})->transformed(AffineMap::scaling({1, 2, 1})), Error);
  EXPECT_NO_THROW(make(tetrahedron())->transformed(map));
  EXPECT_NO_THROW(make(SphereShape{})->transformed(map));
}

TEST(Geometry, UnionJoinsMeshesAndFlattensGroups) {
  const GeometryPtr mesh = make(tetrahedron());
  const GeometryPtr two = unionOf(mesh, mesh);
  EXPECT_EQ(two->typeName(), "TriangleMesh");
  EXPECT_EQ(two->numTriangles(), 8);
  EXPECT_EQ(two->as<TriangleMesh>()->triangles[4], (std::array<int, 3>{4, 6, 5}));
  const GeometryPtr group = unionOf(make(SphereShape{}), mesh);
  EXPECT_EQ(group->as<GeometryGroup>()->parts.size(), 2u);
  EXPECT_EQ(unionOf(group, group)->as<GeometryGroup>()->parts.size(), 4u);
  EXPECT_EQ(unionOf(nullptr, mesh), mesh);
  EXPECT_EQ(unionOf(mesh, make(PointCloud{})), mesh);
}

}  // namespace
}  // namespace mortise
