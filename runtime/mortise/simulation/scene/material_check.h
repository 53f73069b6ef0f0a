#pragma once

#include "mortise/base/diagnostics.h"
#include "mortise/model/world.h"

namespace mortise {

/// Warns of what a simulation computes as it is written but nobody means: restitutions above 1, a stiffness of 0,
/// objects whose inertia no body can have, and objects that are too heavy for the stiffness of the contacts that carry
/// them. Numbers that mean nothing (negative ones, and those that are none) are errors. Checks of worlds and
/// simulations say the same.
void checkMaterials(const World& world, Diagnostics& diagnostics);

}  // namespace mortise
