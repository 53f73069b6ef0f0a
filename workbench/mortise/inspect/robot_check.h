#pragma once

#include "mortise/base/diagnostics.h"
#include "mortise/model/robot.h"
#include "mortise/plugin/registry.h"

namespace mortise {

/// Reports what a robotics engineer would want to know of a robot file before using it. Errors: what makes results
/// wrong; warnings: what is likely a slip; notes: what is worth knowing. Inertias that no body can have or that do not
/// fit the shape, joints without range, limits the wrong way round, start positions outside limits, rotations that are
/// not, links that nothing or too much moves, drivers without torque, gains or limits, couplings that cannot be kept,
/// links without mass at the end of a chain, names that repeat.
void checkRobot(const Robot& robot, Diagnostics& diagnostics);

/// Warns of sensors and controllers of the robot that no plugin has: a simulation leaves them out.
void checkComponents(const Robot& robot, const Registry& registry, Diagnostics& diagnostics);

}  // namespace mortise
