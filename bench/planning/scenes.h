#pragma once

/// The reference worlds that planning is measured in, and random pairs of a start and a goal in them.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mortise/planning/spaces/robot_space.h"

namespace mortise::bench {

/// A robot in a world, and the links of it that are planned for.
struct Scene {
  std::string name;
  std::shared_ptr<const World> world;
  std::shared_ptr<const WorldCollider> collider;
  std::vector<int> links;  ///< Empty: all.

  const Robot& robot() const { return *world->robots[0].robot; }
  RobotSpace space(const EdgeCheckOptions& edges = {}) const;
};

/// Names of the seven worlds.
const std::vector<std::string>& sceneNames();
/// Nothing when `folder` (the reference data) is empty or does not have the world.
std::optional<Scene> loadScene(const std::string& folder, const std::string& name);

struct Pair {
  VectorXd start, goal;
};
/// Independent feasible configurations, uniform in the space; `blocked`: those whose straight edge is infeasible.
std::vector<Pair> randomPairs(RobotSpace& space, int count, std::uint64_t seed, bool blocked = false);

}  // namespace mortise::bench
