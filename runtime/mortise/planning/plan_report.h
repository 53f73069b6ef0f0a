#pragma once

/// The result of a plan, as numbers and as text.

#include <string>
#include <vector>

#include "mortise/component/stage_result.h"
#include "mortise/motion/trajectory.h"
#include "mortise/planning/plan_setup.h"

namespace mortise {

/// {status, solved, message (why not), planner, stopped_by, cost, length, iterations, seconds, configurations and
/// edges (that were checked), milestones, statistics, seed, movers, path_hash}. `cost` is that of the objective,
/// `length` that of the space's metric; without a path both are infinite, and there is no path_hash.
Value planReport(PlanSetup& setup, const PlanResult& result);
/// The same of a result in any space; without `movers` there are none. `length`: that of its path.
Value planReport(const PlanResult& result, double length, std::uint64_t seed, Value movers = {});
/// The report of `planReport` as text.
std::string planReportText(const Value& report);

/// Returns what the coordinates of full configurations belong to.
std::vector<MotionPart> motionParts(const World& world, const PlanSpaceRequest& request);
/// The same for reports: [{robot | object, id, first, size}].
Value moversValue(const World& world, const PlanSpaceRequest& request);

/// One configuration a second, as Klamp't times milestones that have no times.
Trajectory milestoneTrajectory(const std::vector<VectorXd>& path);

/// A hash of every bit of every number, sixteen hexadecimal digits.
std::string pathHash(const std::vector<VectorXd>& path);

/// Settings that repeat the run without the clock: {iterations, time_limit: null, stop}, which replace those in
/// `settings`. Null where there was no time limit.
Value replaySettings(const Value& settings, const StopConditions& stop, std::int64_t iterations);

}  // namespace mortise
