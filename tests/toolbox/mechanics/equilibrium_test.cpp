#include "mortise/mechanics/equilibrium.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/math/constants.h"
#include "mortise/math/rotation.h"
#include "mortise/mechanics/forces/friction_cone.h"
#include "mortise/mechanics/support_polygon.h"

namespace mortise {
namespace {

ContactPoint contact(const Vector3d& p, const Vector3d& n, double friction) { return {p, n.normalized(), friction}; }

/// The lower corners of a box of edges 2a x 2a x 2h that stands on a plane which climbs along x at `slope`.
std::vector<ContactPoint> boxOnSlope(double a, double slope, double friction) {
  const Matrix3d R = rotationY(-slope);
  std::vector<ContactPoint> contacts;
  for (const double x : {-a, a})
    for (const double y : {-a, a}) contacts.push_back({R * Vector3d(x, y, 0), R * Vector3d::UnitZ(), friction});
  return contacts;
}

Vector3d comOnSlope(double h, double slope) { return rotationY(-slope) * Vector3d(0, 0, h); }

TEST(Equilibrium, ABoxSlidesAtTheAngleOfFriction) {
  const double mu = 0.5, angle = std::atan(mu);
  for (const int edges : {4, 8, 0}) {  // An edge of each pyramid points downhill.
    EXPECT_TRUE(testEquilibrium(boxOnSlope(1, angle - 1e-6, mu), 2, comOnSlope(0.1, angle - 1e-6), {.coneEdges = edges})
                    .balanced)
        << edges;
    EXPECT_FALSE(
        testEquilibrium(boxOnSlope(1, angle + 1e-6, mu), 2, comOnSlope(0.1, angle + 1e-6), {.coneEdges = edges})
            .balanced)
        << edges;
  }
}

TEST(Equilibrium, ATallBoxTipsBeforeItSlides) {
  const double a = 0.2, h = 0.5, angle = std::atan(a / h);
  const EquilibriumOptions options;
  EXPECT_TRUE(testEquilibrium(boxOnSlope(a, angle - 1e-6, 2), 1, comOnSlope(h, angle - 1e-6), options).balanced);
  EXPECT_FALSE(testEquilibrium(boxOnSlope(a, angle + 1e-6, 2), 1, comOnSlope(h, angle + 1e-6), options).balanced);
}

TEST(Equilibrium, ConesReachFartherThanPyramidsBetweenTheirEdges) {
  // Gravity at 45 degrees between two edges of a pyramid of four: friction / sqrt(2) of it counts.
  const double mu = 0.4;
  const std::vector<ContactPoint> contacts = {contact(Vector3d(1, 0, 0), Vector3d::UnitZ(), mu),
                                              contact(Vector3d(-1, 1, 0), Vector3d::UnitZ(), mu),
                                              contact(Vector3d(-1, -1, 0), Vector3d::UnitZ(), mu)};
  std::vector<Vector3d> edges;
  frictionEdges(contacts[0], 4, edges);
  const Vector3d between = (edges[0] + edges[1]).normalized();
  const Vector3d across = (between - between.z() * Vector3d::UnitZ()).normalized();
  const auto tilted = [&](double fraction, int coneEdges) {
    EquilibriumOptions options;
    options.gravity_W = -9.8 * (Vector3d::UnitZ() + fraction * mu * across);
    options.coneEdges = coneEdges;
    return testEquilibrium(contacts, 1, Vector3d::Zero(), options).balanced;
  };
  const double inside = std::numbers::sqrt2 / 2;
  EXPECT_TRUE(tilted(inside - 1e-6, 4));
  EXPECT_FALSE(tilted(inside + 1e-6, 4));
  EXPECT_TRUE(tilted(1 - 1e-6, 0));
  EXPECT_FALSE(tilted(1 + 1e-6, 0));
  // Whoever asks for no edges gets the cones, from everything that has friction.
  EquilibriumOptions options;
  options.gravity_W = -9.8 * (Vector3d::UnitZ() + 0.9 * mu * across);
  EXPECT_TRUE(testEquilibrium(contacts, 1, Vector3d::Zero(), options).balanced);
  SupportPolygonOptions polygon;
  polygon.gravity_W = options.gravity_W;
  EXPECT_FALSE(SupportPolygon(contacts, polygon).empty());
  polygon.coneEdges = 4;
  EXPECT_TRUE(SupportPolygon(contacts, polygon).empty());
}

TEST(Equilibrium, ForcesBalanceAndLieInTheCones) {
  RandomStream random(3);
  int balanced = 0;
  for (int k = 0; k < 200; ++k) {
    std::vector<ContactPoint> contacts;
    for (int i = 0; i < 4; ++i) {
      const Vector3d p(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-0.3, 0.3));
      contacts.push_back(
          contact(p, Vector3d(random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), 1), random.uniform(0, 1)));
    }
    const Vector3d com(random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(-1, 1));
    const double mass = random.uniform(1, 100);
    for (const int edges : {3, 4, 0}) {
      const Equilibrium result = testEquilibrium(contacts, mass, com, {.coneEdges = edges});
      if (!result.balanced) continue;
      ++balanced;
      Vector3d force(0, 0, -9.8 * mass), torque = com.cross(force);
      for (std::size_t i = 0; i < contacts.size(); ++i) {
        const Vector3d& f = result.forces_W[i];
        force += f;
        torque += contacts[i].p_WC.cross(f);
        const double along = f.dot(contacts[i].n_W);
        EXPECT_GE(along, -1e-7 * mass);
        EXPECT_LE((f - along * contacts[i].n_W).norm(), contacts[i].friction * along + 1e-6 * mass);
        if (edges > 0 && contacts[i].friction > 0) {
          EXPECT_LE((frictionPlanes(contacts[i], edges) * f).maxCoeff(), 1e-6 * mass);
        }
      }
      EXPECT_NEAR(force.norm(), 0, 1e-6 * mass);
      EXPECT_NEAR(torque.norm(), 0, 1e-6 * mass);
    }
  }
  EXPECT_GT(balanced, 50);
}

