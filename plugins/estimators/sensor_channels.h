#pragma once

/// Sensors by type and their channels by name.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/component/sensor_reading.h"
#include "mortise/text/suggest.h"

namespace mortise::estimators {

/// Says whether a sensor is of this type, of any vendor ("GyroSensor" is answered by "acme.GyroSensor").
inline bool isOfType(const SensorReading& sensor, std::string_view type) {
  const auto dot = sensor.type.rfind('.');
  return (dot == std::string_view::npos ? sensor.type : sensor.type.substr(dot + 1)) == type;
}

/// Index of a channel, or -1.
inline int findChannel(const SensorReading& sensor, std::string_view channel) {
  for (std::size_t k = 0; k < sensor.channels.size(); ++k)
    if (sensor.channels[k] == channel) return static_cast<int>(k);
  return -1;
}

/// Index of the sensor called so. Throws `Error` with the nearest name when there is none.
inline int requireSensor(std::span<const SensorReading> sensors, const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t s = 0; s < sensors.size(); ++s) {
    if (sensors[s].name == name) return static_cast<int>(s);
    names.emplace_back(sensors[s].name);
  }
  throw Error("the robot has no sensor '" + name + "'", {}, suggestAndList(name, names));
}

}  // namespace mortise::estimators
