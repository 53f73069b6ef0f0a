#pragma once

#include <compare>

namespace mortise {

/// The world ids of two bodies, the lower one first.
struct IdPair {
  int a = -1, b = -1;
  auto operator<=>(const IdPair&) const = default;
};

}  // namespace mortise
