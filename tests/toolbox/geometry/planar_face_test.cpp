#include "mortise/geometry/convex/planar_face.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "mortise/geometry/tessellate.h"
#include "tests/support/convex_meshes.h"

namespace mortise {
namespace {

bool contains(const std::vector<Vector3d>& points, const Vector3d& point) {
  return std::any_of(points.begin(), points.end(), [&](const Vector3d& p) { return (p - point).norm() < 1e-9; });
}

/// Twice the area, signed as the corners turn against z.
double doubleArea(const std::vector<Vector3d>& corners) {
  double area = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vector3d &a = corners[i], &b = corners[(i + 1) % corners.size()];
    area += a.x() * b.y() - a.y() * b.x();
  }
  return area;
}

/// Two squares of 1 m in z = 0, apart by `gap` in x, their triangles without common vertices.
TriangleMesh twoSquares(double gap, double step) {
  TriangleMesh mesh;
  for (const double x : {0.0, 1 + gap})
    for (const auto& [a, b, c] : {std::tuple{Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(1, 1, 0)},
                                  std::tuple{Vector3d(0, 0, 0), Vector3d(1, 1, 0), Vector3d(0, 1, 0)}}) {
      const int first = static_cast<int>(mesh.vertices.size());
      for (const Vector3d& p : {a, b, c}) mesh.vertices.push_back(p + Vector3d(x, 0, x > 0 ? step : 0));
      mesh.triangles.push_back({first, first + 1, first + 2});
    }
  return mesh;
}

TEST(PlanarFace, OfABoxIsItsSide) {
  const TriangleMesh box =
      tessellated(Geometry(AxisAlignedBoxShape{Vector3d(-0.1, -0.2, -0.3), Vector3d(0.1, 0.2, 0.3)}), 0.05);
  const std::vector<Vector3d> top = planarFace(box, {0.02, -0.1, 0.3}, Vector3d::UnitZ());
  ASSERT_EQ(top.size(), 4u);
  for (const double x : {-0.1, 0.1})
    for (const double y : {-0.2, 0.2}) EXPECT_TRUE(contains(top, {x, y, 0.3}));
  EXPECT_NEAR(doubleArea(top), 2 * 0.2 * 0.4, 1e-12);
  // Seen from below it turns the other way.
  EXPECT_NEAR(doubleArea(planarFace(box, {0, 0, -0.3}, -Vector3d::UnitZ())), -2 * 0.2 * 0.4, 1e-12);
}

TEST(PlanarFace, EndsWhereTheSurfaceDoes) {
  // Common edges join, a gap and a step of 2 mm do not.
  EXPECT_NEAR(doubleArea(planarFace(twoSquares(0, 0), {0.5, 0.5, 0}, Vector3d::UnitZ())), 4, 1e-12);
  EXPECT_NEAR(doubleArea(planarFace(twoSquares(0.1, 0), {0.5, 0.5, 0}, Vector3d::UnitZ())), 2, 1e-12);
  EXPECT_NEAR(doubleArea(planarFace(twoSquares(0, 0.002), {0.5, 0.5, 0}, Vector3d::UnitZ())), 2, 1e-12);
  EXPECT_EQ(planarFace(twoSquares(0, 0), {0.5, 0.5, 0}, Vector3d::UnitZ()).size(), 4u)
      << "no corner on a straight edge";
}

TEST(PlanarFace, OfARoundShapeIsOneFacetAndOfNoSuchNormalNothing) {
  const TriangleMesh ball = tessellated(Geometry(SphereShape{.radius = 1}), 0.2);
  const auto& t = ball.triangles[0];
  const Vector3d a = ball.vertices[t[0]], b = ball.vertices[t[1]], c = ball.vertices[t[2]];
  EXPECT_EQ(planarFace(ball, (a + b + c) / 3, (b - a).cross(c - a)).size(), 3u);
  EXPECT_TRUE(planarFace(twoSquares(0, 0), {0, 0, 0}, Vector3d::UnitX()).empty());
  EXPECT_TRUE(planarFace({}, {0, 0, 0}, Vector3d::UnitX()).empty());
}

}  // namespace
}  // namespace mortise
