#include "mortise/pipeline/simulate/timed_command.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <sstream>

#include "mortise/base/error.h"
#include "mortise/base/units.h"
#include "mortise/base/value_text.h"
#include "mortise/component/sensor.h"
#include "mortise/loading/robot_reference.h"
#include "mortise/pipeline/file/pipeline.h"
#include "mortise/pipeline/simulate/command_errors.h"
#include "mortise/settings/parse_setting.h"
#include "mortise/settings/permissions.h"
#include "mortise/settings/placed.h"
#include "mortise/settings/settings.h"

namespace mortise {

namespace {

struct TimedCommandEntry {
  std::optional<double> at;  ///< s
  Value robot;
  std::optional<std::string> command;
  Value arguments;
  std::optional<std::string> setting;
  Value value;
  std::optional<std::string> sensor;
  Placed<std::optional<bool>> enabled;
  Placed<std::optional<double>> rate;
  BodyKeys body;
  Value edit;

  void bind(SettingBinder& b) {
    b.add("at", at, "When, counted from where the run starts.", {.min = 0, .max = 1e9, .unit = "s"});
    b.add("robot", robot, "Name or id of the robot; may be left out when there is one only.");
    b.add("command", command, "Command of the controller.");
    b.add("arguments", arguments, "What the command takes: a list or a map.");
    b.add("setting", setting, "Setting of the controller, or of the sensor.");
    b.add("value", value, "What the setting becomes.");
    b.add("sensor", sensor, "Name of a sensor of the robot.");
    b.add("enabled", enabled, "Switches the sensor on or off.");
    b.add("rate", rate, "Rate of the sensor from then on.", {.min = 1e-3, .max = 1e6, .unit = "Hz"});
    body.bind(b);
    b.add("edit", edit, "Change of the world: {body: NAME, mass: 2 kg}, {add: NAME, box: ...}, {remove: NAME}.");
  }
};

constexpr const char* kForms =
    "write {at: 1 s, command: NAME, arguments: [...]}, {at: 1 s, setting: NAME, value: VALUE}, {at: 1 s, sensor: "
    "NAME, enabled: false}, {at: 1 s, body: NAME, force: [1, 0, 0], for: 0.5 s}, or {at: 1 s, edit: {body: NAME, mass: "
    "2 "
    "kg}}";

std::string controllerOf(const Simulation& simulation, int robot) {
  return "the controller of robot '" + simulation.world().robots[robot].name + "'";
}

std::vector<std::string> sensorNames(const Simulation& simulation, int robot) {
  std::vector<std::string> names;
  for (const SensorReading& reading : simulation.sensorReadings(robot)) names.emplace_back(reading.name);
  return names;
}

Sensor& sensorOf(Simulation& simulation, const TimedCommand& command) {
  if (Sensor* sensor = simulation.sensor(command.robot, command.sensor)) return *sensor;
  throw unknownSensor(command, simulation.world().robots[command.robot].name, sensorNames(simulation, command.robot));
}

TimedCommand toController(const TimedCommand& command, std::string name) {
  TimedCommand own = command;
  own.what = TimedCommand::What::setting;
  own.name = std::move(name);
  own.sensor.clear();
  own.dotted = false;
  return own;
}

/// To whom a setting with a dot in its name belongs: the controller where it has one of this name, else a sensor.
TimedCommand resolved(Simulation& simulation, const TimedCommand& command) {
  if (!command.dotted) {
    if (command.what != TimedCommand::What::setting || !command.sensor.empty()) return command;
    // Of a pipeline, where a sensor may also be named by a key of its own.
    const std::size_t dot = command.name.find('.');
    if (dot == std::string::npos) return command;
    const Value settings = simulation.controller(command.robot)->settings();
    TimedCommand other = command;
    other.sensor = command.name.substr(0, dot);
    other.name = command.name.substr(dot + 1);
    if (other.name == "enabled") other.what = TimedCommand::What::enabled;
    if (other.name == "rate") other.what = TimedCommand::What::rate;
    const Sensor* sensor = simulation.sensor(command.robot, other.sensor);
    const bool ofSensor =
        sensor != nullptr && (other.what != TimedCommand::What::setting || sensor->settings().contains(other.name));
    return ofSensor && !settings.contains(command.name) ? other : command;
  }
  const std::string key = command.what == TimedCommand::What::enabled ? "enabled"
                          : command.what == TimedCommand::What::rate  ? "rate"
                                                                      : command.name;
  const std::string full = command.sensor + "." + key;
  const Value settings = simulation.controller(command.robot)->settings();
  const Sensor* sensor = simulation.sensor(command.robot, command.sensor);
  const bool ofController = settings.contains(full);
  const bool ofSensor =
      sensor != nullptr && (command.what != TimedCommand::What::setting || sensor->settings().contains(key));
  if (ofController && ofSensor)
    throw Error("both " + controllerOf(simulation, command.robot) + " and its sensor '" + command.sensor +
                    "' have a setting of this name: '" + full + "' and '" + key + "'",
                command.position,
                "give the sensor another name, or write the command in a pipeline: {setting: " + full +
                    ", value: ...} is the controller's, {sensor: " + command.sensor +
                    (command.what == TimedCommand::What::setting ? ", setting: " + key + ", value: ...}"
                                                                 : ", " + key + ": ...}") +
                    " the sensor's");
  if (ofController || (sensor == nullptr && mayBeInside(settings, full))) return toController(command, full);
  return command;
}

double rateFrom(const Value& value) {
  double rate = 0;
  if (value.isString()) {
    std::string problem;
    const std::optional<double> number = parseQuantity(value.asString(), "Hz", problem);
    if (!number) throw Error("not a rate: " + problem, value.position());
    rate = *number;
  } else {
    rate = value.asReal();
  }
  if (!(rate >= 1e-3) || !(rate <= 1e6))
    throw Error("a rate is from 0.001 to 1e6 Hz, not " + formatReal(rate), value.position());
  return rate;
}

}  // namespace

namespace {

/// Reads an entry that acts on a body.
TimedCommand bodyCommandOf(const TimedCommandEntry& entry, const Value& item, const World& world) {
  if (entry.command || entry.setting || entry.sensor || entry.enabled.value || entry.rate.value ||
      !entry.arguments.isNull() || !entry.value.isNull())
    throw Error("an entry of 'commands' acts on a body, or commands a robot, and does not do both", item.position(),
                "make two entries of it");
  if (!entry.at && entry.body.condition.isNull())
    throw Error("'at' is missing: the time at which it acts", item.position(), kForms);
  TimedCommand command;
  command.position = item.position();
  command.what = TimedCommand::What::body;
  command.at = entry.at.value_or(0);
  auto action = std::make_shared<BodyAction>(bodyActionFrom(entry.body, command.at, entry.robot, item, world));
  command.robot = std::max(action->robot, 0);
  command.name = action->text(world);
  command.action = std::move(action);
  return command;
}

/// Reads an entry that changes the world.
TimedCommand editOf(const TimedCommandEntry& entry, const Value& item) {
  if (item.size() != (entry.at ? 2U : 1U))
    throw Error("an entry of 'commands' with an 'edit' has no keys besides 'at'", item.position(),
                "make two entries of it");
  if (!entry.at) throw Error("'at' is missing: the time of the edit", item.position(), kForms);
  TimedCommand command;
  command.position = item.position();
  command.what = TimedCommand::What::edit;
  command.at = *entry.at;
  auto edit = std::make_shared<WorldEdit>(worldEditFrom(entry.edit));
  command.name = edit->text();
  command.edit = std::move(edit);
  return command;
}

/// Reads what an entry does: a command, a setting, or a sensor that is enabled or gets a rate. Throws `Error` with the
/// hint `kForms` for one that does not say that clearly.
TimedCommand commandOf(const TimedCommandEntry& entry, const Value& item) {
  TimedCommand command;
  command.position = item.position();
  const auto wrong = [&](const std::string& message) { return Error(message, item.position(), kForms); };
  const bool enabled = entry.enabled.value.has_value(), rate = entry.rate.value.has_value();
  if (entry.command.has_value() + entry.setting.has_value() + enabled + rate != 1)
    throw wrong(
        "an entry of 'commands' needs one of the keys command, setting, enabled, rate, body, and not two of them");
  if (!entry.at) throw wrong("'at' is missing: the time of the command");
  command.sensor = entry.sensor.value_or("");
  if (entry.command) {
    if (entry.sensor) throw wrong("commands go to controllers, not to the sensor '" + command.sensor + "'");
    command.name = *entry.command;
    command.value = entry.arguments.isNull() ? Value::list() : entry.arguments;
  } else if (entry.setting) {
    // A value that is null on purpose cannot be told from none, and no setting takes it.
    if (entry.value.isNull()) throw wrong("the setting '" + *entry.setting + "' needs a value");
    command.what = TimedCommand::What::setting;
    command.name = *entry.setting;
    command.value = entry.value;
  } else {
    if (!entry.sensor) throw wrong(std::string("'") + (enabled ? "enabled" : "rate") + "' needs the name of a sensor");
    command.what = enabled ? TimedCommand::What::enabled : TimedCommand::What::rate;
    command.value = enabled ? Value(*entry.enabled.value) : Value(*entry.rate.value);
    command.value.setPosition(enabled ? entry.enabled.where : entry.rate.where);
  }
  if ((!entry.arguments.isNull() && !entry.command) || (!entry.value.isNull() && !entry.setting))
    throw wrong(entry.value.isNull() ? "'arguments' belong to a command" : "'value' belongs to a setting");
  command.at = *entry.at;
  return command;
}

}  // namespace

std::vector<TimedCommand> timedCommandsFrom(const Value& list, const World& world, Diagnostics& diagnostics) {
  std::vector<TimedCommand> commands;
  if (list.isNull()) return commands;
  if (!list.isList()) {
    diagnostics.error("'commands' must be a list", list.position(), kForms);
    return commands;
  }
  for (const Value& item : list.items()) {
    const auto entry = readSettings<TimedCommandEntry>(item, "an entry of 'commands'", diagnostics);
    if (!entry) continue;
    TimedCommand command;
    try {
      if (!entry->body.body.isNull() || entry->body.any()) {
        // A world that could not be read was reported already.
        if (world.numIds() > 0) commands.push_back(bodyCommandOf(*entry, item, world));
        continue;
      }
      if (!entry->edit.isNull()) {
        commands.push_back(editOf(*entry, item));
        continue;
      }
      command = commandOf(*entry, item);
    } catch (const Error& error) {
      diagnostics.error(error);
      continue;
    }
    try {
      if (world.numIds() > 0) command.robot = findRobot(world, entry->robot);
    } catch (const Error& error) {
      diagnostics.error("an entry of 'commands': " + error.message(),
                        entry->robot.isNull() ? item.position() : entry->robot.position(), error.hint());
      continue;
    }
    commands.push_back(std::move(command));
  }
  sortByTime(commands);
  return commands;
}

namespace {

/// Reads `KEY=VALUE REST`, of a controller or of SENSOR.NAME; `wrong` makes an error of a message.
void readSetting(std::string key, std::string value, const std::string& rest,
                 const std::function<Error(const std::string&)>& wrong, TimedCommand& command) {
  if (!rest.empty()) value += (value.empty() ? "" : " ") + rest;
  if (key.empty() || value.empty()) throw wrong("a setting is written NAME=VALUE");
  if (const std::size_t dot = key.find('.'); dot != std::string::npos) {
    command.sensor = key.substr(0, dot);
    key = key.substr(dot + 1);
    if (command.sensor.empty() || key.empty()) throw wrong("a setting of a sensor is written SENSOR.NAME=VALUE");
    command.dotted = true;
  }
  command.name = key;
  command.value = parseSetting("x=" + value).value;
  command.value.setPosition(command.position);
  command.what = TimedCommand::What::setting;
  if (!command.sensor.empty() && key == "enabled") {
    if (!command.value.isBool()) throw wrong("a sensor is enabled or not: true or false");
    command.what = TimedCommand::What::enabled;
  } else if (!command.sensor.empty() && key == "rate") {
    try {
      command.value = Value(rateFrom(command.value));
    } catch (const Error& error) {
      throw wrong(error.message());
    }
    command.what = TimedCommand::What::rate;
  }
}

/// Reads arguments that are words. A single name, of a file or a state, say, is itself, as `arguments: NAME` of a
/// pipeline gives it.
Value argumentsOf(const std::string& text, const SourcePosition& where) {
  Value arguments = Value::list();
  std::istringstream words(text);
  for (std::string word; words >> word;) arguments.push_back(Value::fromText(word).setPosition(where));
  if (arguments.size() == 1 && arguments[0].isString()) {
    const Value only = arguments[0];
    arguments = only;
  }
  return arguments.setPosition(where);
}

/// Reads a command of a controller with its arguments: YAML or words.
void readCall(const std::string& name, const std::string& rest, TimedCommand& command) {
  command.name = name;
  const bool yaml = !rest.empty() && (rest.front() == '{' || rest.front() == '[');
  command.value = yaml ? parseYaml(rest, "--command") : argumentsOf(rest, command.position);
}

/// Reads an entry as stages have it, written on a command line.
TimedCommand entryFromText(const std::string& text, const World& world, const SourcePosition& where) {
  const auto wrong = [&](const Error& error) {
    return Error("'" + text + "': " + error.message(), where, error.hint());
  };
  Value list = Value::list();
  try {
    list.push_back(parseYaml(text, "--command"));
  } catch (const Error& error) {
    throw wrong(error);
  }
  Diagnostics diagnostics;
  std::vector<TimedCommand> commands = timedCommandsFrom(list, world, diagnostics);
  for (const Diagnostic& problem : diagnostics.all())
    if (problem.severity == Severity::error) throw wrong(Error(problem.message, problem.where, problem.hint));
  if (commands.size() != 1) throw wrong(Error("it is no entry of 'commands'", where, kForms));
  commands.front().position = where;
  return std::move(commands.front());
}

}  // namespace

TimedCommand timedCommandFromText(const std::string& text, const World& world) {
  const SourcePosition where = onCommandLine("--command");
  const auto wrong = [&](const std::string& message) {
    return Error("'" + text + "': " + message, where,
                 "write \"1.5 set_q 0 1 2\", \"1.5 ROBOT: set_q 0 1 2\", \"2 SETTING=VALUE\", \"3 "
                 "SENSOR.enabled=false\" or \"{at: 1, "
                 "body: NAME, force: [1, 0, 0], for: 0.5}\"");
  };
  if (text.starts_with('{')) return entryFromText(text, world, where);
  std::istringstream in(text);
  TimedCommand command;
  command.position = where;
  std::string word;
  if (!(in >> word)) throw wrong("there is nothing in it");
  std::string problem;
  const std::optional<double> time = parseQuantity(word, "s", problem);
  if (!time || !(*time >= 0) || !(*time <= 1e9)) throw wrong("it starts with a time of at least 0, not '" + word + "'");
  command.at = *time;
  if (!(in >> word)) throw wrong("a command is missing after the time");
  Value robot;
  if (word.size() > 1 && word.back() == ':') {
    robot = Value::fromText(word.substr(0, word.size() - 1));
    if (!(in >> word)) throw wrong("a command is missing after the robot");
  }
  try {
    command.robot = findRobot(world, robot);
  } catch (const Error& error) {
    const std::string hint = robot.isNull() ? "write the robot with a colon before the command: \"" +
                                                  formatReal(command.at) + " ROBOT: " + word + " ...\""
                                            : error.hint();
    throw Error("'" + text + "': " + error.message(), where, hint);
  }
  std::string rest;
  std::getline(in, rest, '\0');
  while (!rest.empty() && std::isspace(static_cast<unsigned char>(rest.front()))) rest.erase(0, 1);
  if (const std::size_t equals = word.find('='); equals != std::string::npos) {
    readSetting(word.substr(0, equals), word.substr(equals + 1), rest, wrong, command);
    return command;
  }
  readCall(word, rest, command);
  return command;
}

std::vector<TimedCommand> worldCommands(const World& world, Diagnostics& diagnostics) {
  Value list = Value::list();
  for (Value entry : world.simulation.commands) {
    if (const Value* arguments = entry.find("arguments"); arguments != nullptr && arguments->isScalar())
      entry.set("arguments", argumentsOf(arguments->text(), arguments->position()));
    list.push_back(std::move(entry));
  }
  return timedCommandsFrom(list, world, diagnostics);
}

void sortByTime(std::vector<TimedCommand>& commands) {
  std::stable_sort(commands.begin(), commands.end(),
                   [](const TimedCommand& a, const TimedCommand& b) { return a.at < b.at; });
}

void checkCommands(Simulation& simulation, const std::vector<TimedCommand>& commands, Diagnostics& diagnostics) {
  checkVelocities(commands, simulation.world(), diagnostics);
  checkEdits(
      commands, [&](const WorldEdit& edit, const EditedWorld* before) { return simulation.tryEdit(edit, before); },
      diagnostics);
  for (const TimedCommand& written : commands) {
    try {
      if (written.what == TimedCommand::What::edit) continue;
      if (written.what == TimedCommand::What::body) {
        requirePossible(*written.action, simulation);
        continue;
      }
      const TimedCommand command = resolved(simulation, written);
      if (command.what == TimedCommand::What::command) {
        const Controller* controller = simulation.controller(command.robot);
        const auto known = controller->commands();
        const bool listed =
            std::any_of(known.begin(), known.end(), [&](const auto& entry) { return entry.first == command.name; });
        if (!listed) throw unknownCommand(command, controllerOf(simulation, command.robot), known);
      } else if (!command.sensor.empty()) {
        const Sensor& sensor = sensorOf(simulation, command);
        if (command.what == TimedCommand::What::setting && !sensor.hasSetting(command.name))
          throw unknownSetting(command, "the sensor '" + command.sensor + "'", sensor.settings());
      } else if (const Controller& controller = *simulation.controller(command.robot);
                 lacksSetting(controller, command.name)) {
        throw unknownSetting(command, controllerOf(simulation, command.robot), controller.settings());
      }
    } catch (const Error& error) {
      diagnostics.error(placedAt(error, written));
    }
  }
}

TimedCommand carryOut(Simulation& simulation, const TimedCommand& written) {
  if (written.what == TimedCommand::What::body) return written;  // `BodyActions` does it, step by step.
  try {
    if (written.what == TimedCommand::What::edit) {
      simulation.edit(*written.edit);
      return written;
    }
    const TimedCommand command = resolved(simulation, written);
    switch (command.what) {
      case TimedCommand::What::command: {
        Controller& controller = *simulation.controller(command.robot);
        if (!controller.command(command.name, command.value))
          throw unknownCommand(command, controllerOf(simulation, command.robot), controller.commands());
        break;
      }
      case TimedCommand::What::setting:
        if (command.sensor.empty()) {
          Controller& controller = *simulation.controller(command.robot);
          if (!controller.changeSetting(command.name, command.value))
            throw unknownSetting(command, controllerOf(simulation, command.robot), controller.settings());
        } else {
          Sensor& sensor = sensorOf(simulation, command);
          if (!sensor.changeSetting(command.name, command.value))
            throw unknownSetting(command, "the sensor '" + command.sensor + "'", sensor.settings());
        }
        break;
      case TimedCommand::What::enabled:
        simulation.setSensorEnabled(command.robot, command.sensor, command.value.asBool());
        break;
      case TimedCommand::What::rate:
        simulation.setSensorRate(command.robot, command.sensor, rateFrom(command.value));
        break;
      case TimedCommand::What::body:
      case TimedCommand::What::edit:
        break;
    }
    return command;
  } catch (const Error& error) {
    throw placedAt(error, written);
  } catch (const std::exception& error) {  // Of a plugin.
    throw placedAt(Error(error.what()), written);
  }
}

}  // namespace mortise
