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

/// Declares FILE, --world, the settings of the command's operation, those of the space but for `without` (as
/// `declarePathSpace` has it), and --output.
void declarePathInWorld(CommandLine& line, const Schema& settings, const std::vector<std::string>& without);

/// A path in the space that the options describe, and what a command needs to work on it.
class PathInWorld {
 public:
  /// `without`: as declared. `objective`: a map with `objective`, where the command has one. Throws `Error` and
  /// `UsageError`.
  PathInWorld(const CommandLine& line, const std::vector<std::string>& without, const Value& objective = Value::map());

  PathWork& work() { return *work_; }
  const PlanSpaceRequest& space() const { return space_; }
  const PlanRequest::Objective& objective() const { return objective_; }

  /// Writes the path to --output, if given, and names the file in `report`.
  void write(Value& report);

 private:
  const CommandLine& line_;
  std::unique_ptr<Registry> registry_;
  FormatLoader loader_;
  PlanSpaceRequest space_;
  PlanRequest::Objective objective_;
  std::unique_ptr<PathWork> work_;
};

/// Returns the first fault of a check, or nothing where there is none.
std::string firstFault(const Value& check);

}  // namespace mortise::app
