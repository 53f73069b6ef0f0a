#pragma once

#include <string_view>

#include "mortise/plugin/registry.h"

namespace mortise {

/// Throws `Error` for a planning problem that Klamp't's manual names among its planners and nobody here solves: minimum
/// constraint removal and displacement, in whatever spelling. Says what answers the same question.
void refuseUnsolved(std::string_view planner, const SourcePosition& where = {});

/// `Registry::require` of planners, after `refuseUnsolved` where there is none of that name.
const ComponentInfo& requirePlanner(const Registry& registry, std::string_view name, const SourcePosition& where = {});

}  // namespace mortise
