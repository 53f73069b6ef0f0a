#pragma once

/// Places on a way, far ones first.

#include <cmath>
#include <cstdint>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"

namespace mortise {

/// Calls `holds(u)` for u between 0 and 1, no farther apart than `step` of the way's `length`: the middle, the middles
/// of the halves, and so on; ends at the first that is false, and gives that back. Throws `Error` for a billion steps.
template <typename Holds>
bool forEdgeSteps(double length, double step, Holds holds) {
  const double wanted = length > 0 ? std::ceil(length / step) : 1;
  if (!(wanted < 1e9))
    throw Error(
        "a way of length " + formatReal(length) + " takes more than a billion checks at resolution " + formatReal(step),
        {}, "take a coarser resolution");
  std::int64_t steps = 1;
  while (static_cast<double>(steps) < wanted) steps *= 2;
  for (std::int64_t stride = steps; stride > 1; stride /= 2)
    for (std::int64_t i = stride / 2; i < steps; i += stride)
      if (!holds(static_cast<double>(i) / static_cast<double>(steps))) return false;
  return true;
}

}  // namespace mortise
