/// Every kind of shape, against closed forms and against the collision library's rays, which share nothing with ours.

#include <random>

#include "mortise/collision/query.h"
#include "tests/plugins/sensors_embree/sight.h"

namespace mortise {
namespace {

using test::kNothing;
using test::placedObject;
using test::poseText;
using test::shape;

class SeenShapes : public test::SightTest {
 protected:
  static constexpr int kBeams = 400;

  /// A fan of beams from `X_WS`, over two axes.
  ComponentPtr<Sensor> fan(const RigidTransform& X_WS, const std::string& more = "") {
    return started("LaserRangeSensor",
                   "{measurementCount: 400, depthMinimum: 0, xSweepMagnitude: 0.5, ySweepMagnitude: 0.5, "
                   "ySweepType: triangular, " +
                       more + poseText(X_WS) + "}");
  }
  static Vector3d beam(int i) {
    const double angle = 0.5 * (2.0 * i / (kBeams - 1) - 1);
    return {std::sin(angle), std::cos(angle) * std::sin(angle), std::cos(angle) * std::cos(angle)};
  }

  /// Looks at the shape, turned and moved, from all sides; each distance must be the one that `expected` says in the
  /// shape's frame. Returns how many beams hit.
  int compare(const GeometryPtr& geometry, const test::ClosedForm& expected, double away = 3,
              const std::string& more = "") {
    world = World();
    const RigidTransform X_WO(rotationFromRollPitchYaw(Vector3d(0.4, -0.7, 1.1)), Vector3d(30, -20, 11));
    world.objects.push_back(placedObject(geometry, X_WO));
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    int hits = 0, wrong = 0;
    for (int k = 0; k < 12; ++k) {
      const Vector3d from = away * Vector3d(normal(random), normal(random), normal(random)).normalized();
      const RigidTransform X_OS = test::lookAt(from, Vector3d(0.05, 0.03, 0.02));
      auto laser = fan(X_WO * X_OS, more);
      const std::vector<double> values = measure(*laser);
      for (int i = 0; i < kBeams; ++i) {
        const double t = expected(X_OS.p, X_OS.R * beam(i));
        if (t < kNothing) ++hits;
        if (t != values[i] && !(std::abs(t - values[i]) <= 1e-9) && ++wrong <= 3)
          ADD_FAILURE() << "view " << k << ", beam " << i << ": " << values[i] << " instead of " << t;
      }
    }
    EXPECT_EQ(wrong, 0);
    return hits;
  }
  int compareWithCollisions(const GeometryPtr& geometry, double away = 3) {
    const CollisionShapePtr prepared = makeCollisionShape(geometry);
    return compare(
        geometry,
        [&](const Vector3d& o, const Vector3d& d) {
          RayHit hit;
          return rayCast(*prepared, {}, {o, d}, hit) ? hit.t : kNothing;
        },
        away);
  }
  static TriangleMesh blob() {
    TriangleMesh mesh;
    constexpr int n = 20;
    for (int i = 0; i <= n; ++i)
      for (int j = 0; j < n; ++j) {
        const double a = M_PI * i / n, b = 2 * M_PI * j / n, r = 0.8 + 0.15 * std::sin(3 * a) * std::cos(4 * b);
        mesh.vertices.push_back(r * Vector3d(std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a)));
      }
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const int k = (j + 1) % n;
        mesh.triangles.push_back({i * n + j, (i + 1) * n + j, (i + 1) * n + k});
        mesh.triangles.push_back({i * n + j, (i + 1) * n + k, i * n + k});
      }
    return mesh;
  }
};

TEST_F(SeenShapes, Meshes) { EXPECT_GT(compareWithCollisions(shape(blob())), 1000); }

TEST_F(SeenShapes, BoxesAndHulls) {
  EXPECT_GT(compareWithCollisions(shape(AxisAlignedBoxShape{Vector3d(-0.5, -0.7, -0.2), Vector3d(0.4, 0.9, 1)})), 1000);
  BoxShape box;
  box.X = {rotationFromRollPitchYaw(Vector3d(1, 2, 3)), Vector3d(0.1, -0.3, 0.2)};
  box.size = Vector3d(1.2, 0.3, 0.7);
  EXPECT_GT(compareWithCollisions(shape(box)), 500);
  ConvexHullShape hull;
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 40; ++i)
    hull.points.push_back(0.8 * Vector3d(normal(random), normal(random), normal(random)).normalized());
  EXPECT_GT(compareWithCollisions(shape(hull)), 1000);
  EXPECT_GT(
      compareWithCollisions(shape(ConvexHullShape{{Vector3d(-1, -1, 0), Vector3d(1, -1, 0.2), Vector3d(0, 1, 0)}})),
      300);
}

