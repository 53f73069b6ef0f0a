#pragma once

namespace mortise {

/// The planner of requests that name none.
inline constexpr const char* kDefaultPlanner = "any";

}  // namespace mortise
