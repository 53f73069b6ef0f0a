#include "mortise/pipeline/simulate/simulation_setup.h"

#include "mortise/configuration/link_setting.h"
#include "mortise/loading/robot_reference.h"
#include "mortise/pipeline/file/pipeline_schema.h"
#include "mortise/pipeline/pipeline.h"
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

OnError onErrorFrom(const std::string& text) {
  return text == "hold" ? OnError::hold : text == "disable" ? OnError::disable : OnError::stop;
}

}  // namespace

Value completeBackendSettings(const Registry& registry, const World& world, const Value& simulation,
                              const BackendChoice& choice, Diagnostics& diagnostics) {
  const Value& pipelineName = simulation.at("backend");
  const bool chosen = !choice.name.empty();
  const std::string name = chosen ? choice.name : pipelineName.isNull() ? backendOf(world) : pipelineName.asString();
  const ComponentInfo* info = nullptr;
  try {
    info = &registry.require(Kind::physics, name, chosen ? choice.position : pipelineName.position());
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
  if (!chosen || (pipelineName.isString() && same(pipelineName.asString())))
    overlayByName(settings, simulation.find("settings"), info->schema);
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
    MotorOptions motor;
    motor.position = item.position();
    motor.settings = item;
    for (const char* key : {"robot", "driver", "model"}) motor.settings.erase(key);
    const Value none;
    const Value* model = item.find("model");
    const Value* robot = item.find("robot");
    const Value* driver = item.find("driver");
    try {
      if (model == nullptr || !model->isString())
        throw Error("a motor needs a model", model == nullptr ? item.position() : model->position(),
                    "add 'model: NAME'; " + listNames(motorModelNames()));
      motor.model = model->asString();
      motor.position = model->position();
      (void)makeMotorModel(motor);
      motor.robot = findRobot(world, robot != nullptr ? *robot : none);
      const Robot& its = *world.robots[motor.robot].robot;
      std::vector<int> drivers;
      if (driver != nullptr)
        drivers = driversFromSetting(its, *driver);
      else
        for (int i = 0; i < its.numDrivers(); ++i) drivers.push_back(i);
      for (const int i : drivers) {
        for (const MotorOptions& other : result)
          if (other.robot == motor.robot && other.driver == i)
            throw Error(
                "driver '" + its.driver(i).name + "' of robot '" + world.robots[motor.robot].name + "' has two motors",
                driver != nullptr ? driver->position() : item.position(), "keep one");
        motor.driver = i;
        result.push_back(motor);
      }
    } catch (const DiagnosticsError& error) {
      for (const Diagnostic& problem : error.list()) diagnostics.add(problem);
    } catch (const Error& error) {
      const SourcePosition& where = error.where().known()                        ? error.where()
                                    : robot != nullptr && motor.position.known() ? robot->position()
                                                                                 : item.position();
      diagnostics.error("'simulation.motors': " + error.message(), where, error.hint());
    }
  }
  return result;
}

SimulationOptions makeSimulationOptions(StageContext& context, const BackendChoice& choice, Diagnostics& diagnostics) {
  const Value& pipeline = context.pipeline();
  const Value& simulation = pipeline.at("simulation");
  SimulationOptions options;
  options.backend = choice.name.empty() ? simulation.at("backend").asString() : choice.name;
  options.backendPosition = choice.name.empty() ? simulation.at("backend").position() : choice.position;
  options.backendSettings =
      completeBackendSettings(context.registry(), context.world(), simulation, choice, diagnostics);
  if (const Value& step = simulation.at("step"); !step.isNull()) options.timeStep = step.asReal();
  if (const Value& contacts = simulation.at("contacts"); !contacts.isNull())
    options.contacts = contacts.asString() == "engine" ? ContactSource::engine : ContactSource::external;
  if (const Value& adaptive = simulation.at("adaptive"); !adaptive.isNull())
    options.adaptiveTimeStepping = adaptive.asBool();
  options.controlRate = simulation.at("control_rate").asReal();
  options.actuatorLimits = actuatorLimitsFrom(simulation.at("actuator_limits"));
  options.motors = motorOptionsFrom(simulation.at("motors"), context.world(), diagnostics);
  options.seed = context.seed();
  options.referringFile = pipeline.string("file", "");
  options.runDirectory = context.runDirectory();
  options.stopRequested = [&context] { return context.stopRequested(); };
  for (const Value& entry : pipeline.at("components").items()) {
    const Kind kind = kindOf(entry);
    if (kind == Kind::recorder) continue;
    const Value& type = entry.at(kindName(kind));
    const ComponentInfo* info = context.registry().find(kind, type.text());
    if (info == nullptr) continue;  // Optional, and said to be left out when the pipeline was checked.
    ComponentOptions component;
    component.kind = kind;
    component.type = type.text();
    component.robot = findRobot(context.world(), entry.at("robot"));
    component.name = entry.string("name", "");
    component.rate = entry.real("rate", 0);
    component.onError = onErrorFrom(entry.string("on_error", "stop"));
    component.enabled = entry.boolean("enabled", true);
    if (const Value* estimator = entry.find("estimator"); estimator != nullptr && estimator->isMap()) {
      component.estimator = estimator->at("name").asString();
      component.estimatorSettings = *estimator;
      component.estimatorSettings.erase("name");
    } else if (estimator != nullptr && !estimator->isNull()) {
      component.estimator = estimator->asString();
    }
    component.position = type.position();
    const Schema common = componentSchema(kind, nullptr);
    for (const Value::Entry& setting : entry.entries())
      if (common.find(setting.key) == nullptr) component.settings.entries().push_back(setting);
    if (simulation.at("lockstep").asBool() && kind == Kind::controller && info->schema.find("lockstep") != nullptr)
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
