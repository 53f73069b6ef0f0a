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
  /// What it goes with; empty: nothing.
  std::function<void(SimulationSettings&)> with = {};
};

/// Gives every terrain, object and link the same.
template <typename Field, typename T>
std::function<void(SimulationSettings&)> surfaceOf(Field SurfaceOverride::*field, T value) {
  return [field, value](SimulationSettings& s) {
    for (int id = 0; id < 12; ++id) {
      SurfaceOverride change;
      change.*field = value;
      s.surfaces.emplace_back(id, change);
    }
  };
}

std::vector<Change> changes() {
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
      {"kRolling", surfaceOf(&SurfaceOverride::rolling, 0.05), "rolling friction"},
      {"preshrink", surfaceOf(&SurfaceOverride::preshrink, 1), nullptr, surfaceOf(&SurfaceOverride::padding, 0.01)},
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
    GTEST_SKIP() << "this build has no such backend: its library was not found";
  SimulationOptions options;
  options.backend = GetParam();
  NullLog quiet;
  const World plain = convexWorld();
  const std::string usual = outcomeOf(plain, options, 0.1, quiet);
  ASSERT_FALSE(usual.starts_with("refused")) << usual;
  for (const Change& change : changes()) {
    World world = plain;
    if (change.with) change.with(world.simulation);
    const std::string before = change.with ? outcomeOf(world, options, 0.1, quiet) : usual;
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

/// An arm that is folded so that its last link lies on its first, and another one that stands in its way.
World foldedArms() {
  World world;
  world.terrains.push_back(groundTerrain());
  for (int i = 0; i < 2; ++i) {
    RobotDescription arm = armDescription(3);
    arm.name = "arm" + std::to_string(i);
    arm.links[0].X_PL0.p = Vector3d(0.58 * i, 0, 1);
    arm.selfCollisionPairs = {{0, 2}};
    for (Link& link : arm.links) link.geometry = boxGeometry(Vector3d::Constant(0.1));
    world.robots.push_back(placedRobot(arm));
    world.robots.back().q[1] = i == 0 ? 3 : -2;  // The tip of the first comes back to its shoulder.
  }
  return world;
}

TEST_P(WorldSettings, OfRobotsThatTouchDoWhatTheySay) {
  if (settingsRegistry().find(Kind::physics, GetParam()) == nullptr)
    GTEST_SKIP() << "this build has no such backend: its library was not found";
  SimulationOptions options;
  options.backend = GetParam();
  NullLog log;
  const World world = foldedArms();
  const std::string before = outcomeOf(world, options, 0.1, log);
  ASSERT_FALSE(before.starts_with("refused")) << before;
  World self = world, others = world;
  self.simulation.robotSelfCollisions = true;
  others.simulation.robotRobotCollisions = false;
  EXPECT_NE(outcomeOf(self, options, 0.1, log), before) << "robotSelfCollisions";
  EXPECT_NE(outcomeOf(others, options, 0.1, log), before) << "robotRobotCollisions";
}

/// A box that is pushed to 5 m/s in a step: Klamp't's rule takes that for an instability, which steps in parts show not
/// to be one. Without them the box is slowed down. Who makes none says so to whoever asks for them.
TEST_P(WorldSettings, OfUnstableStepsDoWhatTheySayOrTheBackendSaysWhyNot) {
  if (settingsRegistry().find(Kind::physics, GetParam()) == nullptr)
    GTEST_SKIP() << "this build has no such backend: its library was not found";
  World world;
  world.terrains.push_back(groundTerrain());
  world.objects.push_back(boxObject("box", {0, 0, 2}));
  MemoryLog log;
  const auto speedWith = [&](bool adaptive, OnUnstable unstable) {
    SimulationOptions options;
    options.backend = GetParam();
    options.adaptiveTimeStepping = adaptive;
    world.simulation.onUnstable = unstable;
    Simulation simulation(world, settingsRegistry(), nullptr, log, options);
    simulation.applyWrench(world.objectId(0), Vector3d(5000, 0, 0), Vector3d::Zero(), Vector3d(0, 0, 2));
    simulation.step();
    return simulation.objectState(0).v_WB.x();
  };
  const double full = speedWith(false, OnUnstable::report), slowed = speedWith(false, OnUnstable::scale);
  EXPECT_NEAR(full, 5, 1e-6);
  EXPECT_LT(slowed, 2) << "on_unstable";
  EXPECT_FALSE(log.mentions("steps are not divided: ")) << "nobody asked for it";
  const double divided = speedWith(true, OnUnstable::scale);
  if (log.mentions("steps are not divided: "))
    EXPECT_EQ(divided, slowed);
  else
    EXPECT_NEAR(divided, 5, 1e-6) << "adaptive";
}

/// What a program puts into the loop acts, before and after a step.
TEST_P(WorldSettings, HooksAct) {
  if (settingsRegistry().find(Kind::physics, GetParam()) == nullptr)
    GTEST_SKIP() << "this build has no such backend: its library was not found";
  SimulationOptions options;
  options.backend = GetParam();
  NullLog log;
  const World world = convexWorld();
  const auto hashWith = [&](bool before, bool after) {
    Simulation simulation(world, settingsRegistry(), nullptr, log, options);
    const auto push = [&](Simulation& running) {
      running.applyWrench(running.world().objectId(0), Vector3d(3, 0, 0), Vector3d::Zero(),
                          running.objectState(0).X_WB.p);
    };
    if (before) simulation.addHookBefore(push);
    if (after) simulation.addHookAfter(push);
    simulation.advance(0.02);
    return simulation.stateHash();
  };
  const std::uint64_t none = hashWith(false, false);
  EXPECT_NE(hashWith(true, false), none);
  EXPECT_NE(hashWith(false, true), none);
  EXPECT_NE(hashWith(true, false), hashWith(false, true)) << "the first step has no force of a hook after it";
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
    if (name == std::string("mujoco")) {
      EXPECT_TRUE(log.mentions("', which has no such settings; "));
    }
  }
}

}  // namespace
}  // namespace mortise::test
