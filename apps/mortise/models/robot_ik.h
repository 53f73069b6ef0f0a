#pragma once

/// Functions that `mortise robot ik` of one robot and of a world share.

#include <string>
#include <utility>
#include <vector>

#include "command_line/command_line.h"
#include "mortise/base/value.h"
#include "mortise/goals/ik_report.h"
#include "mortise/ik/ik_solver.h"

namespace mortise::app {

/// All but the start. Throws `UsageError`.
IKOptions ikOptions(const CommandLine& line);
/// The names of --active. Throws `UsageError` where the option names none.
std::vector<std::string> activeNames(const CommandLine& line);
/// The goals of --goal, --look-at, --com and --joint as the values that settings have, with the option of each.
std::vector<std::pair<std::string, Value>> ikGoalValues(const CommandLine& line);
/// --clearance in m; 0: none. Throws `UsageError`.
double clearanceOption(const CommandLine& line);

/// With --world.
int robotIkInWorld(const CommandLine& line);

}  // namespace mortise::app
