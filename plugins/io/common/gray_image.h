#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mortise::io {

/// Brightness from 0 (black) to 1 (white), row by row from the top.
struct GrayImage {
  int width = 0, height = 0;
  std::vector<float> pixels;

  double at(int column, int row) const {
    return static_cast<double>(
        pixels[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) + static_cast<std::size_t>(column)]);
  }
};

/// Reads PNG (gray or color, 1 to 16 bits, not interlaced, no palette) and PGM or PPM, as text or binary. An image
/// with colors must be gray in fact; transparency is passed over. Throws `Error` that names the file.
GrayImage readGrayImage(const std::string& path);

/// A gray PNG image of 16 bits as bytes; `samples` row by row from the top, 65535 is white.
std::string grayPng(int width, int height, const std::vector<std::uint16_t>& samples);

}  // namespace mortise::io
