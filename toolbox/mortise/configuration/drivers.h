#pragma once

/// Drivers (motors) and links, both ways, for whole robots. One driver: `driverValue`, `setDriverValue` and
/// `driverVelocity` of mortise/model/robot.h.

#include "mortise/model/robot.h"

namespace mortise {

/// Values of all drivers, numDrivers; an affine driver has the mean of (q - offset) / scale over its links.
void driverValues(const Robot& robot, const VectorXd& q, VectorXd& values);
/// Rates of all drivers from link velocities.
void driverVelocities(const Robot& robot, const VectorXd& dq, VectorXd& rates);
/// The torque (or force) of each driver that gives `tau` (numLinks); for an affine driver, whose links cannot have
/// any torques, the one that comes nearest: sum(scale * tau) / sum(scale^2).
void driverTorques(const Robot& robot, const VectorXd& tau, VectorXd& torques);

/// Sets the links that have a driver; the others keep what `q` (numLinks) holds.
void setDriverValues(const Robot& robot, const VectorXd& values, VectorXd& q);
/// dq of the links that have a driver: scale * rate. The others keep what `dq` holds.
void setDriverVelocities(const Robot& robot, const VectorXd& rates, VectorXd& dq);
/// Torque of each link as a simulation applies it: scale * torque, several drivers of a link add up; 0 where no driver
/// acts. A translation or rotation driver acts as a torque on its virtual link's own joint.
void setDriverTorques(const Robot& robot, const VectorXd& torques, VectorXd& tau);

/// Returns how far the links are from where their drivers would hold them: the largest |q - (offset + scale * value)|
/// over the links of affine drivers; 0 without any.
double driverMismatch(const Robot& robot, const VectorXd& q);

}  // namespace mortise
