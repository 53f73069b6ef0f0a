// The MuJoCo backend lets bodies slide as a program on MuJoCo alone does.

#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/plugins/physics_mujoco/plain/collisions.h"
#include "tests/support/plain/plain_sliding.h"

namespace mortise::test {
namespace {

Slides slidesOnMujoco(double padding) {
  const auto file = std::filesystem::temp_directory_path() / ("plain_sliding_" + std::to_string(getpid()) + ".xml");
  return slides("mujoco", 10, 0, padding, 300,
                [&](const plain::Scene& scene) { return plain::collideOnMujoco(scene, file.string()); });
}

TEST(PlainMujoco, LiftsWhatSlidesOnARigidFloor) {
  const auto [library, ours, apart] = slidesOnMujoco(0);
  EXPECT_GE(library.height, 0.01);
  EXPECT_LE(library.height, 0.05);
  EXPECT_LE(apart, 1e-9);
}

/// Klamp't's layer of 2.5 mm makes it start 2.4 mm inside the floor, which throws it up besides.
TEST(PlainMujoco, ThrowsUpWhatSlidesAndStartsInsideTheFloor) {
  const auto [library, ours, apart] = slidesOnMujoco(0.0025);
  EXPECT_GE(library.height, 0.1);
  EXPECT_LE(apart, 1e-9);
}

}  // namespace
}  // namespace mortise::test
