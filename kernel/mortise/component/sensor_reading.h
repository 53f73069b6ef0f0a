#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/math/transform.h"

namespace mortise {

/// Layout of a camera's values as an image: first colors (0xrrggbb as a number), then depths (m along the optical
/// axis), one value a pixel, row by row from the top left.
struct CameraModel {
  int width = 0, height = 0;
  double fx = 0, fy = 0, cx = 0, cy = 0;  ///< Pixels; the center of the top left pixel is (0, 0).
  bool color = false, depth = false;      ///< Parts that the image has.
  double minDepth = 0, maxDepth = 0;      ///< m; depths outside mean that nothing was seen.
  int link = -1;                          ///< Link that carries the camera; -1: fixed in the world.
  RigidTransform X_LS;                    ///< z forward, x right, y down.
};

/// The beams of a sensor whose values are distances along them, one a value.
struct ScanModel {
  std::vector<Vector3d> directions;  ///< Units, in the sensor's frame, as in the last reading.
  bool sweeps = false;               ///< Directions change from reading to reading.
  double minimum = 0, maximum = 0;   ///< m; `maximum` or more: the beam met nothing.
  int link = -1;                     ///< Link that carries the sensor; -1: fixed in the world.
  RigidTransform X_LS;               ///< z forward, x to the left, y up.
};

/// The last values of one sensor.
struct SensorReading {
  std::string_view name;
  std::string_view type;  ///< The name that the user gives it. `roles` say what the values are.
  std::span<const std::string> channels;
  std::span<const double> values;
  const CameraModel* camera = nullptr;      ///< Camera, of sensors whose values are an image.
  std::span<const std::string> roles = {};  ///< Those of `role.h`, and others' own.

  bool hasRole(std::string_view role) const { return std::find(roles.begin(), roles.end(), role) != roles.end(); }
};

/// nullptr when there is none.
inline const SensorReading* findReading(std::span<const SensorReading> sensors, std::string_view name) {
  for (const SensorReading& reading : sensors)
    if (reading.name == name) return &reading;
  return nullptr;
}

/// Returns the first with this role, nullptr when there is none.
inline const SensorReading* readingWithRole(std::span<const SensorReading> sensors, std::string_view role) {
  for (const SensorReading& reading : sensors)
    if (reading.hasRole(role)) return &reading;
  return nullptr;
}

}  // namespace mortise
