#pragma once

#include "command_line/command_line.h"

namespace mortise::app {

/// Files that a page for posing can be about.
enum class Posed {
  anything,
  robots  ///< There must be one, whose joints are moved.
};

/// Serves the page in which robots are posed, to the commands of several names: `line` has the command's, without
/// options yet. Returns the exit code.
int servePosing(CommandLine& line, const Arguments& arguments, Posed posed = Posed::anything);

}  // namespace mortise::app
