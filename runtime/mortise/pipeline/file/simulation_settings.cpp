#include "mortise/pipeline/file/simulation_settings.h"

#include "mortise/configuration/link_setting.h"
#include "mortise/loading/robot_reference.h"
#include "mortise/pipeline/file/pipeline_settings.h"
#include "mortise/simulation/context/default_backend.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

void overlay(Value& settings, const Value* with) {
  if (with == nullptr || !with->isMap()) return;
  for (const Value::Entry& entry : with->entries()) {
    settings.erase(entry.key);
    settings.entries().push_back(entry);
  }
}

/// Under the parameters' own names, so that an alias in one layer and the name in another meet.
void overlayByName(Value& settings, const Value* with, const Schema& schema) {
  if (with == nullptr || !with->isMap()) return;
  Value renamed = Value::map();
  for (Value::Entry entry : with->entries()) {
    if (const Parameter* parameter = schema.find(entry.key)) {
      // A complete map holds null where a parameter has no default: that is not a setting.
      if (entry.value.isNull() && parameter->defaultValue.isNull()) continue;
      // Both spellings in one layer stay apart, for the schema to refuse.
      if (!with->contains(parameter->name)) entry.key = parameter->name;
    }
    renamed.entries().push_back(std::move(entry));
  }
  overlay(settings, &renamed);
}

/// An entry of `simulation.motors`.
struct MotorEntry {
  Value robot, driver, model;
  Value settings;  ///< Of the model.
  void bind(SettingBinder& b) {
    b.add("robot", robot, "Name or id of the robot; may be left out when there is one robot only.");
    b.add("driver", driver, "Driver, by name or index; absent: all of them.");
    b.add("model", model, "Which model.");
    b.others(settings);
  }
};

}  // namespace

Value completeBackendSettings(const Registry& registry, const World& world, const Value& simulation,
                              const BackendChoice& choice, Diagnostics& diagnostics) {
  const SimulationSection section = settingsFrom<SimulationSection>(simulation);
  const PlacedText& own = section.backend;
  const bool chosen = !choice.name.empty();
  const std::string name = chosen ? choice.name : own.empty() ? backendOf(world) : own.text;
  const ComponentInfo* info = nullptr;
  try {
    info = &registry.require(Kind::physics, name, chosen ? choice.position : own.where);
  } catch (const Error& error) {
    diagnostics.error(error);
    return choice.settings.isMap() ? choice.settings : Value::map();
  }
  const auto same = [&](const std::string& other) {
    try {
      return registry.find(Kind::physics, other) == info;
    } catch (const Error&) {
      return false;
    }
  };
  Value settings = Value::map();
  if (same(backendOf(world))) overlayByName(settings, &world.simulation.backendSettings, info->schema);
  if (!chosen || (!own.empty() && same(own.text))) overlayByName(settings, &section.settings, info->schema);
  overlayByName(settings, &choice.settings, info->schema);
  return info->schema.complete(settings, "backend '" + name + "'", diagnostics);
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
