#pragma once

/// Bounds of velocity and acceleration that motions keep to.

#include <string>
#include <vector>

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
  std::vector<CoordinateLimits> limits;  ///< One a coordinate.
  std::vector<std::string> names;        ///< Names of the coordinates.
  std::vector<int> assumed;              ///< Coordinates whose acceleration follows from `rampUp`.
  /// Coordinates without any bound, such as those of floating bases; the others carry them along
  /// (`withCarriedLimits`).
  std::vector<int> unbounded;
};

}  // namespace mortise
