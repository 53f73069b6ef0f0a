#pragma once

/// The origin of a simulation, as logs keep it, so that it can be made again and go on from a state of the log.

#include <memory>
#include <string>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/loading/format_loader.h"
#include "mortise/pipeline/simulate/timed_command.h"
#include "mortise/simulation/simulation.h"

namespace mortise {

struct RunOrigin {
  std::vector<std::string> files;  ///< Files that the world is made of, as `assembleWorld` takes them; not empty.
  SimulationOptions options;
  std::vector<TimedCommand> commands;
  double commandsFrom = 0;  ///< s, what their times are counted from.
};

/// A map with plain values: {files, backend, contacts, ..., components, commands}. Files are written as they were
/// named, so that they are found where the run was started from.
Value runOriginValue(const RunOrigin& origin, const World& world);

/// The files of the world of `runOriginValue`. Throws `Error` for something else.
std::vector<std::string> originFiles(const Value& value);
/// `where` is the place of everything in it for messages, and tells outputs of components apart from those that people
/// name. Throws `Error`.
RunOrigin runOriginFrom(const Value& value, const World& world, const std::string& where);

}  // namespace mortise
