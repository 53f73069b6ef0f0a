#pragma once

/// Bounds of velocity and acceleration of a space's coordinates, and its motions as motions of whole configurations.

#include <string>
#include <vector>

#include "mortise/model/world.h"
#include "mortise/motion/hermite_trajectory.h"
#include "mortise/planning/spaces/motion_space.h"
#include "mortise/timing/motion_limits.h"

namespace mortise {

/// Bounds of a space's coordinates from the robots' links and drivers (`coordinateLimits`): the tightest of the numbers
/// that a coordinate moves. Bounds of position are the space's, `circular` those of spin joints. Rigid objects have no
/// bounds of their own. Throws `Error`, with what to set, where no coordinate at all has a bound, where accelerations
/// have none and `rampUp` is 0, for scaling factors out of range, and for spaces whose coordinates do not move the
/// whole configuration's in fixed proportion.
MotionLimits motionLimits(const MotionSpace& space, const World& world, const MotionLimitOptions& options = {});

/// Whole configurations, one a milestone.
std::vector<VectorXd> liftPath(const MotionSpace& space, const std::vector<VectorXd>& path);
/// The same motion of whole configurations; for spaces for which there are `motionLimits`.
HermiteTrajectory liftTrajectory(const MotionSpace& space, const HermiteTrajectory& trajectory);

}  // namespace mortise
