#pragma once

/// Why a planner may not have got from start to goal.

#include <string>
#include <vector>

#include "mortise/component/planner.h"

namespace mortise {

/// Constraint that rules out configurations, as `PlanningSpace::explain` names it, and the fraction of those examined.
struct Obstruction {
  std::string what;
  double fraction = 0;
};

struct Blockage {
  /// On the straight ways from the first start to goals, what rules out most first; at most three.
  std::vector<Obstruction> straight;
  /// Shares of short moves away from the start and from a goal, of `radius` in the space's metric, that are free. Where
  /// one is near 0, the way begins or ends in a narrow place.
  double freeAtStart = 1, freeAtGoal = 1;
  double radius = 0;
  bool goalKnown = false;  ///< True if a goal was found; without one only the start is judged.
};

/// Examines a few hundred configurations, the same each time. The goal is sampled: give one that nothing else samples.
Blockage whatBlocks(PlanningSpace& space, const VectorXd& start, PlanningGoal& goal);

/// "on the straight way to the goal 'hand' collides with 'shelf' (61 %); ...": empty where nothing was found.
std::string blockageText(const Blockage& blockage);

/// Sizes of what a planner has built, out of `PlanningOutcome::statistics`, as "7 nodes, 4 of the start's tree and 3 of
/// the goal's, 1 goal"; empty where it tells none.
std::string builtText(const Value& statistics);

}  // namespace mortise
