#pragma once

#include "mortise/math/transform.h"

namespace mortise {

/// An interface of spaces (besides `PlanningSpace`) that can check curves which stay near an edge.
class TubeChecker {
 public:
  virtual ~TubeChecker() = default;
  /// Whether every curve from a to b is free of which no coordinate is farther than `deviation` (one for each
  /// coordinate, at least 0) from the edge that `PlanningSpace::visible` checks, place by place: what moves is kept
  /// away from everything by as much as the deviation can move it, besides the space's margin. As sure as the checks of
  /// the space's edges. The ends are known to be feasible.
  virtual bool visibleAround(const VectorXd& a, const VectorXd& b, const VectorXd& deviation) = 0;
};

}  // namespace mortise
