// The ODE backend lets bodies tumble as a program on ODE alone does.

#include <gtest/gtest.h>

#include "tests/plugins/physics_ode/plain/collisions.h"
#include "tests/support/plain/plain_tumbling.h"

namespace mortise::test {
namespace {

// Gyroscopic torque of the end of the step: what tumbles comes to turn steadily, about the axis of the largest moment.
TEST(PlainOde, WhatTumblesEndsTurningAboutTheLargestMoment) {
  const auto [library, ours] = tumbling("ode", plain::collideOnOde);
  for (const Tumbling& result : {library, ours}) {
    EXPECT_LE(result.fastest - result.slowest, 1e-3);
  }
}

}  // namespace
}  // namespace mortise::test
