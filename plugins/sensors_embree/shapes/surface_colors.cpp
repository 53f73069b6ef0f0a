#include "shapes/surface_colors.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"

namespace mortise::sensors_embree {

namespace {

/// Images repeat beyond their borders.
int wrapped(double at, int count) {
  const double inside = at - std::floor(at / count) * count;
  return std::min(static_cast<int>(inside), count - 1);
}

/// Between the four nearest pixels.
Color sample(const ColorImage& image, double u, double v) {
  const double x = u * image.width - 0.5, y = v * image.height - 0.5;
  const double fx = x - std::floor(x), fy = y - std::floor(y);
  Color color = {0, 0, 0};
  for (int corner = 0; corner < 4; ++corner) {
    const int i = wrapped(std::floor(x) + (corner & 1), image.width),
              j = wrapped(std::floor(y) + (corner >> 1), image.height);
    const double weight = (corner & 1 ? fx : 1 - fx) * (corner & 2 ? fy : 1 - fy);
    const std::uint32_t pixel =
        image.pixels[static_cast<std::size_t>(j) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(i)];
    for (std::size_t k = 0; k < 3; ++k)
      color[k] += static_cast<float>(weight) * static_cast<float>(pixel >> (16 - 8 * k) & 255) / 255;
  }
  return color;
}

}  // namespace

TextureImages::Image TextureImages::of(const TexturePtr& texture, std::string& problem) {
  if (texture == nullptr) return nullptr;
  const auto [known, isNew] = images_.try_emplace(texture);
  if (!isNew) return known->second;
  try {
    known->second = std::make_shared<const ColorImage>(readColorImage(texture->bytes));
  } catch (const Error& error) {
    problem = "a texture is not seen: " + error.message();
  }
  return known->second;
}

SurfaceColors::SurfaceColors(const VisualMesh& mesh, TextureImages::Image image)
    : data_(mesh.data), image_(std::move(image)) {
  if (mesh.material) std::copy_n(mesh.material->color.begin(), 3, base_.begin());
  if (data_->textureCoordinates.empty()) image_ = nullptr;
}

Color SurfaceColors::at(std::size_t triangle, const std::array<double, 3>& weights) const {
  Color color = base_;
  if (image_ == nullptr && data_->colors.empty()) return color;
  const auto& corners = data_->triangles[triangle];
  double u = 0, v = 0;
  Color own = {0, 0, 0};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto corner = static_cast<std::size_t>(corners[k]);
    if (image_ != nullptr) {
      u += weights[k] * static_cast<double>(data_->textureCoordinates[corner][0]);
      v += weights[k] * static_cast<double>(data_->textureCoordinates[corner][1]);
    }
    if (!data_->colors.empty())
      for (std::size_t c = 0; c < 3; ++c) own[c] += static_cast<float>(weights[k]) * data_->colors[corner][c];
  }
  if (!data_->colors.empty())
    for (std::size_t c = 0; c < 3; ++c) color[c] *= own[c];
  if (image_ != nullptr) {
    const Color texel = sample(*image_, u, v);
    for (std::size_t c = 0; c < 3; ++c) color[c] *= texel[c];
  }
  return color;
}

}  // namespace mortise::sensors_embree
