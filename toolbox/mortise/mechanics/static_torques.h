#pragma once

/// Test whether a robot at rest supports itself on its contacts with its joints' torques.

#include <memory>
#include <span>
#include <vector>

#include "mortise/contact/hold.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/mechanics/link_contact.h"

namespace mortise {

struct StaticTorqueOptions {
  Vector3d gravity_W = Vector3d(0, 0, -9.8);
  int coneEdges = 0;  ///< Cone edges as of `EquilibriumOptions`.
};

/// Forces at the contacts and torques of the links with G(q) = tau + sum J^T f, the forces within friction cones and
/// |tau| <= torqueMax: a linear program. Links of floating bases without a driver have no torque, so that balance is
/// part of it; links without a limit, and welded ones, bear anything.
class StaticTorques {
 public:
  /// Throws `Error` for links that do not exist and as `EquilibriumTester` does.
  StaticTorques(RobotPtr robot, std::span<const LinkContact> contacts, const StaticTorqueOptions& options = {});

  /// At the position that `dynamics` has. The contacts are where they are; their links are taken to be there. `scale`:
  /// of all limits. `torques` (numLinks; N*m or N) and `forces_W` (one a contact, on the robot), when given, get an
  /// answer.
  bool within(RobotDynamics& dynamics, double scale = 1, VectorXd* torques = nullptr,
              std::vector<Vector3d>* forces_W = nullptr) const;

 private:
  RobotPtr robot_;
  std::vector<LinkContact> contacts_;
  std::vector<ContactPoint> points_;
  StaticTorqueOptions options_;
  std::vector<int> rows_;      ///< Links with a row of their own.
  std::vector<double> limit_;  ///< Limit of each; 0 for passive ones.
  double unit_ = 1;            ///< Newton.
};

}  // namespace mortise
