#pragma once

/// A plan and all that follows it, in one go: shortcuts, times, a check, files.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mortise/base/progress.h"
#include "mortise/loading/format_loader.h"
#include "mortise/motion/multipath.h"
#include "mortise/planning/path_work.h"
#include "mortise/planning/plan_setup.h"

namespace mortise {

struct PlanJob {
  PlanRequest plan;
  std::optional<ShortcutSettings> shortcut;
  std::optional<RetimeSettings> retime;
  std::optional<CheckSettings> check;
  std::string roadmap;  ///< File, .tgf or .json, for what the planner knows at the end; empty: none.
};

struct PlanJobResult {
  std::vector<VectorXd> path;               ///< Whole configurations; empty: there is none.
  std::optional<HermiteTrajectory> motion;  ///< Of whole configurations, where times were asked for.
  std::vector<Mover> movers;
  /// As `planReport`, and, as far as asked for, maps `shortcut`, `retime` and `check`. `valid` is false where the check
  /// found faults. Without `check`, there is the list `padding_touches` of one, from a coarser check of the path.
  Value report;
};

/// `progress` may be null. Once `stopRequested` says so, what is running ends and keeps what it has. Throws `Error`.
PlanJobResult runPlanJob(std::shared_ptr<const World> world, const PlanJob& job, Registry& registry, LogSink& log,
                         Progress* progress = nullptr, std::function<bool()> stopRequested = {});

/// For people.
std::string planJobText(const Value& report);

/// Writes a motion as the file's extension says: .path, .milestones, .configs, MultiPath .xml, .json. `motion` may be
/// null: the path has no times then, and where the format needs some it gets one configuration a second. `settings` go
/// into a MultiPath. What the format cannot hold is a warning.
void writeMotion(FormatLoader& loader, const std::string& file, const std::vector<VectorXd>& path,
                 const HermiteTrajectory* motion, double sampleTolerance, const MultiPath::Settings& settings,
                 Diagnostics& diagnostics);
/// The same for each of several movers, in files `NAME_ROBOT.EXT`; one mover: in `file` itself. Returns the names.
std::vector<std::string> writeMotions(FormatLoader& loader, const std::string& file, const PlanJobResult& result,
                                      const World& world, double sampleTolerance, const MultiPath::Settings& settings,
                                      Diagnostics& diagnostics);
/// Whether a motion can be written to a file of this name; throws `Error` where not.
void requireMotionFormat(FormatLoader& loader, const std::string& file);

}  // namespace mortise
