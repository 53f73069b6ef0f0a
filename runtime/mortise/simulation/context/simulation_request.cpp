#include "mortise/simulation/context/simulation_request.h"

#include "mortise/base/error.h"
#include "mortise/configuration/link_setting.h"
#include "mortise/loading/robot_reference.h"
#include "mortise/model/on_unstable.h"
#include "mortise/simulation/context/recorded_settings.h"
#include "mortise/text/suggest.h"

namespace mortise {

void SimulationRequest::bind(SettingBinder& b) {
  b.add("backend", backend, "Physics backend; by default the world's, else mortise.");
  b.add("step", step, "Physics time step; by default the world's, else 1 ms.", {.min = 1e-6, .max = 1, .unit = "s"});
  b.choice("contacts", contacts, {{"boundary_layer", ContactSource::external}, {"engine", ContactSource::engine}},
           "Who finds contacts: `boundary_layer`, the same for every backend, or `engine`, the backend itself; "
           "by default the world's choice, which is the boundary layer where a file says nothing.");
  b.add("adaptive", adaptive,
        "Take steps back and halve them where bodies would pass each other; by default the world's choice.");
  b.choice(
      "on_unstable", onUnstable, onUnstableWords(),
      "What follows when a body gains energy that nothing gave it: `report` it and change nothing, `stop` the run, or "
      "`scale` its velocities down by Klamp't's rule; by default the world's choice, else report.");
  b.add("control_rate", controlRate, "Rate of controllers that name none.", {.min = 1e-3, .max = 1e6, .unit = "Hz"});
  b.add("realtime", realtime,
        "Keep pace with the clock: simulated seconds in a second of it, at most; 0: as many as there can be.",
        {.min = 0, .max = 1e6});
  b.add("lockstep", lockstep, "Controllers that hand their robots to other programs wait for every command of theirs.");
  b.add("actuator_limits", actuatorLimits,
        "Which limits of their robots motors keep: any of torque, velocity, power, or all, or none; by "
        "default torque alone, as in Klamp't.");
  b.add("motors", motors,
        "Models of motors, a list of {robot, driver, model: dc, stall_torque, no_load_speed, gear, "
        "efficiency, dry_friction, viscous_friction}; without driver, of all drivers.");
  b.map("settings", settings, "Parameters of the backend.");
}

void applyRequest(const SimulationRequest& settings, const World& world, SimulationOptions& options,
                  Diagnostics& diagnostics) {
  options.backend = settings.backend.text;
  options.backendPosition = settings.backend.where;
  options.timeStep = settings.step;
  options.contacts = settings.contacts;
  options.adaptiveTimeStepping = settings.adaptive;
  options.onUnstable = settings.onUnstable;
  options.controlRate = settings.controlRate;
  try {
    options.actuatorLimits = actuatorLimitsFrom(settings.actuatorLimits);
  } catch (const Error& error) {
    diagnostics.error("'actuator_limits': " + error.message(), error.where(), error.hint());
  }
  options.motors = motorOptionsFrom(settings.motors, world, diagnostics);
}

void MotorEntry::bind(SettingBinder& b) {
  b.add("robot", robot, "Name or id of the robot; may be left out when there is one robot only.");
  b.add("driver", driver, "Driver, by name or index; absent: all of them.");
  b.add("model", model, "Which model.");
  b.others(settings);
}

SimulationRequest requestOf(const SimulationOptions& options) {
  SimulationRequest request;
  request.backend = {options.backend, options.backendPosition};
  request.step = options.timeStep;
  request.contacts = options.contacts;
  request.adaptive = options.adaptiveTimeStepping;
  request.onUnstable = options.onUnstable;
  request.controlRate = options.controlRate;
  request.actuatorLimits = actuatorLimitsText(options.actuatorLimits);
  request.settings = options.backendSettings;
  if (options.motors.empty()) return request;
  request.motors = Value::list();
  for (const MotorOptions& motor : options.motors)
    request.motors.push_back(recordedSettings(MotorEntry{motor.robot, motor.driver, motor.model, {}}, motor.settings));
  return request;
}

std::vector<MotorOptions> motorOptionsFrom(const Value& motors, const World& world, Diagnostics& diagnostics) {
  std::vector<MotorOptions> result;
  if (motors.isNull()) return result;
  const char* form = "write - {robot: NAME, driver: NAME, model: dc, stall_torque: 2 N*m, no_load_speed: 30 rad/s}";
  if (!motors.isList()) {
    diagnostics.error("'simulation.motors' must be a list", motors.position(), form);
    return result;
  }
  for (const Value& item : motors.items()) {
    if (!item.isMap()) {
      diagnostics.error("an entry of 'simulation.motors' must be a map", item.position(), form);
      continue;
    }
    const MotorEntry entry = settingsFrom<MotorEntry>(item);
    MotorOptions motor;
    motor.position = item.position();
    motor.settings = entry.settings;
    try {
      if (!entry.model.isString())
        throw Error("a motor needs a model", entry.model.isNull() ? item.position() : entry.model.position(),
                    "add 'model: NAME'; " + listNames(motorModelNames()));
      motor.model = entry.model.asString();
      motor.position = entry.model.position();
      (void)makeMotorModel(motor);
      motor.robot = findRobot(world, entry.robot);
      const Robot& its = *world.robots[motor.robot].robot;
      std::vector<int> drivers;
      if (!entry.driver.isNull())
        drivers = driversFromSetting(its, entry.driver);
      else
        for (int i = 0; i < its.numDrivers(); ++i) drivers.push_back(i);
      for (const int i : drivers) {
        for (const MotorOptions& other : result)
          if (other.robot == motor.robot && other.driver == i)
            throw Error(
                "driver '" + its.driver(i).name + "' of robot '" + world.robots[motor.robot].name + "' has two motors",
                entry.driver.isNull() ? item.position() : entry.driver.position(), "keep one");
        motor.driver = i;
        result.push_back(motor);
      }
    } catch (const DiagnosticsError& error) {
      for (const Diagnostic& problem : error.list()) diagnostics.add(problem);
    } catch (const Error& error) {
      const SourcePosition& where = error.where().known()                             ? error.where()
                                    : !entry.robot.isNull() && motor.position.known() ? entry.robot.position()
                                                                                      : item.position();
      diagnostics.error("'simulation.motors': " + error.message(), where, error.hint());
    }
  }
  return result;
}

}  // namespace mortise
