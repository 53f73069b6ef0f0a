#include "mortise/appearance/display_color.h"

#include <algorithm>

#include "mortise/appearance/display_style.h"

namespace mortise {

namespace {

float colorChannel(double value) { return static_cast<float>(value >= 0 ? std::min(value, 1.0) : 0.0); }

/// Three or four numbers, as a list or as text.
bool readColor(const Value& value, Color& color) {
  const std::vector<double> numbers = displayNumbers(value);
  if (numbers.size() != 3 && numbers.size() != 4) return false;
  for (std::size_t i = 0; i < 3; ++i) color[i] = colorChannel(numbers[i]);
  return true;
}

}  // namespace

Color displayColor(const std::vector<Value>& display, const Color& otherwise,
                   const std::function<void(const std::string&)>& warn, const Robot* robot, int link) {
  Color color = otherwise;
  for (const Value& attributes : display) {
    if (!attributes.isMap() || !concernsLink(attributes, robot, link)) continue;
    for (const Value::Entry& entry : attributes.entries()) {
      if (entry.key != "color" && entry.key != "faceColor") continue;
      if (!readColor(entry.value, color) && warn)
        warn(entry.value.position().describe() + ": '" + entry.key +
             "' is not a color (red, green and blue from 0 to 1), so it is not used");
    }
  }
  return color;
}

std::vector<Color> cloudColors(const PointCloud& cloud) {
  std::vector<Color> colors;
  const std::size_t count = cloud.points.size();
  const PointCloud::Property* packed = cloud.property("rgb");
  if (packed == nullptr) packed = cloud.property("rgba");
  if (packed != nullptr && packed->values.size() == count) {
    colors.reserve(count);
    for (const double value : packed->values) {
      const auto bits = static_cast<std::uint32_t>(value >= 0 ? std::min(value, 4294967295.0) : 0.0);
      colors.push_back({static_cast<float>(bits >> 16 & 255) / 255, static_cast<float>(bits >> 8 & 255) / 255,
                        static_cast<float>(bits & 255) / 255});
    }
    return colors;
  }
  const bool letters = cloud.property("r") != nullptr;
  const PointCloud::Property* single[3] = {cloud.property(letters ? "r" : "red"),
                                           cloud.property(letters ? "g" : "green"),
                                           cloud.property(letters ? "b" : "blue")};
  double largest = 0;
  for (const PointCloud::Property* property : single) {
    if (property == nullptr || property->values.size() != count) return {};
    for (const double value : property->values) largest = std::max(largest, value);
  }
  const double scale = largest > 1 ? 1.0 / 255 : 1;
  colors.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < 3; ++k) colors[i][k] = colorChannel(scale * single[k]->values[i]);
  return colors;
}

}  // namespace mortise
