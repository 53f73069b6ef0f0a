// The DART backend lets bodies tumble as a program on DART alone does.

#include <gtest/gtest.h>

#include "tests/plugins/physics_dart/plain/collisions.h"
#include "tests/support/plain/plain_tumbling.h"

namespace mortise::test {
namespace {

// Gyroscopic torque of the start of the step multiplies the energy.
TEST(PlainDart, WhatTumblesGainsEnergy) {
  const auto [library, ours] = tumbling("dart", plain::collideOnDart);
  for (const Tumbling& result : {library, ours}) {
    EXPECT_GE(result.fastest, 2);
  }
}

}  // namespace
}  // namespace mortise::test
