#pragma once

#include "mortise/collision/world_collider.h"
#include "mortise/ik/ik_terms.h"

namespace mortise {

/// Each link of a robot stays at least `margin` (m) from what it is checked against (`WorldCollider::pairs`): one
/// equation a link, which is met where nothing is nearer. Everything else stands where the world has it. Bodies that
/// already overlap by more than their surfaces' depth is known for (bare meshes) are not led apart: start where they do
/// not. Throws `Error` for a robot that the world does not have.
FunctionGoal clearanceGoal(std::shared_ptr<const WorldCollider> collider, int robot, double margin);

}  // namespace mortise
