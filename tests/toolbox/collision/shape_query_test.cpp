#include <Eigen/Geometry>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "mortise/collision/query.h"

namespace mortise {
namespace {

TriangleMesh bumpyBall(int rings, int sides, double bumps) {
  TriangleMesh mesh;
  const auto at = [&](int i, int k) {
    const double a = M_PI * i / rings, b = 2 * M_PI * k / sides, r = 1 + bumps * std::sin(5 * a) * std::cos(3 * b);
    return Vector3d(r * std::sin(a) * std::cos(b), r * std::sin(a) * std::sin(b), r * std::cos(a));
  };
  mesh.vertices.push_back({0, 0, 1});
  for (int i = 1; i < rings; ++i)
    for (int k = 0; k < sides; ++k) mesh.vertices.push_back(at(i, k));
  mesh.vertices.push_back({0, 0, -1});
  const auto index = [&](int i, int k) {
    return i == 0 ? 0 : i == rings ? static_cast<int>(mesh.vertices.size()) - 1 : 1 + (i - 1) * sides + k % sides;
  };
  for (int i = 0; i < rings; ++i)
    for (int k = 0; k < sides; ++k) {
      if (i > 0) mesh.triangles.push_back({index(i, k), index(i + 1, k), index(i, k + 1)});
      if (i + 1 < rings) mesh.triangles.push_back({index(i, k + 1), index(i + 1, k), index(i + 1, k + 1)});
    }
  return mesh;
}

GeometryPtr geometry(Geometry::Data data, double margin = 0) {
  return std::make_shared<const Geometry>(std::move(data), margin);
}

RigidTransform tilted() {
  return {Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()).toRotationMatrix(), Vector3d(0.1, -0.2, 0.3)};
}

struct Named {
  const char* name;
  CollisionShapePtr shape;
};

std::vector<Named> everyShape() {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> within(-0.7, 0.7);
  const auto points = [&](int n) {
    std::vector<Vector3d> result;
    for (int i = 0; i < n; ++i) result.emplace_back(within(random), within(random), within(random));
    return result;
  };
  PointCloud cloud;
  cloud.points = points(40);
  HeightmapShape map;
  map.X = tilted();
  map.columns = 6;
  map.rows = 5;
  map.size = {2, 1.5};
  for (int i = 0; i < 30; ++i) map.heights.push_back(0.3 * within(random));
  OccupancyGridShape occupancy;
  occupancy.grid.X = tilted();
  occupancy.grid.min = Vector3d(-0.6, -0.6, -0.6);
  occupancy.grid.max = Vector3d(0.6, 0.7, 0.8);
  occupancy.grid.cells = {5, 4, 3};
  for (int i = 0; i < 60; ++i) occupancy.grid.values.push_back(within(random) > 0.2 ? 1 : 0);
  GeometryGroup group;
  group.parts = {
      geometry(SphereShape{Vector3d(0.5, 0, 0), 0.3}), geometry(bumpyBall(4, 5, 0.1), 0.01),
      geometry(GeometryGroup{{geometry(AxisAlignedBoxShape{Vector3d(-1, 0, 0), Vector3d(-0.5, 0.4, 0.2)})}}, 0.1)};
  std::vector<Named> shapes;
  const auto add = [&](const char* name, Geometry::Data data, double margin = 0) {
    shapes.push_back({name, makeCollisionShape(geometry(std::move(data), margin))});
  };
  add("point", PointShape{Vector3d(0.1, 0.2, 0.3)});
  add("segment", SegmentShape{Vector3d(-0.5, 0, 0), Vector3d(0.4, 0.5, 0.6)});
  add("triangle", TriangleShape{Vector3d(-0.5, 0, 0), Vector3d(0.4, 0.5, 0.6), Vector3d(0.2, -0.7, 0)});
  add("polygon", PolygonShape{{Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(0.3, 0.3, 0), Vector3d(0, 1, 0)}});
  add("sphere", SphereShape{Vector3d(0.1, 0.2, 0.3), 0.6});
  add("ellipsoid", EllipsoidShape{tilted(), Vector3d(0.4, 0.6, 0.9)});
  add("cylinder", CylinderShape{Vector3d(0, 0, -0.3), Vector3d(1, 1, 1).normalized(), 0.4, 0.9});
  add("capsule", CapsuleShape{Vector3d(-0.5, 0, 0), Vector3d(0.4, 0.5, 0.6), 0.2});
  add("aabb", AxisAlignedBoxShape{Vector3d(-0.3, -0.4, -0.5), Vector3d(0.3, 0.6, 0.5)});
  add("box", BoxShape{tilted(), Vector3d(0.5, 0.7, 0.9)}, 0.05);
  add("hull", ConvexHullShape{points(20)});
  add("mesh", bumpyBall(5, 7, 0.2));
  add("cloud", cloud, 0.02);
  add("heightmap", map);
  add("occupancy", occupancy);
  add("group", group, 0.02);
  return shapes;
}

TEST(ShapeQueries, EveryPairAgreesWithAllPairsOfElements) {
  const std::vector<Named> shapes = everyShape();
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  QueryWorkspace workspace;
  std::vector<FeaturePair> pairs;
  std::vector<ElementContact> layer;
  int collisions = 0, total = 0;
  for (const Named& first : shapes)
    for (const Named& second : shapes) {
      const CollisionShape &a = *first.shape, &b = *second.shape;
      for (int i = 0; i < 8; ++i) {
        const Eigen::Quaterniond q(normal(random), normal(random), normal(random), normal(random));
        const RigidTransform X_WA = tilted();
        const RigidTransform X_WB =
            X_WA * RigidTransform{q.normalized().toRotationMatrix(),
                                  0.3 * (i % 5) * Vector3d(normal(random), normal(random), normal(random))};
        const RigidTransform X_AB = relativePose(X_WA, X_WB);
        const double tolerance = 0.05;
        double minimum = std::numeric_limits<double>::infinity();
        std::vector<FeaturePair> near;
        for (int j = 0; j < a.numElements(); ++j)
          for (int k = 0; k < b.numElements(); ++k) {
            const double apart = separation(a.element(j), b.element(k), X_AB).distance;
            minimum = std::min(minimum, apart);
            if (apart <= tolerance) near.push_back({a.id(j), b.id(k)});
          }
        const std::string what = std::string(first.name) + ", " + second.name + ", " + std::to_string(i);
        SCOPED_TRACE(what);
        // Inside what a surface encloses there is no pair of elements that says so.
        FeaturePair found;
        const bool hit = collide(a, X_WA, b, X_WB, workspace, nullptr, &found);
        const bool enclosed = hit && minimum > 1e-6 && (a.solid() || b.solid());
        if (std::fabs(minimum) > 1e-9 && !enclosed) {
          EXPECT_EQ(hit, minimum < 0) << minimum;
        }
        ++total;
        collisions += hit ? 1 : 0;
        if (!enclosed) {
          EXPECT_EQ(collideAll(a, X_WA, b, X_WB, 1000000, pairs, workspace), hit);
        }
        if (minimum > 1e-9 && std::fabs(minimum - tolerance) > 1e-9) {
          EXPECT_EQ(withinDistance(a, X_WA, b, X_WB, tolerance, workspace), enclosed || minimum <= tolerance);
        }
        const DistanceResult result = distance(a, X_WA, b, X_WB, workspace);
        ASSERT_TRUE(result.found);
        // Triangles that meet are 0 apart, or less by their margins; separation says how deep.
        const bool bare = a.trianglesOnly() && b.trianglesOnly();
        const double expected = enclosed ? -minimum : bare ? std::max(minimum, -(a.sweep() + b.sweep())) : minimum;
        EXPECT_NEAR(result.distance, expected, 1e-7 + 1e-7 * std::fabs(expected));
        contacts(a, X_WA, b, X_WB, tolerance, layer, workspace);
        std::sort(near.begin(), near.end());
        ASSERT_EQ(layer.size(), near.size());
        for (std::size_t k = 0; k < layer.size(); ++k) {
          EXPECT_EQ(layer[k].elements, near[k]);
          EXPECT_NEAR(layer[k].normal_W.norm(), 1, 1e-9);
          EXPECT_NEAR((layer[k].p_WB - layer[k].p_WA - layer[k].gap * layer[k].normal_W).norm(), 0, 1e-6);
        }
      }
    }
  EXPECT_GT(collisions, total / 10);
  EXPECT_LT(collisions, 9 * total / 10);
}

TEST(Rays, FirstHitIsTheFirstOfAllElements) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  int hits = 0, total = 0;
  for (const Named& named : everyShape()) {
    const CollisionShape& shape = *named.shape;
    SCOPED_TRACE(named.name);
    std::vector<Ray> rays;
    for (int i = 0; i < 200; ++i) {
      Ray ray;
      ray.origin = 2 * Vector3d(normal(random), normal(random), normal(random));
      ray.direction =
          std::pow(10.0, i % 9 - 4) * (0.4 * Vector3d(normal(random), normal(random), normal(random)) - ray.origin);
      if (i % 10 == 0) ray.direction = Vector3d::Unit(i / 10 % 3) * (i % 20 == 0 ? -1 : 1);
      if (i % 7 == 0) ray.tMax = 0.8;
      rays.push_back(ray);
    }
    std::vector<RayHit> all(rays.size());
    const RigidTransform X = tilted();
    std::size_t count = 0;
    for (std::size_t i = 0; i < rays.size(); ++i) {
      const Vector3d origin = X.R.transpose() * (rays[i].origin - X.p), direction = X.R.transpose() * rays[i].direction;
      double first = rays[i].tMax;
      bool expected = false;
      for (int k = 0; k < shape.numElements(); ++k) {
        ElementRayHit one;
        if (!rayCast(shape.element(k), origin, direction, first, one)) continue;
        first = one.t;
        expected = true;
      }
      RayHit hit;
      EXPECT_EQ(rayCast(shape, X, rays[i], hit), expected) << i;
      // The other copy of the inner loop gives the same bits.
      RayHit plain;
      forceBaselineInstructions(true);
      rayCast(shape, X, rays[i], plain);
      forceBaselineInstructions(false);
      EXPECT_EQ(plain.t, hit.t);
      EXPECT_EQ(plain.element, hit.element);
      ++total;
      if (!expected || !hit.hit) continue;
      ++hits;
      ++count;
      EXPECT_NEAR(hit.t, first, 1e-9 * first + 1e-12);
      EXPECT_NEAR(hit.normal_W.norm(), 1, 1e-9);
      EXPECT_LE(hit.normal_W.dot(rays[i].direction), 0);
    }
    EXPECT_EQ(rayCasts(shape, X, rays, all), count);
  }
  EXPECT_GT(hits, total / 20);
}

