#pragma once

#include "mortise/base/diagnostics.h"
#include "mortise/model/robot.h"

namespace mortise {

/// What a robotics engineer would want to know of a robot file before using it. Errors: what makes results wrong;
/// warnings: what is likely a slip; notes: what is worth knowing. Inertias that no body can have, joints without range,
/// limits the wrong way round, start positions outside limits, rotations that are not, drivers without torque or gains,
/// links without mass at the end of a chain, names that repeat.
void checkRobot(const Robot& robot, Diagnostics& diagnostics);

}  // namespace mortise
