#pragma once

#include <string>
#include <vector>

#include "mortise/base/value_text.h"
#include "mortise/pipeline/simulate/command_schedule.h"
#include "tests/runtime/simulation/backend_fixture.h"

namespace mortise::test {

/// Tests of commands by time on each engine, whose bodies lose no velocity by themselves.
class CommandsOnBackend : public OnBackend {
 protected:
  SimulationOptions undamped() const {
    SimulationOptions o = options();
    if (o.backend == "bullet") {
      o.backendSettings = Value::map();
      o.backendSettings.set("profile", "normalized");
    }
    return o;
  }
  static std::vector<TimedCommand> commandsOf(const std::string& yaml, const World& world) {
    Diagnostics diagnostics;
    std::vector<TimedCommand> commands = timedCommandsFrom(parseYaml(yaml, "c.yaml"), world, diagnostics);
    for (const Diagnostic& diagnostic : diagnostics.all()) ADD_FAILURE() << diagnostic.format();
    return commands;
  }
  static void advance(Simulation& simulation, CommandSchedule& schedule, double seconds) {
    simulation.advance(seconds, [&] { return schedule.run(simulation); });
    ASSERT_EQ(schedule.fault(), "");
    ASSERT_EQ(simulation.fault(), "");
  }
};

}  // namespace mortise::test
