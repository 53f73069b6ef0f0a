#pragma once

#include "mortise/base/diagnostics.h"
#include "mortise/base/value.h"
#include "mortise/model/robot.h"

namespace mortise {

/// The constants of a robot as `mortise robot eval` and `robot info --json` print them: num_links num_drivers
/// link_names parents joint_types qmin qmax velmax accmax torquemax joints drivers links self_collision_pairs
/// total_mass.
Value robotInfo(const Robot& robot);

/// Kinematics and dynamics of each sample {q, dq, ddq, tau_in} (one number a link; other keys are ignored): link_T com
/// jacobian_last B C G kinetic_energy tau_inverse_dynamics ddq_forward_dynamics self_collisions, for gravity (0, 0,
/// -9.8). A sample that does not fit the robot goes to `diagnostics`.
Value evaluateSamples(const RobotPtr& robot, const Value& samples, Diagnostics& diagnostics);

}  // namespace mortise
