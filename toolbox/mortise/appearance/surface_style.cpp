#include "mortise/appearance/surface_style.h"

#include <algorithm>
#include <cmath>

namespace mortise {

Color colorOf(std::uint32_t rgb) {
  return {static_cast<float>(rgb >> 16 & 255) / 255, static_cast<float>(rgb >> 8 & 255) / 255,
          static_cast<float>(rgb & 255) / 255};
}

Color lightened(const Color& color, double lightness) {
  // At constant hue and saturation, each part is l + s * (something of the hue), with s = c / (1 - |2 l - 1|).
  const double most = *std::max_element(color.begin(), color.end()),
               least = *std::min_element(color.begin(), color.end());
  const double before = (most + least) / 2, after = std::clamp(before + lightness, 0.0, 1.0);
  const double room = 1 - std::abs(2 * before - 1), scale = room > 0 ? (1 - std::abs(2 * after - 1)) / room : 0;
  Color result;
  for (std::size_t k = 0; k < 3; ++k)
    result[k] = static_cast<float>(std::clamp(after + scale * (static_cast<double>(color[k]) - before), 0.0, 1.0));
  return result;
}

SurfaceStyle surfaceStyle(SurfaceKind kind, const Color& given, bool isDefault, int number, const style::Theme& theme) {
  SurfaceStyle style;
  style.color = given;
  if (kind == SurfaceKind::link) {
    style.roughness = style::kRobotRoughness;
    style.coat = style::kCoat;
    if (isDefault)
      style.color = lightened(colorOf(style::kRobot), number % 2 == 0 ? style::kRobotDarker : style::kRobotLighter);
    return style;
  }
  style.roughness = kind == SurfaceKind::terrain ? style::kTerrainRoughness : style::kObjectRoughness;
  if (!isDefault) return style;
  const bool own = kind == SurfaceKind::object && number >= 0 && number < static_cast<int>(style::kPalette.size());
  style.color = colorOf(own ? style::kPalette[static_cast<std::size_t>(number)] : theme.plain);
  return style;
}

}  // namespace mortise
