/// Settings that were given and that nothing in a world has a use for are said, by their names.

#include <gtest/gtest.h>

#include "mortise/simulation/simulation.h"
#include "tests/support/engines.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

class IdleSettings : public testing::Test {
 protected:
  /// Whether a run says that `setting` acts on nothing. `soft`: the ground has a stiffness of its own.
  bool idle(const std::string& backend, const std::string& setting, const Value& value, bool soft) {
    World world;
    Terrain ground;
    ground.name = "ground";
    ground.geometry = test::boxGeometry(Vector3d(2, 2, 0.1));
    if (!soft) ground.surface.stiffness = ground.surface.damping = std::numeric_limits<double>::infinity();
    world.terrains = {ground};
    RigidObject box;
    box.name = "box";
    box.geometry = test::boxGeometry(Vector3d(0.1, 0.1, 0.1));
    box.inertia = test::boxInertia(1, Vector3d(0.1, 0.1, 0.1));
    box.X_WO.p.z() = 0.2;
    box.surface.restitution = 0;
    world.objects = {box};
    // Two objects that may touch would be rigid to each other.
    SimulationOptions options;
    options.backend = backend;
    options.backendSettings = Value::map();
    options.backendSettings.set(setting, value);
    test::MemoryLog log;
    const auto registry = test::makeRegistry(log);
    const Simulation simulation(world, *registry, nullptr, log, options);
    return log.mentions("'" + setting + "' of backend '" + backend + "' acts on nothing in this world");
  }
};

TEST_F(IdleSettings, AreSaidByTheirNames) {
  Value solref = Value::list();
  solref.push_back(0.01);
  solref.push_back(1.0);
  const std::tuple<const char*, const char*, Value> all[] = {{"mortise", "erp", Value(0.5)},
                                                             {"mortise", "contact_erp", Value(0.5)},
                                                             {"mortise", "cfm", Value(1e-3)},
                                                             {"mortise", "max_correction_speed", Value(0.5)},
                                                             {"mujoco", "profile", Value("normalized")},
                                                             {"mujoco", "solref", solref},
                                                             {"mujoco", "solreffriction", solref},
                                                             {"bullet", "erp2", Value(0.5)},
                                                             {"bullet", "global_cfm", Value(1e-3)},
                                                             {"bullet", "split_impulse", Value(true)}};
  for (const auto& [backend, setting, value] : all) {
    MORTISE_NEEDS_ENGINES(backend);
    EXPECT_TRUE(idle(backend, setting, value, true)) << backend << " " << setting;
    EXPECT_FALSE(idle(backend, setting, value, false) && std::string(setting) != "solreffriction")
        << backend << " " << setting;
  }
}

TEST_F(IdleSettings, WhatActsIsNotSaid) {
  EXPECT_FALSE(idle("mortise", "iterations", Value(7), true));
  EXPECT_FALSE(idle("mortise", "bounce_speed", Value(0.1), true));
}

}  // namespace
}  // namespace mortise
