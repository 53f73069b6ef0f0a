#include "robotsim/model/sensor.h"

#include <cmath>
#include <optional>
#include <stdexcept>

#include "mortise/appearance/visual_files.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/loading/format_loader.h"
#include "mortise/model/robot_state.h"
#include "mortise/simulation/components/component_names.h"
#include "robotsim/model/world.h"

namespace mortise::robotsim {

namespace {

const ComponentInfo& infoOf(const SensorModel& sensor, const python::EnvironmentPtr& environment) {
  const ComponentInfo* info = environment->registry.find(Kind::sensor, sensor.type);
  if (info == nullptr)
    throw Error("there is no sensor of type '" + sensor.type + "'", {},
                componentNameHint(environment->registry, Kind::sensor, sensor.type));
  return *info;
}

bool isAttribute(const std::string& key) { return key == "type" || key == "name" || key == "enabled"; }

/// Returns a value as Klamp't writes settings.
std::string textOf(const Value& value) {
  if (value.isNull()) return {};
  if (value.isBool()) return value.asBool() ? "1" : "0";
  if (!value.isList()) return value.text();
  std::string text;
  for (const Value& item : value.items()) text += (text.empty() ? "" : " ") + textOf(item);
  return text;
}

/// Klamp't's name of a setting: its other name, where it has one.
const std::string& klamptName(const Parameter& parameter) {
  return parameter.options.aliases.empty() ? parameter.name : parameter.options.aliases.front();
}

/// The one that the sensor was given under this name or one of the parameter's others.
const Value* givenValue(const SensorModel& sensor, const Parameter* parameter, const std::string& name) {
  if (const Value* value = sensor.settings.find(name)) return value;
  if (parameter == nullptr) return nullptr;
  for (const Value::Entry& entry : sensor.settings.entries())
    if (parameter->isCalled(entry.key)) return &entry.value;
  return nullptr;
}

}  // namespace

struct SensorModel::Running {
  python::EnvironmentPtr environment;
  ChannelTable published;
  std::unique_ptr<ComponentHost> host;
  ComponentPtr<Sensor> sensor;
  std::shared_ptr<const World> world;
};

std::vector<SensorModelPtr> sensorsOf(const Value& list) {
  std::vector<SensorModelPtr> sensors;
  if (!list.isList()) return sensors;
  for (const Value& description : list.items()) {
    auto sensor = std::make_shared<SensorModel>();
    sensor->type = description.string("type", "");
    sensor->name = description.contains("name") ? description.at("name").text() : sensor->type;
    if (const Value* enabled = description.find("enabled"))
      sensor->enabled = enabled->text() != "0" && enabled->text() != "false";
    for (const Value::Entry& entry : description.entries())
      if (!isAttribute(entry.key)) sensor->settings.set(entry.key, entry.value);
    sensors.push_back(std::move(sensor));
  }
  return sensors;
}

Value sensorList(const std::vector<SensorModelPtr>& sensors) {
  if (sensors.empty()) return {};
  Value list = Value::list();
  for (const SensorModelPtr& sensor : sensors) {
    Value description = Value::map();
    description.set("type", sensor->type);
    description.set("name", sensor->name);
    if (!sensor->enabled) description.set("enabled", false);
    for (const Value::Entry& entry : sensor->settings.entries()) description.set(entry.key, entry.value);
    list.push_back(std::move(description));
  }
  return list;
}

SensorModelPtr makeSensor(const std::string& name, const std::string& type) {
  auto sensor = std::make_shared<SensorModel>();
  sensor->name = name;
  sensor->type = type;
  infoOf(*sensor, python::environment());
  return sensor;
}

std::string sensorTypeInRole(std::string_view role) {
  const ComponentInfo* info = python::environment()->registry.findRole(role);
  return info != nullptr ? nameInRole(*info, role) : std::string(role);
}

std::vector<std::string> settingNames(const SensorModel& sensor) {
  std::vector<std::string> names = {"rate", "enabled"};
  const python::EnvironmentPtr environment = python::environment();
  for (const Parameter& parameter : infoOf(sensor, environment).schema.parameters())
    names.push_back(klamptName(parameter));
  return names;
}

namespace {

std::shared_ptr<SensorModel::Running> created(const SensorModel& sensor) {
  auto running = std::make_shared<SensorModel::Running>();
  running->environment = python::environment();
  const ComponentInfo& info = infoOf(sensor, running->environment);
  running->host = std::make_unique<ComponentHost>(sensor.name, 0, running->environment->log, nullptr,
                                                  running->published, std::string(), std::string());
  Value settings = sensor.settings;
  settings.erase("rate");
  Diagnostics problems;
  const Value complete = running->environment->registry.completeSettings(info, settings, problems);
  problems.throwIfErrors("sensor '" + sensor.name + "' cannot be started");
  running->sensor = running->environment->registry.create<Sensor>(info, complete, *running->host);
  return running;
}

/// Focal lengths, the middle of the image and fields of view, where one of them follows from the others; Klamp't's
/// programs compute with all of them.
std::optional<double> derivedIntrinsic(const SensorModel& sensor, const std::string& name) {
  const bool focal = name == "fx" || name == "fy", middle = name == "cx" || name == "cy";
  const bool field = name == "xfov" || name == "yfov";
  if (!focal && !middle && !field) return std::nullopt;
  const Value* given = sensor.settings.find(field ? (name == "xfov" ? "fx" : "fy") : name);
  const Value number = given == nullptr ? Value() : Value::fromText(given->text());
  const bool isGiven = number.isNumber() && number.asReal() != -1;
  if (isGiven != field) return std::nullopt;
  const std::shared_ptr<SensorModel::Running> camera = created(sensor);
  const CameraModel* model = camera->sensor->camera();
  if (model == nullptr) return std::nullopt;
  if (name == "xfov") return 2 * std::atan(0.5 * model->width / model->fx);
  if (name == "yfov") return 2 * std::atan(0.5 * model->height / model->fy);
  return name == "fx" ? model->fx : name == "fy" ? model->fy : name == "cx" ? model->cx : model->cy;
}

}  // namespace

std::string settingOf(const SensorModel& sensor, const std::string& name) {
  const python::EnvironmentPtr environment = python::environment();
  const ComponentInfo& info = infoOf(sensor, environment);
  if (name == "enabled") return sensor.enabled ? "1" : "0";
  const Parameter* parameter = info.schema.find(name);
  if (parameter != nullptr)
    if (const std::optional<double> number = derivedIntrinsic(sensor, name)) return Value(*number).text();
  if (const std::shared_ptr<Simulation> simulation = sensor.simulation.lock(); simulation && !sensor.restarting) {
    Sensor* running = simulation->sensor(sensor.robot, sensor.name);
    if (running != nullptr && parameter != nullptr) {
      const Value settings = running->settings();
      if (const Value* value = settings.find(parameter->name)) return textOf(*value);
    }
  }
  if (const Value* value = givenValue(sensor, parameter, name)) return textOf(*value);
  if (name == "rate") return "0";
  if (parameter == nullptr)
    throw std::runtime_error("a sensor of type '" + sensor.type + "' has no setting '" + name + "'");
  if (parameter->name == "t_sensor")
    return textOf(parameter->defaultValue.isNull() ? Value(std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0})
                                                   : parameter->defaultValue);
  if (parameter->name == "link" && parameter->defaultValue.isNull()) return "-1";
  return textOf(parameter->defaultValue);
}

