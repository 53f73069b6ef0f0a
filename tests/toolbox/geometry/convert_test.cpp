#include "mortise/geometry/convert.h"

#include <Eigen/Geometry>
#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/geometry/grids/triangle_field.h"
#include "mortise/geometry/tessellate.h"
#include "mortise/math/rotation.h"

namespace mortise {
namespace {

const RigidTransform kPose(rotationFromRollPitchYaw({0.3, -0.7, 1.1}), {0.4, -0.2, 0.9});

GeometryPtr make(Geometry::Data data, double margin = 0) {
  return std::make_shared<Geometry>(std::move(data), margin, "shape.file");
}

TEST(Convert, NamesOfKinds) {
  EXPECT_EQ(kindNamed("trianglemesh"), GeometryKind::mesh);
  EXPECT_EQ(kindNamed("cloud"), GeometryKind::pointCloud);
  EXPECT_EQ(kindName(GeometryKind::occupancyGrid), "OccupancyGrid");
  try {
    kindNamed("PointClod");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.hint().find("PointCloud"), std::string::npos);
  }
}

TEST(Convert, WhatIsThatKindAlreadyStays) {
  const GeometryPtr hull = make(ConvexHullShape{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
  EXPECT_EQ(converted(hull, GeometryKind::convexHull), hull);
}

TEST(Convert, MarginAndFileStay) {
  const GeometryPtr mesh = converted(make(SphereShape{}, 0.25), GeometryKind::mesh);
  EXPECT_EQ(mesh->margin(), 0.25);
  EXPECT_EQ(mesh->file(), "shape.file");
}

TEST(Convert, CloudsCoverTheSurfaceAtTheirResolution) {
  const GeometryPtr box = make(BoxShape{kPose, {1, 0.5, 0.25}});
  const GeometryPtr converted_ = converted(box, GeometryKind::pointCloud, {.resolution = 0.1});
  const auto* cloud = converted_->as<PointCloud>();
  ASSERT_NE(cloud, nullptr);
  RandomStream random(3);
  for (int i = 0; i < 500; ++i) {
    Vector3d p(random.uniform(0, 1), random.uniform(0, 0.5), random.uniform(0, 0.25));
    const auto axis = static_cast<int>(random.below(3));
    p[axis] = random.below(2) ? 0 : Vector3d(1, 0.5, 0.25)[axis];
    p = kPose * p;
    double nearest = 1e9;
    for (const Vector3d& q : cloud->points) nearest = std::min(nearest, (q - p).norm());
    EXPECT_LE(nearest, 0.1);
  }
  // On the surface, each once, with outward normals.
  const auto *nx = cloud->property("normal_x"), *ny = cloud->property("normal_y"), *nz = cloud->property("normal_z");
  ASSERT_TRUE(nx && ny && nz);
  for (std::size_t i = 0; i < cloud->points.size(); ++i) {
    const Vector3d p = kPose.inverse() * cloud->points[i] - Vector3d(0.5, 0.25, 0.125);
    const Vector3d n = kPose.R.transpose() * Vector3d(nx->values[i], ny->values[i], nz->values[i]);
    EXPECT_NEAR((p.cwiseAbs() - Vector3d(0.5, 0.25, 0.125)).maxCoeff(), 0, 1e-12);
    EXPECT_NEAR(n.norm(), 1, 1e-12);
    EXPECT_GT(n.dot(p), 0);
    for (std::size_t k = 0; k < i; ++k) ASSERT_GT((cloud->points[i] - cloud->points[k]).norm(), 1e-9);
  }
}

TEST(Convert, SignedDistancesOfPrimitivesAreExactAtCenters) {
  const auto surface =
      converted(make(SphereShape{{1, 2, 3}, 0.5}, 0.1), GeometryKind::implicitSurface, {.resolution = 0.05});
  const auto* shape = surface->as<ImplicitSurfaceShape>();
  ASSERT_NE(shape, nullptr);
  EXPECT_EQ(surface->margin(), 0.1);
  for (int i = 0; i < shape->grid.cells[0]; i += 3)
    for (int j = 0; j < shape->grid.cells[1]; j += 3)
      for (int k = 0; k < shape->grid.cells[2]; ++k)
        EXPECT_NEAR(shape->grid.value(i, j, k), (shape->grid.center(i, j, k) - Vector3d(1, 2, 3)).norm() - 0.5, 1e-14);
}

TEST(Convert, SignedDistancesOfMeshesAreThoseOfTheirSolid) {
  // Exact for a box, whose distance has a closed form; edges and corners are where signs go wrong.
  const GeometryPtr mesh = converted(make(AxisAlignedBoxShape{{0, 0, 0}, {1, 2, 3}}), GeometryKind::mesh);
  const TriangleField field(*mesh->as<TriangleMesh>());
  ASSERT_TRUE(field.closed());
  RandomStream random(5);
  for (int i = 0; i < 3000; ++i) {
    const Vector3d p(random.uniform(-1, 2), random.uniform(-1, 3), random.uniform(-1, 4));
    const Vector3d q = (p - Vector3d(0.5, 1, 1.5)).cwiseAbs() - Vector3d(0.5, 1, 1.5);
    const double expected = q.maxCoeff() > 0 ? q.cwiseMax(0).norm() : q.maxCoeff();
    EXPECT_NEAR(field.signedDistance(p), expected, 1e-12);
  }
  const auto surface = converted(mesh, GeometryKind::implicitSurface, {.resolution = 0.2});
  const auto* shape = surface->as<ImplicitSurfaceShape>();
  const auto back = converted(surface, GeometryKind::mesh);
  const AxisAlignedBounds bounds = back->bounds();
  EXPECT_LT((bounds.min - Vector3d(0, 0, 0)).norm(), 0.2);
  EXPECT_LT((bounds.max - Vector3d(1, 2, 3)).norm(), 0.2);
  EXPECT_LT(shape->grid.interpolate(Vector3d(0.5, 1, 1.5)), -0.4);
}

TEST(Convert, OccupancyGridsHoldTheSolidAndNoCellThatIsFree) {
  const std::vector<GeometryPtr> shapes = {
      make(SphereShape{{0.2, 0.1, 0}, 0.8}),
      converted(make(SphereShape{{0.2, 0.1, 0}, 0.8}), GeometryKind::mesh, {.resolution = 0.05})};
  for (const GeometryPtr& shape : shapes) {
    const auto grid = converted(shape, GeometryKind::occupancyGrid, {.resolution = 0.1});
    const auto* cells = grid->as<OccupancyGridShape>();
    ASSERT_NE(cells, nullptr);
    const double reach = 0.05 * std::sqrt(3.0);
    for (int i = 0; i < cells->grid.cells[0]; ++i)
      for (int j = 0; j < cells->grid.cells[1]; ++j)
        for (int k = 0; k < cells->grid.cells[2]; ++k) {
          const double distance = (cells->grid.center(i, j, k) - Vector3d(0.2, 0.1, 0)).norm() - 0.8;
          if (distance < -0.01) {
            EXPECT_TRUE(cells->occupied(i, j, k));
          }
          if (distance > reach) {
            EXPECT_FALSE(cells->occupied(i, j, k));
          }
        }
    // Distances of the cells' solid, inside merged boxes too.
    const auto field = converted(grid, GeometryKind::implicitSurface, {.resolution = 0.1});
    EXPECT_LT(field->as<ImplicitSurfaceShape>()->grid.interpolate({0.2, 0.1, 0}), -0.65);
  }
}

TEST(Convert, HeightmapsAreTheHighestSurface) {
  const auto map = converted(make(SphereShape{{0, 0, 1}, 0.5}), GeometryKind::heightmap, {.resolution = 0.02});
  const auto* heights = map->as<HeightmapShape>();
  ASSERT_NE(heights, nullptr);
  for (int row = 0; row < heights->rows; ++row)
    for (int column = 0; column < heights->columns; ++column) {
      const Vector3d p = heights->point(column, row);
      const double squared = p.head<2>().squaredNorm();
      if (squared < 0.2) {
        EXPECT_NEAR(p.z(), 1 + std::sqrt(0.25 - squared), 0.002);
      }
      if (squared > 0.26) {
        EXPECT_NEAR(p.z(), 0.5, 0.02);
      }
    }
  const auto box =
      converted(make(AxisAlignedBoxShape{{0, 0, 0}, {1, 2, 3}}), GeometryKind::heightmap, {.resolution = 0.25});
  for (const double height : box->as<HeightmapShape>()->heights) EXPECT_NEAR(height, 3, 1e-12);
}

TEST(Convert, HeightmapsAreSolidBelow) {
  HeightmapShape map;
  map.columns = 3;
  map.rows = 3;
  map.size = {2, 2};
  map.heights = {0, 0, 0, 0, 1, 0, 0, 0, 0};
  const auto field = converted(make(map), GeometryKind::implicitSurface, {.resolution = 0.1, .padding = 1});
  const auto& grid = field->as<ImplicitSurfaceShape>()->grid;
  EXPECT_LT(grid.interpolate({0, 0, 0.5}), 0);
  EXPECT_LT(grid.interpolate({0.3, 0.2, -0.5}), 0);
  EXPECT_GT(grid.interpolate({0.8, 0.8, 0.5}), 0);
  EXPECT_GT(grid.interpolate({1.5, 0, -0.5}), 0);
}

TEST(Convert, HullsOfEverything) {
  for (const GeometryPtr& shape :
       {make(SphereShape{}), make(BoxShape{kPose, {1, 1, 1}}),
        make(PointCloud{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1, 0.1, 0.1}}}),
        make(SegmentShape{{0, 0, 0}, {1, 0, 0}}), make(PolygonShape{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}})}) {
    const auto hull = converted(shape, GeometryKind::convexHull, {.resolution = 0.1});
    ASSERT_NE(hull->as<ConvexHullShape>(), nullptr);
    const AxisAlignedBounds a = shape->bounds(), b = hull->bounds();
    EXPECT_LT((a.min - b.min).norm() + (a.max - b.max).norm(), 0.02);
  }
}

