#pragma once

/// Calibration of motors, for `mortise robot calibrate` and for Klamp't's MotorCalibrate.

#include <string>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/calibration/motor_calibration.h"
#include "mortise/loading/format_loader.h"

namespace mortise::app {

/// [{driver, name, before, after, deviation, error_before, error_after, converged}], the three in the middle {servo_p,
/// servo_i, servo_d, dry_friction, viscous_friction, added_inertia}.
Value calibrationValue(const Robot& robot, const MotorCalibration& calibration);

/// "the motions say little of servoI of 'elbow': 12 +- 9", a line for each parameter whose standard error is more than
/// a fifth of it, where it matters; empty: none.
std::vector<std::string> uncertainParameters(const Robot& robot, const MotorCalibration& calibration);

/// The lines with the gains of all drivers for a robot's file: statements of a .rob file, or elements of a URDF's
/// <klampt>.
std::string gainLines(const RobotDescription& robot, bool urdf);

/// Writes the motions that the model makes before and after to PREFIXbefore_0.path, PREFIXafter_0.path, ... Returns the
/// files.
std::vector<std::string> writeSimulated(FormatLoader& loader, const std::string& prefix,
                                        const std::vector<RecordedMotion>& motions, const MotorCalibration& calibration,
                                        Diagnostics& diagnostics);

}  // namespace mortise::app
