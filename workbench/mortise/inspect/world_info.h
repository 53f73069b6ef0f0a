#pragma once

#include <string>

#include "mortise/base/value.h"
#include "mortise/model/world.h"

namespace mortise {

/// Returns what `mortise world info --json` prints: counts, ids, names, frames, masses, surfaces.
Value worldInfo(const World& world, const std::string& file);

}  // namespace mortise
