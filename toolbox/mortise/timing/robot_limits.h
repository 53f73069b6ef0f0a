#pragma once

#include <string>
#include <vector>

#include "mortise/model/robot.h"
#include "mortise/timing/parabolic_ramp.h"

namespace mortise {

/// Returns the limits of a robot's motions, one entry a link: the narrower of the link's and its driver's limits.
/// Velocities and accelerations are multiplied by a fraction in (0, 1]. The links of an affine driver get limits in
/// proportion to their scales, so that ramps move them together. Spin joints and revolute ones without limits are
/// angles that turn freely. Links that no driver moves have no limits: whatever is asked of them holds nobody up.
std::vector<CoordinateLimits> coordinateLimits(const Robot& robot, double velocityScaling = 1,
                                               double accelerationScaling = 1);
/// Names of the links, for messages.
std::vector<std::string> linkNames(const Robot& robot);

}  // namespace mortise
