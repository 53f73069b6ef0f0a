#pragma once

/// Torques of motors, as commands print them.

#include <string>

#include "mortise/base/value.h"
#include "mortise/mechanics/contact_torques.h"

namespace mortise {

/// {balanced, within_limits, largest_utilization, largest_link, torques, limits, utilization, forces}: one number a
/// link, null where a link has no limit; forces on the links (N), one a contact. Without balance all but the limits is
/// null.
Value torqueValue(const Robot& robot, const ContactTorques& torques, const VectorXd& limits);
/// For people: links by the share of their limit, the largest first.
std::string torqueText(const Robot& robot, const ContactTorques& torques, const VectorXd& limits, std::size_t contacts);

/// {q, dq, ddq, B, C, G, torques, kinetic_energy, potential_energy, com, com_velocity} of B ddq + C + G = torques at
/// this state. Leaves `dynamics` there.
Value dynamicsValue(RobotDynamics& dynamics, const VectorXd& q, const VectorXd& dq, const VectorXd& ddq,
                    const Vector3d& gravity_W);
/// The same for people, without the mass matrix.
std::string dynamicsText(const Robot& robot, const Value& dynamics);

}  // namespace mortise
