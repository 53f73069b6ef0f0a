#pragma once

#include <optional>
#include <string>

#include "mortise/model/world.h"
#include "mortise/motion/trajectory.h"
#include "mortise/planning/real_time/known_motion.h"

namespace mortise {

/// A terrain or rigid object of the world moves as the trajectory says, whose configurations are six numbers: the
/// position in meters and the rotation vector in rad. `repeat`: over and over; absent: where it ends as it begins.
/// Throws `Error` for a body that does not exist, with the nearest name, and what `KnownMotion` throws.
KnownMotion knownMotionOf(const Trajectory& motion, const std::string& body, const World& world,
                          std::optional<bool> repeat = {});

}  // namespace mortise
