#pragma once

/// Goals of inverse kinematics and stances, from settings. Each function throws `Error` with the position of what is
/// wrong.

#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/base/schema.h"
#include "mortise/contact/hold.h"
#include "mortise/planning/request/plan_request.h"
#include "mortise/planning/settings/plan_settings.h"

namespace mortise {

/// Goals of inverse kinematics: what `ikTermsFromSetting` reads, each with `robot` where several move, and
/// {robot: NAME, goals: FILE or list} (or `file`) to give all goals of a file to a robot.
std::vector<RobotTerm> robotTerms(const Value& value, const std::vector<int>& robots, const PlanSources& sources,
                                  Diagnostics& diagnostics);

/// The same where only poses of links make sense, which hold all along a path.
std::vector<RobotGoal> robotGoals(const Value& value, const std::vector<int>& robots, const PlanSources& sources,
                                  Diagnostics& diagnostics);

/// From a .stance or .hold file.
Stance stanceOf(const std::string& name, const PlanSources& sources, Diagnostics& diagnostics);

}  // namespace mortise
