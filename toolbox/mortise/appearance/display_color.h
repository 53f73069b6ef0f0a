#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "mortise/base/position.h"
#include "mortise/model/world.h"

namespace mortise {

using Color = std::array<float, 3>;  ///< Red, green and blue from 0 to 1.

/// Klamp't's colors of things whose color no world gives.
inline constexpr Color kTerrainColor = {0.8f, 0.6f, 0.2f}, kObjectColor = {0.4f, 0.2f, 0.8f},
                       kRobotColor = {0.5f, 0.5f, 0.5f};

/// The color that `display` entries say, the last `color` or `faceColor` of them; those of other links are passed
/// over when `robot` and `link` are given. What cannot be read is passed over, and `warn`, if there is one, is told.
Color displayColor(const std::vector<Value>& display, const Color& otherwise,
                   const std::function<void(const std::string&)>& warn, const Robot* robot = nullptr, int link = -1);

/// Colors of a cloud's points from its properties `rgb` or `rgba` (0xrrggbb as a number), `r`, `g` and `b`, or `red`,
/// `green` and `blue` (0 to 1, or to 255); empty when it has none.
std::vector<Color> cloudColors(const PointCloud& cloud);

}  // namespace mortise
