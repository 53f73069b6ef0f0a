#pragma once

/// Tries commands and settings before a simulation, on components made for this purpose.

#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/component/file_format.h"
#include "mortise/model/world.h"
#include "mortise/pipeline/simulate/timed_command.h"
#include "mortise/plugin/registry.h"
#include "mortise/simulation/simulation.h"

namespace mortise {

/// Reports what the components that these options make would refuse: names of commands, settings and sensors, values
/// of settings, and arguments of commands. A controller is started, and commands and settings are tried on it, where
/// its declaration lists commands under `try_commands`, or, under `children`, others of which all do. Components that
/// cannot be made are skipped; making the simulation reports them.
void tryCommands(const std::vector<TimedCommand>& commands, const World& world, Registry& registry,
                 ResourceLoader* loader, const SimulationOptions& options, Diagnostics& diagnostics);

/// The same for the commands that controllers give to their inner controllers: `on_enter` of states and steps.
void tryEntryCommands(const World& world, Registry& registry, ResourceLoader* loader, const SimulationOptions& options,
                      Diagnostics& diagnostics);

}  // namespace mortise
