#pragma once

/// From planning problems, as files describe them, to requests.

#include <string>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/component/planning_problem_description.h"
#include "mortise/planning/plan_request_settings.h"

namespace mortise {

/// The problem with the default planner, until its time limit.
PlanRequest problemRequest(const PlanningProblemDescription& problem);

/// The registered planner that the problem names: the one of this name, or the longest name that the written one begins
/// with; empty when there is none.
std::string plannerOfProblem(const PlanningProblemDescription& problem, const Registry& registry);

/// A request for each problem. The settings say how to plan; planner and time limit of a problem count where they name
/// none. Settings that a problem brings itself, such as start and goal, are errors. A planner that does not exist is a
/// warning, once for each name. Throws `Error` with everything that is wrong; warnings go to `diagnostics`.
/// `referringFile`: the file that names in the settings are relative to.
std::vector<PlanRequest> problemRequests(const PlanningProblems& problems, const PlanRequestSettings& settings,
                                         ResourceLoader& loader, const Registry& registry,
                                         const std::string& referringFile, Diagnostics& diagnostics);

}  // namespace mortise
