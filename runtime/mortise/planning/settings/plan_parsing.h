#pragma once

/// Names of a world's things in the settings of a plan. Each function throws `Error` with the position of what is
/// wrong.

#include <string>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/model/world.h"

namespace mortise {

/// Index of the robot with this name or id.
int robotNamed(const World& world, const std::string& name, const SourcePosition& where);

/// World ids of what a name means: a terrain, a rigid object, a link as `robot/link` or `robot[link]`, a robot with all
/// its links, a link's name alone where `robot` (an index; -1: none) has it; or an id.
std::vector<int> idsOf(const World& world, const Value& value, int robot);

/// World ids of robots' links: names or indices of one robot's links; of several robots `robot/link`, or a map by
/// robot.
std::vector<int> planLinks(const World& world, const std::vector<int>& robots, const Value& value);

}  // namespace mortise
