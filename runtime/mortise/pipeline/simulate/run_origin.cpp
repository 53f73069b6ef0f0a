#include "mortise/pipeline/simulate/run_origin.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/component/kind.h"
#include "mortise/math/constants.h"
#include "mortise/simulation/context/component_entry.h"
#include "mortise/simulation/context/recorded_settings.h"
#include "mortise/simulation/context/simulation_request.h"

namespace mortise {

namespace {

constexpr const char *kInfinite = ".inf", *kMinusInfinite = "-.inf";

/// Writes infinite numbers as YAML does, for the record is JSON, which has none.
Value withoutInfinities(const Value& value) {
  if (value.isNumber() && std::isinf(value.asReal())) return value.asReal() > 0 ? kInfinite : kMinusInfinite;
  Value out = value;
  for (Value& item : out.items()) item = withoutInfinities(item);
  for (Value::Entry& entry : out.entries()) entry.value = withoutInfinities(entry.value);
  return out;
}

/// The opposite. Records from before have null in place of infinite numbers, which stands for the default.
Value withInfinities(const Value& value) {
  if (value.isString() && value.asString() == kInfinite) return kInfinity;
  if (value.isString() && value.asString() == kMinusInfinite) return -kInfinity;
  if (value.isList()) {
    Value out = Value::list();
    for (const Value& item : value.items()) out.push_back(withInfinities(item));
    return out;
  }
  if (!value.isMap()) return value;
  Value out = Value::map();
  for (const Value::Entry& entry : value.entries())
    if (!entry.value.isNull()) out.set(entry.key, withInfinities(entry.value));
  return out;
}

/// The entry of a component as pipelines have it, but for the index of its robot, and its own settings apart.
Value componentValue(const ComponentOptions& component) {
  Value out = Value::map();
  out.set("kind", std::string(kindName(component.kind)));
  const Value entry = recordedSettings(entryOf(component));
  for (const Value::Entry& each : entry.entries()) out.set(each.key, each.value);
  if (!component.file.empty()) out.set("file", component.file);
  out.set("settings", withoutInfinities(component.settings));
  return out;
}

ComponentOptions componentFrom(const Value& value, const SourcePosition& where, Diagnostics& diagnostics) {
  const Kind kind = value.at("kind").asString() == kindName(Kind::sensor) ? Kind::sensor : Kind::controller;
  Value entry = value;
  for (const char* beside : {"kind", "file", "settings"}) entry.erase(beside);
  ComponentOptions component = componentOptions(componentEntry(kind, entry, diagnostics));
  component.robot = static_cast<int>(value.at("robot").asInteger());
  component.file = value.string("file", "");
  component.settings = withInfinities(value.at("settings"));
  component.position = where;
  return component;
}

MotorOptions motorFrom(const Value& value, const SourcePosition& where) {
  const MotorEntry entry = settingsFrom<MotorEntry>(value);
  return {static_cast<int>(entry.robot.asInteger()), static_cast<int>(entry.driver.asInteger()), entry.model.asString(),
          entry.settings, where};
}

/// The request as the section `simulation` of a pipeline has it; the pace of a run is none of its options.
Value simulationValue(const SimulationOptions& options) {
  Value out = recordedSettings(requestOf(options));
  for (const char* pace : {"realtime", "lockstep"}) out.erase(pace);
  return out;
}

void readSimulation(const Value& given, const World& world, const SourcePosition& where, SimulationOptions& options,
                    Diagnostics& diagnostics) {
  static const Schema schema = schemaOf(SimulationRequest());
  Value complete = schema.complete(given, "the log's simulation", diagnostics);
  const Value motors = complete.at("motors");
  complete.erase("motors");  // By indices here, not as people name them.
  const auto request = settingsFrom<SimulationRequest>(complete);
  applyRequest(request, world, options, diagnostics);
  options.backendPosition = where;
  if (request.settings.isMap()) options.backendSettings = request.settings;
  for (const Value& motor : motors.items()) options.motors.push_back(motorFrom(motor, where));
}

// -- Records of version 0.1, in which these settings had other forms.

Value componentOfRelease01(Value component) {
  static const char* const kOnError[] = {"stop", "hold", "disable"};
  component.set("on_error", kOnError[std::clamp<std::int64_t>(component.integer("on_error", 0), 0, 2)]);
  const std::string estimator = component.string("estimator", "");
  const Value* settings = component.find("estimator_settings");
  Value entry;
  if (!estimator.empty())
    entry = recordedSettings(EstimatorEntry{{estimator, {}}, {}}, settings ? *settings : Value::map());
  component.erase("estimator_settings");
  component.set("estimator", entry);
  return component;
}

Value motorOfRelease01(const Value& motor) {
  return recordedSettings(MotorEntry{motor.at("robot"), motor.at("driver"), motor.at("model"), {}},
                          motor.at("settings"));
}

Value recordOfRelease01(const Value& value) {
  Value out = Value::map(), simulation = Value::map(), components = Value::list(), motors = Value::list();
  for (const Value::Entry& entry : value.entries()) {
    if (entry.key == "components") {
      for (const Value& each : entry.value.items()) components.push_back(componentOfRelease01(each));
    } else if (entry.key == "motors") {
      for (const Value& each : entry.value.items()) motors.push_back(motorOfRelease01(each));
    } else if (entry.key == "backend_settings") {
      simulation.set("settings", entry.value);
    } else {
      const bool beside = entry.key == "files" || entry.key == "seed" || entry.key == "referring_file" ||
                          entry.key == "commands" || entry.key == "commands_from";
      (beside ? out : simulation).set(entry.key, entry.value);
    }
  }
  if (motors.size() > 0) simulation.set("motors", std::move(motors));
  out.set("simulation", std::move(simulation));
  out.set("components", std::move(components));
  return out;
}

/// Returns a command as lists of commands are written; the record of a command says `time` in place of `at`.
Value commandValue(const TimedCommand& command, const World& world) {
  Value out = recordOf(command, world, command.at);
  out.set("at", command.at);
  out.erase("time");
  return out;
}

}  // namespace

Value runOriginValue(const RunOrigin& origin, const World& world) {
  const SimulationOptions& options = origin.options;
  Value out = Value::map(), components = Value::list(), commands = Value::list();
  out.set("files", origin.files);
  out.set("simulation", simulationValue(options));
  out.set("seed", std::to_string(options.seed));
  out.set("referring_file", options.referringFile);
  for (const ComponentOptions& component : options.components) components.push_back(componentValue(component));
  for (const TimedCommand& command : origin.commands) commands.push_back(commandValue(command, world));
  out.set("components", std::move(components));
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
  if (!value.contains("simulation")) return runOriginFrom(recordOfRelease01(value), world, where);
  const SourcePosition place = inFile(where);
  RunOrigin origin;
  origin.files = originFiles(value);
  SimulationOptions& options = origin.options;
  Diagnostics diagnostics;
  readSimulation(value.at("simulation"), world, place, options, diagnostics);
  options.seed = std::stoull(value.string("seed", "0"));
  options.referringFile = value.string("referring_file", "");
  for (const Value& item : value.at("components").items()) {
    options.components.push_back(componentFrom(item, place, diagnostics));
    if (options.components.back().robot < 0 || options.components.back().robot >= static_cast<int>(world.robots.size()))
      throw Error("the log names a robot that its world does not have", place);
  }
  origin.commands = timedCommandsFrom(value.at("commands"), world, diagnostics);
  diagnostics.throwIfErrors();
  origin.commandsFrom = value.real("commands_from", 0);
  return origin;
}

}  // namespace mortise