TEST_F(SeenShapes, RoundOnes) {
  EXPECT_GT(compareWithCollisions(shape(SphereShape{Vector3d(0.2, 0.1, -0.1), 0.7})), 1000);
  EllipsoidShape ellipsoid;
  ellipsoid.X = {rotationFromRollPitchYaw(Vector3d(1, 2, 3)), Vector3d(0.1, -0.3, 0.2)};
  ellipsoid.radii = Vector3d(1.2, 0.3, 0.7);
  EXPECT_GT(compareWithCollisions(shape(ellipsoid)), 1000);
  EXPECT_GT(compareWithCollisions(shape(CylinderShape{Vector3d(0.2, 0, -0.6), Vector3d(0.6, 0, 0.8), 0.4, 1.2})), 500);
  EXPECT_GT(compareWithCollisions(shape(CapsuleShape{Vector3d(-0.4, 0.1, 0), Vector3d(0.5, -0.2, 0.3), 0.35})), 1000);
}

TEST_F(SeenShapes, FlatOnes) {
  EXPECT_GT(compareWithCollisions(shape(TriangleShape{Vector3d(-1, 0, 0), Vector3d(1, -1, 0), Vector3d(0.5, 1, 0.4)})),
            300);
  EXPECT_GT(compareWithCollisions(shape(PolygonShape{{Vector3d(-1, -1, 0), Vector3d(1, -1, 0), Vector3d(0.1, 0, 0),
                                                      Vector3d(1, 1, 0), Vector3d(-1, 1, 0)}})),
            300);
}

TEST_F(SeenShapes, HeightmapsAndOccupancyGrids) {
  HeightmapShape map;
  map.X = {rotationFromRollPitchYaw(Vector3d(0.1, 0.2, 0.3)), Vector3d(0.1, 0, 0)};
  map.columns = 9;
  map.rows = 7;
  map.size = {2, 1.5};
  for (int k = 0; k < 63; ++k) map.heights.push_back(0.3 * std::sin(1.7 * k));
  EXPECT_GT(compareWithCollisions(shape(map)), 500);

  OccupancyGridShape grid;
  grid.grid.X = {rotationFromRollPitchYaw(Vector3d(0.4, 0.2, 0.3)), Vector3d(0.1, 0, 0)};
  grid.grid.min = Vector3d(-0.8, -0.9, -0.7);
  grid.grid.max = Vector3d(0.8, 0.7, 0.9);
  grid.grid.cells = {6, 5, 4};
  for (int k = 0; k < 120; ++k) grid.grid.values.push_back(k % 3 == 0 || k % 7 == 1 ? 1 : 0);
  EXPECT_GT(compareWithCollisions(shape(grid)), 1000);
}

TEST_F(SeenShapes, ImplicitSurfaces) {
  // Numbers that are linear in space are interpolated exactly: the half of the grid's box below a slanted plane.
  ImplicitSurfaceShape solid;
  VolumeGrid& grid = solid.grid;
  grid.min = Vector3d(-1, -1, -1);
  grid.max = Vector3d(1, 1, 1);
  grid.cells = {8, 9, 10};
  const Vector3d n = Vector3d(0.2, -0.1, 1).normalized();
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 9; ++j)
      for (int k = 0; k < 10; ++k) grid.values.push_back(n.dot(grid.center(i, j, k)) - 0.1);
  // Within the outermost centers, where the field is linear: seen from right above.
  const auto fromAbove = [&](const Vector3d& o, const Vector3d& d) { return (0.1 - n.dot(o)) / n.dot(d); };
  const RigidTransform X_WO(rotationFromRollPitchYaw(Vector3d(0.4, -0.7, 1.1)), Vector3d(30, -20, 11));
  world.objects.push_back(placedObject(shape(solid), X_WO));
  int seen = 0;
  for (int k = 0; k < 8; ++k) {
    const RigidTransform X_OS =
        test::lookAt(Vector3d(0.3 * std::cos(k), 0.3 * std::sin(k), 1.05), Vector3d(0.05, 0.03, 0.1));
    const std::vector<double> values = measure(*fan(X_WO * X_OS));
    for (int i = 0; i < kBeams; ++i) {
      const double t = fromAbove(X_OS.p, X_OS.R * beam(i));
      if ((X_OS.p + t * X_OS.R * beam(i)).cwiseAbs().maxCoeff() > 0.8) continue;
      ASSERT_NEAR(values[i], t, 1e-9) << k << ", " << i;
      ++seen;
    }
  }
  EXPECT_GT(seen, 1000);
  // A ball of distances is a ball up to what interpolation makes of it.
  for (int i = 0, at = 0; i < 8; ++i)
    for (int j = 0; j < 9; ++j)
      for (int k = 0; k < 10; ++k) grid.values[at++] = grid.center(i, j, k).norm() - 0.6;
  world.objects[0].geometry = shape(solid);
  const RigidTransform X_OS = test::lookAt(Vector3d(2, 1, 1), Vector3d::Zero());
  const double middle = measure(
      *started("LaserRangeSensor", "{measurementCount: 1, xSweepMagnitude: 0, " + poseText(X_WO * X_OS) + "}"))[0];
  EXPECT_NEAR(middle, std::sqrt(6.0) - 0.6, 0.03);
}

