#pragma once

/// Numbers with names.

#include <limits>
#include <numbers>

namespace mortise {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kPi = std::numbers::pi;
constexpr double kTurn = 2 * kPi;  ///< A full turn, in radians.

}  // namespace mortise
