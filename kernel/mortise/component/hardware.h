#pragma once

/// The interface of a robot's hardware: a driver that reads what the robot's sensors measure and writes what its motors
/// are to do. With one, the controller that ran in simulation drives the robot itself, in the same process.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/component/controller.h"
#include "mortise/component/host.h"
#include "mortise/model/robot.h"
#include "mortise/model/world.h"

namespace mortise {

class Registry;
class ResourceLoader;

/// Commands that the hardware carries out. What is not declared never reaches `Hardware::write`.
struct HardwareCapabilities {
  bool position = false;  ///< `pid` with the robot's own servo gains: position and velocity.
  bool velocity = false;  ///< `velocity`.
  bool torque = false;    ///< `torque`.
  /// Torques that `pid` adds to those of the servo. Without it they are 0 when they reach `write`, which is said.
  bool feedforward = false;
  /// Servo gains that differ from the robot's own. Without it they are the robot's when they reach `write`, which is
  /// said. Position, feedforward and gains together are PID control in full.
  bool gains = false;
  /// Drivers may be commanded in different modes at a time. A motor that is off goes with torques.
  bool mixed = false;
  /// The robot keeps the limits of its motors by itself. Without it commands are kept within those of the robot's
  /// model before they reach `write`, which is said.
  bool limits = false;
};

/// A sensor of the hardware: its values are measured quantities in SI units, one a channel.
struct HardwareSensor {
  std::string name;
  std::string type;                   ///< For controllers that ask for a type; may be empty.
  std::vector<std::string> roles;     ///< Those of `role.h` ("joint_positions"), and others' own.
  std::vector<std::string> channels;  ///< Empty: as sensors of its role, or its name and numbers, call them.
  int size = 0;                       ///< Number of values; that of the channels when they have names.
};

/// Facts about the hardware that are known once it is connected.
struct HardwareDescription {
  std::string place;  ///< For messages: an address, a device, a serial number.
  HardwareCapabilities capabilities;
  /// One must have the role `joint_positions` and a value a link: where the robot is.
  std::vector<HardwareSensor> sensors;
  /// s: how often it wants to be read and written. 0 leaves it to the user.
  double period = 0;
  /// `read` waits for the next state by itself, as where the robot sends them. Else the program reads once a period, by
  /// its clock.
  bool setsPace = false;
};

struct HardwareSetup {
  const Robot& robot;  ///< Outlives the hardware.
  double rate = 0;     ///< Hz, as the user wants it; 0: the hardware chooses.
  /// The world around the robot, and the index of the robot in it. Null where it is unknown; outlives the hardware.
  const World* world = nullptr;
  int robotIndex = -1;
  /// For simulated robots, which find their engine and their files by them. Both outlive the hardware; the loader may
  /// be null.
  Registry* registry = nullptr;
  ResourceLoader* loader = nullptr;
};

/// The measurements of the hardware. The program owns them: there is an entry a sensor, of the right size.
struct HardwareState {
  /// s, by a clock of the robot's that never goes back. `read` finds the time since the first state by the program's
  /// clock here, and may leave it.
  double time = 0;
  struct Sensor {
    std::vector<double> values;
    bool measured = true;  ///< False, set by `read`: the values are those of an earlier state.
  };
  std::vector<Sensor> sensors;
};

enum class HardwareRead {
  state,    ///< There is a new state.
  nothing,  ///< There is none yet; the program asks again.
  ended     ///< The robot has left, and nothing is wrong: `ending` says how.
};

/// For the report at the end.
struct HardwareCounts {
  std::int64_t skipped = 0;  ///< States that were dropped, because newer ones were there already.
  std::int64_t refused = 0;  ///< Commands that the robot refused.
};

/// A driver of a robot. Its functions are called by one thread, in this order: `connect`, `description`, `read`,
/// `start`, then for each state `write` or `confirm`, `read`; at the end `stop`, or `emergencyStop` after a fault. What
/// any of them throws is a fault; `Error` says what is wrong and what to do. Waits are bounded (20 times a second
/// `read` should return `nothing`), and ask `Host::stopRequested`.
class Hardware {
 public:
  virtual ~Hardware();

  /// Once, first: opens the connection. The motors stay as they are.
  virtual void connect(const HardwareSetup& setup) = 0;
  /// Returns what is known after `connect`; fixed from then on.
  virtual HardwareDescription description() const = 0;
  /// Takes in the newest state. Must not allocate.
  virtual HardwareRead read(HardwareState& state) = 0;
  /// Once, after the first state and before the first command: switches the motors on. `q` is where the robot is, one
  /// number a link; `period` the time between commands, s.
  virtual void start(const VectorXd& q, double period) = 0;
  /// Takes one command a driver, of declared capabilities and finite. It holds until the next one, which comes about
  /// `period` seconds later. Must not allocate.
  virtual void write(std::span<const ActuatorCommand> commands, double period) = 0;
  /// The usual end, Ctrl-C and a controller that failed among it: the robot comes to rest and holds. May be called
  /// without `start`, and after the robot has left. The object is destroyed afterwards.
  virtual void stop() = 0;
  /// After a fault of the hardware: motors are switched off, or whatever is safest. Must not throw, and must do what it
  /// can when the connection is gone.
  virtual void emergencyStop() noexcept = 0;

  /// In place of `write`, after a state that asked for no update: the command stays. For robots that wait for an
  /// answer.
  virtual void confirm();
  /// Returns what is wrong with the robot now, as a sentence without period (an emergency stop was pressed, a motor is
  /// too hot); empty when nothing is. Asked after every `read` and `write`.
  virtual std::string fault() const;
  /// Returns why `read` said `ended`.
  virtual std::string ending() const;
  virtual HardwareCounts counts() const;
};

}  // namespace mortise