TEST_F(SeenShapes, PointsHaveTheThicknessThatSomebodyGivesThem) {
  PointCloud cloud;
  std::mt19937 random(11);
  std::uniform_real_distribution<double> place(-0.7, 0.7), size(0.02, 0.2);
  PointCloud::Property radius{"radius", {}};
  for (int i = 0; i < 60; ++i) {
    cloud.points.emplace_back(place(random), place(random), place(random));
    radius.values.push_back(size(random));
  }
  const auto balls = [&](const std::vector<double>& radii) {
    return [=](const Vector3d& o, const Vector3d& d) {
      double t = kNothing;
      for (std::size_t i = 0; i < radii.size(); ++i) t = std::min(t, test::sphereAt(cloud.points[i], radii[i])(o, d));
      return t;
    };
  };
  PointCloud thick = cloud;
  thick.properties.push_back(radius);
  EXPECT_GT(compare(shape(thick), balls(radius.values)), 500);
  EXPECT_GT(compare(shape(cloud, 0.08), balls(std::vector<double>(60, 0.08))), 300);
  EXPECT_GT(compare(shape(cloud), balls(std::vector<double>(60, 0.05)), 3, "pointRadius: 0.05, "), 100);
  const test::ClosedForm ball = test::sphereAt(Vector3d(0.1, 0.1, 0.1), 0.3);
  EXPECT_GT(compare(shape(PointShape{Vector3d(0.1, 0.1, 0.1)}, 0.3), ball), 100);
  EXPECT_EQ(
      compare(shape(PointShape{Vector3d(0.1, 0.1, 0.1)}), [](const Vector3d&, const Vector3d&) { return kNothing; }),
      0);
  const CollisionShapePtr rod =
      makeCollisionShape(shape(SegmentShape{Vector3d(-0.7, 0, 0), Vector3d(0.7, 0.1, 0)}, 0.2));
  EXPECT_GT(compare(rod->geometry(),
                    [&](const Vector3d& o, const Vector3d& d) {
                      RayHit hit;
                      return rayCast(*rod, {}, {o, d}, hit) ? hit.t : kNothing;
                    }),
            300);
}

TEST_F(SeenShapes, CloudsOfASurfaceHaveNoGaps) {
  PointCloud cloud;
  for (int i = -40; i <= 40; ++i)
    for (int j = -40; j <= 40; ++j) cloud.points.emplace_back(0.05 * i, 0.05 * j, 2);
  world.objects.push_back(placedObject(shape(cloud), {}));
  auto camera = started("CameraSensor", "{xres: 50, yres: 40}");
  const std::vector<double> values = measure(*camera);
  for (int k = 0; k < 2000; ++k) ASSERT_NEAR(values[2000 + k], 1.98, 0.02) << k;
}

TEST_F(SeenShapes, GroupsOfEverything) {
  GeometryGroup inner, outer;
  inner.parts = {shape(SphereShape{Vector3d(0.5, 0, 0), 0.3}), shape(blob())};
  outer.parts = {shape(inner), shape(AxisAlignedBoxShape{Vector3d(-1, -1, -1), Vector3d(-0.5, -0.5, 1)}),
                 shape(CapsuleShape{Vector3d(0, 0, 0), Vector3d(0, 1.2, 0), 0.2})};
  const auto form = [&](const Geometry::Data& data) {
    const auto prepared = makeCollisionShape(shape(data));
    return [prepared](const Vector3d& o, const Vector3d& d) {
      RayHit hit;
      return rayCast(*prepared, {}, {o, d}, hit) ? hit.t : kNothing;
    };
  };
  const std::vector<test::ClosedForm> forms = {form(SphereShape{Vector3d(0.5, 0, 0), 0.3}), form(blob()),
                                               form(AxisAlignedBoxShape{Vector3d(-1, -1, -1), Vector3d(-0.5, -0.5, 1)}),
                                               form(CapsuleShape{Vector3d(0, 0, 0), Vector3d(0, 1.2, 0), 0.2})};
  EXPECT_GT(compare(shape(outer),
                    [&](const Vector3d& o, const Vector3d& d) {
                      double t = kNothing;
                      for (const auto& f : forms) t = std::min(t, f(o, d));
                      return t;
                    }),
            1000);
}

