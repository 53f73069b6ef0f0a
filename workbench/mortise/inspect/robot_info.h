#pragma once

#include <string>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/base/value.h"
#include "mortise/model/robot.h"

namespace mortise {

/// The constants of a robot as `mortise robot eval` and `robot info --json` print them: num_links num_drivers
/// link_names parents joint_types qmin qmax velmax accmax torquemax joints drivers links self_collision_pairs
/// total_mass.
Value robotInfo(const Robot& robot);

/// The limits that `robotInfo` leaves out: velmin, powermax, and joint_names, what a URDF file calls the joint above
/// each link (null where it has no name).
void addLimits(const Robot& robot, Value& info);
/// For people: a table of the links, and one of the drivers.
std::string robotTable(const Robot& robot);

/// Kinematics and dynamics of each sample {q, dq, ddq, tau_in} (one number a link; all but q are 0 where they are left
/// out; other keys are ignored): link_T com jacobian_last B C G kinetic_energy tau_inverse_dynamics
/// ddq_forward_dynamics self_collisions, for gravity (0, 0, -9.8), and for each of `links` an entry {link, name,
/// jacobian} of the list `jacobians`. A sample that does not fit the robot goes to `diagnostics`.
Value evaluateSamples(const RobotPtr& robot, const Value& samples, Diagnostics& diagnostics,
                      const std::vector<int>& links = {});

}  // namespace mortise
