#include "mortise/math/rotation.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "mortise/base/random.h"

namespace mortise {
namespace {

Vector3d randomVector(RandomStream& random, double scale) {
  return scale * Vector3d(random.gaussian(), random.gaussian(), random.gaussian());
}

TEST(Rotation, AxesTurnCounterClockwise) {
  EXPECT_TRUE((rotationX(M_PI / 2) * Vector3d::UnitY()).isApprox(Vector3d::UnitZ(), 1e-15));
  EXPECT_TRUE((rotationY(M_PI / 2) * Vector3d::UnitZ()).isApprox(Vector3d::UnitX(), 1e-15));
  EXPECT_TRUE((rotationZ(M_PI / 2) * Vector3d::UnitX()).isApprox(Vector3d::UnitY(), 1e-15));
}

TEST(Rotation, MatchesEigen) {
  RandomStream random(1, "rotation");
  for (int i = 0; i < 200; ++i) {
    const Vector3d axis = randomVector(random, 1).normalized();
    const double angle = random.uniform(-7, 7);
    const Matrix3d expected = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
    EXPECT_LT((rotationAboutAxis(axis, angle) - expected).norm(), 1e-14);
    EXPECT_LT((rotationAboutAxis(2 * axis, angle / 2) - expected).norm(), 1e-14);
    const Vector3d rpy = randomVector(random, 1);
    const Matrix3d fromRpy =
        (Eigen::AngleAxisd(rpy[2], Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy[1], Vector3d::UnitY()) *
         Eigen::AngleAxisd(rpy[0], Vector3d::UnitX()))
            .toRotationMatrix();
    EXPECT_LT((rotationFromRollPitchYaw(rpy) - fromRpy).norm(), 1e-14);
  }
}

TEST(Rotation, MomentIsInvertedAtEveryAngle) {
  RandomStream random(2, "moment");
  for (const double angle :
       {0.0, 1e-300, 1e-12, 1e-8, 0.99e-4, 1.01e-4, 1e-3, 1.0, 3.0, M_PI - 1e-6, M_PI - 1e-10, M_PI}) {
    for (int i = 0; i < 20; ++i) {
      const Vector3d moment = angle * randomVector(random, 1).normalized();
      const Matrix3d R = rotationFromMoment(moment);
      EXPECT_LT((R * R.transpose() - Matrix3d::Identity()).norm(), 1e-14) << angle;
      const Vector3d back = momentFromRotation(R);
      EXPECT_LE(back.norm(), M_PI + 1e-12);
      EXPECT_LT((rotationFromMoment(back) - R).norm(), 1e-14) << angle;
      if (angle < M_PI - 1e-5) {
        EXPECT_LT((back - moment).norm(), 1e-12 + 1e-9 * angle) << angle;
      }
    }
  }
}

TEST(Rotation, EulerAnglesAreInvertedAlsoAtTheSingularity) {
  RandomStream random(3, "euler");
  for (int i = 0; i < 500; ++i) {
    Vector3d zyx(random.uniform(-M_PI, M_PI), random.uniform(-M_PI / 2, M_PI / 2), random.uniform(-M_PI, M_PI));
    if (i % 5 == 0) zyx[1] = i % 2 ? M_PI / 2 : -M_PI / 2;
    const Matrix3d R = rotationFromEulerZyx(zyx);
    const Vector3d back = eulerZyxFromRotation(R);
    EXPECT_LT((rotationFromEulerZyx(back) - R).norm(), 1e-12);
    EXPECT_LE(std::abs(back[1]), M_PI / 2);
    if (i % 5 == 0) {
      EXPECT_EQ(back[2], 0);
    } else if (std::abs(zyx[1]) < 1.5) {
      EXPECT_LT((back - zyx).norm(), 1e-12);
    }
  }
  // Half a turn is +pi, whatever the sign of the zero.
  Matrix3d half = Matrix3d::Identity();
  half(0, 0) = half(1, 1) = -1;
  half(1, 0) = -0.0;
  EXPECT_EQ(eulerZyxFromRotation(half)[0], std::numbers::pi);
}

TEST(Rotation, UnwrapStaysNearTheReference) {
  EXPECT_NEAR(unwrapNear(0.1, 4 * M_PI), 0.1 + 4 * M_PI, 1e-12);
  EXPECT_NEAR(unwrapNear(-3, 3), -3 + 2 * M_PI, 1e-12);
  EXPECT_EQ(unwrapNear(1, 1.5), 1);
}

TEST(Rotation, OrthonormalizedIsTheNearestRotation) {
  RandomStream random(4, "polar");
  for (int i = 0; i < 100; ++i) {
    const Matrix3d R = rotationFromMoment(randomVector(random, 2));
    Matrix3d noise;
    for (int j = 0; j < 9; ++j) noise(j) = 1e-6 * random.gaussian();
    const Matrix3d clean = orthonormalized(R + noise);
    EXPECT_LT((clean * clean.transpose() - Matrix3d::Identity()).norm(), 1e-14);
    EXPECT_LT((clean - R).norm(), 1e-5);
    EXPECT_NEAR(clean.determinant(), 1, 1e-13);
  }
  const Matrix3d mirror = orthonormalized(-Matrix3d::Identity());
  EXPECT_NEAR(mirror.determinant(), 1, 1e-14);
}

TEST(Rotation, CrossMatrix) {
  const Vector3d a(1, 2, 3), b(-2, 0.5, 4);
  EXPECT_LT((crossMatrix(a) * b - a.cross(b)).norm(), 1e-15);
}

}  // namespace
}  // namespace mortise
