#pragma once

#include <string>
#include <vector>

#include "mortise/model/world.h"
#include "mortise/plugin/format_loader.h"

namespace mortise {

/// One world out of several files: worlds, robots, rigid objects and terrains, in any order, as Klamp't's SimTest takes
/// them. At most one of them may be a world; it comes first and the others are added to it. Ids in the world's settings
/// are renumbered where additions shift them. Throws `Error` for a file that holds none of these, and for
/// all that is wrong with the files at once.
World assembleWorld(FormatLoader& loader, const std::vector<std::string>& files, Diagnostics& diagnostics);

}  // namespace mortise
