#pragma once

/// From settings (the YAML of a stage, options of a command, entries of a problem file) to a `PlanRequest`.

#include <functional>
#include <string>
#include <string_view>

#include "mortise/base/diagnostics.h"
#include "mortise/base/value.h"
#include "mortise/component/file_format.h"
#include "mortise/model/world.h"
#include "mortise/motion/trajectory.h"
#include "mortise/planning/request/plan_request.h"
#include "mortise/planning/settings/plan_schema.h"
#include "mortise/plugin/registry.h"

namespace mortise {

/// Things that the settings of a plan may refer to. Everything outlives the reading.
struct PlanSources {
  const World& world;
  ResourceLoader& loader;
  /// When not null, the planner's name and settings are checked as well.
  const Registry* registry = nullptr;
  std::string referringFile = {};  ///< That files are relative to.
  /// Returns the motion that was saved under a name, or null; may be empty.
  std::function<const Trajectory*(std::string_view name)> savedMotion = {};
  /// Says whether a motion will be saved under a name before this plan runs; may be empty. A start or goal of such a
  /// name is accepted.
  std::function<bool(std::string_view name)> promised = {};
};

/// `settings`: complete, as `planSchema().complete`, or that of `planSchemaWithoutEnds`, returns them; other keys are
/// ignored. Everything that is wrong goes to `diagnostics`; only without errors is the request of use. `defaultSeed`:
/// where the settings name none. The steps after planning are left out.
PlanRequest readPlan(const Value& settings, const PlanSources& sources, std::uint64_t defaultSeed,
                     Diagnostics& diagnostics);
/// Reads a space from settings as `planSpaceSchema().complete` leaves them.
PlanSpaceRequest readPlanSpace(const Value& settings, const PlanSources& sources, Diagnostics& diagnostics);

/// `objective` of the settings; the length where there is none.
PlanRequest::Objective readPlanObjective(const Value& settings, const PlanSources& sources,
                                         const PlanSpaceRequest& space, Diagnostics& diagnostics);

/// Seconds, where neither time nor iterations are limited.
inline constexpr double kDefaultPlanTime = 10;

}  // namespace mortise
