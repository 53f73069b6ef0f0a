#pragma once

#include <vector>

#include "mortise/component/physics.h"

namespace mortise::rigid {

/// Bodies and joints of one articulated body.
struct TreePlan {
  int base = -1;            ///< Body index of the base; -1: the world.
  bool fixedBase = true;    ///< Forces do not move the base: it is the world, fixed or kinematic.
  std::vector<int> joints;  ///< Joint indices, parents first.
};

/// One tree of joints for each child of the world or of a fixed or kinematic body, one for each free root. Throws
/// `Error` for joints that cannot be: no child, a child that is not dynamic, two joints for one child, a joint before
/// its parent's, stops that cross.
std::vector<TreePlan> planTrees(const SceneDescription& description);

}  // namespace mortise::rigid
