#include "mortise/viewer/live_controllers.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "mortise/json/json_writer.h"
#include "mortise/pipeline/simulate/timed_command.h"

namespace mortise::viewer {

namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

std::string kindOf(const Value& value) {
  if (value.isBool()) return "boolean";
  if (value.isInteger()) return "integer";
  if (value.isNumber()) return "real";
  if (value.isString()) return "string";
  return value.isList() ? "list" : value.isMap() ? "map" : "any";
}

/// Returns settings as they are, with what the schema of their component says of them.
std::vector<message::CommandedSetting> settingsOf(const Value& settings, const ComponentInfo* info) {
  std::vector<message::CommandedSetting> list;
  for (const Value::Entry& entry : settings.entries()) {
    message::CommandedSetting& setting = list.emplace_back();
    setting.name = entry.key;
    setting.value = toJson(entry.value, -1);
    setting.kind = kindOf(entry.value);
    setting.min.value = -kNone;
    setting.max.value = kNone;
    const Parameter* parameter = info != nullptr ? info->schema.find(entry.key) : nullptr;
    // Settings of controllers inside a controller are known to it alone.
    setting.changeable = parameter != nullptr ? parameter->options.changeable
                                              : info == nullptr || entry.key.find('.') != std::string::npos;
    if (parameter == nullptr) continue;
    setting.kind = parameterTypeName(parameter->type);
    setting.unit = parameter->options.unit;
    setting.help = parameter->summary;
    setting.min.value = parameter->options.min;
    setting.max.value = parameter->options.max;
    setting.choices = parameter->options.choices;
  }
  return list;
}

std::vector<message::CommandedDriver> driversOf(const Robot& robot) {
  std::vector<message::CommandedDriver> list;
  for (int d = 0; d < robot.numDrivers(); ++d) {
    const Driver& driver = robot.driver(d);
    if (driver.type != DriverType::normal && driver.type != DriverType::affine) continue;
    message::CommandedDriver& out = list.emplace_back();
    const bool affine = driver.type == DriverType::affine;
    out.name = driver.name;
    out.number = d;
    out.links = driver.links;
    out.scale = affine ? driver.scale : std::vector<double>{1};
    out.offset = affine ? driver.offset : std::vector<double>{0};
    out.unit = robot.link(driver.links[0]).motion == LinkMotion::revolute ? "rad" : "m";
    out.min.value = driver.qMin;
    out.max.value = driver.qMax;
    if (!affine) {
      out.min.value = std::max(driver.qMin, robot.link(driver.links[0]).qMin);
      out.max.value = std::min(driver.qMax, robot.link(driver.links[0]).qMax);
    }
    out.servoP = driver.servoP;
    out.servoI = driver.servoI;
    out.servoD = driver.servoD;
  }
  return list;
}

/// Returns the command to which a posed configuration goes: one that moves there where there is one.
std::string sendingCommand(const std::vector<message::KnownCommand>& commands) {
  for (const char* wanted : {"set_milestone", "append_milestone", "set_q"})
    for (const message::KnownCommand& command : commands)
      if (command.name == wanted) return wanted;
  return {};
}

message::CommandedRobot robotOf(const Value& listed, Simulation& simulation, int index, const Registry* registry) {
  const auto info = [&](Kind kind, const std::string& type) {
    return registry != nullptr ? registry->find(kind, type) : nullptr;
  };
  message::CommandedRobot robot;
  robot.name = listed.string("name", "");
  robot.controller = listed.string("controller", "");
  robot.rate = listed.real("rate", 0);
  robot.settings = settingsOf(listed.at("settings"), info(Kind::controller, robot.controller));
  for (const Value& command : listed.at("commands").items())
    robot.commands.push_back({command.string("name", ""), command.string("help", "")});
  for (const Value& sensor : listed.at("sensors").items()) {
    message::CommandedSensor& out = robot.sensors.emplace_back();
    out.name = sensor.string("name", "");
    out.kind = sensor.string("type", "");
    out.rate = sensor.real("rate", 0);
    out.enabled = simulation.sensorEnabled(index, out.name);
    out.settings = settingsOf(sensor.at("settings"), info(Kind::sensor, out.kind));
  }
  robot.drivers = driversOf(*simulation.world().robots[static_cast<std::size_t>(index)].robot);
  robot.send = sendingCommand(robot.commands);
  return robot;
}

message::EditableBody bodyOf(const World& world, int id) {
  const World::Entity entity = world.entity(id);
  message::EditableBody body;
  body.name = world.nameOf(id);
  static constexpr std::array<const char*, 4> kKinds = {"terrain", "object", "robot", "link"};
  body.kind = kKinds[static_cast<std::size_t>(entity.kind)];
  if (entity.kind != World::Kind::robot) body.friction = world.simulationSurface(id).friction;
  const auto index = static_cast<std::size_t>(entity.index);
  if (entity.kind == World::Kind::object) body.mass = world.objects[index].inertia.mass;
  if (entity.kind == World::Kind::link) body.mass = world.robots[index].robot->link(entity.link).inertia.mass;
  return body;
}

}  // namespace

message::Controllers controllersOf(Simulation& simulation, const Registry* registry) {
  message::Controllers all;
  const Value list = listCommands(simulation);
  for (std::size_t r = 0; r < list.size(); ++r)
    all.robots.push_back(robotOf(list[r], simulation, static_cast<int>(r), registry));
  const World& world = simulation.world();
  for (int id = 0; id < world.numIds(); ++id) all.bodies.push_back(bodyOf(world, id));
  return all;
}

}  // namespace mortise::viewer