TEST(Equilibrium, PyramidsOfManyEdgesComeToTheConesFromWithin) {
  RandomStream random(5);
  int decided = 0;
  for (int k = 0; k < 100; ++k) {
    std::vector<ContactPoint> contacts;
    for (int i = 0; i < 3; ++i)
      contacts.push_back(contact(Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)),
                                 Vector3d(random.gaussian(), random.gaussian(), 1 + random.gaussian()), 0.6));
    const Vector3d com(random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), 0);
    const bool few = testEquilibrium(contacts, 1, com, {.coneEdges = 4}).balanced;
    const bool many = testEquilibrium(contacts, 1, com, {.coneEdges = 512}).balanced;
    const bool cones = testEquilibrium(contacts, 1, com, {.coneEdges = 0}).balanced;
    EXPECT_LE(few, cones);
    EXPECT_EQ(many, cones) << k;  // None of these is on the edge.
    decided += few != cones;
  }
  EXPECT_GT(decided, 0) << "four edges are too few somewhere";
}

TEST(Equilibrium, ALadderLeansOnASmoothWall) {
  // Length 1, foot at x = 0 on a floor of friction mu, head on a wall without friction: it stands when
  // tan(angle) >= 1 / (2 mu).
  const double mu = 0.35;
  const auto stands = [&](double angle) {
    const Vector3d head(std::cos(angle), 0, std::sin(angle));
    const std::vector<ContactPoint> contacts = {contact(Vector3d(0, -0.1, 0), Vector3d::UnitZ(), mu),
                                                contact(Vector3d(0, 0.1, 0), Vector3d::UnitZ(), mu),
                                                contact(head, -Vector3d::UnitX(), 0)};
    return testEquilibrium(contacts, 5, 0.5 * head, {.coneEdges = 0}).balanced;
  };
  const double limit = std::atan(1 / (2 * mu));
  EXPECT_TRUE(stands(limit + 1e-6));
  EXPECT_FALSE(stands(limit - 1e-6));
}

TEST(Equilibrium, DegenerateContacts) {
  const Vector3d above(0, 0, 1);
  EXPECT_FALSE(testEquilibrium({}, 1, above).balanced);
  EXPECT_FALSE(EquilibriumTester({}).balancesSomewhere());
  const std::vector<ContactPoint> one = {contact(Vector3d::Zero(), Vector3d::UnitZ(), 0)};
  EXPECT_TRUE(testEquilibrium(one, 1, above).balanced);
  EXPECT_FALSE(testEquilibrium(one, 1, above + Vector3d(1e-6, 0, 0)).balanced);
  const std::vector<ContactPoint> ceiling = {contact(Vector3d::Zero(), -Vector3d::UnitZ(), 0.5)};
  EXPECT_FALSE(EquilibriumTester(ceiling).balancesSomewhere());
  // Three points of a wall that nothing slides along: none can pull, so the center of mass must be in the wall's plane.
  const std::vector<ContactPoint> wall = {contact(Vector3d(0, 0, 0), Vector3d::UnitX(), kInfinity),
                                          contact(Vector3d(0, 0.2, 0), Vector3d::UnitX(), kInfinity),
                                          contact(Vector3d(0, 0.1, -0.5), Vector3d::UnitX(), kInfinity)};
  EXPECT_TRUE(testEquilibrium(wall, 1, Vector3d(0, 0.1, 2)).balanced);
  EXPECT_FALSE(testEquilibrium(wall, 1, Vector3d(0.01, 0.1, 0)).balanced);
  EXPECT_FALSE(testEquilibrium(wall, 1, Vector3d(-0.01, 0.1, 0)).balanced);
  Vector3d com;
  EquilibriumTester somewhere(wall);
  ASSERT_TRUE(somewhere.balancesSomewhere(1, &com));
  EXPECT_TRUE(somewhere.balances(com));
}

