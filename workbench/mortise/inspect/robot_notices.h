#pragma once

/// Properties that are easily overlooked in robot files, because they are not written in them.

#include <string>
#include <vector>

#include "mortise/model/world.h"

namespace mortise::inspect {

/// The last link of each joint that lets a part of the robot move freely in the world.
std::vector<int> floatingRoots(const Robot& robot);
/// Links whose file says nothing of their inertia, and which got a placeholder's.
std::vector<int> linksWithoutInertia(const Robot& robot);
/// Those of them that move by a joint of their own; of the others, which are fixed to something, nothing depends.
std::vector<int> movingLinksWithoutInertia(const Robot& robot);

/// One line for all roots that float and one a robot for moving links without inertia; empty where there is nothing.
std::vector<std::string> worldNotices(const World& world);

}  // namespace mortise::inspect
