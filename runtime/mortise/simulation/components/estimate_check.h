#pragma once

#include <string>
#include <string_view>

#include "mortise/model/robot_state.h"

namespace mortise {

/// Returns what is wrong with an estimate of a robot's state, such as a size that is not the robot's; empty where
/// nothing is. `estimator` is who made it. An estimate of a wrong size becomes one of zeros of the right size.
std::string estimateFault(std::string_view estimator, const Robot& robot, RobotState& state);

}  // namespace mortise
