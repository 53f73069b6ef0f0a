#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace mortise {

/// PNG images as bytes, lossless; pixels row by row from the top left. Throw `Error` when there are not `width` times
/// `height` of them, or none.

/// 8 bits a channel; each pixel is 0xrrggbb.
std::string colorPng(int width, int height, std::span<const std::uint32_t> pixels);
/// 8 bits a channel and opacities from 0 to 255, one a pixel.
std::string colorPng(int width, int height, std::span<const std::uint32_t> pixels,
                     std::span<const std::uint8_t> opacities);
/// One channel of 16 bits, without gamma: the numbers themselves.
std::string depthPng(int width, int height, std::span<const std::uint16_t> pixels);

}  // namespace mortise
