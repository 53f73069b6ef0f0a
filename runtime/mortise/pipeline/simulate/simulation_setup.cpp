#include "mortise/pipeline/simulate/simulation_setup.h"

#include "mortise/configuration/link_setting.h"
#include "mortise/loading/robot_reference.h"
#include "mortise/pipeline/file/pipeline_settings.h"
#include "mortise/pipeline/pipeline.h"
#include "mortise/pipeline/pipeline_context.h"
#include "mortise/simulation/default_backend.h"
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

Kind kindOf(const Value& component) {
  for (const Kind kind : {Kind::controller, Kind::sensor, Kind::recorder})
    if (component.contains(kindName(kind))) return kind;
  throw Error("this entry is neither a controller, a sensor nor a recorder", component.position());
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

SimulationOptions makeSimulationOptions(StageContext& context, const BackendChoice& choice, Diagnostics& diagnostics) {
  const Value& pipeline = context.pipeline();
  const Value& given = pipeline.at("simulation");
  const SimulationSection simulation = settingsFrom<SimulationSection>(given);
  SimulationOptions options;
  options.backend = choice.name.empty() ? simulation.backend.text : choice.name;
  options.backendPosition = choice.name.empty() ? simulation.backend.where : choice.position;
  options.backendSettings = completeBackendSettings(context.registry(), context.world(), given, choice, diagnostics);
  options.timeStep = simulation.step;
  options.contacts = simulation.contacts;
  options.adaptiveTimeStepping = simulation.adaptive;
  options.onUnstable = simulation.onUnstable;
  options.controlRate = simulation.controlRate;
  options.actuatorLimits = actuatorLimitsFrom(simulation.actuatorLimits);
  options.motors = motorOptionsFrom(simulation.motors, context.world(), diagnostics);
  options.seed = context.seed();
  options.strict = isStrict(context);
  options.referringFile = pipeline.string("file", "");
  options.runDirectory = context.runDirectory();
  options.stopRequested = [&context] { return context.stopRequested(); };
  for (const Value& entry : pipeline.at("components").items()) {
    const Kind kind = kindOf(entry);
    if (kind == Kind::recorder) continue;
    const Value& type = entry.at(kindName(kind));
    const ComponentInfo* info = context.registry().find(kind, type.text());
    if (info == nullptr) continue;  // Optional, and said to be left out when the pipeline was checked.
    const ComponentEntry settings = settingsFrom(entry, ComponentEntry(kind));
    ComponentOptions component;
    component.kind = kind;
    component.type = settings.type.text;
    component.robot = findRobot(context.world(), settings.robot);
    component.name = settings.name.text;
    component.rate = settings.rate.value_or(0);
    component.onError = settings.onError;
    component.enabled = settings.enabled;
    const EstimatorEntry estimator = estimatorEntry(settings.estimator);
    component.estimator = estimator.name.text;
    component.estimatorSettings = estimator.settings;
    component.position = type.position();
    component.settings = settings.settings;
    if (simulation.lockstep && kind == Kind::controller && info->schema.find("lockstep") != nullptr)
      component.settings.set("lockstep", true);
    options.components.push_back(std::move(component));
  }
  return options;
}

namespace {

void setMotion(SimulationOptions& options, const Registry& registry, int robot, const char* setting, Value motion,
               const SourcePosition& position) {
  for (ComponentOptions& component : options.components) {
    if (component.kind != Kind::controller || component.robot != robot) continue;
    const ComponentInfo& info = registry.require(Kind::controller, component.type, component.position);
    if (info.schema.find(setting) == nullptr)
      throw Error("controller '" + component.type + "' cannot follow a motion: it has no parameter '" + setting + "'",
                  position,
                  std::string("use a PathFollowingController, or leave out '") +
                      (setting == std::string_view("path") ? "follow" : setting) + "'");
    component.settings.set(setting, std::move(motion));
    return;
  }
  ComponentOptions follower;
  follower.robot = robot;
  follower.type = "PathFollowingController";
  follower.position = position;
  follower.settings.set(setting, std::move(motion));
  options.components.push_back(std::move(follower));
}

}  // namespace

void followMotion(SimulationOptions& options, const Registry& registry, int robot, const std::string& file,
                  const SourcePosition& position) {
  Value path(file);
  path.setPosition(position);
  setMotion(options, registry, robot, "path", std::move(path), position);
}

void followMilestones(SimulationOptions& options, const Registry& registry, int robot, Value milestones,
                      const SourcePosition& position) {
  setMotion(options, registry, robot, "milestones", std::move(milestones), position);
}

}  // namespace mortise
