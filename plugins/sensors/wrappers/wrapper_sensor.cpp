#include "wrappers/wrapper_sensor.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/text/suggest.h"

namespace mortise::sensors {

void WrappedSensor::find(const SensorSetup& setup, const std::string& name, const SourcePosition& where, bool numbers) {
  name_ = name;
  const SensorReading* wrapped = findReading(setup.sensors, name_);
  if (wrapped == nullptr) {
    std::vector<std::string> names;
    for (const SensorReading& reading : setup.sensors) names.emplace_back(reading.name);
    std::string hint = didYouMean(name_, names);
    if (!hint.empty()) hint += ' ';
    hint += "A sensor must be declared before those that wrap it; ";
    hint += names.empty() ? "none stands before this one" : listNames(names);
    throw Error(
        "there is no sensor '" + name_ + "' before this one on robot '" + setup.world.robots[setup.robot].name + "'",
        where, hint);
  }
  wrapped_ = *wrapped;
  firstNumber_ = 0;
  if (const CameraModel* camera = wrapped_.camera; camera != nullptr && camera->color)
    firstNumber_ = std::min(size(), static_cast<std::size_t>(camera->width) * static_cast<std::size_t>(camera->height));
  if (numbers && firstNumber_ == size() && size() > 0)
    throw Error("sensor '" + name_ + "' measures only colors, which this wrapper passes on unchanged", where,
                "give the camera depth=1, or wrap it with a TimeDelayedSensor");
}

void WrappedSensor::checkCounts(const Value& settings) const {
  for (const Value::Entry& entry : settings.entries())
    if (entry.value.isList() && entry.value.size() > 1 && entry.value.size() != size())
      throw Error("'" + entry.key + "' of a wrapper of sensor '" + name_ + "' has " +
                      std::to_string(entry.value.size()) + " entries, but the sensor has " + std::to_string(size()) +
                      " channels",
                  settingPosition(entry.key), "give one for all channels, or one a channel");
}

void WrappedSensor::requireNumbers(std::span<const double> values) {
  for (const double value : values)
    if (std::isnan(value)) throw Error("the snapshot holds a measured value that is not a number");
}

}  // namespace mortise::sensors
