#pragma once

#include <optional>
#include <span>
#include <string>

#include "mortise/component/sensor_reading.h"

namespace mortise::recorders {

/// One reading of a camera as files hold it.
class CameraImage {
 public:
  /// Both outlive the image. Throws `Error` when the values are not as many as the camera has.
  CameraImage(const CameraModel& camera, std::span<const double> values);

  /// PNG, 8 bits a channel.
  std::string colorFile() const;
  /// PNG of 16 bits, in steps of `unit` meters; 0 where nothing is seen; never more than 65535, never 0 where something
  /// is. `clipped` becomes true when some depth is beyond that.
  std::string depthFile(double unit, bool& clipped) const;
  /// Organized point cloud, binary PCD 0.7: x, y, z (m) and, with colors, rgb as PCL packs it; NaN where nothing is
  /// seen. Points are in the camera's frame, or in the world's where `X_WC` is given.
  std::string pointFile(const std::optional<RigidTransform>& X_WC) const;

  /// A depth outside the camera's range means that nothing was seen.
  bool seen(std::size_t pixel) const;

 private:
  std::size_t numPixels() const {
    return static_cast<std::size_t>(camera_.width) * static_cast<std::size_t>(camera_.height);
  }
  std::uint32_t colorAt(std::size_t pixel) const;

  const CameraModel& camera_;
  std::span<const double> colors_, depths_;  ///< Empty where the camera has none.
};

}  // namespace mortise::recorders
