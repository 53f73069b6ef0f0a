#pragma once

/// From what a person wrote (the YAML of a stage, options of a command, entries of a problem file) to a `PlanRequest`.

#include <functional>
#include <string>
#include <string_view>

#include "mortise/base/diagnostics.h"
#include "mortise/base/schema.h"
#include "mortise/base/value.h"
#include "mortise/component/file_format.h"
#include "mortise/model/world.h"
#include "mortise/motion/trajectory.h"
#include "mortise/planning/plan_request.h"
#include "mortise/plugin/plugin.h"
#include "mortise/plugin/registry.h"

namespace mortise {

/// What settings of a plan may refer to. Everything outlives the reading.
struct PlanSources {
  const World& world;
  ResourceLoader& loader;
  /// When not null, the planner's name and settings are checked, too.
  const Registry* registry = nullptr;
  std::string referringFile = {};  ///< That files are relative to.
  /// A motion that was saved under a name, or null; may be empty.
  std::function<const Trajectory*(std::string_view name)> savedMotion = {};
  /// Whether something will be saved under a name before this plan runs; may be empty. A start or goal of such a name
  /// is taken for granted.
  std::function<bool(std::string_view name)> promised = {};
};

/// The settings, as parameters with their documentation; what stages and commands add of their own goes beside them.
const Schema& planSchema();
/// The same without start and goal, for problems that have these from elsewhere.
const Schema& planSchemaWithoutEnds();
void declarePlanSettings(ComponentBuilder& stage);
/// Only those that say what moves among what, for stages that come after planning.
const Schema& planSpaceSchema();
void declarePlanSpaceSettings(ComponentBuilder& stage);

struct ReadPlan {
  PlanRequest request;
  /// False: a start or goal is that of a motion that is not there yet, and the request lacks it.
  bool complete = true;
};

/// `settings`: complete, as `planSchema().complete`, or that of `planSchemaWithoutEnds`, returns them; other keys are
/// ignored. Everything that is wrong goes to `diagnostics`; only without errors is the request of use. `defaultSeed`:
/// where the settings name none.
ReadPlan readPlan(const Value& settings, const PlanSources& sources, std::uint64_t defaultSeed,
                  Diagnostics& diagnostics);
/// As `planSpaceSchema().complete` leaves them.
PlanSpaceRequest readPlanSpace(const Value& settings, const PlanSources& sources, Diagnostics& diagnostics);

/// `objective` of the settings: lengths where there is none.
PlanObjectiveRequest readPlanObjective(const Value& settings, const PlanSources& sources, const PlanSpaceRequest& space,
                                       Diagnostics& diagnostics);

/// Where neither time nor iterations are limited: seconds.
inline constexpr double kDefaultPlanTime = 10;

}  // namespace mortise
