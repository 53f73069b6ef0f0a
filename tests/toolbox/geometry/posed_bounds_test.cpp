#include "mortise/geometry/posed_bounds.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/collision/shape.h"
#include "tests/support/convex_meshes.h"

namespace mortise {
namespace {

/// What the elements of a shape that is prepared for queries have.
AxisAlignedBounds byElements(const GeometryPtr& geometry, const RigidTransform& X) {
  const CollisionShapePtr shape = makeCollisionShape(geometry);
  AxisAlignedBounds bounds;
  for (int i = 0; i < shape->numElements(); ++i) {
    const AxisAlignedBounds element = elementBounds(shape->element(i), X);
    bounds.include(element.min);
    bounds.include(element.max);
  }
  return bounds;
}

TEST(PosedBounds, AreThoseOfAllElements) {
  HeightmapShape map;
  map.columns = 5;
  map.rows = 4;
  map.size = {2, 1};
  for (int i = 0; i < 20; ++i) map.heights.push_back(0.3 * std::sin(i));
  PointCloud cloud;
  cloud.points = {{0, 0, 0}, {1, 2, 3}, {-1, 0.5, 2}};
  PointCloud balls = cloud;
  balls.properties.push_back({"radius", {0.1, 0.5, 0.2}});
  TriangleMesh mesh = test::boxMesh({1, 2, 3});
  mesh.vertices.emplace_back(100, 100, 100);  // No corner of a triangle.
  ImplicitSurfaceShape surface;
  surface.grid.min = Vector3d::Constant(-1);
  surface.grid.max = Vector3d::Constant(1);
  surface.grid.cells = {6, 6, 6};
  for (int i = 0; i < 216; ++i)
    surface.grid.values.push_back(Vector3d(i / 36 - 2.5, i / 6 % 6 - 2.5, i % 6 - 2.5).norm() / 3 - 0.6);
  GeometryGroup group;
  group.parts = {std::make_shared<const Geometry>(mesh, 0.1), std::make_shared<const Geometry>(SphereShape{}, 0.2),
                 nullptr, std::make_shared<const Geometry>(map)};
  const Geometry::Data all[] = {map, cloud, balls, mesh, surface, group, BoxShape{}, CylinderShape{}, CapsuleShape{}};
  const RigidTransform X{Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()).toRotationMatrix(), {1, -2, 0.5}};
  for (const Geometry::Data& data : all)
    for (const double margin : {0.0, 0.05}) {
      const auto geometry = std::make_shared<const Geometry>(data, margin);
      const AxisAlignedBounds found = posedBounds(*geometry, X), expected = byElements(geometry, X);
      EXPECT_TRUE(found.min.isApprox(expected.min, 1e-14)) << geometry->typeName() << " " << found.min.transpose();
      EXPECT_TRUE(found.max.isApprox(expected.max, 1e-14)) << geometry->typeName() << " " << found.max.transpose();
    }
}

TEST(PosedBounds, OfNothingAreEmptyAndOfBrokenShapesAnError) {
  EXPECT_TRUE(posedBounds(Geometry(TriangleMesh{}), {}).empty());
  TriangleMesh mesh = test::boxMesh({1, 1, 1});
  mesh.triangles.push_back({0, 1, 99});
  EXPECT_THROW(posedBounds(Geometry(mesh), {}), Error);
  mesh = test::boxMesh({1, 1, 1});
  mesh.vertices[3].x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(posedBounds(Geometry(mesh), {}), Error);
}

}  // namespace
}  // namespace mortise
