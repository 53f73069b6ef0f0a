#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/component/planner.h"
#include "mortise/motion/hermite_trajectory.h"
#include "mortise/planning/planning_run.h"
#include "mortise/planning/spaces/motion_space.h"

namespace mortise {

/// The result of a request: of its planner, and of the steps after it that were made.
struct PlanResult {
  PlanningRun run;
  std::string planner;  ///< Its full name.
  /// Full configurations: those of the path, and where edges are not straight, enough between them that straight lines
  /// approximate them. Empty when there is no path.
  std::vector<VectorXd> path;
  int dimension = 0;                        ///< Numbers in a full configuration, also where there is no path.
  std::vector<Mover> movers;                ///< Empty in spaces of no world.
  std::optional<HermiteTrajectory> motion;  ///< Motion of full configurations, where the path was to be timed.
  std::optional<Roadmap> roadmap;  ///< Roadmap of full configurations, where it was to be kept and the planner has one.
  /// Reports like `planReport`, with the maps `shortcut`, `retime` and `check` of the steps that were made. Without a
  /// check, it has the list `padding_touches` of a check, from a coarser one.
  Value report = Value::map();
};

}  // namespace mortise
