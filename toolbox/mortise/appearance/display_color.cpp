#include "mortise/appearance/display_color.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "mortise/configuration/link_setting.h"

namespace mortise {

namespace {

float colorChannel(double value) { return static_cast<float>(value >= 0 ? std::min(value, 1.0) : 0.0); }

/// Three or four numbers, as a list or as text.
bool readColor(const Value& value, Color& color) {
  std::vector<double> numbers;
  if (value.isString()) {
    std::istringstream words(value.asString());
    for (std::string word; words >> word;) {
      const Value number = Value::fromText(word);
      if (!number.isNumber()) return false;
      numbers.push_back(number.asReal());
    }
  } else if (value.isList()) {
    for (const Value& item : value.items()) {
      if (!item.isNumber()) return false;
      numbers.push_back(item.asReal());
    }
  }
  if (numbers.size() != 3 && numbers.size() != 4) return false;
  for (const double number : numbers)
    if (!std::isfinite(number)) return false;
  for (std::size_t i = 0; i < 3; ++i) color[i] = colorChannel(numbers[i]);
  return true;
}

}  // namespace

Color displayColor(const std::vector<Value>& display, const Color& otherwise,
                   const std::function<void(const std::string&)>& warn, const Robot* robot, int link) {
  Color color = otherwise;
  for (const Value& attributes : display) {
    if (!attributes.isMap()) continue;
    if (const Value* which = attributes.find("link"); which != nullptr && robot != nullptr) {
      try {
        if (linkFromSetting(*robot, *which) != link) continue;
      } catch (const Error&) {
        continue;  // The reader of the world has said so.
      }
    }
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
  const PointCloud::Property* single[3] = {cloud.property("r"), cloud.property("g"), cloud.property("b")};
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
