#pragma once

/// Motions of a robot's links as motions of its drivers (motors), and back.

#include <vector>

#include "mortise/model/robot.h"
#include "mortise/motion/trajectory.h"

namespace mortise {

/// Losses when a motion of links becomes one of drivers.
struct DriverMotionLoss {
  std::vector<int> links;  ///< Links that move by more than 1e-9 and have no driver, ascending.
  double mismatch = 0;     ///< The largest `driverMismatch`: links of one driver that do not move together.
};

/// Values of all drivers at the times of `motion`, whose configurations have a number a link. Throws `Error` for a
/// robot without drivers.
Trajectory driverMotion(const Robot& robot, const Trajectory& motion, DriverMotionLoss* loss = nullptr);

/// Configurations with a number a link from `drivers`, which has one a driver: links without a driver stay as they are
/// in `q` (numLinks).
Trajectory linkMotionOf(const Robot& robot, const Trajectory& drivers, const VectorXd& q);

}  // namespace mortise