TEST_F(SeenShapes, MarginsAreNotSeen) {
  EXPECT_GT(compare(shape(SphereShape{Vector3d::Zero(), 0.5}, 0.2), test::sphereAt(Vector3d::Zero(), 0.5)), 500);
}

TEST_F(SeenShapes, WhatHasNoSurfaceIsNotSeen) {
  GeometryGroup group;
  EllipsoidShape disc, inverted;
  disc.radii = Vector3d(1, 1, 0);
  inverted.radii = Vector3d(1, 1, -1);
  group.parts = {shape(SphereShape{Vector3d::Zero(), 0}),
                 shape(SphereShape{Vector3d::Zero(), -1}),
                 shape(disc),
                 shape(inverted),
                 shape(CylinderShape{Vector3d::Zero(), Vector3d::UnitZ(), 0, 1}),
                 shape(CylinderShape{Vector3d::Zero(), Vector3d::Zero(), 1, 1}),
                 shape(CapsuleShape{Vector3d::Zero(), Vector3d::UnitZ(), -0.2}),
                 shape(PolygonShape{{Vector3d::Zero(), Vector3d::UnitX()}}),
                 shape(TriangleShape{Vector3d::Zero(), Vector3d::UnitX(), 2 * Vector3d::UnitX()}),
                 shape(TriangleMesh{}),
                 shape(PointCloud{}),
                 shape(ConvexHullShape{}),
                 shape(Geometry::Data()),
                 shape(SphereShape{Vector3d(0, 0, 1), 0.25})};
  world.objects.push_back(placedObject(shape(group), RigidTransform::translation(Vector3d(0, 0, 1))));
  world.objects.push_back(placedObject(nullptr, {}));
  auto laser = started("LaserRangeSensor", "{measurementCount: 1, xSweepMagnitude: 0}");
  EXPECT_NEAR(measure(*laser)[0], 1.75, 1e-12);
}

TEST_F(SeenShapes, FromInsideTheOtherSideIsSeen) {
  for (const Geometry::Data& data :
       {Geometry::Data(SphereShape{Vector3d::Zero(), 0.7}),
        Geometry::Data(CylinderShape{Vector3d(0, 0, -0.7), Vector3d::UnitZ(), 0.9, 1.4}),
        Geometry::Data(CapsuleShape{Vector3d(0, 0, -0.2), Vector3d(0, 0, 0.2), 0.5}),
        Geometry::Data(AxisAlignedBoxShape{Vector3d(-1, -1, -0.7), Vector3d(1, 1, 0.7)})}) {
    world = World();
    world.objects.push_back(placedObject(shape(data), {}));
    auto laser = started("LaserRangeSensor", "{measurementCount: 1, xSweepMagnitude: 0}");
    EXPECT_NEAR(measure(*laser)[0], 0.7, 1e-12);
  }
}

/// A mesh whose coordinates are far from its own origin.
TEST_F(SeenShapes, FarFromTheirOwnOrigin) {
  TriangleMesh mesh = blob();
  const Vector3d shift(4e5, -3e5, 2e5);
  for (Vector3d& vertex : mesh.vertices) vertex += shift;
  const auto prepared = makeCollisionShape(shape(blob()));
  world.objects.push_back(placedObject(shape(mesh), RigidTransform::translation(-shift)));
  const RigidTransform X_WS = test::lookAt(Vector3d(2, 1, 1.5), Vector3d::Zero());
  const std::vector<double> values = measure(*fan(X_WS));
  int hits = 0;
  for (int i = 0; i < kBeams; ++i) {
    RayHit hit;
    const double t = rayCast(*prepared, {}, {X_WS.p, X_WS.R * beam(i)}, hit) ? hit.t : kNothing;
    if (t < kNothing) ++hits;
    if (t != values[i]) {
      EXPECT_NEAR(values[i], t, 1e-8) << i;
    }
  }
  EXPECT_GT(hits, 150);
}

}  // namespace
}  // namespace mortise
