#pragma once

/// Motions from files as robots follow them.

#include <string_view>

#include "mortise/base/diagnostics.h"
#include "mortise/component/file_format.h"
#include "mortise/model/robot.h"
#include "mortise/motion/trajectory.h"

namespace mortise {

/// The largest distance of a followed path's straight pieces from its goals, rad or m.
constexpr double kFollowedResolution = 1e-3;

/// A motion file as configurations with straight lines between them. Where sections of a MultiPath have goals or holds,
/// inverse kinematics of `robot` adds configurations in between, so that links keep to them; milestones keep their
/// times. A path whose setting `resolution` says that this was done already is taken as it is, and so is one for a
/// robot of another size, or without `robot`. Goals that cannot be kept are a warning, and the milestones count.
/// Throws `Error` for what cannot be read as a motion.
Trajectory followedMotion(ResourceLoader& loader, std::string_view reference, std::string_view referringFile,
                          const RobotPtr& robot, Diagnostics& diagnostics);

}  // namespace mortise
