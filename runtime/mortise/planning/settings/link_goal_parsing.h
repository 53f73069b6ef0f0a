#pragma once

/// Pose goals of links and stances, from settings. Each function throws `Error` with the position of what is wrong.

#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/base/schema.h"
#include "mortise/contact/hold.h"
#include "mortise/ik/goal_setting.h"
#include "mortise/planning/plan_request.h"
#include "mortise/planning/settings/plan_settings.h"

namespace mortise {

/// Pose goals: maps, files (.ikgoal, .hold, .stance, and JSON of these), or a list of them. A goal without `robot` is
/// of the only one in `robots`.
std::vector<RobotGoal> robotGoals(const Value& value, const std::vector<int>& robots, const PlanSources& sources,
                                  Diagnostics& diagnostics);

/// From a .stance or .hold file.
Stance stanceOf(const std::string& name, const PlanSources& sources, Diagnostics& diagnostics);

}  // namespace mortise
