#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/environment.h"
#include "mortise/base/value.h"
#include "mortise/component/sensor.h"
#include "mortise/model/world.h"
#include "mortise/plugin/registry.h"
#include "mortise/simulation/context/component_host.h"
#include "mortise/simulation/simulation.h"

namespace mortise::robotsim {

class WorldModel;

/// A sensor of a robot: what it is and its settings, and, when it has measured without a simulation, a component that
/// runs.
struct SensorModel {
  std::string name, type;
  Value settings = Value::map();
  bool enabled = true;

  // Measured last, kinematically.
  std::vector<std::string> channels;
  std::vector<double> values;
  double time = 0, elapsed = 0;  ///< s, of the next time, and between that and the last one.

  /// The sensor that runs, in a world that it was started in.
  struct Running;
  std::shared_ptr<Running> running;

  /// The simulation whose robot's sensor it is; null otherwise.
  std::weak_ptr<Simulation> simulation;
  int robot = -1;
  /// Restarts the sensor of a simulation, so that it takes over settings that a running sensor does not change.
  std::function<void()> restart;
  bool restarting = false;  ///< True while what runs still has the settings of before.
};
using SensorModelPtr = std::shared_ptr<SensorModel>;

/// Makes the sensors of a list of maps {type, name, settings...}, as descriptions of robots have them.
std::vector<SensorModelPtr> sensorsOf(const Value& list);
Value sensorList(const std::vector<SensorModelPtr>& sensors);
/// A new one; settings are the defaults of its type. Throws `Error` with the nearest name for a type that does not
/// exist.
SensorModelPtr makeSensor(const std::string& name, const std::string& type);
/// The type of the sensor that has a role where nobody names one; the role itself where no plugin has it.
std::string sensorTypeInRole(std::string_view role);

/// All settings by name, those of the type's schema and what is set.
std::vector<std::string> settingNames(const SensorModel& sensor);
/// Returns a setting as Klamp't writes it: lists as numbers with blanks, truth as 0 and 1. Throws for names that are
/// not there.
std::string settingOf(const SensorModel& sensor, const std::string& name);
void changeSetting(SensorModel& sensor, const std::string& name, const std::string& text);

/// Starts it in a world, after which it has names of what it measures.
void prepare(SensorModel& sensor, WorldModel& world, int robot, double period);

/// Measures what it would in a world as that stands; after that, `period` seconds pass.
void measure(SensorModel& sensor, WorldModel& world, int robot, double period);

}  // namespace mortise::robotsim
