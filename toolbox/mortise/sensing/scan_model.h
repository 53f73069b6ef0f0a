#pragma once

#include <vector>

#include "mortise/math/transform.h"

namespace mortise {

/// The beams of a sensor whose values are distances along them, one a value.
struct ScanModel {
  std::vector<Vector3d> directions;  ///< Of length 1, in the sensor's frame, as in the last reading.
  bool sweeps = false;               ///< Directions change from reading to reading.
  double minimum = 0, maximum = 0;   ///< m; `maximum` or more: the beam met nothing.
  int link = -1;                     ///< Link that carries the sensor; -1: fixed in the world.
  RigidTransform X_LS;               ///< z forward, x to the left, y up.
};

/// What a `Sensor` with such values is besides, for those who draw it or tell others of it.
class ScanningSensor {
 public:
  virtual ~ScanningSensor() = default;
  /// As of the last reading.
  virtual const ScanModel& scan() const = 0;
};

}  // namespace mortise
