#pragma once

/// Says whether a robot at rest balances on its contacts, and by how much.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/mechanics/link_contact.h"
#include "mortise/mechanics/support_polygon.h"

namespace mortise {

struct BalanceOptions {
  Vector3d gravity_W = Vector3d(0, 0, -9.8);
  int coneEdges = 0;  ///< Cone edges of the pyramids that stand for friction cones; 0: the cones themselves.
  std::optional<double> forceLimit = {};  ///< Newton along the normal of each contact.
  double robustness = 0;                  ///< Newton that each force keeps from the sides of its cone.
  bool torques = false;                   ///< True if joints stay within their limits of torque.
  double torqueScale = 1;                 ///< Torque scale of these limits.
  std::optional<Vector3d> com_W = {};     ///< In place of the robot's center of mass.
  double tolerance = 1e-6;                ///< Meters: of the polygon of friction cones.
};

struct Balance {
  bool balanced = false;
  /// Meters inside the polygon, negative outside; -infinite when it is empty, infinite when it is the whole plane.
  double margin = 0;
  Vector3d com_W = Vector3d::Zero();
  SupportPolygon polygon;
  std::vector<Vector3d> forces_W;  ///< On the robot (N), one a contact with the world; empty when not balanced.
};

/// The robot as one body with all joints locked, at the position that `dynamics` has, held by its contacts with the
/// world alone: a base that is fixed counts as free. With `torques`, joints bear what gravity and the forces ask of
/// them (links that are named by contacts; all must be). The polygon of friction cones is exact to the
/// tolerance, that of pyramids to rounding. Throws `Error` for bad contacts and options, and a robot without mass.
Balance testBalance(RobotDynamics& dynamics, std::span<const LinkContact> contacts, const BalanceOptions& options = {});

/// {balanced, margin, polygon, bounded, rays, half_planes, area, com, axes, forces}: `polygon` a list of corners [x,
/// y], counterclockwise, `rays` of the directions in which it never ends, `half_planes` of [nx, ny, offset]. The margin
/// is null where the polygon is empty or the whole plane, the area where it is infinite.
Value balanceValue(const Balance& balance);
/// For people.
std::string balanceText(const Balance& balance, std::size_t contacts);

}  // namespace mortise
