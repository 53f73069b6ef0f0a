#pragma once

#include "mortise/component/planner.h"

namespace mortise::planners {

/// Says whether distances of a space are those of scaled coordinates, distance^2 = sum (weight_i * difference_i)^2, and
/// edges are lines in coordinates. Spaces do not say so; it is found out by asking for some distances.
struct FlatMetric {
  bool flat = false;
  VectorXd weights;  ///< Empty when not flat.

  static FlatMetric of(const PlanningSpace& space);
};

}  // namespace mortise::planners
