#include "mortise/pipeline/simulate/run_origin.h"

#include <algorithm>

#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/component/kind.h"
#include "mortise/model/on_unstable.h"

namespace mortise {

namespace {

Value componentValue(const ComponentOptions& component) {
  Value out = Value::map();
  out.set("kind", std::string(kindName(component.kind)));
  out.set("robot", component.robot);
  out.set("type", component.type);
  out.set("name", component.name);
  out.set("rate", component.rate);
  out.set("on_error", static_cast<int>(component.onError));
  out.set("optional", component.optional);
  out.set("enabled", component.enabled);
  out.set("estimator", component.estimator);
  out.set("estimator_settings", component.estimatorSettings);
  out.set("file", component.file);
  out.set("settings", component.settings);
  return out;
}

ComponentOptions componentFrom(const Value& value, const SourcePosition& where) {
  ComponentOptions component;
  component.kind = value.at("kind").asString() == kindName(Kind::sensor) ? Kind::sensor : Kind::controller;
  component.robot = static_cast<int>(value.at("robot").asInteger());
  component.type = value.at("type").asString();
  component.name = value.string("name", "");
  component.rate = value.real("rate", 0);
  component.onError = static_cast<OnError>(std::clamp<std::int64_t>(value.integer("on_error", 0), 0, 2));
  component.optional = value.boolean("optional", false);
  component.enabled = value.boolean("enabled", true);
  component.estimator = value.string("estimator", "");
  component.estimatorSettings = value.at("estimator_settings");
  component.file = value.string("file", "");
  component.settings = value.at("settings");
  component.position = where;
  return component;
}

Value motorValue(const MotorOptions& motor) {
  Value out = Value::map();
  out.set("robot", motor.robot);
  out.set("driver", motor.driver);
  out.set("model", motor.model);
  out.set("settings", motor.settings);
  return out;
}

MotorOptions motorFrom(const Value& value, const SourcePosition& where) {
  return {static_cast<int>(value.at("robot").asInteger()), static_cast<int>(value.at("driver").asInteger()),
          value.at("model").asString(), value.at("settings"), where};
}

/// As lists of commands are written; the record of a command says `time` in place of `at`.
Value commandValue(const TimedCommand& command, const World& world) {
  Value out = recordOf(command, world, command.at);
  out.set("at", command.at);
  out.erase("time");
  return out;
}

}  // namespace

Value runOriginValue(const RunOrigin& origin, const World& world) {
  const SimulationOptions& options = origin.options;
  Value out = Value::map(), components = Value::list(), motors = Value::list(), commands = Value::list();
  out.set("files", origin.files);
  out.set("backend", options.backend);
  out.set("backend_settings", options.backendSettings);
  if (options.timeStep) out.set("step", *options.timeStep);
  if (options.contacts) out.set("contacts", *options.contacts == ContactSource::engine ? "engine" : "boundary_layer");
  if (options.adaptiveTimeStepping) out.set("adaptive", *options.adaptiveTimeStepping);
  if (options.onUnstable) out.set("on_unstable", onUnstableText(*options.onUnstable));
  out.set("control_rate", options.controlRate);
  out.set("actuator_limits", actuatorLimitsText(options.actuatorLimits));
  out.set("seed", std::to_string(options.seed));
  out.set("referring_file", options.referringFile);
  for (const ComponentOptions& component : options.components) components.push_back(componentValue(component));
  for (const MotorOptions& motor : options.motors) motors.push_back(motorValue(motor));
  for (const TimedCommand& command : origin.commands) commands.push_back(commandValue(command, world));
  out.set("components", std::move(components));
  out.set("motors", std::move(motors));
  out.set("commands", std::move(commands));
  out.set("commands_from", origin.commandsFrom);
  return out;
}

std::vector<std::string> originFiles(const Value& value) {
  std::vector<std::string> files = value.at("files").asStrings();
  if (files.empty()) throw Error("the log does not say what its world is made of");
  return files;
}

RunOrigin runOriginFrom(const Value& value, const World& world, const std::string& where) {
  const SourcePosition place = inFile(where);
  RunOrigin origin;
  origin.files = originFiles(value);
  SimulationOptions& options = origin.options;
  options.backend = value.string("backend", "");
  options.backendPosition = place;
  options.backendSettings = value.at("backend_settings");
  if (value.contains("step")) options.timeStep = value.at("step").asReal();
  if (value.contains("contacts"))
    options.contacts = value.at("contacts").asString() == "engine" ? ContactSource::engine : ContactSource::external;
  if (value.contains("adaptive")) options.adaptiveTimeStepping = value.at("adaptive").asBool();
  if (value.contains("on_unstable"))
    options.onUnstable = onUnstableFrom(value.at("on_unstable").asString(), "on_unstable", place);
  options.controlRate = value.real("control_rate", options.controlRate);
  options.actuatorLimits = actuatorLimitsFrom(value.at("actuator_limits"));
  options.seed = std::stoull(value.string("seed", "0"));
  options.referringFile = value.string("referring_file", "");
  for (const Value& item : value.at("components").items()) {
    options.components.push_back(componentFrom(item, place));
    if (options.components.back().robot < 0 || options.components.back().robot >= static_cast<int>(world.robots.size()))
      throw Error("the log names a robot that its world does not have", place);
  }
  for (const Value& item : value.at("motors").items()) options.motors.push_back(motorFrom(item, place));
  Diagnostics diagnostics;
  origin.commands = timedCommandsFrom(value.at("commands"), world, diagnostics);
  diagnostics.throwIfErrors();
  origin.commandsFrom = value.real("commands_from", 0);
  return origin;
}

}  // namespace mortise
