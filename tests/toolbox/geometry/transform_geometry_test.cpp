#include "mortise/geometry/transform_geometry.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/math/rotation.h"

namespace mortise {
namespace {

GeometryPtr shapeOf(Geometry::Data data) { return std::make_shared<Geometry>(std::move(data), 0.01, "file"); }

TriangleMesh unitTetrahedron() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

/// Signed volume; positive when triangles face outwards.
double signedVolume(const TriangleMesh& mesh) {
  double sum = 0;
  for (const auto& t : mesh.triangles)
    sum += mesh.vertices[t[0]].dot(mesh.vertices[t[1]].cross(mesh.vertices[t[2]])) / 6;
  return sum;
}

TEST(TransformGeometry, RigidMotionKeepsEveryShape) {
  const AffineMap map(RigidTransform(rotationFromRollPitchYaw({0.3, -0.4, 1.2}), {1, 2, 3}));
  const Geometry::Data shapes[] = {PointShape{{1, 2, 3}},
                                   SphereShape{{1, 0, 0}, 2},
                                   BoxShape{{}, {1, 2, 3}},
                                   EllipsoidShape{{}, {1, 2, 3}},
                                   CylinderShape{{0, 0, 1}, Vector3d::UnitX(), 0.5, 2},
                                   CapsuleShape{{0, 0, 0}, {0, 0, 2}, 0.5},
                                   unitTetrahedron()};
  for (const auto& data : shapes) {
    const GeometryPtr moved = transformed(*shapeOf(data), map);
    EXPECT_EQ(moved->data().index(), data.index());
    EXPECT_EQ(moved->margin(), 0.01);
    EXPECT_EQ(moved->file(), "file");
  }
  const auto* cylinder = transformed(*shapeOf(shapes[4]), map)->as<CylinderShape>();
  EXPECT_NEAR(cylinder->radius, 0.5, 1e-12);
  EXPECT_NEAR(cylinder->height, 2, 1e-12);
  EXPECT_TRUE(cylinder->axis.isApprox(map.A.col(0), 1e-12));
}

TEST(TransformGeometry, ScalingTurnsShapesIntoTheirKin) {
  const AffineMap uneven = AffineMap::scaling({1, 2, 3});
  const auto* ellipsoid = transformed(*shapeOf(SphereShape{{1, 1, 1}, 2}), uneven)->as<EllipsoidShape>();
  ASSERT_NE(ellipsoid, nullptr);
  EXPECT_EQ(ellipsoid->X.p, Vector3d(1, 2, 3));
  const AxisAlignedBounds b = Geometry(*ellipsoid).bounds();
  EXPECT_TRUE(b.max.isApprox(Vector3d(3, 6, 9), 1e-12));
  EXPECT_NEAR(
      transformed(*shapeOf(SphereShape{{0, 0, 0}, 2}), AffineMap::scaling({3, 3, 3}))->as<SphereShape>()->radius, 6,
      1e-12);
  const auto* aligned = transformed(*shapeOf(AxisAlignedBoxShape{{0, 0, 0}, {1, 1, 1}}), AffineMap::scaling({-2, 1, 1}))
                            ->as<AxisAlignedBoxShape>();
  ASSERT_NE(aligned, nullptr);
  EXPECT_EQ(aligned->min, Vector3d(-2, 0, 0));
  const auto* turned =
      transformed(*shapeOf(AxisAlignedBoxShape{{0, 0, 0}, {1, 2, 3}}), AffineMap(rotationZ(0.5), {0, 0, 0}))
          ->as<BoxShape>();
  ASSERT_NE(turned, nullptr);
  EXPECT_TRUE(turned->size.isApprox(Vector3d(1, 2, 3), 1e-12));
  const auto* cylinder =
      transformed(*shapeOf(CylinderShape{{0, 0, 1}, Vector3d::UnitZ(), 1, 1}), AffineMap::scaling({2, 2, 5}))
          ->as<CylinderShape>();
  ASSERT_NE(cylinder, nullptr);
  EXPECT_NEAR(cylinder->radius, 2, 1e-12);
  EXPECT_NEAR(cylinder->height, 5, 1e-12);
}

TEST(TransformGeometry, MirroredBoxKeepsItsPlaceAndARightHandedFrame) {
  const auto* box = transformed(*shapeOf(BoxShape{{}, {1, 2, 3}}), AffineMap::scaling({1, 1, -1}))->as<BoxShape>();
  ASSERT_NE(box, nullptr);
  EXPECT_NEAR(box->X.R.determinant(), 1, 1e-12);
  const AxisAlignedBounds b = Geometry(*box).bounds();
  EXPECT_TRUE(b.min.isApprox(Vector3d(0, 0, -3), 1e-12));
  EXPECT_TRUE((b.max - Vector3d(1, 2, 0)).isZero(1e-12));
}

TEST(TransformGeometry, MirroredMeshStaysOutsideOut) {
  const GeometryPtr mirrored = transformed(*shapeOf(unitTetrahedron()), AffineMap::scaling({-1, 2, 1}));
  EXPECT_NEAR(signedVolume(*mirrored->as<TriangleMesh>()), 2 * signedVolume(unitTetrahedron()), 1e-12);
}

TEST(TransformGeometry, ShearIsRefusedWhereItCannotBeHeld) {
  Matrix3d shear = Matrix3d::Identity();
  shear(0, 1) = 0.5;
  const AffineMap map(shear, Vector3d::Zero());
  EXPECT_THROW(transformed(*shapeOf(BoxShape{}), map), Error);
  EXPECT_THROW(transformed(*shapeOf(AxisAlignedBoxShape{}), map), Error);
  EXPECT_THROW(transformed(*shapeOf(CapsuleShape{}), map), Error);
  EXPECT_THROW(transformed(*shapeOf(CylinderShape{}), AffineMap::scaling({1, 2, 1})), Error);
  EXPECT_NO_THROW(transformed(*shapeOf(unitTetrahedron()), map));
  EXPECT_NO_THROW(transformed(*shapeOf(SphereShape{}), map));
}

TEST(TransformGeometry, UnionJoinsMeshesAndFlattensGroups) {
  const GeometryPtr mesh = shapeOf(unitTetrahedron());
  const GeometryPtr two = unionOf(mesh, mesh);
  EXPECT_EQ(two->typeName(), "TriangleMesh");
  EXPECT_EQ(two->numTriangles(), 8);
  EXPECT_EQ(two->as<TriangleMesh>()->triangles[4], (std::array<int, 3>{4, 6, 5}));
  const GeometryPtr group = unionOf(shapeOf(SphereShape{}), mesh);
  EXPECT_EQ(group->as<GeometryGroup>()->parts.size(), 2u);
  EXPECT_EQ(unionOf(group, group)->as<GeometryGroup>()->parts.size(), 4u);
  EXPECT_EQ(unionOf(nullptr, mesh), mesh);
  EXPECT_EQ(unionOf(mesh, shapeOf(PointCloud{})), mesh);
}

}  // namespace
}  // namespace mortise
