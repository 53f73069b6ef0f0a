#include "common/gray_pixels.h"

#include "mortise/base/error.h"
#include "mortise/base/position.h"

namespace mortise::io {

namespace {

constexpr int kLargestSide = 1 << 15;
/// An image of one color packs a thousand times smaller than the heights that it becomes.
constexpr std::int64_t kMaxPixels = 25'000'000;

}  // namespace

void appendPixels(GrayImage& image, const std::string& path, const PixelLayout& layout,
                  std::span<const std::uint16_t> samples) {
  const auto channels = static_cast<std::size_t>(layout.channels);
  const std::size_t colors = channels - (layout.alpha ? 1 : 0);
  for (std::size_t i = 0; i < samples.size(); i += channels) {
    for (std::size_t c = 1; c < colors; ++c)
      if (samples[i + c] != samples[i])
        throw Error("the image has colors; heights are shades of gray", inFile(path), "save it as a gray image");
    image.pixels.push_back(static_cast<float>(samples[i]) / static_cast<float>(layout.white));
  }
}

void checkImageSize(const std::string& path, std::int64_t width, std::int64_t height) {
  const std::string size = "an image of " + std::to_string(width) + " x " + std::to_string(height) + " pixels ";
  if (width < 1 || height < 1 || width > kLargestSide || height > kLargestSide)
    throw Error(size + "cannot be read", inFile(path), "images have 1 to 32768 rows and columns");
  if (width * height > kMaxPixels)
    throw Error(size + "is too large for a heightmap", inFile(path), "it may have 25 million pixels; scale it down");
}

}  // namespace mortise::io
