#pragma once

/// The look of a plan: its motion, and the paths that its planner knows.

#include <optional>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/model/world.h"
#include "mortise/motion/hermite_trajectory.h"
#include "mortise/planning/spaces/motion_space.h"
#include "mortise/viewer/snapshot_log.h"

namespace mortise::viewer {

/// A plan of full configurations: those of all movers, one after another.
struct ShownPlan {
  std::vector<Mover> movers;
  std::vector<VectorXd> path;               ///< Not empty.
  std::optional<HermiteTrajectory> motion;  ///< Motion where the path was timed.
  std::optional<Roadmap> roadmap;           ///< Roadmap where the planner keeps one.
};

/// The plan's motion, or a second from one milestone to the next where it was not timed.
ShownMotion planMotion(const ShownPlan& plan);

/// Lines for pages (`ViewFile::overlays`): the roadmap, where there is one, and the path, both as ways of points of
/// what moves: an object's origin, or those of the robot's outermost links that move farthest.
Value planOverlays(const World& world, const ShownPlan& plan);

}  // namespace mortise::viewer
