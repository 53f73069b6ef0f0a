#pragma once

/// Random feasible configurations: for problems to try planners on, and for starts and goals that are not given.

#include <string>
#include <utility>
#include <vector>

#include "mortise/component/planner.h"

namespace mortise {

/// The first feasible one of up to `tries` random configurations. False when none was; `reason` then says what they
/// failed, for people, and `q` is the last.
bool sampleFeasible(PlanningSpace& space, RandomStream& random, int tries, VectorXd& q, std::string* reason = nullptr);

struct SamplePairsOptions {
  /// Bounds of the distance between the two, in the space's metric.
  double minDistance = 0, maxDistance = std::numeric_limits<double>::infinity();
  /// Only pairs whose direct edge is blocked: those that need a planner.
  bool blockedOnly = false;
  int tries = 1000;  ///< Random configurations, and pairs, for each pair that is given.
};

/// `count` pairs of feasible configurations. Throws `Error`, with what was found wrong, where there are too few.
std::vector<std::pair<VectorXd, VectorXd>> samplePairs(PlanningSpace& space, RandomStream& random, int count,
                                                       const SamplePairsOptions& options = {});

}  // namespace mortise
