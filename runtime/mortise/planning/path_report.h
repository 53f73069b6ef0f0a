#pragma once

/// What the commands on paths work on, and what they tell.

#include <string>

#include "mortise/base/value.h"
#include "mortise/component/resource.h"
#include "mortise/planning/paths/multipath_timing.h"

namespace mortise {

/// Any motion as a MultiPath: one section where it has none. Throws `Error` for what is no motion.
MultiPath multiPathOf(const Resource& motion);

/// {duration, duration_before, peak: {velocity, acceleration, torque}, segments, stretch, unlimited, assumed}.
Value timingReport(const MultiPathTiming& timing);
/// The same for people.
std::string timingText(const Value& report);

}  // namespace mortise
