#pragma once

#include "mortise/model/world.h"
#include "mortise/plugin/registry.h"

namespace mortise {

/// Sets `lockstep` for every controller that the world or its robots name and that has such a setting, so that the
/// simulation waits for the programs that drive them. How many there are.
int setLockstep(World& world, const Registry& registry);

}  // namespace mortise
