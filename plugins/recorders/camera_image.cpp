#include "camera_image.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/images/png_image.h"

namespace mortise::recorders {

CameraImage::CameraImage(const CameraModel& camera, std::span<const double> values) : camera_(camera) {
  const std::size_t pixels = camera.width > 0 && camera.height > 0 ? numPixels() : 0;
  const std::size_t images = (camera.color ? 1u : 0u) + (camera.depth ? 1u : 0u);
  if (pixels == 0 || values.size() != pixels * images)
    throw Error("a camera of " + std::to_string(camera.width) + " x " + std::to_string(camera.height) + " pixels has " +
                std::to_string(values.size()) + " values");
  if (camera.color) colors_ = values.first(pixels);
  if (camera.depth) depths_ = values.last(pixels);
}

bool CameraImage::seen(std::size_t pixel) const {
  const double depth = depths_[pixel];
  return depth >= camera_.minDepth && depth < camera_.maxDepth;
}

/// Noise or a filter may have left a number that is no color: the nearest one.
std::uint32_t CameraImage::colorAt(std::size_t pixel) const {
  const double color = colors_[pixel];
  return !(color > 0) ? 0u : color >= 0xffffff ? 0xffffffu : static_cast<std::uint32_t>(color);
}

std::string CameraImage::colorFile() const {
  std::vector<std::uint32_t> pixels(colors_.size());
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = colorAt(i);
  return colorPng(camera_.width, camera_.height, pixels);
}

std::string CameraImage::depthFile(double unit, bool& clipped) const {
  constexpr double kMaximum = std::numeric_limits<std::uint16_t>::max();
  std::vector<std::uint16_t> pixels(depths_.size(), 0);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    if (!seen(i)) continue;
    const double steps = std::round(depths_[i] / unit);
    clipped = clipped || steps > kMaximum;
    pixels[i] = steps < 1 ? std::uint16_t{1} : static_cast<std::uint16_t>(std::min(steps, kMaximum));
  }
  return depthPng(camera_.width, camera_.height, pixels);
}

std::string CameraImage::pointFile(const std::optional<RigidTransform>& X_WC) const {
  const bool color = !colors_.empty();
  const std::string count = std::to_string(numPixels());
  std::string text = "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\n";
  text += color ? "FIELDS x y z rgb\nSIZE 4 4 4 4\nTYPE F F F F\nCOUNT 1 1 1 1\n"
                : "FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\n";
  // Points are where the file says: a viewpoint would make some programs move them once more.
  text += "WIDTH " + std::to_string(camera_.width) + "\nHEIGHT " + std::to_string(camera_.height) +
          "\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS " + count + "\nDATA binary\n";
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  const std::size_t stride = color ? 16 : 12;
  const std::size_t header = text.size();
  text.resize(header + stride * numPixels());
  char* to = text.data() + header;
  for (std::size_t i = 0; i < numPixels(); ++i, to += stride) {
    float point[3] = {kNaN, kNaN, kNaN};
    if (seen(i)) {
      const auto column = static_cast<double>(i % static_cast<std::size_t>(camera_.width));
      const auto row = static_cast<double>(i / static_cast<std::size_t>(camera_.width));
      const double z = depths_[i];
      Vector3d p((column - camera_.cx) / camera_.fx * z, (row - camera_.cy) / camera_.fy * z, z);
      if (X_WC) p = *X_WC * p;
      for (int k = 0; k < 3; ++k) point[k] = static_cast<float>(p[k]);
    }
    std::memcpy(to, point, sizeof(point));
    if (!color) continue;
    const std::uint32_t rgb = colorAt(i);
    std::memcpy(to + sizeof(point), &rgb, sizeof(rgb));
  }
  return text;
}

}  // namespace mortise::recorders
