#pragma once

/// From settings, as people write them, to a job: what `mortise plan` does with its options.

#include <optional>
#include <string>

#include "mortise/base/diagnostics.h"
#include "mortise/base/value.h"
#include "mortise/planning/plan_job.h"
#include "mortise/planning/settings/plan_settings.h"

namespace mortise {

/// Not yet complete; keys that are absent have their defaults.
struct PlanJobSettings {
  Value plan = Value::map();      ///< As `PlanSettings`.
  std::optional<Value> shortcut;  ///< As `ShortcutSettings`; none: the path is not shortened.
  std::optional<Value> retime;    ///< As `RetimeSettings`; none: the path gets no times.
  bool check = false;
  std::string roadmap;  ///< As `PlanJob::roadmap`.
};

/// Everything that is wrong goes to `diagnostics`; the job is of use only without errors. `schema`: `planSchema`, or
/// `planSchemaWithoutEnds` where start and goal come from elsewhere; the job then begins where the world has the robot,
/// and has no goal.
PlanJob readPlanJob(const PlanJobSettings& settings, const Schema& schema, const PlanSources& sources,
                    Diagnostics& diagnostics);

}  // namespace mortise
