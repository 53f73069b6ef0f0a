#pragma once

/// The interface of a robot controller. It sees sensor readings and a robot model, never a physics engine, so the same
/// binary can drive a real robot.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/base/value.h"
#include "mortise/component/host.h"
#include "mortise/component/role.h"
#include "mortise/component/sensor_reading.h"
#include "mortise/model/robot.h"
#include "mortise/model/robot_state.h"

namespace mortise {

struct World;

/// Command to one driver's motor, held until the controller's next update.
struct ActuatorCommand {
  enum class Mode { off, torque, pid, velocity } mode = Mode::off;
  double kP = 0, kI = 0, kD = 0;  ///< PID gains; the runtime presets the driver's servo gains.
  double position = 0;            ///< Desired driver value (pid).
  double velocity = 0;            ///< Desired driver velocity (pid, velocity).
  double torque = 0;              ///< Torque (torque mode), or feedforward (pid).
};

struct ControllerSetup {
  const Robot& robot;                       ///< Outlives the controller.
  double period;                            ///< Seconds between updates.
  const VectorXd& q;                        ///< Configuration at the start.
  Vector3d gravity = Vector3d(0, 0, -9.8);  ///< m/s^2, world frame.
  /// Readings that `update` will get: names, types and channels. The same order, the same spans.
  std::span<const SensorReading> sensors = {};
  /// The model of everything as it was loaded, for controllers that plan among obstacles, and which robot of it this
  /// one is. Null where it is unknown; outlives the controller.
  const World* world = nullptr;
  int robotIndex = -1;
};

struct ControllerInput {
  double time = 0;        ///< Simulated seconds.
  std::int64_t tick = 0;  ///< Physics steps since the start.
  std::span<const SensorReading> sensors;
  /// State by the estimator that the controller asked for: q, dq and up-to-date frames. Null when it
  /// asked for none: with the attribute `estimator` of its declaration, or the user in its settings.
  const RobotState* estimate = nullptr;

  /// The first reading of a sensor of this type; nullptr when there is none.
  const SensorReading* byType(std::string_view type) const {
    for (const auto& reading : sensors)
      if (reading.type == type) return &reading;
    return nullptr;
  }
  /// The first reading of a sensor with this role (`role.h`); nullptr when there is none.
  const SensorReading* byRole(std::string_view role) const { return readingWithRole(sensors, role); }
  const SensorReading* byName(std::string_view name) const { return findReading(sensors, name); }
};

class Controller {
 public:
  virtual ~Controller();

  /// Once before the first update, and again after a reset. Allocate here, not in `update`. May throw `Error`.
  virtual void start(const ControllerSetup& setup) = 0;
  /// Every period. `commands` has one entry a driver and still holds what the last update left there. Must not
  /// allocate, lock or block.
  virtual void update(const ControllerInput& input, double period, std::span<ActuatorCommand> commands) = 0;

  /// Named commands ("set_q", "append_tq", ...) with their arguments as text or numbers. Returns false for a command
  /// this controller does not know; throws `Error` for wrong arguments.
  virtual bool command(std::string_view name, const Value& arguments);
  /// The commands that `command` knows, with a line of help each.
  virtual std::vector<std::pair<std::string, std::string>> commands() const;

  /// Settings as they are now, by name: those of the schema that can change, and those that can only be read.
  virtual Value settings() const;
  /// Says whether `settings` has this one, under this name or an alias.
  virtual bool hasSetting(std::string_view name) const;
  /// Changes a setting while running. Returns false for one that this controller does not have or does not change;
  /// throws `Error` for a wrong value.
  virtual bool changeSetting(std::string_view name, const Value& value);

  /// Everything that later updates depend on, changed settings included.
  virtual void save(ByteWriter& out) const;
  virtual void restore(ByteReader& in);
};

}  // namespace mortise
