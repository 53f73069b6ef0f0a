#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "mortise/base/error.h"
#include "mortise/collision/query.h"
#include "mortise/geometry/grids/triangle_field.h"
#include "tests/support/convex_meshes.h"

namespace mortise {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

std::vector<CollisionShapePtr> allKinds() {
  std::vector<CollisionShapePtr> shapes;
  const auto add = [&](Geometry::Data data, double margin = 0) {
    shapes.push_back(makeCollisionShape(std::make_shared<const Geometry>(std::move(data), margin)));
  };
  add(BoxShape{});
  add(SphereShape{});
  add(CapsuleShape{});
  add(CylinderShape{});
  add(EllipsoidShape{});
  add(test::boxMesh({1, 2, 3}));
  add(test::gridMesh(12, 1));
  add(test::gridMesh(12, 1), 0.1);
  PointCloud cloud;
  for (int i = 0; i < 50; ++i) cloud.points.emplace_back(std::sin(i), std::cos(2 * i), 0.1 * i);
  add(cloud, 0.05);
  HeightmapShape map;
  map.columns = map.rows = 9;
  map.size = {2, 2};
  for (int i = 0; i < 81; ++i) map.heights.push_back(0.2 * std::sin(i));
  add(map);
  ImplicitSurfaceShape surface;
  surface.grid.min = Vector3d::Constant(-1);
  surface.grid.max = Vector3d::Constant(1);
  surface.grid.cells = {8, 8, 8};
  for (int i = 0; i < 512; ++i) {
    const Vector3d at(i / 64 - 3.5, i / 8 % 8 - 3.5, i % 8 - 3.5);
    surface.grid.values.push_back(0.25 * at.norm() - 0.6);
  }
  add(surface);
  return shapes;
}

/// Numbers where sums, products or conversions to float overflow, underflow or cancel.
double extreme(std::mt19937& random) {
  static const double numbers[] = {0.0,  -0.0,  1.0,  -1.0,   0.5,    1e308,   -1e308, 1.7e308, 1e154, -1e160,
                                   1e39, -1e38, 3e38, 1e-308, 5e-324, -5e-324, 1e-160, -1e-39,  1e17,  -1e9};
  return numbers[random() % std::size(numbers)];
}

Vector3d extremes(std::mt19937& random) { return {extreme(random), extreme(random), extreme(random)}; }

TEST(ExtremeNumbers, RaysEndWhateverTheyAreMadeOf) {
  std::mt19937 random(1);
  for (const CollisionShapePtr& shape : allKinds())
    for (int i = 0; i < 3000; ++i) {
      const Vector3d origin = extremes(random), direction = extremes(random);
      if (direction.isZero(0)) continue;
      const double tMax = i % 3 == 0 ? kInf : std::abs(extreme(random));
      RayHit hit;
      try {
        if (!rayCast(*shape, {}, {origin, direction, tMax}, hit)) continue;
      } catch (const Error&) {  // Numbers whose sum is infinite.
        continue;
      }
      ASSERT_GE(hit.t, 0) << origin.transpose() << " along " << direction.transpose();
      ASSERT_LE(hit.t, tMax);
      ASSERT_TRUE(std::isfinite(hit.t) && hit.p_W.allFinite())
          << origin.transpose() << " along " << direction.transpose();
    }
}

TEST(ExtremeNumbers, TheRayOfTheCornerOfASingleBoxEnds) {
  // All eight places of the node but one are empty, and this ray enters every box.
  const CollisionShapePtr box = makeCollisionShape(std::make_shared<const Geometry>(BoxShape{}));
  RayHit hit;
  EXPECT_FALSE(rayCast(*box, {}, {{0, 0, 2}, Vector3d::Constant(1e308)}, hit));
  EXPECT_TRUE(rayCast(*box, {}, {Vector3d::Constant(-1e30), Vector3d::Constant(1e300)}, hit));
}

TEST(ExtremeNumbers, RaysFromVeryFarHitWhatTheyPointAt) {
  for (const CollisionShapePtr& shape : {makeCollisionShape(std::make_shared<const Geometry>(test::boxMesh({1, 2, 3}))),
                                         makeCollisionShape(std::make_shared<const Geometry>(BoxShape{}))})
    for (const double far : {1e3, 1e6, 1e9, 1e12, 1e15}) {
      RayHit hit;
      ASSERT_TRUE(rayCast(*shape, {}, {{0.25, 0.3, far}, {0, 0, -1}}, hit)) << far;
      EXPECT_DOUBLE_EQ(hit.t, far - shape->bounds().max.z());
      EXPECT_TRUE(rayCast(*shape, {}, {{0.25, 0.3, 2.5}, {0, 0, -1e-300}}, hit));
      EXPECT_FALSE(rayCast(*shape, {}, {{0.25, 0.3, far}, {0, 0, 1}}, hit)) << far;
    }
}

TEST(ExtremeNumbers, RaysThatAreNoneAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const CollisionShapePtr& shape : allKinds())
    for (const double bad : {kInf, -kInf, nan})
      for (int k = 0; k < 3; ++k) {
        Vector3d origin(0, 0, 2), direction(0, 0, -1);
        RayHit hit;
        origin[k] = bad;
        EXPECT_THROW(rayCast(*shape, {}, {origin, direction}, hit), Error);
        origin[k] = 0;
        direction[k] = bad;
        EXPECT_THROW(rayCast(*shape, {}, {origin, direction}, hit), Error);
      }
}

/// Triangles each a little larger than the one before: every cut of such a row parts few from many.
TEST(ExtremeNumbers, RaysPassVeryUnevenShapes) {
  TriangleMesh mesh;
  double x = 1e-20;
  for (int i = 0; i < 4000; ++i, x *= 1.03) {
    const int first = static_cast<int>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), {{x, -x, -x}, {x, x, -x}, {x, 0, 2 * x}});
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  const CollisionShapePtr shape = makeCollisionShape(std::make_shared<const Geometry>(mesh));
  for (int i = 0; i < 4000; i += 37) {
    const double at = mesh.vertices[3 * static_cast<std::size_t>(i)].x();
    RayHit hit;
    ASSERT_TRUE(rayCast(*shape, {}, {{0.99 * at, 0, 0}, {1, 0, 0}}, hit)) << i;
    EXPECT_EQ(hit.element.index, i);
  }
}

TEST(ExtremeNumbers, QueriesOfTwoShapesEnd) {
  std::mt19937 random(2);
  const std::vector<CollisionShapePtr> shapes = allKinds();
  QueryWorkspace workspace;
  for (int i = 0; i < 2000; ++i) {
    const CollisionShape& a = *shapes[random() % shapes.size()];
    const CollisionShape& b = *shapes[random() % shapes.size()];
    const RigidTransform X{Matrix3d::Identity(), extremes(random)};
    try {
      const bool hit = collide(a, {}, b, X, workspace);
      // Whatever is below a heightmap is in it.
      ASSERT_FALSE(hit && !a.solid() && !b.solid() && X.p.cwiseAbs().maxCoeff() > 100) << X.p.transpose();
      contains(a, X, Vector3d::Zero());
      distance(a, {}, b, X, workspace);
    } catch (const Error&) {
    }
  }
}

TEST(ExtremeNumbers, FieldsOfTrianglesAnswerForEveryPoint) {
  const TriangleField field(test::gridMesh(40, 1));
  std::mt19937 random(3);
  for (int i = 0; i < 3000; ++i) EXPECT_FALSE(field.distance(extremes(random)) < 0);
}

}  // namespace
}  // namespace mortise
