#include "planning/plan_options.h"

#include <algorithm>

#include "command_line/configuration_options.h"
#include "command_line/resource_options.h"
#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/base/suggest.h"
#include "mortise/base/value_text.h"
#include "mortise/configuration/value_position.h"

namespace mortise::app {

namespace {

SourcePosition at(const std::string& option) { return inFile("--" + option); }

Value listOf(const CommandLine& line, const std::string& option) {
  Value list = Value::list();
  for (const std::string& text : line.texts(option)) list.push_back(configurationOption(option, text));
  list.setPosition(at(option));
  return list;
}

/// Settings of a step, as YAML `{key: value}` or a text that stands for one of them.
Value stepSettings(const CommandLine& line, const std::string& option, const std::string& key) {
  const std::string text = line.text(option);
  Value settings = Value::map();
  if (text.find('{') == 0)
    settings = configurationOption(option, text);
  else if (text != "yes")
    settings.set(key, Value::fromText(text));
  if (line.has("seed") && !settings.contains("seed")) settings.set("seed", line.integer("seed", 0));
  setPositions(settings, at(option));
  return settings;
}

}  // namespace

void declarePlanOptions(CommandLine& line) {
  line.repeatedOption("robot", "NAME", "the robot that moves, by name or id (default: the only one); may be repeated")
      .option("object", "NAME", "a rigid object that moves instead")
      .flag("planar", "the object keeps its height and turns about z only")
      .option("links", "LIST", "the links that may move, such as 0,1,2 or shoulder,elbow (default: all)")
      .repeatedOption(
          "start", "WHERE",
          "where the path begins: numbers 0,90deg,0, a .config file, or YAML such as {elbow: 90 deg} (default: "
          "where the world has the robot)")
      .repeatedOption("goal", "WHERE",
                      "where it ends: the same, a motion's end, or YAML such as {region: {elbow: [0, 1]}}; may be "
                      "repeated: any of them will do. Links called as keys of goals are (ik, region, ...) are named "
                      "below {configuration: ...}")
      .repeatedOption(
          "goal-ik", "GOAL",
          "a goal of a link: an .ikgoal file, or YAML {link: hand, position: [x, y, z]}; may be repeated: all "
          "of them at once")
      .option("planner", "NAME", "which planner (default: any); see --list-planners")
      .repeatedOption("set", "KEY=VALUE", "set a parameter of the planner, such as range=0.5; may be repeated")
      .option("settings", "FILE", "YAML map of settings, as the stage `plan` of a pipeline has them; options go first")
      .option("time", "TIME", "stop after this time (default 10, unless --iterations is given)")
      .option("iterations", "N", "stop after so many rounds of the planner")
      .flag("optimize", "go on after the first path, to better ones, until --time, --iterations or Ctrl-C")
      .option("seed", "N", "seed of everything random (default 0)")
      .option("objective", "WHAT", "what makes a path good: length (default), time, or {type: length, weights: ...}")
      .option("margin", "LENGTH", "distance to keep from everything (default 0)")
      .option("padding", "WHAT",
              "simulation: also keep the padding that a simulation puts around bodies; none (default): bare surfaces "
              "count")
      .option("edges", "HOW", "how ways are checked: proven (default) or resolution")
      .option("resolution", "D", "distance of configurations that are looked at on a way (default 0.01)")
      .option("weights", "W", "of distances: one number each, or {elbow: 2}")
      .repeatedOption("ignore", "A,B", "a pair of names or ids that may collide; may be repeated")
      .repeatedOption("keep", "GOAL", "a goal of a link that holds all along (closed chains); may be repeated")
      .option("keep-tolerance", "E", "within which it holds (default 1e-4)")
      .option("stance", "FILE", "contacts that the robot stands on, and on which it keeps its balance")
      .option("balance-margin", "LENGTH", "of the center of mass from the edge of what they support (default 0)")
      .option("workspace", "BOX", "[[x, y, z], [x, y, z]]: where an object or a floating base may be")
      .option("shortcut", "[TIME]",
              "make the path shorter, for at most this time (default: until it helps little); or YAML with the "
              "settings of the stage, such as {iterations: 500, smoothing: 2}")
      .option("retime", "[METHOD]",
              "give it times: parabolic, blend or linear (default parabolic); or YAML such as {method: blend, "
              "velocity: 1, acceleration: 4, velocity_share: 0.5}; --check then takes these limits, too")
      .flag("check", "look at the result again, ten times finer and by other means")
      .repeatedOption("output,o", "FILE",
                      "write the path: .path, .milestones, .configs, MultiPath .xml or .json; may be repeated")
      .option("roadmap", "FILE", "write what the planner knows at the end: .tgf or .json")
      .flag("list-planners", "list the planners and end")
      .flag("strict", "treat warnings about files as errors")
      .componentValues("planner", Kind::planner)
      .values("edges", {"proven", "resolution"})
      .withPlugins();
}

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
  if (line.has("object")) set("object", Value::fromText(line.text("object")).setPosition(at("object")));
  if (line.has("planar")) set("planar", Value(true).setPosition(at("planar")));
  if (line.has("links")) set("links", configurationOption("links", line.text("links")));
  for (const char* key : {"start", "goal"})
    if (const Value given = listOf(line, key); given.size() > 0) set(key, given.size() == 1 ? given[0] : given);
  if (const Value goals = listOf(line, "goal-ik"); goals.size() > 0) {
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
    Setting setting = parseSetting(text);
    setPositions(setting.value, {"--set", 0, 0, setting.path});
    Value planner = settings.find("settings") != nullptr ? settings.at("settings") : Value::map();
    planner.setPath(setting.path, setting.value);
    // In the map of the planner it would be set twice.
    if (Value* map = settings.find("planner"); map != nullptr && map->isMap()) map->erase(setting.path);
    set("settings", planner);
  }
  if (line.has("time") || line.has("iterations")) {
    for (const char* key : {"time_limit", "iterations"}) settings.erase(key);
    if (line.has("time")) set("time_limit", Value(line.text("time")).setPosition(at("time")));
    if (line.has("iterations")) set("iterations", Value(line.integer("iterations", 0)).setPosition(at("iterations")));
  }
  if (line.has("optimize")) set("optimize", Value(true).setPosition(at("optimize")));
  if (line.has("seed")) set("seed", Value(line.integer("seed", 0)).setPosition(at("seed")));
  for (const auto& [option, key] : {std::pair<const char*, const char*>{"margin", "margin"},
                                    {"padding", "padding"},
                                    {"edges", "edges"},
                                    {"stance", "stance"},
                                    {"balance-margin", "balance_margin"}})
    if (line.has(option)) set(key, Value(line.text(option)).setPosition(at(option)));
  for (const auto& [option, key] :
       {std::pair<const char*, const char*>{"resolution", "resolution"}, {"keep-tolerance", "keep_tolerance"}})
    if (line.has(option)) set(key, Value(line.quantity(option, "", 0)).setPosition(at(option)));
  for (const char* key : {"objective", "weights", "workspace"})
    if (line.has(key)) set(key, configurationOption(key, line.text(key)));
  if (const Value keep = listOf(line, "keep"); keep.size() > 0) set("keep", keep);
  if (const std::vector<std::string> pairs = line.texts("ignore"); !pairs.empty()) {
    Value list = Value::list();
    for (const std::string& text : pairs) {
      const std::size_t comma = text.find(',');
      if (comma == std::string::npos)
        throw UsageError("--ignore takes two names, such as hand,cup, not '" + text + "'");
      Value pair = Value::list();
      pair.push_back(Value::fromText(text.substr(0, comma)));
      pair.push_back(Value::fromText(text.substr(comma + 1)));
      list.push_back(std::move(pair));
    }
    setPositions(list, at("ignore"));
    set("ignore", list);
  }
  return settings;
}

