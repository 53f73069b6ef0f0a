#pragma once

#include <limits>
#include <optional>

namespace mortise {

/// m, the padding of rigid objects and links where nothing gives another one.
constexpr double kDefaultPadding = 0.0025;
/// Engines take coefficients of friction up to this one; larger ones, infinity too, count as this: nothing slips then.
constexpr double kMaximumFriction = 1000;

/// Surface of a body, in the terms of Klamp't's files. Infinite stiffness and damping mean a rigid surface.
struct Surface {
  double friction = 0.5;
  double restitution = 0.5;
  double stiffness = std::numeric_limits<double>::infinity();  ///< N/m for each contact point.
  double damping = std::numeric_limits<double>::infinity();    ///< N*s/m for each contact point.
  /// m, added around the geometry in simulation. Absent: nothing gives it; `World::simulationSurface` fills it in.
  std::optional<double> padding = {};
  int preshrink = 0;  ///< 0: off; 1: simulation copy shrunk by the padding; 2: the shown geometry too.
  /// m, arm of rolling friction: a body that rolls is held back by a torque of at most this times the normal force.
  double rolling = 0;

  /// m, of the layer around the (shrunk) shape in which contacts are found.
  double thickness() const { return padding.value_or(0); }
  /// m, by how much the surface with its padding stands out from the shape as it is given.
  double standout() const { return preshrink != 0 ? 0 : thickness(); }
  /// m, by how much the shape is shrunk in simulation.
  double shrinkage() const { return preshrink != 0 ? thickness() : 0; }

  bool operator==(const Surface&) const = default;
};

// Materials where files say nothing. Rigid objects have `Surface()`.

/// Klamp't's ground: slightly soft, strongly damped, without padding.
constexpr Surface terrainSurface() { return {.friction = 0.5, .restitution = 0.1, .stiffness = 8e5, .damping = 2e5}; }
/// Klamp't's robots.
constexpr Surface linkSurface() { return {.friction = 1, .restitution = 0.1}; }

/// Material of one pair of surfaces, for a solver.
struct ContactMaterial {
  double friction = 0.5;
  double restitution = 0;
  double stiffness = std::numeric_limits<double>::infinity();
  double damping = std::numeric_limits<double>::infinity();
};

/// Restitution: arithmetic mean. Friction: harmonic mean (0 when both are 0). Stiffness and damping: in series.
ContactMaterial combine(const Surface& a, const Surface& b);
/// Returns the arm of rolling friction of one pair of surfaces (m): the sum, because each surface yields by itself.
constexpr double combinedRolling(const Surface& a, const Surface& b) { return a.rolling + b.rolling; }

}  // namespace mortise
