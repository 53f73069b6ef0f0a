#pragma once

/// The coordinates of a space as variables of inverse kinematics.

#include <string>
#include <vector>

#include "mortise/ik/equations/ik_variables.h"
#include "mortise/planning/spaces/motion_space.h"

namespace mortise {

/// Map from a space's coordinates to the configuration of a robot that moves in it: links that no
/// coordinate moves stand as in `base`.
struct PlannedVariables {
  VectorXd base;
  /// One for each coordinate, without limits and, where the coordinate moves something else, without links.
  std::vector<IKVariable> variables;
};

/// Finds the variables of what moves in a space. Throws `Error` where a link does not depend on one coordinate, at a
/// fixed rate, as all do in spaces of joints. `name`: the robot's, for the message.
PlannedVariables plannedVariables(const MotionSpace& space, const Mover& mover, const std::string& name);

}  // namespace mortise
