#pragma once

/// Which of OMPL's planners there are, and what is said of them.

#include <span>
#include <string_view>
#include <vector>

#include "mortise/base/schema.h"
#include "planner_handle.h"

namespace mortise::ompl_planners {

struct PlannerEntry {
  std::string_view name;                       ///< OMPL's.
  std::vector<std::string_view> aliases = {};  ///< Klamp't's.
  MakePlanner make = nullptr;
  std::string_view summary;
  std::string_view use;        ///< When to use it.
  std::string_view reference;  ///< Reference of the algorithm.
  /// Goes on to better paths until stopped.
  bool optimizing = false;
  /// Grows from the goal as well, or cannot begin without one: goal configurations have to be found first.
  bool needsGoal = false;
  /// Keeps edges that were not checked yet.
  bool lazy = false;
  /// Cannot go on where it was stopped and begins anew.
  bool startsOver = false;
  /// Paths turn off in the middle of edges that were checked; a space that samples an edge may see what
  /// it missed when it checks a part of it.
  bool splitsEdges = false;
  /// Can be stopped by distances that mean nothing any more.
  bool abandons = false;
  bool oneStart = false;
  bool oneGoal = false;
};

/// In OMPL's groups, names within a group as OMPL has them.
std::span<const PlannerEntry> plannerTable();
inline constexpr int kNumPlanners = 34;

/// A parameter of ours, made from one of OMPL's.
struct PlannerParameter {
  std::string name;
  Value defaultValue;
  std::string summary;
  ParameterOptions options;
  /// The default means this part of the space's extent, 0: whatever OMPL does.
  double ofExtent = 0;
};

/// Parameters of a planner, from its own list of them: names, defaults, types, and ranges where it suggests some.
std::vector<PlannerParameter> plannerParameters(const PlannerEntry& entry);

/// The component's page.
std::string plannerPage(const PlannerEntry& entry);

}  // namespace mortise::ompl_planners
