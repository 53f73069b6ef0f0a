#pragma once

/// std::sort of long lists that nobody needs where the sorting is interrupted.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "mortise/base/interruption.h"

namespace mortise {

/// The same order as that of std::sort. Throws `Interrupted` and leaves the list in any order.
template <typename T, typename Less = std::less<T>>
void sortInterruptibly(std::vector<T>& list, Less less = {}) {
  constexpr std::size_t kAskedEvery = 1 << 14;
  std::size_t comparisons = 0;
  std::sort(list.begin(), list.end(), [&](const T& a, const T& b) {
    if (++comparisons % kAskedEvery == 0) interruptionPoint();
    return less(a, b);
  });
}

}  // namespace mortise
