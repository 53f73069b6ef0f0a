#pragma once

/// Logs of a simulation as files, each of the kind that its name's extension says.

#include <string>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/component/host.h"
#include "mortise/plugin/registry.h"
#include "mortise/simulation/simulation.h"

namespace mortise::logs {

/// The recorder that declares the file's extension (attribute `extensions`), of the first place in the search order
/// that has one; nullptr where there is none. Throws `Error` when several of one place do.
const ComponentInfo* recorderOfFile(const Registry& registry, const std::string& file);
/// Says whether a recorder writes the motion of one robot and nothing else (attribute `records`).
bool recordsOneRobot(const ComponentInfo& recorder);
/// Says whether the file's extension is that of MCAP.
bool isMcapFile(const std::string& file);

struct LogFileOptions {
  std::vector<std::string> what;  ///< Things as in pipelines: robots, objects, contacts, sensors, names of sensors, ...
  int interval = 1;               ///< Ticks from row to row.
  std::string setting = "file";   ///< Which of the recorder's files it is; of one without this setting, its `file`.
  Value origin;                   ///< Origin of the simulation, for MCAP; null where that cannot be said.
};

/// Logs from now on into a file, until the simulation's recorders are closed. `host` outlives the simulation. Throws
/// `Error` for extensions without a recorder, and for files that cannot be written.
void addLogFile(Registry& registry, Host& host, Simulation& simulation, const std::string& file,
                const LogFileOptions& options);

}  // namespace mortise::logs
