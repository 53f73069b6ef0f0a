// Support polygons that never end: corners, rays and half planes of contacts that can pull.

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>

#include "mortise/base/random.h"
#include "mortise/mechanics/equilibrium.h"
#include "mortise/mechanics/forces/planar_cone.h"
#include "mortise/mechanics/support_polygon.h"

namespace mortise {
namespace {

using Eigen::Vector2d;

constexpr double kEndless = std::numeric_limits<double>::infinity();

ContactPoint up(double x, double y) { return {Vector3d(x, y, 0.3), Vector3d::UnitZ(), 0}; }
ContactPoint down(double x, double y) { return {Vector3d(x, y, 0.3), -Vector3d::UnitZ(), 0}; }

/// What lies on two pads and under two others, 1 m from them: with a force t of the upper ones the center is t away,
/// and up to 1 + 2 t aside.
TEST(UnboundedSupport, ACantileverIsAWedge) {
  for (const int edges : {0, 4}) {
    const SupportPolygon polygon(std::vector<ContactPoint>{up(0, 1), up(0, -1), down(-1, 1), down(-1, -1)},
                                 {.coneEdges = edges});
    EXPECT_FALSE(polygon.bounded());
    ASSERT_EQ(polygon.corners().size(), 2u);
    EXPECT_NEAR((polygon.corners()[0] - Vector2d(0, 1)).norm(), 0, 1e-9);
    EXPECT_NEAR((polygon.corners()[1] - Vector2d(0, -1)).norm(), 0, 1e-9);
    ASSERT_EQ(polygon.rays().size(), 2u);
    EXPECT_NEAR((polygon.rays()[0] - Vector2d(1, -2).normalized()).norm(), 0, 1e-9);
    EXPECT_NEAR((polygon.rays()[1] - Vector2d(1, 2).normalized()).norm(), 0, 1e-9);
    ASSERT_EQ(polygon.halfPlanes().size(), 3u);
    EXPECT_EQ(polygon.area(), kEndless);
    EXPECT_NEAR(polygon.margin(Vector3d(2, 0, 0)), 2, 1e-8);
    EXPECT_NEAR(polygon.margin(Vector3d(5, 6, 0)), 5 / std::sqrt(5.0), 1e-8);
    // Far beyond where linear programs search.
    for (const double x : {2e3, 1e5}) EXPECT_NEAR(polygon.margin(Vector3d(x, 2 * x, 0)), 1 / std::sqrt(5.0), 1e-6) << x;
    EXPECT_NEAR(polygon.signedDistance(Vector3d(-12, 6, 0)), -13, 1e-8) << "from a corner";
    EXPECT_NEAR(polygon.signedDistance(Vector3d(8, 18, 0)), -1 / std::sqrt(5.0), 1e-8) << "from a ray";
  }
}

TEST(UnboundedSupport, HalfALine) {
  const SupportPolygon polygon(std::vector<ContactPoint>{up(2, 1), down(1, 1)});
  ASSERT_EQ(polygon.corners().size(), 1u);
  EXPECT_NEAR((polygon.corners()[0] - Vector2d(2, 1)).norm(), 0, 1e-9);
  ASSERT_EQ(polygon.rays().size(), 1u);
  EXPECT_EQ(polygon.area(), 0);
  EXPECT_TRUE(polygon.contains(Vector3d(2, 1, 0)));
  EXPECT_TRUE(polygon.contains(Vector3d(12345, 1, 0)));
  EXPECT_FALSE(polygon.contains(Vector3d(1.9, 1, 0)));
  EXPECT_FALSE(polygon.contains(Vector3d(30, 1.001, 0)));
  EXPECT_NEAR(polygon.signedDistance(Vector3d(-1, 5, 0)), -5, 1e-9);
}

/// Pads above and below two points bear any moment about the line across it; a third point bears one about the line.
TEST(UnboundedSupport, LinesStripsAndHalfPlanesHaveNoCorners) {
  std::vector<ContactPoint> contacts = {up(0, 2), down(0, 2), up(1, 2), down(1, 2)};
  const SupportPolygon line(contacts);
  EXPECT_TRUE(line.corners().empty());
  EXPECT_FALSE(line.empty());
  EXPECT_EQ(line.rays().size(), 2u);
  EXPECT_EQ(line.area(), 0);
  EXPECT_TRUE(line.contains(Vector3d(-7e4, 2, 0)));
  EXPECT_FALSE(line.contains(Vector3d(0.5, 2.01, 0)));
  EXPECT_NEAR(line.signedDistance(Vector3d(50, 5, 0)), -3, 1e-8);

  contacts.push_back(up(0.5, 3));
  const SupportPolygon half(contacts);
  EXPECT_TRUE(half.corners().empty());
  ASSERT_EQ(half.halfPlanes().size(), 1u);
  EXPECT_EQ(half.rays().size(), 3u);
  EXPECT_NEAR(half.margin(Vector3d(-300, 500, 0)), 498, 1e-6);
  EXPECT_NEAR(half.signedDistance(Vector3d(-300, -3, 0)), -5, 1e-6);
  EXPECT_EQ(half.area(), kEndless);

  SupportPolygonOptions limited;
  limited.mass = 10;
  ForceBound bound;
  bound.a_W.assign(contacts.size(), Vector3d::Zero());
  bound.a_W.back() = Vector3d::UnitZ();
  bound.high = 0.25 * 98;
  limited.limits.bounds.push_back(bound);
  const SupportPolygon strip(contacts, limited);
  EXPECT_TRUE(strip.corners().empty());
  ASSERT_EQ(strip.halfPlanes().size(), 2u);
  EXPECT_NEAR(strip.margin(Vector3d(1e4, 2.1, 0)), 0.1, 1e-8);
  EXPECT_NEAR(strip.margin(Vector3d(-1e4, 2.25, 0)), 0, 1e-8);
  EXPECT_NEAR(strip.signedDistance(Vector3d(0, 3, 0)), -0.75, 1e-8);
  EXPECT_EQ(strip.area(), kEndless);

  contacts.push_back(down(0.5, 3));
  EXPECT_TRUE(SupportPolygon(contacts).isUnbounded());
}

/// A limit of each force bounds what pulls, however far it reaches.
TEST(UnboundedSupport, LimitsMakeItEndFarAway) {
  const std::vector<ContactPoint> contacts = {up(0, 0), down(-1, 0)};
  SupportPolygonOptions options;
  options.mass = 10;
  options.limits.bounds = normalForceBounds(contacts, 2500 * 98);
  const SupportPolygon polygon(contacts, options);  // The pad below bears 2500 weights, the one above 2499.
  EXPECT_TRUE(polygon.bounded());
  ASSERT_EQ(polygon.corners().size(), 2u);
  double maximum = 0;
  for (const Vector2d& corner : polygon.corners()) maximum = std::max(maximum, corner.x());
  EXPECT_NEAR(maximum, 2499, 1e-4);
}

/// The kind of every random set of contacts that push and pull, and what single tests say of centers near and far.
TEST(UnboundedSupport, AgreesWithTestsOfSingleCenters) {
  RandomStream random(41);
  int inside = 0, outside = 0, kinds[3] = {};
  for (int k = 0; k < 120; ++k) {
    std::vector<ContactPoint> contacts;
    const int count = 2 + static_cast<int>(random.below(4));
    for (int i = 0; i < count; ++i) {
      const double side = random.below(2) == 0 ? 1 : -1;
      contacts.push_back(
          {Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-0.4, 0.4)) + Vector3d(5, -3, 0.7),
           Vector3d(random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4), side).normalized(),
           random.uniform(0.3, 0.9)});
    }
    const int edges = k % 2 == 0 ? 0 : 3 + k % 3;
    const SupportPolygon polygon(contacts, {.coneEdges = edges});
    EquilibriumTester tester(contacts, {.coneEdges = edges});
    EXPECT_EQ(polygon.empty(), !tester.balancesSomewhere()) << k;
    ++kinds[polygon.empty() || polygon.bounded() ? 0 : polygon.isUnbounded() ? 1 : 2];
    if (polygon.empty()) continue;
    for (const double reach : {1.5, 15.0, 100.0})
      for (int j = 0; j < 20; ++j) {
        const Vector3d com(5 + random.uniform(-reach, reach), -3 + random.uniform(-reach, reach), 0);
        const double margin = polygon.margin(com);
        if (std::abs(margin) < 3e-4 * std::max(1.0, 0.1 * reach)) continue;
        EXPECT_EQ(margin > 0, tester.balances(com)) << k << " " << margin << " at " << com.transpose();
        ++(margin > 0 ? inside : outside);
      }
    // What has corners and rays is what the half planes say.
    for (const Vector2d& anchor : polygon.anchors())
      for (const SupportPolygon::HalfPlane& side : polygon.halfPlanes())
        EXPECT_LE(side.normal.dot(anchor), side.offset + 1e-6 * std::max(1.0, anchor.norm())) << k;
    for (const Vector2d& ray : polygon.rays())
      for (const SupportPolygon::HalfPlane& side : polygon.halfPlanes()) EXPECT_LE(side.normal.dot(ray), 2e-6) << k;
  }
  EXPECT_GT(inside, 500);
  EXPECT_GT(outside, 500);
  for (const int kind : kinds) EXPECT_GT(kind, 5);
}

