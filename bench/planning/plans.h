#pragma once

/// One plan by one of our planners, as a user would ask for it.

#include <memory>
#include <string>

#include "mortise/planning/plan_setup.h"
#include "scenes.h"

namespace mortise::bench {

/// Over the plugins of the tree that this program stands in.

/// The scene's robot from one whole configuration to another.
PlanRequest planRequest(const Scene& scene, const std::string& planner, const VectorXd& start, const VectorXd& goal,
                        const EdgeCheckOptions& edges, double seconds, std::uint64_t seed);

struct Planned {
  bool solved = false;
  double seconds = 0;  ///< Processor time of this thread, from a problem that is set up to its path.
  double wall = 0;
  double length = 0;  ///< Length of the path in the space's metric.
  std::int64_t configurations = 0, edges = 0, iterations = 0;
  std::vector<VectorXd> path;  ///< In the space's coordinates.
};
Planned plan(PlanSetup& setup);
Planned plan(const Scene& scene, const std::string& planner, const Pair& pair, const EdgeCheckOptions& edges,
             double seconds, std::uint64_t seed);

}  // namespace mortise::bench
