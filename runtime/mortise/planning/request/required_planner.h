#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/plugin/registry.h"

namespace mortise {

/// Throws `Error` for a planning problem that Klamp't's manual names among its planners and nobody here solves: minimum
/// constraint removal and displacement, in whatever spelling. Says what answers the same question.
void refuseUnsolved(std::string_view planner, const SourcePosition& where = {});

/// `Registry::require` of planners, after `refuseUnsolved` where there is none of that name.
const ComponentInfo& requirePlanner(const Registry& registry, std::string_view name, const SourcePosition& where = {});

/// Pairs of planners with names that differ in upper and lower case only, such as `rrt` and `RRT`.
struct AlikePlanner {
  std::string name, component;            ///< A name, and the registered name of the planner that it stands for.
  std::string otherName, otherComponent;  ///< Spelled in small letters.
};
std::vector<AlikePlanner> alikePlanners(const Registry& registry);

/// Notes that `name`, written with capitals, is another planner than the same in small letters.
void noteAlikePlanner(const Registry& registry, std::string_view name, const SourcePosition& where,
                      Diagnostics& diagnostics);

}  // namespace mortise