void changeSetting(SensorModel& sensor, const std::string& name, const std::string& text) {
  const python::EnvironmentPtr environment = python::environment();
  const ComponentInfo& info = infoOf(sensor, environment);
  const Parameter* parameter = info.schema.find(name);
  const std::shared_ptr<Simulation> simulation = sensor.simulation.lock();
  if (name == "enabled") {
    sensor.enabled = text != "0" && text != "false" && text != "False";
    if (simulation) simulation->setSensorEnabled(sensor.robot, sensor.name, sensor.enabled);
    return;
  }
  if (name == "rate" && parameter == nullptr) {
    sensor.settings.set("rate", Value::fromText(text));
    if (simulation && Value::fromText(text).asReal() > 0)
      simulation->setSensorRate(sensor.robot, sensor.name, Value::fromText(text).asReal());
    return;
  }
  if (parameter == nullptr)
    throw std::runtime_error("a sensor of type '" + sensor.type + "' has no setting '" + name + "'");
  Diagnostics problems;
  const std::optional<Value> value =
      convertSetting(*parameter, Value::fromText(text), "sensor '" + sensor.name + "'", problems);
  problems.throwIfErrors();
  for (const std::string& alias : parameter->options.aliases) sensor.settings.erase(alias);
  // A field of view takes the place of a focal length that was set before.
  if (name == "xfov" || name == "yfov") sensor.settings.erase(name == "xfov" ? "fx" : "fy");
  sensor.settings.set(parameter->name, value.value_or(Value()));
  sensor.running.reset();
  sensor.channels.clear();
  Sensor* running = simulation ? simulation->sensor(sensor.robot, sensor.name) : nullptr;
  if (running != nullptr && !running->changeSetting(parameter->name, sensor.settings.at(parameter->name)) &&
      sensor.restart) {
    sensor.restarting = true;
    sensor.restart();
  }
}

