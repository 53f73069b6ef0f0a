// The MuJoCo backend lets bodies tumble as a program on MuJoCo alone does.

#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/plugins/physics_mujoco/plain/collisions.h"
#include "tests/support/plain/plain_tumbling.h"

namespace mortise::test {
namespace {

// Gyroscopic torque of the start of the step multiplies the energy.
TEST(PlainMujoco, WhatTumblesGainsEnergy) {
  const auto [library, ours] = tumbling("mujoco", [](const plain::Scene& scene) {
    const auto file = std::filesystem::temp_directory_path() / ("plain_tumbling_" + std::to_string(getpid()) + ".xml");
    return plain::collideOnMujoco(scene, file.string());
  });
  for (const Tumbling& result : {library, ours}) {
    EXPECT_GE(result.fastest, 2);
  }
}

}  // namespace
}  // namespace mortise::test
