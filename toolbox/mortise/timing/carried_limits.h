#pragma once

#include <span>
#include <string>
#include <vector>

#include "mortise/math/transform.h"
#include "mortise/timing/parabolic_ramp.h"

namespace mortise {

/// Says whether nothing bounds the velocity or the acceleration of a coordinate, as of floating bases.
bool isUnbounded(const CoordinateLimits& limits);

/// Bounds for the unbounded coordinates of a path, so that the other coordinates carry them along: the largest velocity
/// and acceleration that each has on an edge which the others pass as fast as their own bounds allow. On straight edges
/// they so hold nobody up, and shortcuts in time get finite bounds. Edges on which the others hardly move do not count.
/// Unbounded coordinates that never move stay unbounded. `milestones`: one number a limit. Throws `Error` for an
/// unbounded coordinate that moves, but never together with one that has bounds; `names` are the coordinates'.
std::vector<CoordinateLimits> withCarriedLimits(std::span<const CoordinateLimits> limits,
                                                const std::vector<VectorXd>& milestones,
                                                std::span<const std::string> names = {});

}  // namespace mortise
