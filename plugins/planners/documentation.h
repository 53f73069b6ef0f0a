#pragma once

/// Pages of the planners.

namespace mortise::planners {

extern const char* const kAnyPage;
extern const char* const kRrtPage;

}  // namespace mortise::planners
