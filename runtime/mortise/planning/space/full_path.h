#pragma once

#include <vector>

#include "mortise/model/world.h"
#include "mortise/planning/spaces/motion_space.h"

namespace mortise {

/// A path of a space as whole configurations, for callers that interpolate linearly between them: with those in between
/// where ways are no lines, within `tolerance`; angles that go round count on beyond whole turns.
std::vector<VectorXd> fullPath(const MotionSpace& space, const World& world, const std::vector<VectorXd>& path,
                               double tolerance = 0.01);

}  // namespace mortise
