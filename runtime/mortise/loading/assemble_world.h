#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "mortise/loading/format_loader.h"
#include "mortise/model/world.h"

namespace mortise {

/// One world out of several files: worlds, robots, rigid objects and terrains, in any order, as Klamp't's SimTest takes
/// them. At most one of them may be a world; it comes first and the others are added to it. Ids in the world's settings
/// are renumbered where additions shift them. What is added and called like another one of its kind gets a number
/// behind its name: "arm", "arm_2". Throws `Error` for a file that holds none of these, and for all that is wrong with
/// the files at once.
World assembleWorld(FormatLoader& loader, const std::vector<std::string>& files, Diagnostics& diagnostics);

/// The name, or the name with a number where one of the things is called so already: commands, logs and settings find
/// things by their names.
template <typename Things>
std::string ownName(const Things& things, const std::string& name) {
  const auto taken = [&](const std::string& candidate) {
    return std::any_of(things.begin(), things.end(), [&](const auto& thing) { return thing.name == candidate; });
  };
  std::string own = name;
  for (int number = 2; taken(own); ++number) own = name + "_" + std::to_string(number);
  return own;
}

}  // namespace mortise
