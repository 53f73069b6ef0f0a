#pragma once

#include <fstream>
#include <span>
#include <string>

#include "mortise/component/controller.h"
#include "mortise/component/sensor_reading.h"
#include "mortise/model/robot.h"

namespace mortise {

/// A CSV file of sensors and commands, a row an update of the controller.
class DriveLog {
 public:
  /// An empty path: no file. Throws `Error` when it cannot be written.
  DriveLog(const std::string& path, const Robot& robot, std::span<const SensorReading> sensors);
  /// Never throws: a robot is not left alone because a disk is full; `close` says so.
  void addRow(double time, std::span<const SensorReading> sensors, std::span<const ActuatorCommand> commands);
  /// Throws `Error` when a row could not be written.
  void close();

 private:
  std::string path_;
  int failure_ = 0;  ///< The system's number for why writing failed.
  std::ofstream out_;
};

}  // namespace mortise
