#include "planning/plan_options.h"

#include <algorithm>

#include "command_line/configuration_options.h"
#include "command_line/resource_options.h"
#include "command_line/setting_options.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/configuration/value_position.h"
#include "mortise/planning/settings/plan_schema.h"
#include "mortise/settings/parse_setting.h"
#include "mortise/settings/permissions.h"
#include "mortise/text/suggest.h"
#include "planning/space_options.h"

namespace mortise::app {

namespace {

SourcePosition at(const std::string& option) { return onCommandLine("--" + option); }

/// Settings of a step, as YAML `{key: value}` or a text that stands for one of them.
Value stepSettings(const CommandLine& line, const std::string& option, const std::string& key) {
  const std::string text = line.text(option);
  Value settings = Value::map();
  if (text.find('{') == 0)
    settings = configurationOption(option, text);
  else if (text != "yes")
    settings.set(key, Value::fromText(text));
  if (line.has("seed") && !settings.contains("seed")) settings.set("seed", static_cast<std::int64_t>(line.seed()));
  setPositions(settings, at(option));
  return settings;
}

/// Settings of a plan that options say in another way: lists by repeating an option, the planner's settings by --set.
const std::vector<std::string>& declaredElsewhere() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = spaceLists();
    all.insert(all.end(), {"robot", "robots", "start", "goal", "planner", "settings", "seed"});
    return all;
  }();
  return names;
}

/// The settings of the plan itself, those of --settings FILE below the options. Throws `UsageError`.
Value planSettings(const CommandLine& line) {
  Value settings = Value::map();
  if (line.has("settings")) {
    settings = loadYaml(line.text("settings"));
    if (!settings.isMap()) throw Error("the settings must be a map", settings.position(), "write planner: rrt");
  }
  const auto set = [&](const char* key, Value value) { settings.set(key, std::move(value)); };
  if (const std::vector<std::string> robots = line.texts("robot"); !robots.empty()) {
    for (const char* key : {"robot", "robots", "object"}) settings.erase(key);
    Value names = Value::list();
    for (const std::string& robot : robots) names.push_back(Value::fromText(robot));
    setPositions(names, at("robot"));
    if (names.size() == 1)
      set("robot", names[0]);
    else
      set("robots", names);
  }
  for (const char* key : {"start", "goal"})
    if (const Value given = yamlList(line, key); given.size() > 0) set(key, given.size() == 1 ? given[0] : given);
  if (const Value goals = yamlList(line, "goal-ik"); goals.size() > 0) {
    Value goal = Value::map();
    goal.set("ik", goals);
    if (line.has("goal")) goal.set("configurations", settings.at("goal"));
    setPositions(goal, at("goal-ik"));
    set("goal", goal);
  }
  if (line.has("planner")) {
    settings.erase("settings");
    set("planner", Value(line.text("planner")).setPosition(at("planner")));
  }
  for (const std::string& text : line.texts("set")) {
    AssignedSetting setting = parseSetting(text);
    setPositions(setting.value, onCommandLine("--set", setting.path));
    Value planner = settings.find("settings") != nullptr ? settings.at("settings") : Value::map();
    planner.setPath(setting.path, setting.value);
    // In the map of the planner it would be set twice.
    if (Value* map = settings.find("planner"); map != nullptr && map->isMap()) map->erase(setting.path);
    set("settings", planner);
  }
  const Value given = givenSettings(line, planSchema(), declaredElsewhere());
  if (given.contains("time_limit") || given.contains("iterations"))
    for (const char* key : {"time_limit", "iterations"}) settings.erase(key);
  for (const Value::Entry& entry : given.entries()) set(entry.key.c_str(), entry.value);
  if (line.has("seed")) set("seed", Value(static_cast<std::int64_t>(line.seed())).setPosition(at("seed")));
  const Value lists = givenSpaceLists(line);
  for (const Value::Entry& entry : lists.entries()) set(entry.key.c_str(), entry.value);
  return settings;
}

}  // namespace

