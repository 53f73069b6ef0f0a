#pragma once

/// Logs of a simulation as files, each of the kind that its name's extension says.

#include <string>
#include <string_view>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/component/host.h"
#include "mortise/plugin/registry.h"
#include "mortise/simulation/simulation.h"

namespace mortise::logs {

/// Name of the recorder for a file: csv (.csv, .txt, .log, no extension), jsonl (.jsonl, .ndjson, .json), path, mcap;
/// empty for any other extension.
std::string_view recorderOfFile(const std::string& file);

struct LogFileOptions {
  std::vector<std::string> what;  ///< As in pipelines: robots, objects, contacts, sensors, names of sensors, ...
  int interval = 1;               ///< Ticks from row to row.
  std::string setting = "file";   ///< Which of the recorder's files it is.
  Value origin;                   ///< How the simulation was made, for MCAP; null where that cannot be said.
};

/// Logs from now on into a file, until the simulation's recorders are closed. `host` outlives the simulation. Throws
/// `Error` for extensions without a recorder, and for files that cannot be written.
void addLogFile(Registry& registry, Host& host, Simulation& simulation, const std::string& file,
                const LogFileOptions& options);

}  // namespace mortise::logs
