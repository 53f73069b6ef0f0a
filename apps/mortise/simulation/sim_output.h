#pragma once

#include <string>

#include "command_line/command_line.h"
#include "mortise/base/value.h"
#include "mortise/pipeline/simulate/simulation_job.h"
#include "mortise/simulation/simulation.h"

namespace mortise::app {

/// Throws `UsageError` where one file would be written twice, and `Error` for what could not be written at the end.
void checkOutputs(const CommandLine& line, const SimulationJob& job, FormatLoader& loader);

/// The logs and images that --log, --contact-log, --wrench-log, --log-rate and --images ask for. `host` outlives the
/// simulation. `run`: how it was made, as `runOriginValue` has it; null where a log cannot say that.
void addLogs(const CommandLine& line, Registry& registry, ComponentHost& host, Simulation& simulation,
             const Value& run);

/// The files and folders that these options name, with the rows of each log, once they are written.
Value logFiles(const CommandLine& line);

/// Returns what `runJob` returns, for people.
std::string summaryText(const Value& summary);

}  // namespace mortise::app
