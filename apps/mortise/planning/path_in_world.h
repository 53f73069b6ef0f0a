#pragma once

/// Common part of `mortise path shortcut` and `mortise path optimize`: a path of a robot in a world.

#include <memory>
#include <string>
#include <vector>

#include "command_line/command_line.h"
#include "mortise/loading/format_loader.h"
#include "mortise/planning/path_work.h"
#include "planning/path_file.h"

namespace mortise::app {

/// Loads the world of --world.
std::shared_ptr<const World> loadWorld(const CommandLine& line, FormatLoader& loader);

/// A path in the space that the options describe. FILE, --world and the options of `declarePathSpace` say what it is.
struct PathInWorld {
  /// `without`: as `declarePathSpace` has it. `objective`: a map with `objective`, where the command has one. Throws
  /// `Error` and `UsageError`.
  PathInWorld(const CommandLine& line, FormatLoader& loader, const std::vector<std::string>& without,
              const Value& objective = Value::map());

  std::shared_ptr<const World> world;
  PlanSpaceRequest space;
  PlanRequest::Objective objective;
  std::unique_ptr<PathWork> work;
};

/// Writes the path to --output, if given, and names the file in `report`.
void writeWork(const CommandLine& line, FormatLoader& loader, const PathWork& work, Value& report);

/// Returns the first fault of a check, or nothing where there is none.
std::string firstFault(const Value& check);

}  // namespace mortise::app