TEST(Equilibrium, LimitsOfForces) {
  // A beam on two points: the load divides by the lever.
  const std::vector<ContactPoint> contacts = {contact(Vector3d(-1, 0, 0), Vector3d::UnitZ(), 0.5),
                                              contact(Vector3d(1, 0, 0), Vector3d::UnitZ(), 0.5)};
  EquilibriumTester tester(contacts);
  tester.limitForces({1}, Vector3d::UnitZ(), 60);
  EXPECT_TRUE(tester.balances(Vector3d(0.2, 0, 0), 10));  // 0.6 * 98 = 58.8 N
  EXPECT_FALSE(tester.balances(Vector3d(0.3, 0, 0), 10));
  tester.limitForces({0, 1}, Vector3d::UnitZ(), 90);
  EXPECT_FALSE(tester.balances(Vector3d(0, 0, 0), 10));
  EXPECT_THROW(tester.limitForces({2}, Vector3d::UnitZ(), 1), Error);
}

TEST(Equilibrium, TestsDoNotDependOnEarlierOnes) {
  RandomStream random(31);
  const std::vector<ContactPoint> contacts = boxOnSlope(1, 0.2, 0.5);
  for (const int edges : {0, 5}) {
    EquilibriumOptions options;
    options.coneEdges = edges;
    options.limits.bounds = normalForceBounds(contacts, 60);
    EquilibriumTester tester(contacts, options);
    for (int k = 0; k < 50; ++k) {
      const Vector3d com(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0, 0.5));
      const double mass = random.below(2) == 0 ? 5 : 12;
      std::vector<Vector3d> forces;
      const bool balanced = tester.balances(com, mass, &forces);
      const Equilibrium once = testEquilibrium(contacts, mass, com, options);
      EXPECT_EQ(balanced, once.balanced);
      EXPECT_EQ(forces, once.forces_W) << "to the last bit";
    }
  }
}

TEST(Equilibrium, BadInputSaysWhatIsWrong) {
  const std::vector<ContactPoint> longNormal = {{Vector3d::Zero(), Vector3d(0, 0, 2), 0.5}};
  const std::vector<ContactPoint> negative = {contact(Vector3d::Zero(), Vector3d::UnitZ(), -1)};
  const std::vector<ContactPoint> good = {contact(Vector3d::Zero(), Vector3d::UnitZ(), 1)};
  EXPECT_THROW(EquilibriumTester{longNormal}, Error);
  EXPECT_THROW(EquilibriumTester{negative}, Error);
  EXPECT_THROW(EquilibriumTester(good, {.coneEdges = 2}), Error);
  EXPECT_THROW(EquilibriumTester(good, {.gravity_W = Vector3d::Zero()}), Error);
  EXPECT_THROW(EquilibriumTester(good).balances(Vector3d::Zero(), 0), Error);
  EXPECT_THROW(SupportPolygon(good, {.coneEdges = -1}), Error);
}

TEST(ForceClosure, ThreePointsWithFrictionHoldADisc) {
  const auto around = [](double friction) {
    std::vector<ContactPoint> contacts;
    for (int k = 0; k < 3; ++k) {
      const double angle = 2 * std::numbers::pi * k / 3;
      const Vector3d out(std::cos(angle), std::sin(angle), 0);
      contacts.push_back({out, -out, friction});
    }
    return contacts;
  };
  EXPECT_TRUE(forceClosure(around(0.5)));
  EXPECT_TRUE(forceClosure(around(0.5), 0));
  EXPECT_TRUE(forceClosure(around(kInfinity)));
  EXPECT_FALSE(forceClosure(around(0)));
  // Two opposite points cannot keep it from turning about their line.
  std::vector<ContactPoint> two = {{Vector3d(1, 0, 0), Vector3d(-1, 0, 0), 0.5},
                                   {Vector3d(-1, 0, 0), Vector3d(1, 0, 0), 0.5}};
  EXPECT_FALSE(forceClosure(two));
  // All from one side cannot pull.
  EXPECT_FALSE(forceClosure(boxOnSlope(1, 0, 0.5)));
  EXPECT_FALSE(forceClosure({}));
}

TEST(ForceClosure, SevenFrictionlessPointsHoldACube) {
  // Two on each of three faces and one against the corner of them, so placed that torques cancel too.
  std::vector<ContactPoint> contacts;
  const double s = 0.4;
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : {-1, 1})
      for (const int turn : {-1, 1}) {
        Vector3d p = side * Vector3d::Unit(axis);
        p[(axis + 1) % 3] = s * side * turn * 1.0;
        p[(axis + 2) % 3] = s * turn * 0.5;
        contacts.push_back({p, -side * Vector3d::Unit(axis), 0});
      }
  EXPECT_TRUE(forceClosure(contacts));
  contacts.resize(6);
  EXPECT_FALSE(forceClosure(contacts)) << "seven are needed";
}

}  // namespace
}  // namespace mortise
