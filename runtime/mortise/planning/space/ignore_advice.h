#pragma once

#include <memory>
#include <string>

#include "mortise/collision/world_collider.h"
#include "mortise/planning/spaces/motion_space.h"

namespace mortise {

/// A hint that allows the bodies to collide which are within `margin` meters of each other at `q`, a configuration of
/// the space: the setting `ignore`, as YAML that can be pasted, with their names in the world. A link that collides
/// with another body stands for its whole robot, since a hand seldom touches what it holds with a single link. Empty
/// when nothing collides.
std::string ignoreAdvice(const MotionSpace& space, const std::shared_ptr<const WorldCollider>& collider, double margin,
                         const VectorXd& q);

}  // namespace mortise
