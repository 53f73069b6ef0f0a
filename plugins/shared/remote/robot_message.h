#pragma once

/// The messages between a robot (simulated or real) and a controller in another process; docs/remote.md says what they
/// mean. JSON objects, with the keys of Klamp't's SerialController.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/base/value.h"
#include "mortise/component/sensor_reading.h"

namespace mortise::remote {

/// Why a message was refused, as the answer says it: a word for programs, and a sentence for people.
class MessageError : public Error {
 public:
  MessageError(std::string code, const std::string& message) : Error(message), code_(std::move(code)) {}
  const std::string& code() const { return code_; }

 private:
  std::string code_;
};

/// Numbers that no robot's command has: larger ones are refused, because they overflow in the servo's arithmetic.
inline constexpr double kLargestCommand = 1e9;

/// Commands of a controller to the robot.
struct RobotCommand {
  enum class Type {
    none,      ///< Settings only, or nothing at all: everything stays as it is.
    position,  ///< `q`, with `dq` and `torque` where given.
    velocity,  ///< `dq` for `duration` seconds, then hold.
    torque,
  } type = Type::none;
  std::vector<double> q, dq;   ///< One a link, or empty.
  std::vector<double> torque;  ///< One a driver, or empty.
  double duration = 0;         ///< s
  bool empty = false;          ///< The message was `{}`: nothing is asked, but it counts as an answer.

  /// Without value: the client wants to know it.
  struct Setting {
    std::string name;
    std::optional<Value> value;
  };
  std::optional<Setting> setting;
};

/// Reads a command for a robot of this size. Allocates nothing when `command` was used before, but for settings. Throws
/// `MessageError` with code `malformed` (not JSON, or wrong types), `wrong_size`, `out_of_range` or `no_command`.
void readCommand(std::string_view text, int numLinks, int numDrivers, RobotCommand& command);
/// The JSON of a command; `setting` is left out.
void appendCommand(std::string& out, const RobotCommand& command);

/// The report of the robot at time `t` (s); the next message comes `dt` later. The same for reading and writing.
struct RobotReport {
  std::optional<double> t, dt;
  std::vector<double> qcmd, dqcmd;  ///< Values that the servos track, one a link; empty when not all drivers have one.
  struct Sensor {
    std::string name;
    std::vector<double> values;
  };
  std::vector<Sensor> sensors;
  std::size_t numSensors = 0;  ///< Number of `sensors` that belong to this message; the others keep their memory.
  std::string error, message;  ///< Texts of an answer to what was wrong.
};

/// Keys of a report that are no sensors.
bool isReservedKey(std::string_view key);

/// `qcmd` and `dqcmd` may be empty. Allocates nothing once `out` has grown.
void appendReport(std::string& out, double t, double dt, std::span<const double> qcmd, std::span<const double> dqcmd,
                  std::span<const SensorReading> sensors, std::span<const char> sent);
/// Throws `Error` for what is no report.
void readReport(std::string_view text, RobotReport& report);

void appendErrorMessage(std::string& out, std::string_view code, std::string_view message);
void appendSettingMessage(std::string& out, std::string_view name, const Value& value);

}  // namespace mortise::remote