namespace {

std::shared_ptr<SensorModel::Running> started(const SensorModel& sensor, const std::shared_ptr<const World>& world,
                                              int robot, double period) {
  std::shared_ptr<SensorModel::Running> running = created(sensor);
  running->world = world;
  FormatLoader loader(running->environment->registry, running->environment->log);
  const VisualFilesScope looks(&loader, running->environment->log);
  running->sensor->start({*world, robot, period});
  return running;
}

}  // namespace

void prepare(SensorModel& sensor, WorldModel& world, int robot, double period) {
  if (robot < -1 || robot >= static_cast<int>(world.robots.size()))
    throw std::out_of_range("there is no robot " + std::to_string(robot));
  const std::shared_ptr<const World> compiled = world.compiled();
  if (sensor.running && sensor.running->world == compiled) return;
  sensor.running = started(sensor, compiled, robot, period);
  sensor.channels.assign(sensor.running->sensor->channels().begin(), sensor.running->sensor->channels().end());
}

void measure(SensorModel& sensor, WorldModel& world, int robot, double period) {
  prepare(sensor, world, robot, period);
  SensorModel::Running& running = *sensor.running;
  const std::shared_ptr<const World>& compiled = running.world;
  std::vector<RobotState> states;
  std::vector<std::vector<LinkTwist>> twists;
  std::vector<std::vector<double>> torques;
  std::vector<std::vector<ActuatorCommand>> commands;
  for (std::size_t i = 0; i < world.robots.size(); ++i) {
    const RobotModelPtr& model = world.robots[i];
    RobotState& state = states.emplace_back(*compiled->robots[i].robot);
    state.q = model->q();
    state.dq = model->dq();
    auto& twist = twists.emplace_back();
    RobotDynamics& dynamics = model->dynamics();
    for (int k = 0; k < model->numLinks(); ++k) {
      state.X_WL[static_cast<std::size_t>(k)] = model->X_WL(k);
      twist.push_back({dynamics.pointVelocity(k, Vector3d::Zero()), dynamics.angularVelocity(k)});
    }
    const auto drivers = static_cast<std::size_t>(compiled->robots[i].robot->numDrivers());
    torques.emplace_back(drivers, 0.0);
    commands.emplace_back(drivers);
  }
  std::vector<RobotView> views;
  for (std::size_t i = 0; i < states.size(); ++i) views.push_back({&states[i], torques[i], commands[i], {}, twists[i]});
  std::vector<BodyState> objects;
  for (const ObjectModelPtr& object : world.objects)
    objects.push_back({object->shape->X, object->object.v_WO, object->object.w_WO});
  SimulationView view;
  view.time = sensor.time;
  view.world = compiled.get();
  view.robots = views;
  view.objects = objects;
  view.timeStep = sensor.elapsed > 0 ? sensor.elapsed : period;
  view.gravity = compiled->simulation.gravity;
  sensor.values.assign(sensor.channels.size(), 0);
  if (sensor.elapsed > 0 && running.sensor->observesSteps()) running.sensor->observe(view, sensor.elapsed);
  running.sensor->simulate(view, view.timeStep, sensor.values);
  sensor.time += period;
  sensor.elapsed = period;
}

}  // namespace mortise::robotsim
