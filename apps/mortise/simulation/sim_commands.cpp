#include "simulation/sim_commands.h"

#include <algorithm>

#include "mortise/base/value_text.h"
#include "mortise/json/json_writer.h"

namespace mortise::app {

namespace {

std::string inOneLine(const Value& value) {
  if (value.isNull()) return "(default)";
  std::string text = value.isScalar() ? value.text() : toJson(value, -1);
  if (value.isString() && text.empty()) text = "\"\"";
  constexpr std::size_t kMaximum = 100;
  if (text.size() > kMaximum) text = text.substr(0, kMaximum - 3) + "...";
  return text;
}

std::string settingLines(const Value& settings, const std::string& indent) {
  std::size_t width = 0;
  for (const Value::Entry& entry : settings.entries()) width = std::max(width, entry.key.size());
  std::string text;
  for (const Value::Entry& entry : settings.entries())
    text += indent + entry.key + std::string(width - entry.key.size(), ' ') + " = " + inOneLine(entry.value) + "\n";
  return text;
}

/// "0 to 239: ..." would help nobody; the first ones show how they are called.
std::string channelText(const Value& sensor) {
  if (const Value* values = sensor.find("values")) return values->text() + " values, an image";
  const std::vector<std::string> names = sensor.at("channels").asStrings();
  constexpr std::size_t kMaximum = 8;
  std::string text = std::to_string(names.size()) + (names.size() == 1 ? " channel" : " channels");
  for (std::size_t i = 0; i < names.size() && i < kMaximum; ++i) text += (i == 0 ? ": " : ", ") + names[i];
  if (names.size() > kMaximum) text += ", ... " + names.back();
  return text;
}

}  // namespace

void declareCommandOptions(CommandLine& line) {
  line.repeatedOption("command", "\"TIME [ROBOT:] ...\"",
                      "at this time of the run, before the step, command the robot's controller: \"1.5 set_q 0 1 2\"; "
                      "or change a setting of it, \"2 NAME=VALUE\", or of a sensor, \"3 SENSOR.enabled=false\"; or act "
                      "on a body from "
                      "outside: \"{at: 1, body: NAME, force: [5, 0, 0], for: 0.2}\"")
      .flag("list-commands",
            "simulate nothing; show each robot's controller, its commands and settings, and its sensors");
}

std::vector<TimedCommand> commandsFrom(const CommandLine& line, const World& world) {
  Diagnostics diagnostics;
  std::vector<TimedCommand> commands = worldCommands(world, diagnostics);
  diagnostics.throwIfErrors();
  for (const std::string& text : line.texts("command")) commands.push_back(timedCommandFromText(text, world));
  sortByTime(commands);
  return commands;
}

std::string commandListText(const Value& robots) {
  std::string text;
  for (const Value& robot : robots.items()) {
    text += (text.empty() ? "" : "\n") + std::string("robot ") + robot.at("id").text() + "  " +
            robot.at("name").text() + "\n  controller " + robot.string("controller", "(none)") + ", " +
            formatReal(robot.real("rate", 0), 6) + " Hz\n";
    const Value& commands = robot.at("commands");
    if (commands.size() == 0) text += "    takes no commands\n";
    std::size_t width = 0;
    for (const Value& command : commands.items()) width = std::max(width, command.at("name").asString().size());
    for (const Value& command : commands.items()) {
      const std::string& name = command.at("name").asString();
      text += "    " + name + std::string(width - name.size(), ' ') + "  " + command.at("help").asString() + "\n";
    }
    const Value& settings = robot.at("settings");
    text += settings.size() == 0 ? "    has no settings that can be seen or changed\n" : settingLines(settings, "    ");
    for (const Value& sensor : robot.at("sensors").items())
      text += "  sensor " + sensor.at("name").text() + ": " + sensor.at("type").text() + ", " +
              formatReal(sensor.real("rate", 0), 6) + " Hz, " + channelText(sensor) + "\n" +
              settingLines(sensor.at("settings"), "    ");
  }
  return text.empty() ? "there are no robots\n" : text;
}

}  // namespace mortise::app
