#pragma once

#include <string>

#include "command_line.h"
#include "mortise/base/value.h"
#include "mortise/simulation/simulation.h"

namespace mortise::app {

/// The logs that --log, --contact-log, --wrench-log and --log-rate ask for. `host` outlives the simulation.
void addLogs(const CommandLine& line, Registry& registry, ComponentHost& host, Simulation& simulation);

/// What `runJob` returns, for people.
std::string summaryText(const Value& summary);

}  // namespace mortise::app
