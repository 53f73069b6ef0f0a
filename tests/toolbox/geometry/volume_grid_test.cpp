#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/geometry/compare.h"
#include "mortise/geometry/geometry.h"
#include "mortise/geometry/transform_geometry.h"
#include "mortise/math/rotation.h"

namespace mortise {
namespace {

/// x + 10 y + 100 z at the centers of 4 x 3 x 2 cells.
VolumeGrid ramp() {
  VolumeGrid grid;
  grid.X = RigidTransform(rotationZ(0.5), {1, 2, 3});
  grid.min = {-2, -1, 0};
  grid.max = {2, 2, 1};
  grid.cells = {4, 3, 2};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 2; ++k) grid.values.push_back(grid.center(i, j, k).dot(Vector3d(1, 10, 100)));
  return grid;
}

TEST(VolumeGrid, NumbersBelongToCenters) {
  const VolumeGrid grid = ramp();
  EXPECT_EQ(grid.cellSize(), Vector3d(1, 1, 0.5));
  EXPECT_EQ(grid.center(0, 0, 0), Vector3d(-1.5, -0.5, 0.25));
  EXPECT_EQ(grid.index(1, 2, 1), 11u);
  EXPECT_DOUBLE_EQ(grid.interpolate(grid.center(2, 1, 0)), grid.value(2, 1, 0));
}

TEST(VolumeGrid, InterpolatesLinearFieldsExactlyAndStaysTheSameBeyondTheCenters) {
  const VolumeGrid grid = ramp();
  EXPECT_NEAR(grid.interpolate({0.3, 0.7, 0.4}), 0.3 + 7 + 40, 1e-12);
  EXPECT_NEAR(grid.interpolate({5, 0.7, -3}), 1.5 + 7 + 25, 1e-12);
  EXPECT_NEAR(grid.interpolate({-2, -1, 0}), -1.5 - 5 + 25, 1e-12);
  VolumeGrid single;
  single.cells = {1, 1, 1};
  single.values = {7};
  EXPECT_EQ(single.interpolate({0.9, -4, 0.1}), 7);
}

TEST(VolumeGrid, ImplicitSurfacesMoveAndScaleEvenly) {
  const Geometry surface(ImplicitSurfaceShape{ramp(), 5});
  EXPECT_EQ(surface.typeName(), "ImplicitSurface");
  EXPECT_FALSE(surface.empty());
  const AffineMap map = AffineMap(RigidTransform(rotationX(1), {0, 0, 1})) * AffineMap::scaling({2, 2, 2});
  const GeometryPtr moved = transformed(surface, map);
  const auto* shape = moved->as<ImplicitSurfaceShape>();
  ASSERT_NE(shape, nullptr);
  EXPECT_DOUBLE_EQ(shape->truncation, 10);
  const VolumeGrid &a = surface.as<ImplicitSurfaceShape>()->grid, &b = shape->grid;
  const Vector3d p(0.3, 0.7, 0.4);
  EXPECT_NEAR(b.interpolate(b.X.inverse() * (map * (a.X * p))), 2 * a.interpolate(p), 1e-10);
  EXPECT_THROW(transformed(surface, AffineMap::scaling({1, 2, 1})), Error);
}

TEST(VolumeGrid, MirroredGridsHoldTheMirrorImage) {
  OccupancyGridShape cells{ramp(), 30};
  const Geometry geometry(cells);
  EXPECT_EQ(geometry.typeName(), "OccupancyGrid");
  for (const Vector3d& factors : {Vector3d(-1, 1, 1), Vector3d(1, -2, 1), Vector3d(1, 1, -3), Vector3d(-1, -1, -1)}) {
    // Scaled along the grid's own axes, so that cells stay upright.
    const AffineMap map = AffineMap(cells.grid.X) * AffineMap::scaling(factors) * AffineMap(cells.grid.X.inverse());
    const GeometryPtr mirrored = transformed(geometry, map);
    const VolumeGrid& grid = mirrored->as<OccupancyGridShape>()->grid;
    EXPECT_NEAR(grid.X.R.determinant(), 1, 1e-12);
    EXPECT_TRUE((grid.min.array() < grid.max.array()).all());
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 2; ++k) {
          const Vector3d p = map * (cells.grid.X * cells.grid.center(i, j, k));
          EXPECT_NEAR(grid.interpolate(grid.X.inverse() * p), cells.grid.value(i, j, k), 1e-9);
        }
  }
  Matrix3d shear = Matrix3d::Identity();
  shear(0, 1) = 0.3;
  EXPECT_THROW(transformed(geometry, AffineMap(shear, Vector3d::Zero())), Error);
}

TEST(VolumeGrid, BoundsAndComparison) {
  const Geometry a(OccupancyGridShape{ramp(), 0.5});
  const AxisAlignedBounds bounds = a.bounds();
  for (const Vector3d& corner : {Vector3d(-2, -1, 0), Vector3d(2, 2, 1), Vector3d(-2, 2, 0)}) {
    const Vector3d p = a.as<OccupancyGridShape>()->grid.X * corner;
    EXPECT_TRUE((p.array() >= bounds.min.array() - 1e-12).all() && (p.array() <= bounds.max.array() + 1e-12).all());
  }
  EXPECT_NEAR(bounds.max.z() - bounds.min.z(), 1, 1e-12);
  EXPECT_TRUE(sameShape(a, Geometry(OccupancyGridShape{ramp(), 0.5})));
  EXPECT_FALSE(sameShape(a, Geometry(OccupancyGridShape{ramp(), 0.6})));
  EXPECT_FALSE(sameShape(a, Geometry(ImplicitSurfaceShape{ramp()})));
  VolumeGrid other = ramp();
  other.values[3] += 1;
  EXPECT_FALSE(sameShape(a, Geometry(OccupancyGridShape{other, 0.5})));
  EXPECT_TRUE(Geometry(ImplicitSurfaceShape{}).empty());
}

}  // namespace
}  // namespace mortise