void refuseStrayValues(const CommandLine& line, const std::vector<std::string>& arguments) {
  const std::vector<std::string> methods = retimeSchema().find("method") != nullptr
                                               ? retimeSchema().find("method")->options.choices
                                               : std::vector<std::string>();
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

PlanJob planJob(const CommandLine& line, const Value& settings, const PlanSources& sources, Diagnostics& diagnostics) {
  PlanJob job;
  const Value complete = planSchema().complete(settings, "the plan", diagnostics);
  if (!diagnostics.hasErrors()) job.plan = readPlan(complete, sources, 0, diagnostics).request;
  const auto step = [&](const char* option, const char* key, const Schema& schema, const auto& use) {
    if (!line.has(option)) return;
    Diagnostics own;
    const Value read = schema.complete(stepSettings(line, option, key), "--" + std::string(option), own);
    if (!own.hasErrors()) try {
        use(read);
      } catch (const Error& error) {
        own.error(error);
      }
    diagnostics.append(own);
  };
  step("shortcut", "time_limit", shortcutSchema(), [&](const Value& v) { job.shortcut = ShortcutSettings::from(v); });
  step("retime", "method", retimeSchema(), [&](const Value& v) { job.retime = RetimeSettings::from(v); });
  if (line.has("check")) job.check = CheckSettings::from(checkSchema().complete(Value::map(), "--check", diagnostics));
  if (job.check) {
    job.check->options.margin = job.plan.space.margin;
    // Limits in place of the robot's are what the motion was made for.
    if (job.retime) {
      MotionLimitOptions& limits = job.check->limits;
      limits.velocity = job.retime->limits.velocity;
      limits.acceleration = job.retime->limits.acceleration;
      limits.rampUp = job.retime->limits.rampUp;
    }
  }
  job.roadmap = line.text("roadmap");
  return job;
}

}  // namespace mortise::app
