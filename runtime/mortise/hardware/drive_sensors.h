#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/component/hardware.h"
#include "mortise/component/sensor_reading.h"
#include "mortise/model/robot.h"
#include "mortise/plugin/registry.h"

namespace mortise {

/// The sensors of a robot's hardware, as controllers see those of a simulation.
class DriveSensors {
 public:
  /// `types` are the types of sensors by name, on top of what the hardware and the robot's file say. The robot outlives
  /// this.
  DriveSensors(const Robot& robot, const Registry& registry, const std::map<std::string, std::string>& types,
               const HardwareDescription& hardware);

  /// The state that the hardware fills in.
  HardwareState& state() { return state_; }
  /// After the first state. Throws `Error` when no sensor says where the robot is.
  void start();
  /// After each state: takes over its values. Throws `Error` for values that no robot can have.
  void take();

  double time() const { return state_.time; }
  /// Returns where the robot is, one number a link; after `start`.
  const VectorXd& positions() const { return positions_; }
  std::span<const SensorReading> readings() const { return readings_; }

 private:
  /// The type of a sensor, and what its values are.
  struct Type {
    std::string name;
    std::vector<std::string> roles;
    bool has(std::string_view role) const;
    bool isOfMotors() const;  ///< Then its values are always finite.
  };
  struct Sensor {
    std::string name;
    Type type;
    std::vector<std::string> channels;
    std::vector<double> values;
  };

  Type typeCalled(const std::string& name) const;
  Type declaredType(const HardwareSensor& sensor) const;
  Type typeOf(const HardwareSensor& sensor, const std::map<std::string, std::string>& types) const;
  std::vector<std::string> channelsOf(const HardwareSensor& sensor, const Type& type) const;
  void requireSound(const Sensor& sensor, const HardwareState::Sensor& measured) const;

  const Robot& robot_;
  const Registry& registry_;
  std::string place_;
  HardwareState state_;
  std::vector<Sensor> sensors_;
  std::vector<SensorReading> readings_;
  int positionSensor_ = -1;  ///< The one that says where all links are.
  VectorXd positions_;
};

}  // namespace mortise
