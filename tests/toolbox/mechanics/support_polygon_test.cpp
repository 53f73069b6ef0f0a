#include "mortise/mechanics/support_polygon.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/math/rotation.h"
#include "mortise/mechanics/equilibrium.h"
#include "mortise/mechanics/forces/friction_cone.h"

namespace mortise {
namespace {

using Eigen::Vector2d;

std::vector<ContactPoint> flat(const std::vector<Vector2d>& points, double friction) {
  std::vector<ContactPoint> contacts;
  for (const Vector2d& p : points) contacts.push_back({Vector3d(p.x(), p.y(), 0.3), Vector3d::UnitZ(), friction});
  return contacts;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(SupportPolygon, OnFlatGroundItIsTheConvexHull) {
  const std::vector<Vector2d> points = {{0, 0}, {2, 0}, {2, 1}, {0, 1}, {1, 0.5}, {1, 0}};
  for (const double friction : {0.0, 0.5, std::numeric_limits<double>::infinity()})
    for (const int edges : {4, 0}) {
      const SupportPolygon polygon(flat(points, friction), {.coneEdges = edges});
      ASSERT_EQ(polygon.corners().size(), 4u) << friction;
      EXPECT_TRUE(polygon.bounded());
      EXPECT_NEAR(polygon.area(), 2, 1e-8);
      EXPECT_NEAR(polygon.margin(Vector3d(1, 0.5, 7)), 0.5, 1e-8);
      EXPECT_NEAR(polygon.margin(Vector3d(1.9, 0.5, -7)), 0.1, 1e-8);
      EXPECT_NEAR(polygon.margin(Vector3d(3, 0.5, 0)), -1, 1e-8);
      EXPECT_TRUE(polygon.contains(Vector3d(2, 1, 0)));
      EXPECT_FALSE(polygon.contains(Vector3d(2, 1, 0), 0.01));
    }
}

TEST(SupportPolygon, ATripodStandsOnItsTriangle) {
  const std::vector<ContactPoint> feet = flat({{0, 0}, {3, 0}, {0, 4}}, 0.5);
  const SupportPolygon polygon(feet, {.coneEdges = 0});
  ASSERT_EQ(polygon.corners().size(), 3u);
  EXPECT_NEAR(polygon.area(), 6, 1e-8);
  EXPECT_NEAR(polygon.margin(Vector3d(1, 1, 9)), 1, 1e-8) << "the inscribed circle";
  EXPECT_NEAR(polygon.signedDistance(Vector3d(3 + 0.8 + 0.6, 4.0 / 3 + 0.6 + 0.8, 0)),
              -(4 * 4.4 + 3 * (4.0 / 3 + 1.4) - 12) / 5, 1e-8)
      << "across the long side";
  EXPECT_NEAR(polygon.signedDistance(Vector3d(-3, -4, 0)), -5, 1e-8) << "from a corner";
  EXPECT_NEAR(polygon.margin(Vector3d(-3, -4, 0)), -4, 1e-8) << "from a line";
  // The feet bear the weight by barycentric coordinates.
  std::vector<Vector3d> forces;
  ASSERT_TRUE(EquilibriumTester(flat({{0, 0}, {3, 0}, {0, 4}}, 0)).balances(Vector3d(1, 1, 0), 12, &forces));
  const double weight = 12 * 9.8;
  EXPECT_NEAR(forces[1].z(), weight / 3, 1e-6);
  EXPECT_NEAR(forces[2].z(), weight / 4, 1e-6);
  EXPECT_NEAR(forces[0].z(), weight * 5 / 12, 1e-6);
}

TEST(SupportPolygon, LimitsOfForcesCutItOff) {
  // Two points 2 m apart that bear 60 % of the weight each: from 40 to 60 % of the way.
  const std::vector<ContactPoint> contacts = flat({{-1, 0}, {1, 0}}, 0.5);
  SupportPolygonOptions options;
  options.mass = 10;
  options.limits.bounds = normalForceBounds(contacts, 0.6 * 98);
  const SupportPolygon polygon(contacts, options);
  ASSERT_EQ(polygon.corners().size(), 2u);
  EXPECT_NEAR((polygon.corners()[0] - polygon.corners()[1]).norm(), 0.4, 1e-7);
  options.limits.bounds = normalForceBounds(contacts, 0.4 * 98);
  EXPECT_TRUE(SupportPolygon(contacts, options).empty());
  EXPECT_THROW(normalForceBounds(contacts, 0), Error);
}

TEST(SupportPolygon, RobustForcesStayInsideTheirCones) {
  const double mu = 0.5, distance = 4, weight = 98;
  const std::vector<ContactPoint> contacts = flat({{-1, 0}, {1, 0}, {0, 2}}, mu);
  for (const int edges : {0, 4, 7}) {
    SupportPolygonOptions options;
    options.coneEdges = edges;
    options.mass = 10;
    options.limits.robustness = distance;
    const SupportPolygon polygon(contacts, options);
    // Every point bears at least h, so that the triangle shrinks towards its middle by the rest of the weight.
    const double radius = edges == 0 ? mu : mu * std::cos(std::numbers::pi / edges);
    const double h = distance * std::sqrt(1 + radius * radius) / radius;
    EXPECT_NEAR(polygon.area(), 2 * std::pow(1 - 3 * h / weight, 2), 1e-6) << edges;
    // Forces are as far from the planes of their pyramids as asked.
    std::vector<Vector3d> forces;
    EquilibriumOptions test;
    test.coneEdges = edges;
    test.limits = options.limits;
    ASSERT_TRUE(EquilibriumTester(contacts, test).balances(Vector3d(0, 0.7, 1), 10, &forces));
    for (std::size_t i = 0; edges > 0 && i < forces.size(); ++i)
      EXPECT_LE((frictionPlanes(contacts[i], edges) * forces[i]).maxCoeff(), -distance + 1e-6);
  }
}

TEST(SupportPolygon, PointsAndLines) {
  const SupportPolygon nothing{std::span<const ContactPoint>()};
  EXPECT_TRUE(nothing.empty());
  EXPECT_FALSE(nothing.contains(Vector3d::Zero()));
  EXPECT_EQ(nothing.area(), 0);
  const SupportPolygon point(flat({{1, 2}}, 0.5));
  ASSERT_EQ(point.corners().size(), 1u);
  EXPECT_TRUE(point.contains(Vector3d(1, 2, 5)));
  EXPECT_NEAR(point.margin(Vector3d(1, 2.5, 5)), -0.5, 1e-9);
  const SupportPolygon line(flat({{0, 0}, {1, 1}, {3, 3}}, 0.5));
  ASSERT_EQ(line.corners().size(), 2u);
  EXPECT_NEAR((line.corners()[0] - line.corners()[1]).norm(), 3 * std::numbers::sqrt2, 1e-8);
  EXPECT_TRUE(line.contains(Vector3d(2, 2, 0)));
  EXPECT_FALSE(line.contains(Vector3d(2, 2.001, 0)));
  EXPECT_FALSE(line.contains(Vector3d(3.1, 3.1, 0)));
  EXPECT_TRUE(SupportPolygon(std::vector<ContactPoint>{{Vector3d::Zero(), -Vector3d::UnitZ(), 0.5}}).empty());
}

TEST(SupportPolygon, TwoSlopesThatFaceEachOther) {
  // Points at x = -1 and 1 (and the same at y = -1 and 1), on slopes that rise outwards at 45 degrees, no friction:
  // forces along (1, 1) and (-1, 1), so that the forces of the two sides are equal and x = 0.
  std::vector<ContactPoint> contacts;
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0}) contacts.push_back({Vector3d(x, y, 0), Vector3d(-x, 0, 1).normalized(), 0});
  const SupportPolygon line(contacts);
  ASSERT_EQ(line.corners().size(), 2u);
  EXPECT_TRUE(line.contains(Vector3d(0, 0.9, 0)));
  EXPECT_FALSE(line.contains(Vector3d(0.01, 0, 0)));
  EXPECT_FALSE(line.contains(Vector3d(0, 1.01, 0)));
  // With friction mu < 1, in the plane: normal force a and b, tangential within mu: x up to
  // (A - B) / (A + B) of vertical forces with horizontal parts cancelling. At the left the cone spans the slopes
  // (1 - mu) / (1 + mu) to (1 + mu) / (1 - mu) of vertical to horizontal, and the same on the right: x is farthest
  // where one side takes the steepest and the other the flattest force.
  const double mu = 0.3;
  for (ContactPoint& contact : contacts) contact.friction = mu;
  const double steep = (1 + mu) / (1 - mu), shallow = 1 / steep;
  const double farthest = (steep - shallow) / (steep + shallow);
  const SupportPolygon polygon(contacts, {.coneEdges = 0});
  double maximum = 0;
  for (const Vector2d& corner : polygon.corners()) maximum = std::max(maximum, corner.x());
  // In three dimensions y = 0 reaches what the plane does.
  EXPECT_TRUE(polygon.contains(Vector3d(farthest - 2e-4, 0, 0)));
  EXPECT_FALSE(polygon.contains(Vector3d(farthest + 2e-4, 0, 0)));
  EXPECT_GE(maximum, farthest - 2e-4);
}

TEST(SupportPolygon, AgreesWithTestsOfSingleCenters) {
  RandomStream random(17);
  int inside = 0, outside = 0;
  for (int k = 0; k < 30; ++k) {
    std::vector<ContactPoint> contacts;
    for (int i = 0; i < 5; ++i)
      contacts.push_back(
          {Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-0.4, 0.4)) + Vector3d(5, -3, 0.7),
           Vector3d(random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4), 1).normalized(), random.uniform(0.05, 0.8)});
    const int edges = k % 3 == 0 ? 0 : 3 + k % 3;
    const SupportPolygon polygon(contacts, {.coneEdges = edges});
    EquilibriumTester tester(contacts, {.coneEdges = edges});
    EXPECT_EQ(polygon.empty(), !tester.balancesSomewhere());
    if (polygon.empty()) continue;
    for (int j = 0; j < 40; ++j) {
      const Vector3d com(5 + random.uniform(-1.5, 1.5), -3 + random.uniform(-1.5, 1.5), random.uniform(-1, 1));
      const double margin = polygon.margin(com);
      if (std::abs(margin) < 2e-4) continue;
      EXPECT_EQ(margin > 0, tester.balances(com)) << k << " " << margin;
      ++(margin > 0 ? inside : outside);
    }
    // Between the two polygons there is next to nothing.
    for (const Vector2d& corner : polygon.outerCorners())
      EXPECT_GE(polygon.margin(Vector3d(corner.x(), corner.y(), 0)), edges == 0 ? -2e-4 : -1e-7);
  }
  EXPECT_GT(inside, 100);
  EXPECT_GT(outside, 100);
}

