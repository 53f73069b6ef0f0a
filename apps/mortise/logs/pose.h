#pragma once

#include "command_line/command_line.h"

namespace mortise::app {

/// Serves the page in which robots are posed, to the commands of several names: `line` has the command's, without
/// options yet. Returns the exit code.
int servePosing(CommandLine& line, const Arguments& arguments);

}  // namespace mortise::app
