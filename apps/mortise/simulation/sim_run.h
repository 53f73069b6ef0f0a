#pragma once

/// `mortise sim` in parts, for Klamp't's programs that simulate.

#include <functional>
#include <optional>

#include "command_line/command_line.h"
#include "mortise/base/value.h"
#include "mortise/pipeline/simulate/simulation_job.h"
#include "mortise/plugin/registry.h"
#include "mortise/simulation/context/component_host.h"
#include "mortise/simulation/simulation.h"

namespace mortise::app {

void declareSimOptions(CommandLine& line);

/// The options of Klamp't's SimTest and SimUtil, which have one dash and some other names, as `declareSimOptions` has
/// them.
Arguments withSimOptions(Arguments arguments);

/// The run that the options ask for. Throws `UsageError`.
SimulationJob simulationJob(const CommandLine& line);

/// Components and recorders that other commands add to a simulation; each may be empty.
struct SimAdditions {
  std::function<void(const Registry& registry, const World& world, SimulationOptions& options)> components;
  std::function<void(Registry& registry, ComponentHost& host, Simulation& simulation)> recorders;
};

struct SimRun {
  Value summary;
  int exitCode = 0;
  bool interrupted = false;
  bool printed = false;  ///< The summary was printed before the page was closed.
};

/// Simulates; what went wrong while it ran is logged. Nothing with --list-commands, which prints a list instead. Throws
/// `Error`.
std::optional<SimRun> runSim(const CommandLine& line, SimulationJob job, const SimAdditions& additions = {});

/// Prints the summary, for people or with --json. Returns the exit code.
int printRun(const CommandLine& line, const SimRun& run);

}  // namespace mortise::app
