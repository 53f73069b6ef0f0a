#pragma once

#include <limits>

#include "mortise/base/value.h"
#include "mortise/component/planner.h"
#include "nearest.h"

namespace mortise::planners {

/// Klamp't's options, as far as a planner has them; the others keep these values.
struct Settings {
  int knn = 10;
  double connectionThreshold = std::numeric_limits<double>::infinity();
  double suboptimalityFactor = 0;
  bool ignoreConnectedComponents = false;
  double perturbationRadius = 0;  ///< 0: by the space's extent.
  int perturbationIters = 5;
  bool bidirectional = true;
  bool useGrid = true;
  double gridResolution = 0;  ///< 0: by the space's extent.
  int randomizeFrequency = 50;
  PointLocation location;
  bool shortcut = false, restart = false;
  StopConditions restartTermCond;  ///< Of one run.

  /// `complete`: checked against the planner's schema. Throws `Error`, with position, for what contradicts itself.
  static Settings read(const Value& complete);
};

/// Klamp't's halting condition: a map, or loose JSON as Klamp't's files have it, `{foundSolution:1;maxIters:1000}`:
/// names with or without quotes, ':' or '=' between name and value, ',' or ';' between entries.
StopConditions readRunConditions(const Value& value);

}  // namespace mortise::planners
