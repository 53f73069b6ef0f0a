#pragma once

#include <vector>

#include "mortise/model/robot.h"

namespace mortise {

/// Everything about a robot that moves: q, dq and the link frames that follow from q. One for each thread.
struct RobotState {
  explicit RobotState(const Robot& robot);

  VectorXd q;                        ///< numLinks
  VectorXd dq;                       ///< numLinks
  std::vector<RigidTransform> X_WL;  ///< Link frames in the world; valid after `updateFrames`.
};

/// Forward kinematics: X_WL[i] = X_WL[parent] * X_PL0 * motion(axis, q[i]). Allocates nothing.
void updateFrames(const Robot& robot, RobotState& state);

/// The motion of link i for coordinate q: rotation by |axis| q about the axis, or translation by axis * q.
RigidTransform linkMotion(const Link& link, double q);

/// Velocities of link origins and angular velocities, world frame, from q, dq and up-to-date frames.
/// Both vectors must have numLinks entries.
void linkVelocities(const Robot& robot, const RobotState& state, std::vector<Vector3d>& v_WL,
                    std::vector<Vector3d>& w_WL);

/// Coordinates (tx, ty, tz, rz, ry, rx) of a floating base from the pose of its last link and back: base pose relative
/// to the chain's mounting frame. Angles are unwrapped to be near `q` as it is on entry. `robot` must have a
/// floating base.
void setFloatingBasePose(const Robot& robot, const RigidTransform& X_WB, VectorXd& q);
/// Rates of the six base coordinates from the twist of the base link (origin velocity and angular velocity, world).
/// In the singular position the least-squares solution is returned.
void setFloatingBaseVelocity(const Robot& robot, const Vector3d& v_WB, const Vector3d& w_WB, const VectorXd& q,
                             VectorXd& dq);

}  // namespace mortise
