#pragma once

#include <cmath>
#include <limits>

namespace mortise {

inline constexpr float kFloatInfinity = std::numeric_limits<float>::infinity();
/// Bodies' boxes are kept in single precision, rounded outward: next to doubles this leaves no pair out.
inline float floatBelow(double x) {
  const float f = static_cast<float>(x);
  // Two roundings less: cheaper than the very next number. Huge ones have no room for that.
  if (std::abs(f) < 1e38f) return f - (1.2e-7f * std::abs(f) + 1e-37f);
  return f <= x ? f : std::nextafter(f, -kFloatInfinity);
}
inline float floatAbove(double x) { return -floatBelow(-x); }

}  // namespace mortise
