#pragma once

/// Contacts of a robot's links, and what forces at them do to its joints.

#include <span>
#include <vector>

#include "mortise/contact/hold.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/mechanics/forces/contact_force_limits.h"

namespace mortise {

/// A contact of a link with something else. The normal points into the link.
struct LinkContact {
  int link = -1;
  ContactPoint point;
  int target = -1;  ///< The link of the same robot that is touched, which gets the opposite force; -1: the world.
};

/// Throws `Error`, naming the contact, for bad points (`requireContact`), for links that the robot does not have, and
/// for a link that touches itself.
void requireLinkContacts(const Robot& robot, std::span<const LinkContact> contacts);

/// The points of the contacts with the world: those that keep the robot as a whole from falling. What links do to each
/// other cancels.
std::vector<ContactPoint> worldContacts(std::span<const LinkContact> contacts);

/// Velocity of the link's point relative to the target's, at the position that `dynamics` has; 3 x numLinks. Its
/// transpose turns a contact's force into joint torques. The contact is where it is, and its links are taken to be
/// there.
void contactJacobian(const RobotDynamics& dynamics, const LinkContact& contact, Eigen::Ref<Matrix3X> J);

/// Returns the torque limit of each link: 0 for links of floating bases without a driver, `torqueMax` for others, times
/// `scale`; infinite where there is no limit and for welded links, which bear anything.
VectorXd torqueLimits(const Robot& robot, double scale = 1);

/// Bounds of the forces at `contacts` that keep |bias - sum J^T f| within `limits`, one for each link whose limit is
/// finite and above 0. `bias` is the torque of each link (N*m or N) without contacts, such as `gravityForces` or
/// `inverseDynamics` say.
std::vector<ForceBound> torqueBounds(const RobotDynamics& dynamics, std::span<const LinkContact> contacts,
                                     const VectorXd& bias, const VectorXd& limits);

}  // namespace mortise
