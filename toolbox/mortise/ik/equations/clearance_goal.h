#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "mortise/collision/world_collider.h"
#include "mortise/ik/equations/ik_terms.h"

namespace mortise {

/// Each link of a robot stays at least `margin` (m) from what it is checked against (`WorldCollider::pairs`): one
/// equation a link, which is met where nothing is nearer. Everything else stands where the world has it. Bodies that
/// already overlap by more than their surfaces' depth is known for (bare meshes) are not led apart: start where they do
/// not. Throws `Error` for a robot that the world does not have.
FunctionGoal clearanceGoal(std::shared_ptr<const WorldCollider> collider, int robot, double margin);

/// Bodies of a clearance: those that a robot carries, which may stand for several things of the world.
struct ClearanceBodies {
  RobotPtr robot = nullptr;
  std::vector<std::pair<int, int>> bodies = {};  ///< Id in the world, and link of `robot`: one equation each.
  /// Puts everything of the world where it is at a configuration of `robot`.
  std::function<void(const VectorXd& q, WorldCollisionState& state)> place = {};
};
FunctionGoal clearanceGoal(std::shared_ptr<const WorldCollider> collider, ClearanceBodies bodies, double margin);

}  // namespace mortise
