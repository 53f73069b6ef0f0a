// What a world needs that its backend does not have is said before the first step.

#include <gtest/gtest.h>

#include "mortise/inspect/physics_capabilities.h"
#include "mortise/simulation/simulation.h"
#include "tests/support/engines.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

class Capabilities : public testing::Test {
 protected:
  /// What a simulation says about restitution when it is made.
  bool says(const World& world, const char* backend, const std::string& what = "restitution") {
    test::MemoryLog log;
    SimulationOptions options;
    options.backend = backend;
    const Simulation simulation(world, *registry_, nullptr, log, options);
    return log.mentions(what);
  }

  test::MemoryLog log_;
  std::unique_ptr<Registry> registry_ = test::makeRegistry(log_);
};

TEST_F(Capabilities, RestitutionIsMissedWhereMaterialsHaveIt) {
  MORTISE_NEEDS_ENGINES("mujoco");
  World world = test::smallWorld();
  world.robots.clear();
  for (Terrain& terrain : world.terrains) terrain.surface.restitution = 0.3;
  for (RigidObject& object : world.objects) object.surface.restitution = 0;
  world.objects.back().surface.restitution = 0.8;
  world.objects.back().name = "ball";
  EXPECT_TRUE(says(world, "mujoco", "has no restitution: nothing bounces as its material says (up to 0.8, of 'ball')"));
  EXPECT_FALSE(says(world, "mortise"));
  EXPECT_FALSE(says(world, "kinematic")) << "nothing moves by itself";
  for (Terrain& terrain : world.terrains) terrain.surface.restitution = 0;
  world.objects.back().surface.restitution = 0;
  EXPECT_FALSE(says(world, "mujoco")) << "nothing would bounce anyway";
}

TEST_F(Capabilities, AreKnownWithoutASimulation) {
  const auto of = [&](const char* name) {
    return physicsCapabilities(*registry_, registry_->require(Kind::physics, name), log_);
  };
  const Value mortise = of("mortise");
  EXPECT_TRUE(mortise.at("restitution").asBool());
  EXPECT_EQ(mortise.at("restore").asString(), "bitwise");
  EXPECT_EQ(mortise.at("friction").asString(), "cone");
  const std::string text = capabilitiesText(of("kinematic"));
  for (const char* line : {"  dynamics          no\n", "  restitution       no\n", "  kinematicBodies   yes\n"})
    EXPECT_NE(text.find(line), std::string::npos) << text;
  MORTISE_NEEDS_ENGINES("mujoco");
  EXPECT_FALSE(of("mujoco").at("restitution").asBool());
}

}  // namespace
}  // namespace mortise
