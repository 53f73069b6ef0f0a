#pragma once

/// Motions of a robot that stands in a world, with the contacts that bear it.

#include <string>

#include "mortise/base/value.h"
#include "mortise/mechanics/world_touch.h"
#include "mortise/timing/multipath/held_path.h"

namespace mortise {

/// The path with holds from what the robot touches of the world (`withHolds`).
HeldPath holdInWorld(RobotInWorld& world, const RobotPtr& robot, const MultiPath& path);

/// One a section: {held: [links], bare: [links], contacts, found}.
Value heldValue(const HeldPath& held, const Robot& robot);
/// A line a section, for people, from a value of the function above.
std::string heldText(const Value& sections);

}  // namespace mortise
