#pragma once

#include "mortise/base/value.h"
#include "mortise/model/world.h"

namespace mortise {

/// Index of the robot that `reference` means: a name, or a world id. Nothing: the only robot there is. Throws `Error`
/// that lists names, or, when several robots share the name, their ids.
int findRobot(const World& world, const Value& reference);

}  // namespace mortise
