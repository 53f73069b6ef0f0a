#pragma once

/// Joint torques of a robot on its contacts, at rest or moving, with the contact forces that ask least of its motors.

#include <span>
#include <vector>

#include "mortise/mechanics/link_contact.h"

namespace mortise {

/// Objective of the forces at contacts. All three are linear programs.
enum class TorqueObjective {
  largestUtilization,  ///< The largest |tau| / limit is least (L-infinity), and, of what is left, the sum of normal
                       ///< forces.
  sumOfUtilizations,   ///< The sum of |tau| / limit is least (L1).
  normalForces         ///< The sum of normal forces is least, whatever the torques are.
};

struct ContactTorqueOptions {
  TorqueObjective objective = TorqueObjective::largestUtilization;
  int coneEdges = 0;     ///< Cone edges as of `EquilibriumOptions`.
  VectorXd limits = {};  ///< Limits of each link (N*m or N), as `torqueLimits` has them; empty: the robot's.
  ContactForceLimits forceLimits = {};  ///< One factor a contact, those between links too.
};

struct ContactTorques {
  /// True if forces exist with which joints that have no motor need none. Without them, nothing below means anything.
  bool balanced = false;
  bool withinLimits = false;       ///< Every torque is within its limit, to 1e-7 of it.
  VectorXd torques;                ///< tau of each link (N*m or N).
  std::vector<Vector3d> forces_W;  ///< On the link (N), one a contact.
  /// |tau| / limit of each link; NaN for those without a limit above 0. Where no link has one, objectives count
  /// torques in N*m.
  VectorXd utilization;
  double largestUtilization = 0;
  int largestLink = -1;  ///< -1: no link has a limit.
};

/// `bias`: torques that links would need without contacts, B ddq + C + G, such as `gravityForces` gives for a robot at
/// rest and `inverseDynamics` for one that moves. Solves tau = bias - sum J^T f with the forces inside friction cones;
/// tau = 0 for links of floating bases. Throws `Error` for bad contacts and options.
ContactTorques solveContactTorques(const RobotDynamics& dynamics, std::span<const LinkContact> contacts,
                                   const VectorXd& bias, const ContactTorqueOptions& options = {});

}  // namespace mortise
