#pragma once

#include <string>

#include "mortise/base/diagnostics.h"
#include "mortise/planning/request/plan_request.h"
#include "mortise/plugin/registry.h"

namespace mortise {

/// Klamp't's planner settings, as its .settings files hold them: JSON with or without quotes around keys, with `;` or
/// `,` between entries. `type` is the planner; 0 and 1 stand for false and true. Throws `Error` with the position of
/// what cannot be read. An empty text leaves the defaults. What the planner does not use, but another one does, is left
/// out with a warning: Klamp't's settings files carry the keys of all planners.
void setKlamptPlanner(const std::string& text, const std::string& file, const Registry& registry, PlanRequest& request,
                      Diagnostics& diagnostics);

}  // namespace mortise
