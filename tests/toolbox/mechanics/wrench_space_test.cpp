#include "mortise/mechanics/wrench_space.h"

#include <Eigen/QR>
#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/interruption.h"
#include "mortise/base/random.h"
#include "mortise/math/constants.h"
#include "mortise/mechanics/equilibrium.h"
#include "mortise/mechanics/forces/friction_cone.h"

namespace mortise {
namespace {

std::vector<ContactPoint> twoFingers(double half, double friction) {
  return {{Vector3d(-half, 0, 0), -Vector3d::UnitX(), friction}, {Vector3d(half, 0, 0), Vector3d::UnitX(), friction}};
}

std::vector<ContactPoint> randomGrasp(RandomStream& random, int count) {
  std::vector<ContactPoint> contacts;
  for (int i = 0; i < count; ++i) {
    const Vector3d out = Vector3d(random.gaussian(), random.gaussian(), random.gaussian()).normalized();
    const Vector3d tilt(random.gaussian(), random.gaussian(), random.gaussian());
    contacts.push_back({0.1 * out, (out + 0.2 * tilt).normalized(), random.uniform(0.2, 1)});
  }
  return contacts;
}

/// All points whose hull the space is: wrenches of single edges.
std::vector<SmallVector> hullPoints(const std::vector<ContactPoint>& contacts, const WrenchSpaceOptions& options) {
  const WrenchSpace space(contacts, options);
  std::vector<SmallVector> points = {SmallVector::Zero(space.dimension())};
  std::vector<Vector3d> edges;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    frictionEdges(contacts[i], options.coneEdges, edges);
    for (const Vector3d& edge : edges) {
      std::vector<Vector3d> forces(contacts.size(), Vector3d::Zero());
      forces[i] = -edge;
      points.push_back(space.wrench(forces));
    }
  }
  return points;
}

/// The distance from the origin to the nearest facet of the hull, by trying all planes through as many points as there
/// are dimensions; below 0 when the origin is outside.
double nearestFacet(const std::vector<SmallVector>& points) {
  const int d = static_cast<int>(points.front().size()), n = static_cast<int>(points.size());
  double nearest = kInfinity;
  std::vector<int> chosen(static_cast<std::size_t>(d));
  for (int i = 0; i < d; ++i) chosen[static_cast<std::size_t>(i)] = i;
  while (true) {
    Eigen::MatrixXd edges(d, d - 1);
    const SmallVector& first = points[static_cast<std::size_t>(chosen[0])];
    for (int k = 1; k < d; ++k)
      edges.col(k - 1) = points[static_cast<std::size_t>(chosen[static_cast<std::size_t>(k)])] - first;
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(edges);
    if (std::abs(qr.matrixR()(d - 2, d - 2)) > 1e-9) {
      const Eigen::MatrixXd Q = qr.householderQ();
      VectorXd normal = Q.col(d - 1);
      double low = kInfinity, high = -kInfinity;
      for (const SmallVector& point : points) {
        const double along = normal.dot(point - first);
        low = std::min(low, along);
        high = std::max(high, along);
      }
      if (high < 1e-10) nearest = std::min(nearest, normal.dot(first));
      if (low > -1e-10) nearest = std::min(nearest, -normal.dot(first));
    }
    int k = d - 1;
    while (k >= 0 && chosen[static_cast<std::size_t>(k)] == n - d + k) --k;
    if (k < 0) return nearest;
    ++chosen[static_cast<std::size_t>(k)];
    for (int j = k + 1; j < d; ++j) chosen[static_cast<std::size_t>(j)] = chosen[static_cast<std::size_t>(j - 1)] + 1;
  }
}

TEST(WrenchSpace, GraspsOfManyContactsCanBeInterrupted) {
  RandomStream random(9);
  const std::vector<ContactPoint> contacts = randomGrasp(random, 3000);
  int asked = 0;
  {
    const InterruptionScope scope([&] {
      ++asked;
      return false;
    });
    (void)graspQuality(contacts, {});
  }
  // While it is prepared, and at each support in each direction.
  EXPECT_GT(asked, 2 * 3000 / 64 + 12 * 3000 / 64);
  int count = 0;
  const InterruptionScope scope([&] { return ++count > asked / 2; });
  EXPECT_THROW((void)graspQuality(contacts, {}), Interrupted);
}

TEST(GraspQuality, TwoFingersOnAFlatThing) {
  // The hull of the wrenches (+-1, +-mu, +-mu) is a tetrahedron whose four faces are mu / sqrt(2 + mu^2) away.
  for (const double mu : {0.1, 0.5, 1.0}) {
    WrenchSpaceOptions options;
    options.planeNormal_W = Vector3d::UnitZ();
    const GraspQuality total = graspQuality(twoFingers(0.04, mu), options);
    EXPECT_TRUE(total.forceClosure);
    EXPECT_NEAR(total.quality, mu / std::sqrt(2 + mu * mu), 1e-7);
    EXPECT_NEAR(total.length, 0.04, 1e-15);
    // Of forces up to 1 each: forces across x up to 2 mu, along x up to 1; the torque (over length) up to 2 mu.
    options.budget = WrenchBudget::each;
    const GraspQuality each = graspQuality(twoFingers(0.04, mu), options);
    EXPECT_GT(each.quality, total.quality);
    options.planeNormal_W = {};
    EXPECT_FALSE(graspQuality(twoFingers(0.04, mu), options).forceClosure) << "it turns about the fingers' line";
  }
  WrenchSpaceOptions options;
  options.planeNormal_W = Vector3d::UnitZ();
  const GraspQuality smooth = graspQuality(twoFingers(0.04, 0), options);
  EXPECT_FALSE(smooth.forceClosure);
  EXPECT_EQ(smooth.quality, 0);
}

TEST(GraspQuality, FourFrictionlessFingersOnASquare) {
  // Two on each of two opposite pairs of sides, out of line by s: forces cancel in pairs and leave torques.
  const double a = 1, s = 0.5;
  const std::vector<ContactPoint> contacts = {{Vector3d(a, s, 0), Vector3d::UnitX(), 0},
                                              {Vector3d(-a, -s, 0), -Vector3d::UnitX(), 0},
                                              {Vector3d(s, -a, 0), -Vector3d::UnitY(), 0},
                                              {Vector3d(-s, a, 0), Vector3d::UnitY(), 0}};
  WrenchSpaceOptions options;
  options.planeNormal_W = Vector3d::UnitZ();
  options.length = 1;
  // Forces (-1, 0), (1, 0), (0, 1), (0, -1) with torques s, s, s, s: one side only.
  EXPECT_FALSE(graspQuality(contacts, options).forceClosure);
  std::vector<ContactPoint> crossed = contacts;
  crossed[2].p_WC.x() = -s;
  crossed[3].p_WC.x() = s;
  // Torques s, s, -s, -s: a tetrahedron with faces 1 / sqrt(...) away: corners (+-1, 0, s) and (0, +-1, -s).
  const double distance = s / std::sqrt(1 + 4 * s * s) * 1;
  EXPECT_NEAR(graspQuality(crossed, options).quality, distance, 1e-7);
}

TEST(GraspQuality, AgreesWithAllFacets) {
  RandomStream random(11);
  int closed = 0;
  for (int k = 0; k < 25; ++k) {
    const std::vector<ContactPoint> contacts = randomGrasp(random, 4);
    WrenchSpaceOptions options;
    options.coneEdges = 3;
    options.tolerance = 1e-10;
    if (k % 2 == 0) options.planeNormal_W = Vector3d(1, 2, 3);
    const double facet = nearestFacet(hullPoints(contacts, options));
    const GraspQuality quality = graspQuality(contacts, options);
    EXPECT_EQ(quality.forceClosure, facet > 1e-9) << k;
    if (k % 2 != 0) {
      EXPECT_EQ(quality.forceClosure, forceClosure(contacts, 3));
    }
    if (quality.forceClosure) {
      EXPECT_NEAR(quality.quality, facet, 1e-7) << k;
      ++closed;
    }
  }
  EXPECT_GT(closed, 5);
}

TEST(GraspQuality, PyramidsOfManyEdgesComeToTheCones) {
  RandomStream random(12);
  int closed = 0;
  for (int k = 0; k < 6; ++k) {
    const std::vector<ContactPoint> contacts = randomGrasp(random, 5);
    WrenchSpaceOptions options;
    options.tolerance = 1e-4;
    options.budget = k % 2 == 0 ? WrenchBudget::total : WrenchBudget::each;
    const GraspQuality cones = graspQuality(contacts, options);
    options.coneEdges = 64;
    const GraspQuality pyramids = graspQuality(contacts, options);
    options.coneEdges = 4;
    const GraspQuality few = graspQuality(contacts, options);
    EXPECT_GE(cones.upper, cones.quality);
    EXPECT_GE(cones.upper + 1e-12, pyramids.quality);
    EXPECT_NEAR(pyramids.quality, cones.quality, 5e-3);
    EXPECT_LE(few.quality, cones.upper + 1e-12);
    EXPECT_EQ(cones.forceClosure, forceClosure(contacts, 0)) << k;
    closed += cones.forceClosure;
  }
  EXPECT_GT(closed, 2);
}

TEST(GraspQuality, TheWeakestDisturbanceIsTheOneThatNeedsMost) {
  RandomStream random(13);
  std::vector<ContactPoint> contacts;
  do contacts = randomGrasp(random, 5);
  while (!forceClosure(contacts, 6));
  WrenchSpaceOptions options;
  options.coneEdges = 6;
  const GraspQuality quality = graspQuality(contacts, options);
  const WrenchSpace space(contacts, options);
  // The space reaches `quality` against it, and no less in any other direction.
  SmallVector against(6), wrench(6);
  against.head<3>() = -quality.weakestTorque_W / quality.length;
  against.tail<3>() = -quality.weakestForce_W;
  EXPECT_NEAR(against.norm(), 1, 1e-9);
  EXPECT_NEAR(space.support(against, wrench), quality.quality, 1e-5);
  for (int k = 0; k < 1000; ++k) {
    SmallVector u(6);
    for (double& x : u) x = random.gaussian();
    EXPECT_GE(space.support(u.normalized(), wrench), quality.quality - 1e-9);
  }
}

TEST(GraspQuality, BadInputSaysWhatIsWrong) {
  EXPECT_THROW(graspQuality(twoFingers(1, kInfinity)), Error);
  EXPECT_THROW(graspQuality(twoFingers(1, 0.5), {.coneEdges = 2}), Error);
  WrenchSpaceOptions options;
  options.length = -1;
  EXPECT_THROW(graspQuality(twoFingers(1, 0.5), options), Error);
  EXPECT_FALSE(graspQuality({}).forceClosure);
}

}  // namespace
}  // namespace mortise
