#include "tests/runtime/simulation/actuation/driven_wheel.h"

namespace mortise::test {

namespace {

MORTISE_PLUGIN_AS(driven_wheel_plugin, , "driven_wheel", "1") {
  plugin.controller<FixedCommand>("test.FixedCommand")
      .parameter("mode", "torque", "Mode of every driver.", {.choices = {"off", "torque", "pid", "velocity"}})
      .parameter("torque", 0.0, "Torque.")
      .parameter("position", 0.0, "Position.")
      .parameter("velocity", 0.0, "Velocity.")
      .parameter("kP", 0.0, "Gain.")
      .parameter("kD", 0.0, "Gain.");
}

}  // namespace

DrivenWheel::DrivenWheel() {
  registry->addBuiltIn(driven_wheel_plugin);
  registry->discover();
}

}  // namespace mortise::test
