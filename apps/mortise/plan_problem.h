#pragma once

/// `mortise plan` with problems in MoveIt's formats instead of a world.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "command_line.h"
#include "mortise/base/diagnostics.h"
#include "mortise/base/value.h"
#include "mortise/plan/problem_sets/problem_set.h"

namespace mortise::app {

/// --problem, --scene, --request, --urdf, --srdf, --joint-limits. (--package is `addResourceOptions`'.)
void addProblemOptions(CommandLine& line);
/// Whether one of them was given.
bool namesProblems(const CommandLine& line);
/// What they name. Throws `UsageError` for what does not go together, `Error` for files that cannot be used.
std::vector<ProblemCase> readProblems(const CommandLine& line, Registry& registry, Diagnostics& diagnostics);

/// What other options say of every problem; what is absent is as the requests have it.
struct ProblemRunOptions {
  std::string planner;            ///< Empty: the one that the request names where there is such a one, else "any".
  Value settings = Value::map();  ///< Of the planner.
  std::optional<double> seconds;
  std::optional<std::int64_t> iterations;
  std::uint64_t seed = 0;
  std::string output;  ///< File of the path; of several problems, NAME_REQUEST.EXT. Empty: none.
};

/// Plans all of them and prints what came of it, a line each or JSON. The command's exit code: 1 where one has no path.
int planProblems(const CommandLine& line, const ProblemRunOptions& options);

}  // namespace mortise::app
