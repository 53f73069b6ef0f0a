#include "robotsim/model/sensor.h"

#include <stdexcept>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
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

/// As Klamp't writes settings.
std::string textOf(const Value& value) {
  if (value.isNull()) return {};
  if (value.isBool()) return value.asBool() ? "1" : "0";
  if (!value.isList()) return value.text();
  std::string text;
  for (const Value& item : value.items()) text += (text.empty() ? "" : " ") + textOf(item);
  return text;
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
  double time = 0;
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

std::vector<std::string> settingNames(const SensorModel& sensor) {
  std::vector<std::string> names = {"rate", "enabled"};
  const python::EnvironmentPtr environment = python::environment();
  for (const Parameter& parameter : infoOf(sensor, environment).schema.parameters())
    names.push_back(parameter.name == "t_sensor" ? "Tsensor" : parameter.name);
  return names;
}

std::string settingOf(const SensorModel& sensor, const std::string& name) {
  const python::EnvironmentPtr environment = python::environment();
  const ComponentInfo& info = infoOf(sensor, environment);
  if (name == "enabled") return sensor.enabled ? "1" : "0";
  const Parameter* parameter = info.schema.find(name);
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
  sensor.settings.set(parameter->name, value.value_or(Value()));
  sensor.running.reset();
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
  running->world = world;
  running->sensor->start({*world, robot, period});
  return running;
}

}  // namespace

void measure(SensorModel& sensor, WorldModel& world, int robot, double period) {
  if (robot < -1 || robot >= static_cast<int>(world.robots.size()))
    throw std::out_of_range("there is no robot " + std::to_string(robot));
  const std::shared_ptr<const World> compiled = world.compiled();
  if (!sensor.running || sensor.running->world != compiled) sensor.running = started(sensor, compiled, robot, period);
  SensorModel::Running& running = *sensor.running;
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
  view.time = running.time += period;
  view.world = compiled.get();
  view.robots = views;
  view.objects = objects;
  view.timeStep = period;
  view.gravity = compiled->simulation.gravity;
  sensor.channels.assign(running.sensor->channels().begin(), running.sensor->channels().end());
  sensor.values.assign(sensor.channels.size(), 0);
  running.sensor->simulate(view, period, sensor.values);
}

}  // namespace mortise::robotsim
