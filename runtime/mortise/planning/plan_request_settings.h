#pragma once

/// From settings, as people write them, to a request: what `mortise plan` does with its options.

#include <optional>
#include <string>

#include "mortise/base/diagnostics.h"
#include "mortise/base/value.h"
#include "mortise/planning/request/plan_request.h"
#include "mortise/planning/settings/plan_settings.h"

namespace mortise {

/// A plan and the steps after it, as people write them. Not yet complete; keys that are absent have their defaults.
struct PlanRequestSettings {
  Value plan = Value::map();      ///< Settings as of `PlanSettings`.
  std::optional<Value> shortcut;  ///< Settings as of `ShortcutSettings`; none: the path is not shortened.
  std::optional<Value> retime;    ///< Settings as of `RetimeSettings`; none: the path gets no times.
  bool check = false;
  std::string roadmap;  ///< File as of `PlanRequest::roadmap`.
};

/// Everything that is wrong goes to `diagnostics`; the request is of use only without errors. `schema`: `planSchema`,
/// or `planSchemaWithoutEnds` where start and goal come from elsewhere; the request then begins where the world has the
/// robot, and has no goal.
PlanRequest readPlanRequest(const PlanRequestSettings& settings, const Schema& schema, const PlanSources& sources,
                            Diagnostics& diagnostics);

}  // namespace mortise
