#pragma once

#include <optional>

#include "mortise/base/value.h"
#include "mortise/component/planner.h"
#include "mortise/settings/settings.h"
#include "structures/nearest.h"

namespace mortise::planners {

enum class Algorithm {
  any,
  rrt,
  rrtStar,
  prm,
  prmStar,
  lazyPrm,
  lazyPrmStar,
  lazyRrgStar,
  sbl,
  sblPrt,
  est,
  perturbation,
  fmm,
  fmmStar
};

/// Klamp't's options. Each algorithm binds those that it has; the others keep these values.
struct PlannerSettings {
  Algorithm algorithm = Algorithm::any;
  int knn = 10;
  std::optional<double> connectionThreshold;  ///< Absent: any distance.
  double suboptimalityFactor = 0;
  bool ignoreConnectedComponents = false;
  std::optional<double> perturbationRadius;  ///< Absent: by the space's extent.
  int perturbationIters = 5;
  bool bidirectional = true;
  bool useGrid = true;
  std::optional<double> gridResolution;  ///< Absent: by the space's extent.
  int randomizeFrequency = 50;
  PointLocation location;
  bool shortcut = false, restart = false;
  bool storeEdges = false;  ///< Has no effect.
  std::optional<StopConditions>
      restartTermCond;  ///< Conditions of one run; absent: until a path is found, 1000 rounds.

  void bind(SettingBinder& b);
  /// Throws `Error` for what contradicts itself.
  void check() const;

 private:
  bool isTree() const;
  void bindRadius(SettingBinder& b);
  void bindTrees(SettingBinder& b);
  void bindRoadmap(SettingBinder& b);
  void bindRestarts(SettingBinder& b);
};

/// Klamp't's halting condition: a map, or loose JSON as Klamp't's files have it, `{foundSolution:1;maxIters:1000}`:
/// names with or without quotes, ':' or '=' between name and value, ',' or ';' between entries.
StopConditions readRunConditions(const Value& value);

}  // namespace mortise::planners

namespace mortise {

template <>
struct SettingType<planners::PointLocation> {
  static constexpr ParameterType type = ParameterType::string;
  static constexpr int size = -1;
  static Value value(const planners::PointLocation& location);
  static planners::PointLocation from(const Value& value, std::string_view name);
};

template <>
struct SettingType<StopConditions> {
  static constexpr ParameterType type = ParameterType::any;
  static constexpr int size = -1;
  static Value value(const StopConditions&) { return {}; }
  static StopConditions from(const Value& value, std::string_view) { return planners::readRunConditions(value); }
};

}  // namespace mortise
