#pragma once

/// Settings of the calibration of motors, under the same names in `mortise robot calibrate` and, besides those of
/// Klamp't, in the settings files of `mortise MotorCalibrate`.

#include <cstdint>

#include "mortise/calibration/motor_calibration.h"
#include "mortise/settings/placed.h"
#include "mortise/settings/settings.h"

namespace mortise {

struct CalibrationSettings {
  PlacedTexts drivers;     ///< Names or numbers; empty: all.
  PlacedTexts fixedLinks;  ///< Names or numbers.
  bool gravityCompensation = DriverTrackOptions().gravityCompensated;
  bool inertia = MotorCalibrationOptions().fitInertia;
  double timeStep = MotorCalibrationOptions().timeStep;  ///< s
  double velocityWeight = MotorCalibrationOptions().velocityWeight;
  int smoothing = DriverTrackOptions().smoothing;
  int restarts = MotorCalibrationOptions().restarts;
  double prior = MotorCalibrationOptions().prior;
  std::int64_t seed = 0;
  void bind(SettingBinder& b);
  /// Throws `Error` for drivers and links that the robot does not have.
  MotorCalibrationOptions options(const Robot& robot) const;
};

}  // namespace mortise
