#pragma once

#include <cmath>
#include <cstdint>

namespace mortise::logs {

/// Returns the time of a message in a log: nanoseconds, rounded; 0 for times before the start.
inline std::uint64_t nanoseconds(double seconds) {
  return seconds > 0 ? static_cast<std::uint64_t>(std::llround(seconds * 1e9)) : 0;
}

}  // namespace mortise::logs
