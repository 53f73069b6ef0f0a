#pragma once

/// `--view` of Klamp't's programs in which a robot plans while it moves: its goals are dragged in the viewer's page.

#include <string>
#include <vector>

#include "command_line/command_line.h"
#include "mortise/base/value.h"

namespace mortise::app {

/// --view with the options of the server, and --paused.
void declareDragging(CommandLine& line);

/// Simulates `files` with the controller that plans while it moves, as `mortise sim --view` does, until Ctrl-C. The
/// controller of the robot of this index gets `settings`. Options of `line` that say where things are and how the page
/// is served count. Throws `UsageError` for other options: `without` names those that have no meaning with --view.
int dragGoals(const CommandLine& line, const std::vector<std::string>& files, int robot, const Value& settings,
              const std::vector<std::string>& without);

}  // namespace mortise::app
