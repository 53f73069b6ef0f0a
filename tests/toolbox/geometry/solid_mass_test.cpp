#include "mortise/geometry/solid_mass.h"

#include <Eigen/Geometry>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/geometry/transform_geometry.h"
#include "mortise/math/constants.h"
#include "mortise/math/rotation.h"

namespace mortise {
namespace {

GeometryPtr shared(Geometry::Data data) { return std::make_shared<Geometry>(std::move(data)); }

TriangleMesh boxMesh(const Vector3d& low, const Vector3d& high) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.emplace_back(i & 1 ? high.x() : low.x(), i & 2 ? high.y() : low.y(), i & 4 ? high.z() : low.z());
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

void expectMoments(const SolidMoments& m, double volume, const Vector3d& center, const Vector3d& variances) {
  EXPECT_NEAR(m.volume, volume, 1e-12 * volume);
  EXPECT_LT((m.center - center).norm(), 1e-12 * (1 + center.norm()));
  EXPECT_LT((m.covariance - Matrix3d(variances.asDiagonal())).cwiseAbs().maxCoeff(), 1e-12 * variances.maxCoeff());
}

/// Means over points drawn in a box around the shape; `inside` decides.
template <typename Inside>
SolidMoments drawn(const Vector3d& low, const Vector3d& high, Inside inside) {
  RandomStream random(7);
  SolidMoments m;
  Matrix3d second = Matrix3d::Zero();
  const int tries = 400000;
  int hits = 0;
  for (int i = 0; i < tries; ++i) {
    Vector3d p;
    for (int k = 0; k < 3; ++k) p[k] = random.uniform(low[k], high[k]);
    if (!inside(p)) continue;
    ++hits;
    m.center += p;
    second += p * p.transpose();
  }
  m.volume = (high - low).prod() * hits / tries;
  m.center /= hits;
  m.covariance = second / hits - m.center * m.center.transpose();
  return m;
}

void expectClose(const SolidMoments& ours, const SolidMoments& theirs, double tolerance) {
  EXPECT_NEAR(ours.volume, theirs.volume, tolerance * ours.volume);
  EXPECT_LT((ours.center - theirs.center).norm(), tolerance);
  EXPECT_LT((ours.covariance - theirs.covariance).cwiseAbs().maxCoeff(), tolerance);
}

TEST(SolidMass, ClosedForms) {
  expectMoments(solidMoments(Geometry(SphereShape{{1, 2, 3}, 0.5})), kPi / 6, {1, 2, 3}, Vector3d::Constant(0.05));
  expectMoments(solidMoments(Geometry(AxisAlignedBoxShape{{0, 0, 0}, {1, 2, 3}})), 6, {0.5, 1, 1.5},
                Vector3d(1, 4, 9) / 12);
  expectMoments(solidMoments(Geometry(BoxShape{RigidTransform::translation({1, 0, 0}), {2, 3, 4}})), 24, {2, 1.5, 2},
                Vector3d(4, 9, 16) / 12);
  expectMoments(solidMoments(Geometry(EllipsoidShape{RigidTransform::translation({0, 1, 0}), {1, 2, 3}})), 8 * kPi,
                {0, 1, 0}, Vector3d(1, 4, 9) / 5);
  expectMoments(solidMoments(Geometry(CylinderShape{{0, 0, 1}, Vector3d::UnitX(), 0.5, 2})), kPi / 2, {1, 0, 1},
                {4 / 12.0, 1 / 16.0, 1 / 16.0});
}

TEST(SolidMass, TextbookInertias) {
  // Solid sphere 2/5 m r^2; solid cylinder m r^2 / 2 about its axis.
  const BodyInertia ball = solidInertia(Geometry(SphereShape{{0, 0, 0}, 2}), 3);
  EXPECT_TRUE(ball.inertia.isApprox(Matrix3d(Vector3d::Constant(4.8).asDiagonal()), 1e-12));
  const BodyInertia rod = solidInertiaOfDensity(Geometry(CylinderShape{{0, 0, 0}, Vector3d::UnitZ(), 0.1, 1}), 1000);
  EXPECT_NEAR(rod.mass, 10 * kPi, 1e-12);
  EXPECT_NEAR(rod.inertia(2, 2), rod.mass * 0.01 / 2, 1e-12);
  EXPECT_NEAR(rod.inertia(0, 0), rod.mass * (3 * 0.01 + 1) / 12, 1e-12);
}

TEST(SolidMass, CapsuleIsACylinderAndTwoHalfBalls) {
  const double r = 0.3, length = 0.8;
  const Geometry capsule(CapsuleShape{{0, 0, 0}, {0, length, 0}, r});
  const SolidMoments m = solidMoments(capsule);
  EXPECT_NEAR(m.volume, kPi * r * r * length + 4 * kPi / 3 * r * r * r, 1e-14);
  const SolidMoments guess = drawn({-r, -r, -r}, {r, length + r, r}, [&](const Vector3d& p) {
    const double y = std::clamp(p.y(), 0.0, length);
    return (p - Vector3d(0, y, 0)).norm() <= r;
  });
  expectClose(m, guess, 0.005);
  // Without a middle it is a ball.
  expectMoments(solidMoments(Geometry(CapsuleShape{{1, 1, 1}, {1, 1, 1}, r})), 4 * kPi / 3 * r * r * r, {1, 1, 1},
                Vector3d::Constant(r * r / 5));
}

TEST(SolidMass, MeshesHullsAndPrimitivesOfOneShapeAgree) {
  const Vector3d low(1000, -2, 3), high(1001, 0, 6);
  const SolidMoments box = solidMoments(Geometry(AxisAlignedBoxShape{low, high}));
  const TriangleMesh mesh = boxMesh(low, high);
  expectClose(solidMoments(Geometry(mesh)), box, 1e-10);
  ConvexHullShape hull{mesh.vertices};
  hull.points.push_back(0.5 * (low + high));
  expectClose(solidMoments(Geometry(hull)), box, 1e-10);
  // The corners of an STL file stand alone.
  TriangleMesh soup;
  for (const auto& t : mesh.triangles) {
    const int n = static_cast<int>(soup.vertices.size());
    for (const int v : t) soup.vertices.push_back(mesh.vertices[v]);
    soup.triangles.push_back({n, n + 1, n + 2});
  }
  expectClose(solidMoments(Geometry(soup)), box, 1e-10);
}

TEST(SolidMass, TurnsWithTheShape) {
  const RigidTransform X(rotationFromRollPitchYaw({0.4, -0.8, 1.9}), {1, -2, 0.5});
  for (const Geometry::Data& data :
       {Geometry::Data(EllipsoidShape{{}, {1, 2, 3}}),
        Geometry::Data(CylinderShape{{0, 0, 0}, Vector3d::UnitY(), 0.5, 2}),
        Geometry::Data(CapsuleShape{{0, 0, 0}, {1, 0, 0}, 0.5}),
        Geometry::Data(AxisAlignedBoxShape{{0, 0, 0}, {1, 2, 3}}), Geometry::Data(boxMesh({0, 0, 0}, {1, 2, 3}))}) {
    const Geometry shape(data);
    const BodyInertia turned = solidInertia(*transformed(shape, X), 2);
    const BodyInertia expected = solidInertia(shape, 2).expressedIn(X);
    EXPECT_LT((turned.com - expected.com).norm(), 1e-10);
    EXPECT_LT((turned.inertia - expected.inertia).cwiseAbs().maxCoeff(), 1e-10);
    EXPECT_TRUE(turned.physical());
  }
}

TEST(SolidMass, GroupsWeighTheirPartsByVolume) {
  const GeometryPtr left = shared(AxisAlignedBoxShape{{0, 0, 0}, {1, 1, 1}});
  const GeometryPtr right = shared(AxisAlignedBoxShape{{1, 0, 0}, {3, 1, 1}});
  const SolidMoments both = solidMoments(Geometry(GeometryGroup{{left, right}}));
  expectMoments(both, 3, {1.5, 0.5, 0.5}, Vector3d(9, 1, 1) / 12);
}

TEST(SolidMass, HeightmapsDownToTheirBottom) {
  HeightmapShape map;
  map.X = RigidTransform(rotationZ(kPi / 2), {5, 0, 1});
  map.columns = 2;
  map.rows = 3;
  map.size = {2, 4};
  map.heights.assign(6, 1);
  // A slab of 2 x 4 x 3, turned by a quarter.
  expectMoments(solidMoments(Geometry(map), {.heightmapBottom = -2}), 24, {5, 0, 0.5}, Vector3d(16, 4, 9) / 12);
  map.heights = {0, 3, 0, 3, 0, 3};
  const SolidMoments wedge = solidMoments(Geometry(map), {.heightmapBottom = 0});
  EXPECT_NEAR(wedge.volume, 12, 1e-12);
  EXPECT_LT((wedge.center - Vector3d(5, 1.0 / 3, 2)).norm(), 1e-12);
  EXPECT_THROW(solidMoments(Geometry(map)), Error);
  EXPECT_THROW(solidMoments(Geometry(map), {.heightmapBottom = 1}), Error);
}

TEST(SolidMass, OccupiedCellsOfGrids) {
  OccupancyGridShape shape;
  shape.grid = {.X = RigidTransform::translation({0, 0, 10}),
                .min = {0, 0, 0},
                .max = {4, 1, 1},
                .cells = {4, 1, 1},
                .values = {0, 1, 1, 0}};
  expectMoments(solidMoments(Geometry(shape)), 2, {2, 0.5, 10.5}, Vector3d(4, 1, 1) / 12);
  shape.grid.values.assign(4, 0);
  EXPECT_THROW(solidMoments(Geometry(shape)), Error);
}

TEST(SolidMass, SaysWhatEnclosesNothing) {
  TriangleMesh open = boxMesh({0, 0, 0}, {1, 1, 1});
  open.triangles.pop_back();
  try {
    solidMoments(Geometry(open));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("3 edges have no triangle on the other side"), std::string::npos)
        << error.what();
  }
  TriangleMesh inverted = boxMesh({0, 0, 0}, {1, 1, 1});
  for (auto& t : inverted.triangles) std::swap(t[0], t[1]);
  try {
    solidMoments(Geometry(inverted));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("inside out"), std::string::npos) << error.what();
  }
  for (const Geometry::Data& data :
       {Geometry::Data(PointShape{}), Geometry::Data(SegmentShape{}), Geometry::Data(TriangleShape{}),
        Geometry::Data(PolygonShape{}), Geometry::Data(PointCloud{{{0, 0, 0}}}), Geometry::Data(TriangleMesh{}),
        Geometry::Data(ConvexHullShape{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}}), Geometry::Data(GeometryGroup{}),
        Geometry::Data(SphereShape{{0, 0, 0}, 0}), Geometry::Data(AxisAlignedBoxShape{{0, 0, 0}, {0, 1, 1}}),
        Geometry::Data()})
    EXPECT_THROW(solidMoments(Geometry(data)), Error);
  EXPECT_THROW(solidInertia(Geometry(SphereShape{}), -1), Error);
  EXPECT_THROW(solidInertiaOfDensity(Geometry(SphereShape{}), std::nan("")), Error);
}

}  // namespace
}  // namespace mortise
