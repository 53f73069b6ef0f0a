#pragma once

#include "mortise/math/transform.h"

namespace mortise {

/// Spaces (besides `PlanningSpace`) that can tell of ways which are no lines in coordinates, but stay near one.
class TubeChecker {
 public:
  virtual ~TubeChecker() = default;
  /// Whether every way from a to b is free none of whose coordinates is farther than `deviation` (one a coordinate, at
  /// least 0) from the way that `PlanningSpace::visible` asks for, place by place: what moves is kept away from
  /// everything by as much as that can move it, besides the space's margin. As sure as the space's ways are. The ends
  /// are known to be feasible.
  virtual bool visibleAround(const VectorXd& a, const VectorXd& b, const VectorXd& deviation) = 0;
};

}  // namespace mortise
