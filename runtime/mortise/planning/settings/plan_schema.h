#pragma once

/// The settings of a plan, as structs that bind them.

#include <optional>
#include <string>

#include "mortise/base/schema.h"
#include "mortise/planning/request/plan_request.h"
#include "mortise/settings/nested_settings.h"
#include "mortise/settings/placed.h"

namespace mortise {

/// Settings of the space. What refers to the world is a `Value` until the world is known. Nothing has a default here:
/// stages after planning take what they are not given from the plan.
struct PlanSpaceSettings {
  enum class Padding { none, simulation };
  Value robot, robots, object;
  std::optional<bool> planar;
  Value links;
  std::optional<double> margin;  ///< m
  std::optional<Padding> padding;
  std::optional<EdgeCheckOptions::Method> edges;
  std::optional<double> resolution;
  Value weights, ignore, keep;
  std::optional<double> keepTolerance;  ///< m and rad
  PlacedText stance;
  std::optional<double> balanceMargin;  ///< m
  Value workspace;
  void bind(SettingBinder& b);
};

/// `stop` of a plan.
struct StopSettings {
  std::optional<bool> foundSolution;
  std::optional<std::int64_t> iterations;
  std::optional<double> timeLimit;  ///< s
  std::optional<double> cost;
  std::optional<std::int64_t> improvementPeriod;
  std::optional<double> improvement;
  void bind(SettingBinder& b);
};

/// Settings of a plan; stages and commands may add settings of their own.
struct PlanSettings : PlanSpaceSettings {
  bool ends = true;  ///< True if start and goal are among them; problems may have these from elsewhere.
  Value planner;
  Value settings;  ///< Settings of the planner.
  Value start, goal;
  Value objective;
  std::optional<double> timeLimit;  ///< s
  std::optional<std::int64_t> iterations;
  std::optional<bool> optimize;
  std::optional<StopSettings> stop;
  std::optional<std::int64_t> seed;
  void bind(SettingBinder& b);
};

/// `planner` where it is a map.
struct PlannerEntry {
  Value type;
  Value settings;
  void bind(SettingBinder& b);
};

/// `objective` where it is a map.
struct ObjectiveEntry {
  Value type, weights;
  void bind(SettingBinder& b);
};

/// Settings that stages after planning take over from a plan.
struct PathObjectiveSettings {
  Value objective;
  void bind(SettingBinder& b);
};
struct PlanProblemSettings : PlanSpaceSettings, PathObjectiveSettings {
  void bind(SettingBinder& b);
};

const Schema& planSchema();
const Schema& planSchemaWithoutEnds();
const Schema& planSpaceSchema();

}  // namespace mortise