/// Farthest points of the cone of some directions within the square.
PlanarSupport supportOf(const std::vector<Vector2d>& directions) {
  return [=](const Vector2d& normal, Vector2d& point) {
    // Corners of the cone within the square: multiples of its directions, and corners of the square inside of it.
    std::vector<Vector2d> corners = {Vector2d::Zero()};
    for (const Vector2d& d : directions) corners.push_back(d / d.cwiseAbs().maxCoeff());
    for (const Vector2d& c : {Vector2d(1, 1), Vector2d(-1, 1), Vector2d(-1, -1), Vector2d(1, -1), Vector2d(1, 0),
                              Vector2d(0, 1), Vector2d(-1, 0), Vector2d(0, -1)})
      for (const Vector2d& a : directions)
        for (const Vector2d& b : directions) {
          const double det = a.x() * b.y() - a.y() * b.x();
          if (std::abs(det) < 1e-12) continue;
          const double s = (c.x() * b.y() - c.y() * b.x()) / det, t = (a.x() * c.y() - a.y() * c.x()) / det;
          if (s >= 0 && t >= 0) corners.push_back(c);
        }
    point = corners.front();
    for (const Vector2d& corner : corners)
      if (normal.dot(corner) > normal.dot(point)) point = corner;
    return true;
  };
}