TEST(Convert, SaysWhatCannotBe) {
  const auto refused = [](const GeometryPtr& shape, GeometryKind kind, const std::string& part) {
    try {
      converted(shape, kind);
      FAIL() << part;
    } catch (const Error& error) {
      EXPECT_NE(error.message().find(part), std::string::npos) << error.message();
      EXPECT_FALSE(error.hint().empty());
    }
  };
  refused(make(PointCloud{{{0, 0, 0}, {1, 1, 1}}}), GeometryKind::mesh, "surface");
  refused(make(PointCloud{{{0, 0, 0}, {1, 1, 1}}}), GeometryKind::implicitSurface, "radius");
  refused(make(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}), GeometryKind::implicitSurface, "holes");
  refused(make(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, NAN, 0}}, {{0, 1, 2}}}), GeometryKind::pointCloud, "finite");
  refused(nullptr, GeometryKind::mesh, "empty");
  refused(make(Geometry::Data()), GeometryKind::mesh, "empty");
  EXPECT_THROW(converted(make(SphereShape{}), GeometryKind::mesh, {.resolution = -1}), Error);
  EXPECT_THROW(converted(make(SphereShape{}), GeometryKind::occupancyGrid, {.resolution = 1e-6}), Error);
}

}  // namespace
}  // namespace mortise