TEST(SupportPolygon, GravityMayPointAnywhere) {
  RandomStream random(23);
  std::vector<ContactPoint> contacts;
  for (int i = 0; i < 4; ++i)
    contacts.push_back({Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-0.2, 0.2)),
                        Vector3d(random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), 1).normalized(), 0.4});
  const SupportPolygon upright(contacts, {.coneEdges = 0});
  const Matrix3d R = rotationFromMoment(Vector3d(0.7, -1.1, 0.4));
  std::vector<ContactPoint> turned = contacts;
  for (ContactPoint& contact : turned) {
    contact.p_WC = R * contact.p_WC;
    contact.n_W = R * contact.n_W;
  }
  const SupportPolygon tilted(turned, {.gravity_W = R * Vector3d(0, 0, -1), .coneEdges = 0});
  EXPECT_NEAR(tilted.area(), upright.area(), 2e-3);
  for (int k = 0; k < 50; ++k) {
    const Vector3d com(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    if (std::abs(upright.margin(com)) < 1e-3) continue;
    EXPECT_EQ(tilted.margin(R * com) > 0, upright.margin(com) > 0);
  }
}

TEST(SupportPolygon, ARingOfFingersLeavesNothingOut) {
  std::vector<ContactPoint> contacts;
  for (int k = 0; k < 3; ++k) {
    const double angle = 2 * std::numbers::pi * k / 3;
    const Vector3d out(std::cos(angle), std::sin(angle), 0);
    contacts.push_back({out, -out, 0.8});
  }
  const SupportPolygon polygon(contacts);
  EXPECT_FALSE(polygon.bounded());
  EXPECT_FALSE(polygon.empty());
  EXPECT_TRUE(polygon.isUnbounded());
  EXPECT_TRUE(polygon.corners().empty());
  EXPECT_TRUE(polygon.contains(Vector3d(100, -200, 0)));
  EXPECT_TRUE(polygon.contains(Vector3d(1e7, -2e7, 0)));
  EXPECT_EQ(polygon.margin(Vector3d(3, 4, 0)), kInfinity);
}

}  // namespace
}  // namespace mortise
