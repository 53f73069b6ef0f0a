#pragma once

/// Bounds of velocity and acceleration of a space's coordinates, and motions of whole configurations.

#include <string>
#include <vector>

#include "mortise/model/world.h"
#include "mortise/motion/hermite_trajectory.h"
#include "mortise/planning/spaces/motion_space.h"
#include "mortise/timing/parabolic_ramp.h"

namespace mortise {

struct MotionLimitOptions {
  double velocityScaling = 1, accelerationScaling = 1;  ///< Scaling factors of the bounds, in (0, 1].
  /// For all coordinates, in place of the model's; rad/s or m/s, and per s^2. 0: the model's. The scaling factors
  /// apply to these too.
  double velocity = 0, acceleration = 0;
  /// Seconds. Where nothing bounds an acceleration (`inf` in many of Klamp't's robots), a coordinate may reach its
  /// bound of velocity in this time. 0: such coordinates are an error.
  double rampUp = 0.25;
};

struct MotionLimits {
  std::vector<CoordinateLimits> limits;  ///< One a coordinate of the space.
  std::vector<std::string> names;        ///< Of the coordinates.
  std::vector<int> assumed;              ///< Coordinates whose acceleration follows from `rampUp`.
  /// Coordinates without any bound, such as those of floating bases; the others carry them along
  /// (`withCarriedLimits`).
  std::vector<int> unbounded;
};
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
