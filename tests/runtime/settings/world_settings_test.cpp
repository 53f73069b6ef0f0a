// Every setting of `<simulation>` does something on every backend with dynamics, or the backend says that it does not.

#include <functional>
#include <optional>

#include "tests/runtime/settings/support.h"

namespace mortise::test {
namespace {

struct Change {
  const char* name;
  std::function<void(SimulationSettings&)> make;
  const char* said = nullptr;  ///< What a backend that does not have it speaks of.
};

std::vector<Change> changes() {
  const auto surfaceOf = [](auto SurfaceOverride::*field, auto value) {
    return [field, value](SimulationSettings& s) {
      for (int id = 0; id < 12; ++id) {
        SurfaceOverride change;
        change.*field = value;
        s.surfaces.emplace_back(id, change);
      }
    };
  };
  return {
      {"gravity", [](SimulationSettings& s) { s.gravity.z() = -5; }},
      {"timestep", [](SimulationSettings& s) { s.timeStep = 0.002; }},
      {"ERP", [](SimulationSettings& s) { s.errorReduction = 0.5; }, "ERP"},
      {"CFM", [](SimulationSettings& s) { s.constraintForceMixing = 1e-3; }, "CFM"},
      {"maxContacts", [](SimulationSettings& s) { s.maxContacts = 1; }},
      {"boundaryLayer", [](SimulationSettings& s) { s.boundaryLayerContacts = false; }, "finds no contacts by itself"},
      {"rigidObjectCollisions", [](SimulationSettings& s) { s.objectCollisions = false; }},
      {"kFriction", surfaceOf(&SurfaceOverride::friction, 0.1)},
      {"kRestitution", surfaceOf(&SurfaceOverride::restitution, 0.3), "restitution"},
      {"kStiffness", surfaceOf(&SurfaceOverride::stiffness, 1e4), "stiffness"},
      {"kDamping", surfaceOf(&SurfaceOverride::damping, 100.0), "damping"},
      {"padding", surfaceOf(&SurfaceOverride::padding, 0.01)},
      {"joint min and max",
       [](SimulationSettings& s) {
         s.joints.back().min = -0.01;
         s.joints.back().max = 0.01;
       }},
      {"joint friction", [](SimulationSettings& s) { s.joints.back().friction = 3; }},
  };
}

class WorldSettings : public testing::TestWithParam<std::string> {};

TEST_P(WorldSettings, DoWhatTheySayOrTheBackendSaysWhyNot) {
  if (settingsRegistry().find(Kind::physics, GetParam()) == nullptr)
    GTEST_SKIP() << "the backend is not part of this build";
  SimulationOptions options;
  options.backend = GetParam();
  NullLog quiet;
  const World world = convexWorld();
  const std::string before = outcomeOf(world, options, 0.1, quiet);
  ASSERT_FALSE(before.starts_with("refused")) << before;
  for (const Change& change : changes()) {
    World changed = world;
    change.make(changed.simulation);
    MemoryLog log;
    const std::string after = outcomeOf(changed, options, 0.1, log);
    const bool does = after != before && !after.starts_with("refused");
    EXPECT_TRUE(does ||
                (change.said != nullptr && (log.mentions(change.said) || after.find(change.said) != std::string::npos)))
        << change.name << " changes nothing on " << GetParam() << ", which does not say so\n"
        << after;
  }
}

INSTANTIATE_TEST_SUITE_P(Physics, WorldSettings, testing::Values("mortise", "ode", "bullet", "dart", "mujoco"),
                         [](const auto& backend) { return backend.param; });

/// The error reduction and force mixing of a world, alone.
TEST(WorldSoftness, ReachesEveryEngineThatHasIt) {
  const World world = convexWorld();
  for (const char* name : {"mortise", "ode", "bullet", "dart"}) {
    if (settingsRegistry().find(Kind::physics, name) == nullptr) continue;
    SimulationOptions options;
    options.backend = name;
    for (const bool erp : {true, false}) {
      World changed = world;
      if (erp)
        changed.simulation.errorReduction = 0.6;
      else
        changed.simulation.constraintForceMixing = 2e-3;
      MemoryLog log;
      EXPECT_NE(outcomeOf(changed, options, 0.1, log), outcomeOf(world, options, 0.1, log))
          << name << (erp ? " ERP" : " CFM");
      EXPECT_FALSE(log.mentions("ERP")) << name;
    }
  }
}

/// The settings of a backend win against the world's, and its own default values ask for nothing.
TEST(WorldSoftness, GivesWayToTheBackendsOwn) {
  World world = convexWorld(), asking = world;
  asking.simulation.errorReduction = 0.6;
  NullLog log;
  SimulationOptions options;
  options.backend = "mortise";
  options.backendSettings.set("erp", 0.2);
  options.backendSettings.set("contact_erp", 0.2);
  EXPECT_EQ(outcomeOf(world, options, 0.1, log), outcomeOf(asking, options, 0.1, log));
}

TEST(WorldSoftness, IsReportedOnceWhereAnEngineHasNone) {
  World asking = convexWorld();
  asking.simulation.errorReduction = 0.6;
  asking.simulation.constraintForceMixing = 1e-3;
  for (const char* name : {"mujoco", "mortise", "bullet"}) {
    if (settingsRegistry().find(Kind::physics, name) == nullptr) continue;
    World world = asking;
    if (name != std::string("mujoco")) {
      // All surfaces soft and no joints of the world: nothing is left to act on.
      world.simulation.joints.clear();
      for (int id = 0; id < world.numIds(); ++id) {
        SurfaceOverride soft;
        soft.stiffness = 1e5;
        soft.damping = 1e3;
        world.simulation.surfaces.emplace_back(id, soft);
      }
    }
    MemoryLog log;
    SimulationOptions options;
    options.backend = name;
    (void)outcomeOf(world, options, 0.01, log);
    int warnings = 0;
    for (const auto& [level, line] : log.lines)
      if (line.find("ERP 0.6 and CFM 0.001") != std::string::npos && line.find(name) != std::string::npos) ++warnings;
    EXPECT_EQ(warnings, 1) << name;
  }
}

}  // namespace
}  // namespace mortise::test
