#include "mortise/hardware/drive_log.h"

#include <cerrno>
#include <cstring>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"

namespace mortise {

namespace {

std::string logFailure(int code) { return code == 0 ? std::string() : std::string(": ") + std::strerror(code); }

}  // namespace

DriveLog::DriveLog(const std::string& path, const Robot& robot, std::span<const SensorReading> sensors) : path_(path) {
  if (path.empty()) return;
  errno = 0;
  out_.open(path);
  if (!out_) throw Error("'" + path + "' cannot be written" + logFailure(errno), {}, "name another file with --log");
  out_ << "time";
  for (const SensorReading& sensor : sensors)
    for (const std::string& channel : sensor.channels) out_ << "," << sensor.name << "." << channel;
  for (const char* what : {"qcmd", "dqcmd", "torquecmd"})
    for (const Driver& driver : robot.drivers()) out_ << "," << what << "[" << driver.name << "]";
  out_ << "\n";
}

void DriveLog::addRow(double time, std::span<const SensorReading> sensors, std::span<const ActuatorCommand> commands) {
  if (!out_ || !out_.is_open()) return;
  errno = 0;
  out_ << formatReal(time);
  for (const SensorReading& sensor : sensors)
    for (const double value : sensor.values) out_ << "," << formatReal(value);
  for (const ActuatorCommand& c : commands) out_ << "," << formatReal(c.position);
  for (const ActuatorCommand& c : commands) out_ << "," << formatReal(c.velocity);
  for (const ActuatorCommand& c : commands) out_ << "," << formatReal(c.torque);
  out_ << "\n";
  if (!out_) failure_ = errno;
}

void DriveLog::close() {
  if (!out_.is_open()) return;
  if (out_) {
    errno = 0;
    out_.flush();
    failure_ = errno;
  }
  if (!out_)
    throw Error("the log '" + path_ + "' could not be written to its end" + logFailure(failure_), {},
                "make room for it, or name another file with --log");
}

}  // namespace mortise
