#include "mortise/appearance/display_style.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "mortise/configuration/link_setting.h"

namespace mortise {

namespace {

/// Klamp't gives the width of outlines in meters; 0.0025 is what it draws where nothing is said, about two pixels.
constexpr double kPixelsOfOutline = 2 / 0.0025, kWidest = 16;

class StyleReader {
 public:
  explicit StyleReader(const std::function<void(const std::string&)>& warn) : warn_(warn) {}

  void read(const Value& attributes) {
    for (const Value::Entry& entry : attributes.entries()) readColors(entry);
    for (const Value::Entry& entry : attributes.entries()) readWidths(entry);
    if (const Value* texture = attributes.find("texture")) readTexture(*texture, attributes);
  }

  DisplayStyle style;

 private:
  void say(const Value& value, const std::string& message) const {
    if (warn_) warn_(value.position().describe() + ": " + message);
  }

  std::optional<Rgba> color(const Value::Entry& entry, std::size_t from = 0) const {
    const std::vector<double> numbers = displayNumbers(entry.value);
    if (numbers.size() != from + 3 && numbers.size() != from + 4) {
      say(entry.value, "'" + entry.key + "' is not a color (red, green and blue from 0 to 1), so it is not used");
      return std::nullopt;
    }
    Rgba rgba = {0, 0, 0, 1};
    for (std::size_t k = 0; from + k < numbers.size(); ++k)
      rgba[k] = static_cast<float>(std::clamp(numbers[from + k], 0.0, 1.0));
    return rgba;
  }

  void readColors(const Value::Entry& entry) {
    const std::string& key = entry.key;
    if (key == "color") {
      if (const auto rgba = color(entry)) style.color = style.pointColor = rgba;
      style.texture.clear();
    } else if (key == "faceColor") {
      if (const auto rgba = color(entry)) style.color = rgba;
      style.texture.clear();
    } else if (key == "vertexColor") {
      if (const auto rgba = color(entry)) style.pointColor = rgba;
    } else if (key == "edgeColor") {
      const auto rgba = color(entry);
      if (!rgba) return;
      style.edgeColor = *rgba;
      style.edges = (*rgba)[3] > 0 ? std::max(style.edges, 1.0) : 0;
    } else if (key == "emissiveColor" || key == "specularColor" || key == "shininess") {
      say(entry.value, "'" + key + "' is not drawn: surfaces shine as the light of the scene has it");
    }
  }

  void readWidths(const Value::Entry& entry) {
    const std::string& key = entry.key;
    if (key == "silhouette") return readSilhouette(entry);
    if (key != "pointSize" && key != "vertexSize" && key != "edgeSize") return;
    const std::vector<double> numbers = displayNumbers(entry.value);
    if (numbers.size() != 1 || numbers[0] < 0)
      return say(entry.value, "'" + key + "' is not a width in pixels, so it is not used");
    (key == "edgeSize" ? style.edges : style.pointSize) = std::min(numbers[0], kWidest);
  }

  void readSilhouette(const Value::Entry& entry) {
    const std::vector<double> numbers = displayNumbers(entry.value);
    if (numbers.empty() || numbers[0] < 0)
      return say(entry.value, "'silhouette' is not a width and a color, so it is not used");
    style.silhouette = std::min(numbers[0] * kPixelsOfOutline, kWidest);
    if (numbers.size() == 1) return;
    if (const auto rgba = color(entry, 1)) style.silhouetteColor = *rgba;
  }

  void readTexture(const Value& texture, const Value& attributes) {
    style.texture = texture.text();
    style.texturePosition = texture.position();
    const bool named = klamptTexture(style.texture) != nullptr,
               gradient = style.texture.find("gradient") != std::string::npos;
    style.fitTexture = !named || gradient;
    style.projection = named && gradient ? TextureProjection::z : TextureProjection::xy;
    const Value* projection = attributes.find("texture_projection");
    if (projection == nullptr) return;
    const std::string word = projection->text();
    style.projection = word == "z" ? TextureProjection::z : TextureProjection::xy;
    if (word == "conformal") say(*projection, "textures are not wrapped around shapes (conformal); xy is taken");
  }

  const std::function<void(const std::string&)>& warn_;
};

}  // namespace

std::vector<double> displayNumbers(const Value& value) {
  std::vector<double> numbers;
  const auto take = [&](const Value& number) {
    if (!number.isNumber() || !std::isfinite(number.asReal())) return false;
    numbers.push_back(number.asReal());
    return true;
  };
  if (value.isString()) {
    std::istringstream words(value.asString());
    for (std::string word; words >> word;)
      if (!take(Value::fromText(word))) return {};
  } else if (value.isList()) {
    for (const Value& item : value.items())
      if (!take(item)) return {};
  } else if (!take(value)) {
    return {};
  }
  return numbers;
}

bool concernsLink(const Value& attributes, const Robot* robot, int link) {
  const Value* which = attributes.find("link");
  if (which == nullptr || robot == nullptr) return true;
  try {
    return linkFromSetting(*robot, *which) == link;
  } catch (const Error&) {
    return false;  // The reader of the world has said so.
  }
}

DisplayStyle displayStyle(const std::vector<Value>& display, const std::function<void(const std::string&)>& warn,
                          const Robot* robot, int link) {
  StyleReader reader(warn);
  for (const Value& attributes : display)
    if (attributes.isMap() && concernsLink(attributes, robot, link)) reader.read(attributes);
  return std::move(reader.style);
}

}  // namespace mortise
