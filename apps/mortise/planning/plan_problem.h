#pragma once

/// `mortise plan` with problems in MoveIt's formats instead of a world.

#include <string>
#include <vector>

#include "command_line/command_line.h"
#include "mortise/base/diagnostics.h"
#include "mortise/planning/problem_sets/problem_set.h"

namespace mortise::app {

/// --problem, --scene, --request, --urdf, --srdf, --joint-limits. (--package is `addResourceOptions`'.)
void addProblemOptions(CommandLine& line);
/// Whether one of them was given.
bool namesProblems(const CommandLine& line);
/// What they name. Throws `UsageError` for what does not go together, `Error` for files that cannot be used.
std::vector<ProblemCase> readProblems(const CommandLine& line, Registry& registry, Diagnostics& diagnostics);

/// Plans all of them, as the other options of `mortise plan` say, and prints what came of it. `command`: as typed, for
/// files. The command's exit code: 1 where a problem has no path.
int planProblems(const CommandLine& line, const std::string& command);

}  // namespace mortise::app