// Through corners and along edges of a closed mesh: no ray slips between triangles.
TEST(Rays, DoNotSlipThroughSharedEdges) {
  const TriangleMesh mesh = bumpyBall(12, 16, 0.1);
  const auto shape = makeCollisionShape(geometry(mesh));
  std::mt19937 random(4);
  std::uniform_real_distribution<double> fraction(0, 1);
  int onFeatures = 0;
  for (const auto& triangle : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      const Vector3d &a = mesh.vertices[triangle[k]], &b = mesh.vertices[triangle[(k + 1) % 3]];
      for (const double s : {0.0, 0.5, fraction(random)}) {
        Ray ray;
        ray.origin = Vector3d(0.01, 0.02, 0.03);  // Inside.
        ray.direction = a + s * (b - a) - ray.origin;
        RayHit hit;
        ASSERT_TRUE(rayCast(*shape, {}, ray, hit));
        EXPECT_LE(hit.t, 1 + 1e-9);
        onFeatures += hit.feature.kind != FeatureKind::face ? 1 : 0;
      }
    }
  EXPECT_GT(onFeatures, 0);
}

TEST(Contains, ClosedMeshesByCrossings) {
  const TriangleMesh mesh = bumpyBall(12, 16, 0.3);
  const auto shape = makeCollisionShape(geometry(mesh));
  ASSERT_EQ(shape->meshParts().size(), 1U);
  EXPECT_TRUE(shape->meshParts()[0].closed);
  TriangleMesh holed = mesh;
  holed.triangles.resize(holed.triangles.size() - 3);
  const auto open = makeCollisionShape(geometry(holed));
  EXPECT_FALSE(open->meshParts()[0].closed);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> within(-1.4, 1.4);
  int inside = 0;
  for (int i = 0; i < 2000; ++i) {
    Vector3d p(within(random), within(random), within(random));
    if (i % 4 == 0) p[i / 4 % 3] = 0;  // Where the mesh has its corners.
    double solidAngle = 0;
    for (const auto& t : mesh.triangles) {
      const Vector3d a = mesh.vertices[t[0]] - p, b = mesh.vertices[t[1]] - p, c = mesh.vertices[t[2]] - p;
      const double la = a.norm(), lb = b.norm(), lc = c.norm();
      solidAngle += 2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
    }
    const bool expected = solidAngle > 2 * M_PI;
    inside += expected ? 1 : 0;
    EXPECT_EQ(contains(*shape, {}, p), expected) << p.transpose();
    const RigidTransform X = tilted();
    EXPECT_EQ(contains(*shape, X, X * p), expected) << p.transpose();
    // Away from the hole, a mesh with one says the same.
    if ((p - Vector3d(0, 0, -1)).norm() > 0.6) {
      EXPECT_EQ(contains(*open, {}, p), expected) << p.transpose();
    }
  }
  EXPECT_GT(inside, 200);
  for (const Vector3d& corner : mesh.vertices) EXPECT_TRUE(contains(*shape, {}, corner));
}

