#include "mesh/appearance_builder.h"

#include <algorithm>
#include <cmath>

#include "common/geometry_format.h"
#include "mortise/base/error.h"

namespace mortise::io {

std::vector<VisualPart> GeometryFormat::readAppearance(ReadContext&) { return {}; }

Rgba colorFromNumbers(std::span<const double> numbers, bool integers) {
  Rgba color = {1, 1, 1, 1};
  for (std::size_t k = 0; k < std::min<std::size_t>(numbers.size(), 4); ++k) {
    const double value = integers ? numbers[k] / 255 : numbers[k];
    color[k] = std::isfinite(value) ? static_cast<float>(std::clamp(value, 0.0, 1.0)) : 0;
  }
  return color;
}

std::string findTexture(const std::string& reference, const std::string& referringFile, const SourcePosition& where,
                        ReadContext& context) {
  try {
    return context.loader.find(reference, referringFile);
  } catch (const Error& error) {
    context.diagnostics.warning("the texture '" + reference + "' is not drawn: " + error.message(), where,
                                error.hint());
    return {};
  }
}

void AppearanceBuilder::addPolygon(std::span<const Corner> corners) {
  for (std::size_t i = 2; i < corners.size(); ++i) {
    const Corner &a = corners[0], &b = corners[i - 1], &c = corners[i];
    if (a.place == b.place || b.place == c.place || c.place == a.place) continue;
    data_.triangles.push_back({vertex(a), vertex(b), vertex(c)});
  }
}

int AppearanceBuilder::vertex(const Corner& corner) {
  const auto [at, isNew] = known_.try_emplace(corner, static_cast<int>(data_.vertices.size()));
  if (!isNew) return at->second;
  data_.vertices.push_back(places[static_cast<std::size_t>(corner.place)]);
  textured_ = textured_ || corner.coordinate >= 0;
  colored_ = colored_ || corner.color >= 0;
  data_.textureCoordinates.push_back(corner.coordinate < 0 ? Eigen::Vector2f(Eigen::Vector2f::Zero())
                                                           : coordinates[static_cast<std::size_t>(corner.coordinate)]);
  data_.colors.push_back(corner.color < 0 ? Rgba{1, 1, 1, 1} : colors[static_cast<std::size_t>(corner.color)]);
  return at->second;
}

VisualMeshData AppearanceBuilder::take() {
  VisualMeshData data = std::move(data_);
  if (!textured_) data.textureCoordinates.clear();
  if (!colored_) data.colors.clear();
  data_ = {};
  known_.clear();
  textured_ = colored_ = false;
  return data;
}

}  // namespace mortise::io
