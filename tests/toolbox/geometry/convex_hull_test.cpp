#include "mortise/geometry/convex/convex_hull.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "mortise/base/random.h"
#include "mortise/geometry/convex/mesh_recognition.h"
#include "tests/support/convex_meshes.h"

namespace mortise {
namespace {

using test::boxMesh;

double volumeOf(const TriangleMesh& mesh) {
  double volume = 0;
  for (const auto& t : mesh.triangles)
    volume += mesh.vertices[t[0]].dot(mesh.vertices[t[1]].cross(mesh.vertices[t[2]])) / 6;
  return volume;
}

/// Farthest that a point lies outside a face.
double farthestOutside(const TriangleMesh& hull, const std::vector<Vector3d>& points) {
  double farthest = 0;
  for (const auto& t : hull.triangles) {
    const Vector3d& a = hull.vertices[t[0]];
    const Vector3d normal = (hull.vertices[t[1]] - a).cross(hull.vertices[t[2]] - a).normalized();
    for (const Vector3d& p : points) farthest = std::max(farthest, normal.dot(p - a));
  }
  return farthest;
}

bool contains(const std::vector<Vector3d>& points, const Vector3d& point, double tolerance) {
  return std::any_of(points.begin(), points.end(), [&](const Vector3d& p) { return (p - point).norm() <= tolerance; });
}

TEST(ConvexHull, OfRandomPointsHoldsThemAndIsConvex) {
  RandomStream random(7, "hull");
  for (const int count : {4, 5, 20, 500}) {
    std::vector<Vector3d> points;
    for (int i = 0; i < count; ++i)
      points.emplace_back(random.uniform(-1, 1), random.uniform(-3, 3), random.uniform(0, 0.1));
    const auto hull = convexHull(points);
    ASSERT_TRUE(hull) << count;
    EXPECT_TRUE(isClosed(*hull)) << count;
    EXPECT_TRUE(isConvex(*hull)) << count;
    EXPECT_LT(farthestOutside(*hull, points), 1e-8) << count;
    for (const Vector3d& corner : hull->vertices) EXPECT_TRUE(contains(points, corner, 0));
  }
}

TEST(ConvexHull, OfAGridHasTheVolumeOfItsBox) {
  std::vector<Vector3d> points;
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 7; ++j)
      for (int k = 0; k < 7; ++k) points.emplace_back(0.1 * i, 0.3 * j, 1.0 / 3 * k);
  const auto hull = convexHull(points);
  ASSERT_TRUE(hull);
  EXPECT_TRUE(isClosed(*hull));
  EXPECT_NEAR(volumeOf(*hull), 0.6 * 1.8 * 2, 1e-12);
  EXPECT_LT(farthestOutside(*hull, points), 1e-8);
}

TEST(ConvexHull, OfFlatPointsIsNothing) {
  EXPECT_FALSE(convexHull({}));
  EXPECT_FALSE(convexHull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
  EXPECT_FALSE(convexHull({{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {0.5, 0.2, 1}}));
  EXPECT_FALSE(convexHull(std::vector<Vector3d>(6, Vector3d(1, 2, 3))));
}

TEST(PlanarHull, GoesAroundFromTheLeftmostPoint) {
  const std::vector<Eigen::Vector2d> points = {{1, 1}, {0.5, 0.5}, {0, 0}, {1, 0}, {0.5, 0}, {0, 1}, {0, 0}};
  EXPECT_EQ(planarHull(points), (std::vector<int>{2, 3, 0, 5}));
  EXPECT_EQ(planarHull({{0, 0}, {1, -1e-6}, {2, 0}, {1, 1}}), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(planarHull({{0, 0}, {1, -1e-6}, {2, 0}, {1, 1}}, 1e-5), (std::vector<int>{0, 2, 3}));
}

TEST(PlanarHull, OfLinesAndPointsIsTheirEnds) {
  EXPECT_TRUE(planarHull({}).empty());
  EXPECT_EQ(planarHull({{1, 2}, {1, 2}}), std::vector<int>{0});
  EXPECT_EQ(planarHull({{1, 1}, {3, 3}, {0, 0}, {2, 2}}), (std::vector<int>{2, 1}));
}

TEST(HullCorners, OfFlatAndStraightSetsAreTheirOutline) {
  const Matrix3d R = rotationAboutAxis(Vector3d(1, 2, 3).normalized(), 0.7);
  std::vector<Vector3d> square, line;
  for (int i = 0; i <= 10; ++i) {
    line.push_back(R * Vector3d(0.1 * i, 0, 0));
    for (int j = 0; j <= 10; ++j) square.push_back(R * Vector3d(0.1 * i, 0.2 * j, 0) + Vector3d(0, 0, 5));
  }
  const auto corners = hullCorners(square, 120);
  ASSERT_EQ(corners.size(), 4u);
  for (const double x : {0.0, 1.0})
    for (const double y : {0.0, 2.0}) EXPECT_TRUE(contains(corners, R * Vector3d(x, y, 0) + Vector3d(0, 0, 5), 1e-12));
  const auto ends = hullCorners(line, 120);
  EXPECT_EQ(ends.size(), 2u);
  EXPECT_TRUE(contains(ends, line.front(), 0));
  EXPECT_TRUE(contains(ends, line.back(), 0));
  EXPECT_EQ(hullCorners({{1, 2, 3}, {1, 2, 3}}, 120).size(), 1u);
  EXPECT_TRUE(hullCorners({}, 120).empty());
}

TEST(HullCorners, OfManyKeepThoseThatStandOut) {
  RandomStream random(11, "sphere");
  std::vector<Vector3d> points;
  for (int i = 0; i < 2000; ++i)
    points.push_back(Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1) + 1e-3).normalized());
  points.emplace_back(0, 0, 1.5);
  const auto corners = hullCorners(points, 120);
  EXPECT_LE(corners.size(), 126u);
  EXPECT_GE(corners.size(), 100u);
  EXPECT_TRUE(contains(corners, {0, 0, 1.5}, 0));
  // No direction is far from a corner.
  for (const Vector3d& p : points) {
    double reach = 0;
    for (const Vector3d& corner : corners) reach = std::max(reach, p.normalized().dot(corner));
    EXPECT_GT(reach, 0.95);
  }
}

TEST(GrownHull, MovesEachFaceOutward) {
  const Vector3d offset(3, -2, 1);
  std::vector<Vector3d> corners;
  for (const Vector3d& v : boxMesh({0.2, 0.4, 0.6}).vertices) corners.push_back(v + offset);
  const auto grown = grownHull(corners, 0.01);
  ASSERT_EQ(grown.size(), 8u);
  for (const Vector3d& v : boxMesh({0.22, 0.42, 0.62}).vertices)
    EXPECT_TRUE(contains(grown, v + offset, 1e-12)) << v.transpose();
}

TEST(GrownHull, KeepsOneCornerWhereManyFacesMeet) {
  // A pyramid over a polygon of 12 sides: faces meet at its tip, which only moves up.
  std::vector<Vector3d> corners;
  for (int i = 0; i < 12; ++i)
    corners.emplace_back(std::cos(std::numbers::pi * i / 6), std::sin(std::numbers::pi * i / 6), 0);
  corners.emplace_back(0, 0, 1);
  const auto grown = grownHull(corners, 0.1);
  EXPECT_EQ(grown.size(), 13u);
  const double inner = std::cos(std::numbers::pi / 12);  // Of the polygon's inscribed circle.
  EXPECT_TRUE(contains(grown, {0, 0, 1 + 0.1 * std::sqrt(1 + inner * inner) / inner}, 1e-9));
}

/// Scanned and rounded meshes are full of faces that are almost, but not quite, parallel.
TEST(GrownHull, StaysWithinTheMovedFacesWhenManyAreAlmostParallel) {
  RandomStream random(5, "rounding");
  for (const double noise : {1e-5, 1e-6, 1e-7, 1e-8, 1e-9}) {
    std::vector<Vector3d> points;
    for (int i = 0; i < 40; ++i) {
      const double angle = std::numbers::pi * i / 20;
      for (const double z : {0.0, 0.05, 0.1})
        points.emplace_back(0.1 * std::cos(angle) + noise * random.uniform(-1, 1),
                            0.1 * std::sin(angle) + noise * random.uniform(-1, 1), z + noise * random.uniform(-1, 1));
    }
    const auto hull = convexHull(points);
    ASSERT_TRUE(hull);
    constexpr double kDistance = 0.0025;
    const auto grown = grownHull(hull->vertices, kDistance);
    // A cylinder of 40 sides.
    double top = 0, bottom = 0, widest = 0;
    for (const Vector3d& p : grown) {
      top = std::max(top, p.z());
      bottom = std::min(bottom, p.z());
      widest = std::max(widest, std::hypot(p.x(), p.y()));
    }
    const double tolerance = 0.1 * kDistance + 2 * noise;
    EXPECT_NEAR(top, 0.1 + kDistance, tolerance) << noise;
    EXPECT_NEAR(bottom, -kDistance, tolerance) << noise;
    EXPECT_NEAR(widest, 0.1 + kDistance / std::cos(std::numbers::pi / 40), tolerance) << noise;
  }
}

TEST(GrownHull, LimitsHowFarSharpCornersMove) {
  const std::vector<Vector3d> needle = {{0, 0, 0}, {0, 0.01, 0}, {0, 0, 0.01}, {1, 0, 0}};
  const auto grown = grownHull(needle, 0.001);
  double farthest = 0;
  for (const Vector3d& p : grown) farthest = std::max(farthest, p.x());
  EXPECT_GT(farthest, 1.001);
  EXPECT_LE(farthest, 1.003 + 1e-12);
  const std::vector<Vector3d> flat = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  EXPECT_EQ(grownHull(flat, 0.1), flat);
}

TEST(Thickness, IsTheLeastExtent) {
  const Matrix3d R = rotationAboutAxis(Vector3d(1, -1, 0.5).normalized(), 1.1);
  std::vector<Vector3d> corners;
  for (const Vector3d& v : boxMesh({0.3, 0.02, 0.5}).vertices) corners.push_back(R * v);
  EXPECT_NEAR(thickness(corners), 0.02, 1e-12);
  EXPECT_NEAR(thickness({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), 0, 1e-15);
  EXPECT_EQ(thickness({}), 0);
}

}  // namespace
}  // namespace mortise
