#pragma once

/// Places on an edge, far ones first.

#include <cmath>
#include <cstdint>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"

namespace mortise {

/// The number of steps, at least 1, in which an edge of `length` is passed when none is longer than `step`. Throws
/// `Error` for a billion steps.
inline std::int64_t edgeSteps(double length, double step) {
  const double steps = length <= 0 ? 1 : std::ceil(length / step);
  if (!(steps < 1e9))
    throw Error("an edge of length " + formatReal(length) + " takes more than a billion checks at resolution " +
                    formatReal(step),
                {}, "take a coarser resolution");
  return static_cast<std::int64_t>(steps);
}

/// The same, rounded up to a power of two: halves, quarters, and so on.
inline std::int64_t edgeStepsByHalves(double length, double step) {
  std::int64_t power = 1;
  for (const std::int64_t steps = edgeSteps(length, step); power < steps;) power *= 2;
  return power;
}

/// Calls `holds(i / steps)` for all i between 0 and `steps`: about the middle, about the middles of the halves, and so
/// on. Ends at the first that is false, and returns whether there was none.
template <typename Holds>
bool forEdgeFractions(std::int64_t steps, const Holds& holds) {
  std::int64_t power = 1;
  while (power < steps) power *= 2;
  for (std::int64_t stride = power; stride > 1; stride /= 2)
    for (std::int64_t i = stride / 2; i < steps; i += stride)
      if (!holds(static_cast<double>(i) / static_cast<double>(steps))) return false;
  return true;
}

}  // namespace mortise
