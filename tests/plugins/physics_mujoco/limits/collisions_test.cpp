// What the MuJoCo backend declares that it cannot do, shown by a program on MuJoCo alone.

#include "tests/plugins/physics_mujoco/plain/collisions.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/support/plain/plain_comparison.h"

namespace mortise::test {
namespace {

SideBySide onMujoco(const Collision& c) {
  const std::string file =
      (std::filesystem::temp_directory_path() / ("plain_mujoco_" + std::to_string(getpid()) + ".xml")).string();
  return sideBySide(c, "mujoco", [&](const plain::Scene& scene) { return plain::collideOnMujoco(scene, file); });
}

TEST(PlainMujoco, EveryLimitIsShownHere) {
  const std::vector<std::string> shown = {"restitution", "energy of bodies that tumble", "rigid contacts that slide"};
  EXPECT_EQ(declaredLimits("mujoco"), shown);
}

TEST(PlainMujoco, MovesBodiesAsTheBackendDoes) {
  for (const Collision& c : plainCollisions()) {
    SCOPED_TRACE(textOf(c));
    EXPECT_LE(onMujoco(c).apart, 1e-9);
  }
}

TEST(PlainMujoco, BouncesAsItsSpringsDo) {
  for (const double restitution : {0.0, 1.0}) {
    const SideBySide both = onMujoco({Bodies::spheres, restitution, 1, 2, 1e-3, ContactSource::engine});
    EXPECT_GE(both.libraryFigures.restitution, 0.05);
    EXPECT_LE(both.libraryFigures.restitution, 0.2);
    EXPECT_NEAR(both.ourFigures.restitution, both.libraryFigures.restitution, 1e-9);
    EXPECT_LE(both.libraryFigures.growth, 1e-9);
  }
}

/// Through each other, for what its springs take is not what they must.
TEST(PlainMujoco, LetsFastBodiesThrough) {
  const SideBySide both = onMujoco({Bodies::spheres, 1, 1, 20, 1e-4, ContactSource::engine});
  EXPECT_LE(both.libraryFigures.restitution, -0.4);
  EXPECT_NEAR(both.ourFigures.restitution, both.libraryFigures.restitution, 1e-9);
}

}  // namespace
}  // namespace mortise::test