Vector2d at(double degrees) {
  return {std::cos(degrees * std::numbers::pi / 180), std::sin(degrees * std::numbers::pi / 180)};
}

TEST(PlanarCone, EveryKindAtEveryAngle) {
  using Kind = PlanarCone::Kind;
  for (double turn = 0; turn < 360; turn += 7.5) {
    EXPECT_EQ(planarCone(supportOf({})).kind, Kind::point);
    const PlanarCone ray = planarCone(supportOf({at(turn)}));
    EXPECT_EQ(ray.kind, Kind::pointed) << turn;
    EXPECT_EQ(ray.generators().size(), 1u) << turn;
    EXPECT_NEAR((ray.first - at(turn)).norm(), 0, 1e-9) << turn;
    for (const double width : {1.0, 45.0, 90.0, 135.0, 179.0}) {
      const PlanarCone wedge = planarCone(supportOf({at(turn), at(turn + width / 3), at(turn + width)}));
      EXPECT_EQ(wedge.kind, Kind::pointed) << turn << " " << width;
      EXPECT_NEAR((wedge.first - at(turn)).norm(), 0, 1e-9) << turn << " " << width;
      EXPECT_NEAR((wedge.last - at(turn + width)).norm(), 0, 1e-9) << turn << " " << width;
    }
    const PlanarCone line = planarCone(supportOf({at(turn), at(turn + 180)}));
    EXPECT_EQ(line.kind, Kind::line) << turn;
    EXPECT_NEAR(std::abs(line.first.dot(at(turn))), 1, 1e-9) << turn;
    const PlanarCone half = planarCone(supportOf({at(turn), at(turn + 70), at(turn + 180)}));
    EXPECT_EQ(half.kind, Kind::halfPlane) << turn;
    EXPECT_NEAR((half.first - at(turn)).norm(), 0, 1e-9) << turn;
    EXPECT_EQ(planarCone(supportOf({at(turn), at(turn + 110), at(turn + 230)})).kind, Kind::plane) << turn;
  }
}

}  // namespace
}  // namespace mortise