void declarePlanOptions(CommandLine& line) {
  line.repeatedOption("robot", "NAME", "the robot that moves, by name or id (default: the only one); may be repeated")
      .repeatedOption(
          "start", "WHERE",
          "start configuration: numbers 0,90deg,0, a .config file, or YAML such as {elbow: 90 deg} (default: the "
          "robot's configuration in the world)")
      .repeatedOption(
          "goal", "WHERE",
          "goal configuration, in the same forms, the end of a motion file, or YAML such as {region: {elbow: "
          "[0, 1]}}; may be repeated: the path ends in any of them. Links whose names are keys of goals "
          "(ik, region, ...) go below {configuration: ...}")
      .repeatedOption(
          "goal-ik", "GOAL",
          "pose goal of a link: an .ikgoal file, or YAML {link: hand, position: [x, y, z]}; may be repeated: all "
          "of them hold together")
      .option("planner", "NAME", "planner (default: any); see --list-planners")
      .repeatedOption("set", "KEY=VALUE", "set a parameter of the planner, such as range=0.5; may be repeated")
      .option("settings", "FILE", "YAML map of settings, those of the pipeline stage `plan`; options take precedence")
      .option("seed", "N", "seed of the random numbers (default 0)");
  declareSpaceLists(line);
  declareSettings(line, planSchema(), declaredElsewhere());
  line.formerly("time", "time-limit")
      .option("shortcut", "[TIME]",
              "shorten the path, for at most this time (default: until there is little improvement); or YAML with the "
              "settings of the stage, such as {iterations: 500, smoothing: 2}")
      .option("retime", "[METHOD]",
              "time the path: parabolic, blend or linear (default parabolic); or YAML such as {method: blend, "
              "velocity: 1, acceleration: 4, velocity_scaling: 0.5}; --check then uses these limits as well")
      .flag("check", "check the result again, at a ten times finer resolution and by another method")
      .repeatedOption("output,o", "FILE",
                      "write the path: .path, .milestones, .configs, MultiPath .xml or .json; may be repeated")
      .option("roadmap", "FILE", "write the planner's roadmap: .tgf or .json")
      .flag("list-planners", "list the planners and end")
      .flag("strict", "treat warnings about files as errors")
      .componentValues("planner", Kind::planner)
      .withPlugins();
}

void refuseOtherValues(const CommandLine& line, const std::vector<std::string>& arguments) {
  const Schema retiming = schemaOf<RetimeSettings>();
  const std::vector<std::string> methods = retiming.find("method")->options.choices;
  const ResourcePath paths = resourcePath(line);
  for (const std::string& file : line.positionals()) {
    if (!paths.tryFind(file, {}).empty()) continue;
    const auto place = std::find(arguments.begin(), arguments.end(), file);
    const std::string before = place == arguments.begin() || place == arguments.end() ? "" : *(place - 1);
    const std::string method = nearestName(file, methods);
    if (before == "--shortcut")
      throw Error("cannot find '" + file + "'", {},
                  "if it belongs to --shortcut, that takes a time, --shortcut=2, or YAML, --shortcut='{iterations: "
                  "500}'");
    if (before == "--retime" || !method.empty())
      throw Error(
          "cannot find '" + file + "'", {},
          "if it belongs to --retime, write --retime=" + (method.empty() ? file : method) + "; " + listNames(methods));
  }
}

std::string writtenText(const Value& report) {
  const Value* files = report.find("files");
  if (files == nullptr) return {};
  std::string text = "  written     ";
  for (const std::string& file : files->asStrings()) text += " " + file;
  return text + "\n";
}

PlanRequestSettings planRequestSettings(const CommandLine& line) {
  PlanRequestSettings settings;
  settings.plan = planSettings(line);
  if (line.has("shortcut")) settings.shortcut = stepSettings(line, "shortcut", "time_limit");
  if (line.has("retime")) settings.retime = stepSettings(line, "retime", "method");
  settings.check = line.has("check");
  settings.roadmap = line.text("roadmap");
  return settings;
}

}  // namespace mortise::app
