#pragma once

/// From a request to its result: a plan and the steps after it, shortcuts, timing and a check.

#include <functional>
#include <memory>
#include <string>

#include "mortise/base/progress.h"
#include "mortise/planning/plan_setup.h"

namespace mortise {

/// Plans, without the steps after planning, and reports it. `progress`, shown under `name`, may be null. Once
/// `stopRequested` returns true, the planner ends and keeps its result so far.
PlanResult runPlanner(PlanSetup& setup, Progress* progress, const std::string& name,
                      const std::function<bool()>& stopRequested = {});

/// Plans and makes the steps after it. `progress` may be null. Once `stopRequested` returns true, the running step ends
/// and keeps its result so far. Throws `Error`.
PlanResult runPlan(std::shared_ptr<const World> world, const PlanRequest& request, Registry& registry, LogSink& log,
                   Progress* progress = nullptr, std::function<bool()> stopRequested = {});

/// The report of `runPlan` as text.
std::string planResultText(const Value& report);

}  // namespace mortise
