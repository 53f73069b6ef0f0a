#include "mortise/math/inertia.h"

#include <gtest/gtest.h>
#include <vector>

#include "mortise/base/random.h"
#include "mortise/math/rotation.h"

namespace mortise {
namespace {

/// Inertia of point masses, straight from the definition.
BodyInertia ofPoints(const std::vector<Vector3d>& points, const std::vector<double>& masses) {
  BodyInertia body;
  for (std::size_t i = 0; i < points.size(); ++i) {
    body.mass += masses[i];
    body.com += masses[i] * points[i];
  }
  body.com /= body.mass;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vector3d d = points[i] - body.com;
    body.inertia += masses[i] * (d.squaredNorm() * Matrix3d::Identity() - d * d.transpose());
  }
  return body;
}

TEST(BodyInertia, MovesAndCombinesAsPointMassesDo) {
  RandomStream random(5, "inertia");
  const auto point = [&] { return Vector3d(random.gaussian(), random.gaussian(), random.gaussian()); };
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<Vector3d> all, moved;
    std::vector<double> masses;
    const RigidTransform X_AB(rotationFromMoment(point()), point());
    for (int i = 0; i < 10; ++i) {
      all.push_back(point());
      moved.push_back(X_AB * all.back());
      masses.push_back(random.uniform(0.1, 2));
    }
    const BodyInertia full = ofPoints(all, masses);
    const BodyInertia first = ofPoints({all.begin(), all.begin() + 4}, {masses.begin(), masses.begin() + 4});
    const BodyInertia second = ofPoints({all.begin() + 4, all.end()}, {masses.begin() + 4, masses.end()});
    const BodyInertia sum = first.combinedWith(second);
    EXPECT_NEAR(sum.mass, full.mass, 1e-12);
    EXPECT_LT((sum.com - full.com).norm(), 1e-12);
    EXPECT_LT((sum.inertia - full.inertia).norm(), 1e-10);
    const BodyInertia there = full.expressedIn(X_AB), expected = ofPoints(moved, masses);
    EXPECT_LT((there.com - expected.com).norm(), 1e-12);
    EXPECT_LT((there.inertia - expected.inertia).norm(), 1e-10);
    Matrix3d aboutOrigin = Matrix3d::Zero();
    for (std::size_t i = 0; i < all.size(); ++i)
      aboutOrigin += masses[i] * (all[i].squaredNorm() * Matrix3d::Identity() - all[i] * all[i].transpose());
    EXPECT_LT((full.inertiaAboutOrigin() - aboutOrigin).norm(), 1e-10);
    EXPECT_TRUE(full.physical());
  }
}

TEST(BodyInertia, NothingAddsNothing) {
  BodyInertia body{2, {1, 2, 3}, Vector3d(1, 2, 2.5).asDiagonal()};
  EXPECT_EQ(body.combinedWith(BodyInertia()), body);
  EXPECT_EQ(BodyInertia().combinedWith(body), body);
  EXPECT_EQ(BodyInertia().combinedWith(BodyInertia()), BodyInertia());
}

TEST(BodyInertia, PhysicalChecksSignsSymmetryAndTriangle) {
  const auto body = [](double mass, const Vector3d& moments) {
    return BodyInertia{mass, Vector3d::Zero(), moments.asDiagonal()};
  };
  EXPECT_TRUE(body(1, {1, 1, 2}).physical());
  EXPECT_TRUE(body(0, {0, 0, 0}).physical());
  EXPECT_FALSE(body(1, {1, 1, 2.1}).physical());
  EXPECT_FALSE(body(1, {-1, 1, 1}).physical());
  EXPECT_FALSE(body(-1, {1, 1, 1}).physical());
  BodyInertia skew = body(1, {1, 1, 1});
  skew.inertia(0, 1) = 0.1;
  EXPECT_FALSE(skew.physical());
  skew.inertia(0, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(skew.physical());
}

}  // namespace
}  // namespace mortise
