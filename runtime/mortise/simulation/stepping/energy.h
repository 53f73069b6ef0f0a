#pragma once

#include <span>

#include "mortise/component/physics.h"

namespace mortise {

struct Energy {
  double kinetic = 0;    ///< J, of everything that moves.
  double potential = 0;  ///< J, zero at the origin.
  double total() const { return kinetic + potential; }
};

/// Kinetic energy of a body with this inertia, J.
double kineticEnergy(const BodyInertia& inertia, const BodyState& state);
/// Returns the energy of the bodies of a scene that move, one state a body.
Energy energyOf(const SceneDescription& scene, std::span<const BodyState> bodies, const Vector3d& gravity);

}  // namespace mortise
