#pragma once

#include "mortise/model/robot.h"

namespace mortise {

/// Makes every length of a robot `factor` times as long: poses of links, centers of mass, shapes and their margins, and
/// the positions, velocities and accelerations of links that slide. Masses, torques and gains stay as they are, so
/// inertias grow with the square. Sensors stay where they are. Throws `Error` unless the factor is above 0 and finite.
void scaleRobot(RobotDescription& robot, double factor);

}  // namespace mortise
