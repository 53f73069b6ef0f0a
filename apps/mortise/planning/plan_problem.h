#pragma once

/// `mortise plan` with problems from files (scenes and requests) instead of a world.

#include <string>

#include "command_line/command_line.h"

namespace mortise::app {

/// --problem, --scene, --request, --urdf, --srdf, --joint-limits. (--package is `addResourceOptions`'.)
void addProblemOptions(CommandLine& line);
/// Says whether one of them was given.
bool namesProblems(const CommandLine& line);
/// Plans all of them, as the other options of `mortise plan` say, and prints what came of it. `command`: as typed, for
/// files. The command's exit code: 1 where a problem has no path.
int planProblems(const CommandLine& line, const std::string& command);

}  // namespace mortise::app
