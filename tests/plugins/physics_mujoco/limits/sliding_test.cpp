// The MuJoCo backend lets bodies slide as a program on MuJoCo alone does.

#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/plugins/physics_mujoco/plain/collisions.h"
#include "tests/support/plain_sliding.h"

namespace mortise::test {
namespace {

TEST(PlainMujoco, LiftsWhatSlidesOnARigidFloor) {
  const auto [library, ours] = slides("mujoco", 10, 0, 300, [](const plain::Scene& scene) {
    const auto file = std::filesystem::temp_directory_path() / ("plain_sliding_" + std::to_string(getpid()) + ".xml");
    return plain::collideOnMujoco(scene, file.string());
  });
  EXPECT_GE(library.height, 1e-3);
  EXPECT_GE(ours.height, 1e-3);
}

}  // namespace
}  // namespace mortise::test
