#include "mortise/collision/volume/volume_field.h"

#include <cmath>
#include <deque>
#include <gtest/gtest.h>
#include <limits>

#include "mortise/base/error.h"
#include "mortise/collision/element/gjk.h"
#include "mortise/geometry/convex/mesh_recognition.h"
#include "mortise/geometry/convex/shape_elements.h"
#include "mortise/geometry/grids/implicit_mesh.h"
#include "tests/toolbox/geometry/convex_elements.h"

namespace mortise {
namespace {

using test::ElementSource;

ImplicitSurfaceShape ballGrid(double radius, int cells) {
  ImplicitSurfaceShape shape;
  shape.grid.min = {-1, -1, -1};
  shape.grid.max = {1, 1, 1};
  shape.grid.cells = {cells, cells, cells};
  for (int i = 0; i < cells; ++i)
    for (int j = 0; j < cells; ++j)
      for (int k = 0; k < cells; ++k) shape.grid.values.push_back(shape.grid.center(i, j, k).norm() - radius);
  return shape;
}

/// Numbers that are those of a plane: between centers the solid is a half space, and each piece of it convex.
ImplicitSurfaceShape planeGrid(ElementSource& source) {
  ImplicitSurfaceShape shape;
  shape.grid.X = source.pose(0.3);
  shape.grid.min = {-1, -0.8, -0.6};
  shape.grid.max = {0.9, 0.7, 1};
  for (int& count : shape.grid.cells) count = 1 + static_cast<int>(source.random.below(8));
  const Vector3d n = source.unit();
  const double offset = source.random.uniform(-0.4, 0.4);
  for (int i = 0; i < shape.grid.cells[0]; ++i)
    for (int j = 0; j < shape.grid.cells[1]; ++j)
      for (int k = 0; k < shape.grid.cells[2]; ++k)
        shape.grid.values.push_back(n.dot(shape.grid.center(i, j, k)) - offset);
  return shape;
}

/// The convex pieces of a plane grid, in the grid's frame.
std::deque<ConvexPolyhedron> piecesOf(const VolumeGrid& grid) {
  std::deque<ConvexPolyhedron> pieces;
  const auto edge = [&](int axis, int i) {
    const int n = grid.cells[static_cast<std::size_t>(axis)];
    if (i == 0) return grid.min[axis];
    return i == n + 1 ? grid.max[axis] : grid.min[axis] + (grid.max[axis] - grid.min[axis]) / n * (i - 0.5);
  };
  for (int i = 0; i <= grid.cells[0]; ++i)
    for (int j = 0; j <= grid.cells[1]; ++j)
      for (int k = 0; k <= grid.cells[2]; ++k) {
        const Vector3d low(edge(0, i), edge(1, j), edge(2, k)), high(edge(0, i + 1), edge(1, j + 1), edge(2, k + 1));
        Vector3d corner[8];
        double value[8];
        std::vector<Vector3d> points;
        for (int c = 0; c < 8; ++c) {
          corner[c] = Vector3d(c & 1 ? high[0] : low[0], c & 2 ? high[1] : low[1], c & 4 ? high[2] : low[2]);
          value[c] = grid.interpolate(corner[c]);
          if (value[c] <= 0) points.push_back(corner[c]);
        }
        for (int c = 0; c < 8; ++c)
          for (int axis = 0; axis < 3; ++axis)
            if (const int d = c | (1 << axis); d != c && (value[c] <= 0) != (value[d] <= 0))
              points.push_back(corner[c] + (corner[d] - corner[c]) * (value[c] / (value[c] - value[d])));
        if (points.size() >= 4) pieces.push_back(ConvexPolyhedron::of(points));
      }
  return pieces;
}

class FieldTest : public testing::TestWithParam<int> {};

TEST_P(FieldTest, DistancesAreThoseOfThePiecesOfThePlane) {
  ElementSource source(21);
  int apart = 0, deep = 0;
  for (int i = 0; i < 12; ++i) {
    const ImplicitSurfaceShape shape = planeGrid(source);
    const double margin = i % 2 ? source.random.uniform(0, 0.2) : 0;
    const VolumeField field(shape, margin);
    const auto pieces = piecesOf(shape.grid);
    for (int k = 0; k < 4; ++k) {
      const ConvexElement e = source.element(static_cast<CoreKind>(GetParam()), k % 2 ? 0.15 : 0);
      const RigidTransform X = source.pose(1.5);
      double expected = std::numeric_limits<double>::infinity();
      for (const ConvexPolyhedron& piece : pieces)
        expected =
            std::min(expected, separation(ConvexElement::hull(&piece, margin), e, shape.grid.X.inverse() * X).distance);
      const ElementSeparation s = field.separation(e, X);
      if (pieces.empty()) {
        EXPECT_EQ(s.distance, std::numeric_limits<double>::infinity());
        continue;
      }
      EXPECT_NEAR(std::max(s.distance, 0.0), std::max(expected, 0.0), 1e-5) << i << ' ' << k;
      EXPECT_LT((s.pointB - s.pointA - s.distance * s.normal).norm(), 1e-9);
      EXPECT_LT(std::abs(pointSeparation(e, X.inverse() * s.pointB).distance), s.distance > 0 ? 1e-6 : 10);
      if (std::abs(expected) > 1e-5) {
        EXPECT_EQ(field.overlap(e, X), expected <= 0) << i << ' ' << k;
        EXPECT_TRUE(field.overlap(e, X, std::max(expected, 0.0) + 1e-4));
        EXPECT_FALSE(expected > 1e-3 && field.overlap(e, X, expected - 1e-4));
      }
      (s.distance > 0 ? apart : deep) += 1;
    }
  }
  EXPECT_GT(apart, 3);
  EXPECT_GT(deep, 1);
}
INSTANTIATE_TEST_SUITE_P(Cores, FieldTest, testing::Range(0, test::kNumCores),
                         [](const auto& core) { return test::coreName(static_cast<CoreKind>(core.param)); });

TEST(VolumeField, BallsOnABall) {
  const VolumeField field(ballGrid(0.7, 40));
  for (const double distance : {-0.2, -0.05, 0.05, 0.3, 2.0}) {
    const Vector3d n = Vector3d(1, 2, -2) / 3;
    const auto ball = ConvexElement::point((0.7 + 0.1 + distance) * n, 0.1);
    const ElementSeparation s = field.separation(ball, {});
    EXPECT_NEAR(s.distance, distance, 2e-3);
    EXPECT_NEAR(s.normal.dot(n), 1, 1e-2);
    EXPECT_EQ(field.contains(ball.a), 0.1 + distance <= 0);
  }
  EXPECT_FALSE(field.contains({0.99, 0.99, 0.99}));
  EXPECT_FALSE(field.contains({5, 5, 5}));
  // Nothing beyond the bound is looked for.
  EXPECT_EQ(field.separation(ConvexElement::point({5, 0, 0}), {}, 1).distance, 1);
}

TEST_P(FieldTest, JustUnderAFlatSurfaceIsAsDeepAsItLies) {
  ImplicitSurfaceShape shape = ballGrid(0, 16);
  constexpr double kTop = 0.03;
  for (int i = 0, at = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j)
      for (int k = 0; k < 16; ++k)
        shape.grid.values[static_cast<std::size_t>(at++)] = shape.grid.center(i, j, k).z() - kTop;
  const VolumeField field(shape);
  ElementSource source(24);
  for (const double depth : {1e-9, 1e-7, 1e-5, 1e-3, 1e-2, 0.1})
    for (int i = 0; i < 8; ++i) {
      const ConvexElement e = source.element(static_cast<CoreKind>(GetParam()), 0);
      RigidTransform X = source.pose(0);
      const auto lowest = [&] { return X * coreSupport(e, -X.R.row(2).transpose()); };
      X.p -= lowest() - Vector3d(0, 0, kTop - depth);
      const ElementSeparation s = field.separation(e, X);
      EXPECT_NEAR(s.distance, lowest().z() - kTop, 1e-12) << depth;
      EXPECT_NEAR(s.normal.z(), 1, 1e-9) << depth;
    }
}

TEST(VolumeField, PointsJustUnderABallOrBoxAreAsDeepAsTheyLie) {
  const VolumeField ball(ballGrid(0.7, 40));
  ElementSource source(25);
  for (const double depth : {1e-6, 1e-4, 1e-2, 0.1})
    for (int i = 0; i < 20; ++i) {
      const Vector3d n = source.unit();
      const ElementSeparation s = ball.separation(ConvexElement::point((0.7 - depth) * n), {});
      EXPECT_NEAR(s.distance, std::min(ball.value((0.7 - depth) * n), 0.0), 2e-3);
      EXPECT_NEAR(s.distance, -depth, 2e-3);
      EXPECT_NEAR(s.normal.dot(n), 1, 1e-2);
    }
  const Vector3d half(0.5, 0.4, 0.3);
  ImplicitSurfaceShape shape = ballGrid(0, 40);
  for (int i = 0, at = 0; i < 40; ++i)
    for (int j = 0; j < 40; ++j)
      for (int k = 0; k < 40; ++k) {
        const Vector3d out = shape.grid.center(i, j, k).cwiseAbs() - half;
        shape.grid.values[static_cast<std::size_t>(at++)] = out.cwiseMax(0).norm() + std::min(out.maxCoeff(), 0.0);
      }
  const VolumeField box(shape);
  for (const double depth : {1e-8, 1e-6, 1e-4, 1e-2, 0.1})
    for (int axis = 0; axis < 3; ++axis)
      for (const double side : {-1.0, 1.0}) {
        Vector3d p(0.013, -0.021, 0.008);
        p[axis] = side * (half[axis] - depth);
        const ElementSeparation s = box.separation(ConvexElement::point(p), {});
        EXPECT_NEAR(s.distance, -depth, 1e-12) << axis;
        EXPECT_NEAR(s.normal[axis], side, 1e-9) << axis;
      }
}

TEST(VolumeField, RaysMeetTheInterpolatedSurface) {
  const VolumeField field(ballGrid(0.7, 20)), thick(ballGrid(0.7, 20), 0.1);
  ElementSource source(22);
  int hits = 0;
  for (int i = 0; i < 300; ++i) {
    const Vector3d origin = 3 * source.unit(), direction = source.vector(0.5) - origin;
    ElementRayHit hit;
    if (!field.rayCast(origin, direction, 5, hit)) continue;
    ++hits;
    const Vector3d p = origin + hit.t * direction;
    EXPECT_NEAR(field.value(p), 0, 1e-9);
    EXPECT_LT(hit.normal.dot(direction), 0);
    for (int k = 0; k < 50; ++k) EXPECT_FALSE(field.contains(origin + hit.t * k / 50.001 * direction));
    ElementRayHit earlier;
    ASSERT_TRUE(thick.rayCast(origin, direction, 5, earlier));
    EXPECT_LT(earlier.t, hit.t);
    EXPECT_NEAR((origin + earlier.t * direction).norm(), 0.8, 0.01);
  }
  EXPECT_GT(hits, 150);
  ElementRayHit hit;
  EXPECT_FALSE(field.rayCast({3, 0, 0}, {1, 0, 0}, 10, hit));
  EXPECT_FALSE(field.rayCast({3, 0, 0}, {-1, 0, 0}, 1, hit));
  ASSERT_TRUE(field.rayCast({0, 0, 0}, {1, 0, 0}, 1, hit));
  EXPECT_EQ(hit.t, 0);
}

TEST(VolumeField, WallsOfTheBoxBoundTheSolid) {
  ImplicitSurfaceShape full;
  full.grid.min = {0, 0, 0};
  full.grid.max = {1, 2, 3};
  full.grid.cells = {2, 2, 2};
  full.grid.values.assign(8, -1);
  const VolumeField field(full);
  EXPECT_NEAR(field.separation(ConvexElement::point({2, 1, 1}), {}).distance, 1, 1e-9);
  ElementRayHit hit;
  ASSERT_TRUE(field.rayCast({-1, 1, 1}, {1, 0, 0}, 5, hit));
  EXPECT_NEAR(hit.t, 1, 1e-12);
  EXPECT_EQ(hit.normal, -Vector3d::UnitX());
  const TriangleMesh mesh = weldedMesh(implicitSurfaceMesh(full));
  EXPECT_TRUE(isClosed(mesh));
}

TEST(VolumeField, TwoFields) {
  const VolumeField a(ballGrid(0.7, 16)), b(ballGrid(0.5, 12));
  EXPECT_TRUE(a.overlap(b, RigidTransform::translation({1.1, 0, 0})));
  EXPECT_TRUE(a.overlap(b, RigidTransform::translation({0, 0, 0})));
  EXPECT_FALSE(a.overlap(b, RigidTransform::translation({0, 1.3, 0})));
  EXPECT_TRUE(a.overlap(b, RigidTransform::translation({0, 1.3, 0}), 0.2));
}

TEST(VolumeField, SaysWhatIsWrong) {
  ImplicitSurfaceShape shape = ballGrid(0.5, 4);
  shape.grid.values[7] = NAN;
  EXPECT_THROW(VolumeField{shape}, Error);
  shape = ballGrid(0.5, 4);
  shape.grid.values.pop_back();
  EXPECT_THROW(VolumeField{shape}, Error);
  shape = ballGrid(0.5, 4);
  std::swap(shape.grid.min, shape.grid.max);
  EXPECT_THROW(VolumeField{shape}, Error);
  EXPECT_THROW(VolumeField(ballGrid(0.5, 4), -1), Error);
}

TEST(ShapeElements, MergesCellsWithoutGapsOrOverlaps) {
  ElementSource source(23);
  for (int trial = 0; trial < 50; ++trial) {
    OccupancyGridShape shape;
    shape.grid.min = {0, 0, 0};
    shape.grid.cells = {1 + static_cast<int>(source.random.below(6)), 1 + static_cast<int>(source.random.below(6)),
                        1 + static_cast<int>(source.random.below(6))};
    shape.grid.max = Vector3d(shape.grid.cells[0], shape.grid.cells[1], shape.grid.cells[2]);
    const double fraction = source.random.uniform();
    std::size_t count = static_cast<std::size_t>(shape.grid.max.prod() + 0.5), occupied = 0;
    for (std::size_t i = 0; i < count; ++i) shape.grid.values.push_back(source.random.uniform() < fraction ? 1 : 0);
    double volume = 0;
    const auto boxes = occupiedBoxes(shape, 0);
    for (const ConvexElement& box : boxes) volume += 8 * box.half.prod();
    for (int i = 0; i < shape.grid.cells[0]; ++i)
      for (int j = 0; j < shape.grid.cells[1]; ++j)
        for (int k = 0; k < shape.grid.cells[2]; ++k) {
          occupied += shape.occupied(i, j, k);
          int holders = 0;
          for (const ConvexElement& box : boxes) holders += contains(box, shape.grid.center(i, j, k));
          EXPECT_EQ(holders, shape.occupied(i, j, k) ? 1 : 0);
        }
    EXPECT_NEAR(volume, static_cast<double>(occupied), 1e-9);
    EXPECT_LE(boxes.size(), occupied);
  }
  OccupancyGridShape full;
  full.grid.cells = {4, 5, 6};
  full.grid.values.assign(120, 1);
  EXPECT_EQ(occupiedBoxes(full, 0).size(), 1u);
}

TEST(ShapeElements, SaysWhatIsWrongAndWhere) {
  const auto refused = [](Geometry::Data data, const std::string& part, double margin = 0) {
    try {
      shapeElements(Geometry(std::move(data), margin, "part.off"));
      FAIL() << part;
    } catch (const Error& error) {
      EXPECT_NE(error.message().find(part), std::string::npos) << error.message();
      EXPECT_EQ(error.where().file, "part.off");
    }
  };
  refused(TriangleMesh{{{0, 0, 0}, {NAN, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}, "vertex 1");
  refused(TriangleMesh{{{0, 0, 0}}, {{0, 0, 7}}}, "vertex 7");
  refused(SphereShape{{0, 0, 0}, -1}, "radius");
  refused(PointCloud{{{0, 0, 0}, {0, INFINITY, 0}}}, "point 1");
  refused(CylinderShape{{0, 0, 0}, {0, 0, 0}, 1, 1}, "axis");
  refused(AxisAlignedBoxShape{{0, 0, 0}, {1, -1, 1}}, "size");
  refused(SphereShape{}, "margin", -0.5);
}

}  // namespace
}  // namespace mortise
