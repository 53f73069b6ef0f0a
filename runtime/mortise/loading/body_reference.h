#pragma once

#include "mortise/base/value.h"
#include "mortise/model/world.h"

namespace mortise {

/// World id of the terrain, object, robot or link that `reference` means: a name as `World::nameOf` writes it, such as
/// "block" or "arm[elbow]", or an id. Throws `Error` with the nearest name, or, when several share it, their ids.
int findBody(const World& world, const Value& reference);

}  // namespace mortise
