#include "mortise/rigid_body/free_body.h"

#include <gtest/gtest.h>

#include "mortise/math/rotation.h"

namespace mortise::rigid {
namespace {

FreeBody tumbling(const Vector3d& moments, const Vector3d& w) {
  FreeBody body;
  body.setMass(1, moments);
  body.X_WC.R = rotationFromMoment(Vector3d(0.3, -0.5, 0.2));
  body.w = w;
  return body;
}

Vector3d angularMomentum(const FreeBody& body) {
  return body.X_WC.R * body.moments.cwiseProduct(body.X_WC.R.transpose() * body.w);
}

double energy(const FreeBody& body) { return 0.5 * body.w.dot(angularMomentum(body)); }

TEST(FreeBody, TumblesWithItsMomentumAndItsEnergy) {
  // Near the unstable axis, in plain steps, in long ones and where the body turns by most of a radian in a step.
  for (const double speed : {1e-6, 10.0, 50.0, 800.0}) {
    for (const double h : {1e-4, 1e-3, 5e-3}) {
      if (speed * h > 0.9) continue;
      FreeBody body = tumbling(Vector3d(0.01, 0.02, 0.03), speed * Vector3d(0.02, 1, 0.01));
      const Vector3d momentum = angularMomentum(body);
      const double start = energy(body);
      for (int i = 0; i < 10000; ++i) {
        body.w += body.freeGyroscopicChange(h);
        body.integrate(h);
      }
      EXPECT_LT((angularMomentum(body) - momentum).norm(), 1e-9 * momentum.norm()) << speed << " rad/s, " << h << " s";
      EXPECT_NEAR(energy(body), start, 1e-9 * start) << speed << " rad/s, " << h << " s";
    }
  }
}

TEST(FreeBody, TurnsThatAreTooLongForAStepGainNoEnergy) {
  FreeBody body = tumbling(Vector3d(0.01, 0.02, 0.03), Vector3d(3000, 9000, 2000));
  const double start = energy(body);
  for (int i = 0; i < 1000; ++i) {
    body.w += body.freeGyroscopicChange(1e-3);
    body.integrate(1e-3);
    ASSERT_LE(energy(body), start * (1 + 1e-9)) << "step " << i;
  }
}

TEST(FreeBody, TurnsAboutPrincipalAxesAndBallsFeelNothing) {
  FreeBody ball = tumbling(Vector3d(0.01, 0.01, 0.01), Vector3d(3, -2, 5));
  EXPECT_LT(ball.freeGyroscopicChange(1e-3).norm(), 1e-15);
  FreeBody rod = tumbling(Vector3d(0.01, 0.02, 0.03), Vector3d::Zero());
  rod.w = rod.X_WC.R.col(1) * 7;
  EXPECT_LT(rod.freeGyroscopicChange(1e-3).norm(), 1e-13);
}

TEST(FreeBody, WhatIsHeldLosesEnergyAtMost) {
  FreeBody body = tumbling(Vector3d(0.01, 0.02, 0.03), Vector3d(20, 50, 30));
  body.freeGyroscopicChange(1e-3);
  EXPECT_FALSE(body.turning.isZero());
  const double start = energy(body);
  const Vector3d change = body.heldGyroscopicChange(1e-3);
  EXPECT_TRUE(body.turning.isZero());
  EXPECT_FALSE(change.isZero());
  body.w += change;
  body.integrate(1e-3);
  EXPECT_LE(energy(body), start);
}

}  // namespace
}  // namespace mortise::rigid
