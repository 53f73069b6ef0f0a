// The Bullet backend lets bodies tumble as a program on Bullet alone does.

#include <gtest/gtest.h>

#include "tests/plugins/physics_bullet/plain/collisions.h"
#include "tests/support/plain/plain_tumbling.h"

namespace mortise::test {
namespace {

// Gyroscopic torque of the end of the step: what tumbles comes to turn about the axis of the largest moment.
TEST(PlainBullet, WhatTumblesLosesEnergy) {
  const auto [library, ours] =
      tumbling("bullet", [](const plain::Scene& scene) { return plain::collideOnBullet(scene, {0.08}); });
  for (const Tumbling& result : {library, ours}) {
    EXPECT_LE(result.fastest, 0.8);
  }
}

}  // namespace
}  // namespace mortise::test
