#pragma once

#include "mortise/base/diagnostics.h"
#include "mortise/model/world.h"
#include "mortise/planning/request/plan_request.h"

namespace mortise {

/// Warns of what no planner could meet, as far as settings and joint limits tell, at the settings' places in `given`.
/// Errors: goals and starts that differ in links that are not planned for, regions beyond the limits, workspaces that
/// limit nothing. Warnings: starts and goals outside of the limits, margins wider than robots, limits of 0.
void doubtPlan(const World& world, const PlanRequest& request, const Value& given, Diagnostics& diagnostics);

}  // namespace mortise