TEST(Contains, PrimitivesAndSolidsBelowSurfaces) {
  const auto box = makeCollisionShape(geometry(AxisAlignedBoxShape{Vector3d(0, 0, 0), Vector3d(1, 1, 1)}, 0.1));
  EXPECT_TRUE(contains(*box, {}, Vector3d(0.5, 0.5, 0.5)));
  EXPECT_TRUE(contains(*box, {}, Vector3d(1.05, 0.5, 0.5)));
  EXPECT_FALSE(contains(*box, {}, Vector3d(1.08, 1.08, 1.08)));
  HeightmapShape map;
  map.columns = map.rows = 3;
  map.size = {2, 2};
  map.heights = {0, 0, 0, 0, 1, 0, 0, 0, 0};
  const auto ground = makeCollisionShape(geometry(map));
  EXPECT_TRUE(contains(*ground, {}, Vector3d(0, 0, 0.9)));
  EXPECT_FALSE(contains(*ground, {}, Vector3d(0.5, 0, 0.6)));
  EXPECT_TRUE(contains(*ground, {}, Vector3d(0.5, 0, -100)));
  EXPECT_FALSE(contains(*ground, {}, Vector3d(1.5, 0, -100)));
  // A ball deep below the surface meets no triangle and collides all the same.
  const auto sphere = makeCollisionShape(geometry(SphereShape{Vector3d::Zero(), 0.2}));
  QueryWorkspace workspace;
  EXPECT_TRUE(collide(*ground, {}, *sphere, RigidTransform::translation({0.1, 0.2, -5}), workspace));
  EXPECT_TRUE(collide(*sphere, RigidTransform::translation({0.1, 0.2, -5}), *ground, {}, workspace));
  EXPECT_FALSE(collide(*ground, {}, *sphere, RigidTransform::translation({0.1, 0.2, 1.5}), workspace));
  EXPECT_LT(distance(*ground, {}, *sphere, RigidTransform::translation({0.1, 0.2, -5}), workspace).distance, -4);
}

}  // namespace
}  // namespace mortise
