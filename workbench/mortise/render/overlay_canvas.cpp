#include "mortise/render/overlay_canvas.h"

#include <algorithm>
#include <cmath>

#include "mortise/appearance/picture_style.h"
#include "mortise/render/stroke_font.h"

namespace mortise::render {

namespace {

/// Nothing is drawn nearer to the camera, m.
constexpr double kNearest = 1e-4;
/// Rows of a picture of usual size.
constexpr double kUsualRows = 900;
/// The tolerance in which lines on a surface are in front of it, as a fraction of the depth.
constexpr double kOnSurface = 2e-3;

}  // namespace

/// A band between two points, whose half widths differ.
struct OverlayCanvas::Stroke {
  Point from, to;
  double fromHalf, toHalf;  ///< Pixels.
  bool round;               ///< Its ends are; else they are cut straight.
};

OverlayCanvas::OverlayCanvas(Picture& picture, const PictureCamera& camera)
    : picture_(picture), camera_(camera), X_CW_(camera.X_WC.inverse()) {}

double OverlayCanvas::unit() const { return std::max(1.0, camera_.height / kUsualRows); }

/// Cuts off what is behind the camera; false: all of it is.
bool OverlayCanvas::clip(Vector3d& from, Vector3d& to) const {
  if (!from.allFinite() || !to.allFinite() || (from.z() < kNearest && to.z() < kNearest)) return false;
  const auto cut = [](Vector3d& out, const Vector3d& in) {
    if (out.z() < kNearest) out += (kNearest - out.z()) / (in.z() - out.z()) * (in - out);
  };
  cut(from, to);
  cut(to, from);
  return true;
}

OverlayCanvas::Point OverlayCanvas::project(const Vector3d& p) const {
  const double scale = camera_.focal / p.z();
  return {{scale * p.x() + 0.5 * (camera_.width - 1), scale * p.y() + 0.5 * (camera_.height - 1)}, p.z()};
}

void OverlayCanvas::line(const Vector3d& from, const Vector3d& to, double widthPixels, std::uint32_t color) {
  Vector3d a = X_CW_ * from, b = X_CW_ * to;
  if (!clip(a, b)) return;
  const double half = 0.5 * widthPixels * unit();
  stroke({project(a), project(b), half, half, true}, color);
}

void OverlayCanvas::arrow(const Vector3d& from, const Vector3d& along, double radius, std::uint32_t color) {
  const double length = along.norm();
  if (!(length > 1e-9) || !std::isfinite(length)) return;
  const double head = std::min(style::kArrowHeadLength * radius, style::kArrowMaxHead * length),
               wide = std::min(radius, head / style::kArrowHeadLength);
  const auto part = [&](double begin, double end, double beginRadius, double endRadius) {
    Vector3d a = X_CW_ * (from + begin / length * along), b = X_CW_ * (from + end / length * along);
    if (!clip(a, b)) return;
    const double least = 0.5 * unit();
    const auto half = [&](double r, double depth) { return r > 0 ? std::max(least, camera_.focal * r / depth) : 0; };
    stroke({project(a), project(b), half(beginRadius, a.z()), half(endRadius, b.z()), false}, color);
  };
  part(0, length - head, wide, wide);
  part(length - head, length, style::kArrowHead * wide, 0);
}

void OverlayCanvas::words(const Vector3d& above, std::string_view utf8, double height, std::uint32_t color,
                          std::uint32_t rim) {
  const Vector3d p = X_CW_ * above;
  if (!p.allFinite() || p.z() < kNearest) return;
  const Point anchor = project(p);
  const double size = height * unit(), thin = 0.07 * size;
  const WrittenWords written = writtenWords(utf8);
  const auto place = [&](const Eigen::Vector2d& at) {
    return Point{anchor.at + size * Eigen::Vector2d(at.x() - 0.5 * written.width, -0.6 - at.y()), anchor.depth};
  };
  for (const auto& [half, ink] : {std::pair(2.8 * thin, rim), std::pair(thin, color)})
    for (const std::vector<Eigen::Vector2d>& line : written.strokes)
      for (std::size_t i = 1; i < line.size(); ++i)
        stroke({place(line[i - 1]), place(line[i]), half, half, true}, ink, true);
}

/// `seen`: nothing hides it.
void OverlayCanvas::stroke(const Stroke& s, std::uint32_t color, bool seen) {
  const double reach = std::max(s.fromHalf, s.toHalf) + 1;
  const Eigen::Vector2d low = s.from.at.cwiseMin(s.to.at), high = s.from.at.cwiseMax(s.to.at);
  const auto within = [](double value, int most) {
    return static_cast<int>(std::clamp(value, 0.0, static_cast<double>(most)));
  };
  const int left = within(std::floor(low.x() - reach), camera_.width),
            right = within(std::ceil(high.x() + reach) + 1, camera_.width),
            top = within(std::floor(low.y() - reach), camera_.height),
            bottom = within(std::ceil(high.y() + reach) + 1, camera_.height);
  const Eigen::Vector2d d = s.to.at - s.from.at;
  const double length = d.norm();
  for (int row = top; row < bottom; ++row)
    for (int column = left; column < right; ++column) {
      const Eigen::Vector2d p = Eigen::Vector2d(column, row) - s.from.at;
      const double along = length > 1e-9 ? p.dot(d) / length : 0, fraction = length > 1e-9 ? along / length : 0;
      const double at = std::clamp(fraction, 0.0, 1.0), half = s.fromHalf + at * (s.toHalf - s.fromHalf);
      double covered;
      if (s.round) {
        covered = std::clamp(half + 0.5 - (p - at * d).norm(), 0.0, 1.0);
      } else {
        const double aside = length > 1e-9 ? std::abs(p.x() * d.y() - p.y() * d.x()) / length : p.norm();
        covered =
            std::clamp(half + 0.5 - aside, 0.0, 1.0) * std::clamp(std::min(along, length - along) + 0.5, 0.0, 1.0);
      }
      // Depths along a line are even in their inverse.
      const double depth = 1 / ((1 - at) / s.from.depth + at / s.to.depth);
      const std::size_t pixel =
          static_cast<std::size_t>(row) * static_cast<std::size_t>(camera_.width) + static_cast<std::size_t>(column);
      if (!seen && !picture_.depth.empty() && static_cast<double>(picture_.depth[pixel]) < depth * (1 - kOnSurface))
        covered *= style::kHidden;
      if (covered > 0) put(column, row, covered, color);
    }
}

void OverlayCanvas::put(int column, int row, double fraction, std::uint32_t color) {
  const std::size_t at =
      static_cast<std::size_t>(row) * static_cast<std::size_t>(camera_.width) + static_cast<std::size_t>(column);
  std::uint32_t& pixel = picture_.pixels[at];
  const double below = picture_.opacity.empty() ? 1 : picture_.opacity[at] / 255.0,
               full = fraction + (1 - fraction) * below;
  if (!(full > 0)) return;
  std::uint32_t mixed = 0;
  for (const int shift : {16, 8, 0}) {
    const double over = color >> shift & 255, under = pixel >> shift & 255;
    mixed |= static_cast<std::uint32_t>(std::lround((fraction * over + (1 - fraction) * below * under) / full))
             << shift;
  }
  pixel = mixed;
  if (!picture_.opacity.empty()) picture_.opacity[at] = static_cast<std::uint8_t>(std::lround(255 * full));
}

}  // namespace mortise::render
