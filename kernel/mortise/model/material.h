#pragma once

#include <limits>

namespace mortise {

/// Surface of a body, in the terms of Klamp't's files. Infinite stiffness and damping mean a rigid surface.
struct Surface {
  double friction = 0.5;
  double restitution = 0.5;
  double stiffness = std::numeric_limits<double>::infinity();  ///< N/m for each contact point.
  double damping = std::numeric_limits<double>::infinity();    ///< N*s/m for each contact point.
  double padding = 0;                                          ///< m, added around the geometry in simulation.
  int preshrink = 0;  ///< 0: off; 1: simulation copy shrunk by the padding; 2: the shown geometry too.

  bool operator==(const Surface&) const = default;
};

/// What a solver needs for one pair of surfaces.
struct ContactMaterial {
  double friction = 0.5;
  double restitution = 0;
  double stiffness = std::numeric_limits<double>::infinity();
  double damping = std::numeric_limits<double>::infinity();
};

/// Restitution: arithmetic mean. Friction: harmonic mean (0 when both are 0). Stiffness and damping: in series.
ContactMaterial combine(const Surface& a, const Surface& b);

}  // namespace mortise
