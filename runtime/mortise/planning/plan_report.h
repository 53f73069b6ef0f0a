#pragma once

/// What came of a plan, as numbers and as text.

#include <string>
#include <vector>

#include "mortise/motion/trajectory.h"
#include "mortise/planning/plan_setup.h"

namespace mortise {

/// {status, solved, message (why not), planner, stopped_by, cost, length, iterations, seconds, configurations, edges
/// (looked at), milestones, statistics, seed, movers, path_hash}. `cost` is that of the objective, `length` that of the
/// space's metric; without a path the two are infinite, and there is no path_hash.
Value planReport(PlanSetup& setup, const PlanResult& result);
/// For people; of what `planReport` gave.
std::string planReportText(const Value& report);

/// What the numbers of whole configurations are: [{robot | object, first, size}].
Value moversValue(const World& world, const PlanSpaceRequest& request);

/// One configuration a second, as Klamp't times milestones that have no times.
Trajectory milestoneTrajectory(const std::vector<VectorXd>& path);

/// Sixteen hexadecimal digits, of every bit of every number.
std::string pathHash(const std::vector<VectorXd>& path);

/// Settings with which the run is repeated without looking at the clock: {iterations, time_limit: null, stop}, to be
/// put in place of those in `settings`. Null where no time was limited.
Value replaySettings(const Value& settings, const StopConditions& stop, std::int64_t iterations);

}  // namespace mortise
