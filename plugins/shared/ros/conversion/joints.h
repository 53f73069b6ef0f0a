#pragma once

/// Configurations and motions to messages and back.

#include <string>
#include <vector>

#include "mortise/math/transform.h"
#include "mortise/motion/hermite_trajectory.h"
#include "mortise/motion/trajectory.h"
#include "ros/conversion/naming.h"
#include "ros/messages/joints.h"

namespace mortise::ros {

/// Vectors have one entry a link; `dq` and `effort` may be empty, and are then empty in the message. Reuses the memory
/// of `message`.
void fillJointState(const JointNames& joints, const Time& stamp, const VectorXd& q, const VectorXd& dq,
                    const VectorXd& effort, JointState& message);

/// Writes positions and velocities of the joints that `message` names into `q` and `dq` (one entry a link); the others
/// stay. Returns names that the robot does not have, which are left out as ROS does. Throws `Error` where lists are not
/// as long as the names, and for numbers that are not finite.
std::vector<std::string> applyJointState(const JointState& message, const JointNames& joints, VectorXd& q,
                                         VectorXd& dq);

/// The motion as a message, times counted from its first one.
JointTrajectory trajectoryMessage(const JointNames& joints, const Trajectory& motion);
JointTrajectory trajectoryMessage(const JointNames& joints, const HermiteTrajectory& motion);

/// Checks a trajectory as ROS's controllers do: lists as long as the names or empty, the same kinds in every point,
/// times that increase, finite numbers, no name twice. Throws `Error` that says which point and what was expected.
void checkTrajectory(const JointTrajectory& message);

/// The trajectory of a message as configurations of the robot: joints that it does not name keep `q`. Without
/// velocities the way between points is linear, which `HermiteTrajectory` cannot say, so there are two. `unknown` gets
/// names that the robot does not have. Throws `Error` like `checkTrajectory`, and where points have no positions.
Trajectory trajectoryFrom(const JointTrajectory& message, const JointNames& joints, const VectorXd& q,
                          std::vector<std::string>& unknown);
HermiteTrajectory hermiteTrajectoryFrom(const JointTrajectory& message, const JointNames& joints, const VectorXd& q,
                                        std::vector<std::string>& unknown);

}  // namespace mortise::ros
