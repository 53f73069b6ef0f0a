#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace mortise {

/// Pixels row by row from the top left.
struct ColorImage {
  int width = 0, height = 0;
  std::vector<std::uint32_t> pixels;  ///< 0xrrggbb.
};

/// Decodes a PNG or JPEG image of at most `maxPixels`; what is transparent counts as opaque. Throws `Error` that says
/// what is wrong with it, also for a JPEG image where this build has no reader of them.
ColorImage readColorImage(std::string_view bytes, std::size_t maxPixels = std::size_t{1} << 26);

}  // namespace mortise
