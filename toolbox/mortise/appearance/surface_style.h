#pragma once

/// Colors and surfaces of bodies in pictures: what their files say, calm colors where nobody says any.

#include "mortise/appearance/display_color.h"
#include "mortise/appearance/picture_style.h"

namespace mortise {

struct SurfaceStyle {
  Color color = {0, 0, 0};  ///< As screens show it.
  double roughness = style::kObjectRoughness;
  double coat = 0;
};

/// The kinds of bodies that look different.
enum class SurfaceKind { terrain, object, link };

/// `given`: the color that a file says; `isDefault`: none does. `number`: of a link within its robot, of an object
/// within a world of at most as many as the palette has; -1: none.
SurfaceStyle surfaceStyle(SurfaceKind kind, const Color& given, bool isDefault, int number, const style::Theme& theme);

/// 0xrrggbb as parts from 0 to 1.
Color colorOf(std::uint32_t rgb);
/// The color with another lightness, in HSL.
Color lightened(const Color& color, double lightness);

}  // namespace mortise
