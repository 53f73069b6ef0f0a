#pragma once

/// A plan and the steps after it: shortcuts, timing, a check.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mortise/base/progress.h"
#include "mortise/planning/path_work.h"
#include "mortise/planning/plan_setup.h"

namespace mortise {

struct PlanJob {
  PlanRequest plan;
  std::optional<ShortcutSettings> shortcut;
  std::optional<RetimeSettings> retime;
  std::optional<CheckSettings> check;
  std::string roadmap;       ///< File for the planner's roadmap, .tgf or .json; empty: none.
  bool keepRoadmap = false;  ///< In the result.
};

struct PlanJobResult {
  std::vector<VectorXd> path;               ///< Full configurations; empty: no path was found.
  std::optional<HermiteTrajectory> motion;  ///< Of full configurations, where the path was to be timed.
  std::vector<Mover> movers;
  std::optional<Roadmap> roadmap;  ///< Of whole configurations, where it was to be kept and the planner has one.
  /// As `planReport`, with the maps `shortcut`, `retime` and `check` of the steps that were made. Without a check, it
  /// has the list `padding_touches` of a check, from a coarser one.
  Value report;
};

/// `progress` may be null. Once `stopRequested` returns true, the running step ends and keeps its result so far. Throws
/// `Error`.
PlanJobResult runPlanJob(std::shared_ptr<const World> world, const PlanJob& job, Registry& registry, LogSink& log,
                         Progress* progress = nullptr, std::function<bool()> stopRequested = {});

/// The report as text.
std::string planJobText(const Value& report);

}  // namespace mortise
