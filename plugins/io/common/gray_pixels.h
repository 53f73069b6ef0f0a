#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "common/gray_image.h"

namespace mortise::io {

/// The layout of the samples of a pixel.
struct PixelLayout {
  int channels = 1;
  bool alpha = false;  ///< The last channel is the opacity.
  int white = 255;     ///< The sample of full brightness.
};

/// Appends the brightness of pixels, given as the samples of all channels of one pixel after the other. Throws `Error`
/// when the channels of a pixel differ.
void appendPixels(GrayImage& image, const std::string& path, const PixelLayout& layout,
                  std::span<const std::uint16_t> samples);

/// Throws `Error` for an image that is empty or too large for a heightmap.
void checkImageSize(const std::string& path, std::int64_t width, std::int64_t height);

}  // namespace mortise::io
