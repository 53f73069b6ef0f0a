#pragma once

#include <cstdint>
#include <string_view>

#include "mortise/math/transform.h"
#include "mortise/render/picture.h"

namespace mortise::render {

/// The camera of a picture.
struct PictureCamera {
  RigidTransform X_WC;  ///< z forward, x right, y down.
  double focal = 1;     ///< Pixels.
  int width = 0, height = 0;
};

/// Draws over a finished picture, at the same pixels, with smooth edges. What bodies hide is drawn faintly.
class OverlayCanvas {
 public:
  /// `picture` outlives this; where it has no depths, nothing is hidden.
  OverlayCanvas(Picture& picture, const PictureCamera& camera);

  /// Colors are 0xrrggbb.
  void line(const Vector3d& from, const Vector3d& to, double widthPixels, std::uint32_t color);
  /// An arrow with a shaft of this radius, m, which is never thinner than a pixel.
  void arrow(const Vector3d& from, const Vector3d& along, double radius, std::uint32_t color);

  /// Words in the middle above a point, with a rim of another color, so that they can be read before anything. They
  /// are always seen. `height` of a capital letter, pixels of a picture of usual size.
  void words(const Vector3d& above, std::string_view utf8, double height, std::uint32_t color, std::uint32_t rim);

  /// Pixels that a line takes which is one pixel wide in a picture of usual size.
  double unit() const;

 private:
  struct Point {
    Eigen::Vector2d at;  ///< Pixels; the center of the top left one is (0, 0).
    double depth;
  };
  struct Stroke;
  bool clip(Vector3d& from, Vector3d& to) const;
  Point project(const Vector3d& inCamera) const;
  void stroke(const Stroke& stroke, std::uint32_t color, bool seen = false);
  void put(int column, int row, double fraction, std::uint32_t color);

  Picture& picture_;
  PictureCamera camera_;
  RigidTransform X_CW_;
};

}  // namespace mortise::render
