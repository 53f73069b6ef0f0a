#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "command_line/command_line.h"
#include "command_line/configuration_options.h"
#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "klampt/dragged_goals.h"
#include "klampt/programs.h"
#include "logs/live_view.h"
#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/component/resource.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/planning/motion_file.h"
#include "mortise/planning/real_time/trials/real_time_obstacles.h"
#include "mortise/planning/real_time/trials/user_trial.h"
#include "mortise/text/suggest.h"

namespace mortise::app {

namespace {

void declareTrialOptions(CommandLine& line) {
  line.positional("FILE", "a world, or robots, rigid objects and terrains that make up one; FILE.log: the log", 1, -1)
      .repeatedOption("interface", "NAME",
                      "JointPoser, PointPoser, IKPointPoser, RRTPointPoser or HybridPointPoser; may be repeated "
                      "(default: all, one after another)")
      .values("interface", {"JointPoser", "PointPoser", "IKPointPoser", "RRTPointPoser", "HybridPointPoser"})
      .option("input", "EVENTS",
              "what the user does: a YAML or JSON file of a list such as [{at: 0.5 s, link: hand, position: [0.4, 0, "
              "0.3]}, ...], or the list itself (default: a random user drags the last link about)")
      .option("drags", "N", "of the random user (default 5)")
      .option("patience", "T", "how long the user waits after each drag (default 2 s)")
      .option("robot", "NAME", "which robot, by name or index (default: the first)")
      .option("margin", "D", "meters that planned motions keep from everything (default 0)")
      .repeatedOption("moving", "BODY=FILE",
                      "a terrain or rigid object moves as this file says, as of RealTimePlanning")
      .option("checks", "N", "places that are checked in each 10 ms of what was executed (default 100; 0: none)")
      .option("output,o", "FILE",
              "the motion that was executed; with several interfaces their names are put in front of the extension")
      .option("seed", "N", "seed of the random user and of planning (default 0)")
      .withPlugins()
      .epilog(
          "Klamp't's UserTrials without its window: a user drags a point of the robot, and the robot follows while it "
          "plans. The\nsame drags are tried with each interface; JointPoser and PointPoser go straight there, the "
          "others plan. The log, of\nKlamp't's form, is appended to FILE.log, trial.log by default. Exit codes: 0 "
          "done, 1 a planned motion failed the check,\n2 wrong usage.\n\nExample:\n"
          "  mortise UserTrials data/worlds/heron_shelf.xml trial.log --drags 3\n"
          "  mortise UserTrials data/worlds/heron_shelf.xml --interface IKPointPoser --view\n");
  declareDragging(line);
  addResourceOptions(line);
}

std::string withName(const std::string& file, const std::string& name) {
  const std::filesystem::path path(file);
  return (path.parent_path() / (path.stem().string() + "_" + name + path.extension().string())).string();
}

std::vector<TrialInterface> interfacesOf(const CommandLine& line) {
  std::vector<std::string> names;
  for (int k = 0; k < kTrialInterfaces; ++k) names.emplace_back(trialInterfaceName(static_cast<TrialInterface>(k)));
  std::vector<TrialInterface> kinds;
  for (const std::string& name : line.texts("interface")) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw UsageError("there is no interface '" + name + "'; " + suggestFrom(name, names));
    kinds.push_back(static_cast<TrialInterface>(found - names.begin()));
  }
  if (kinds.empty())
    for (int k = 0; k < kTrialInterfaces; ++k) kinds.push_back(static_cast<TrialInterface>(k));
  return kinds;
}

int trialRobot(const CommandLine& line, const World& world) {
  if (world.robots.empty()) throw Error("there is no robot in '" + line.positionals().front() + "'");
  if (!line.has("robot")) return 0;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < world.robots.size(); ++i) {
    names.push_back(world.robots[i].name);
    if (line.text("robot") == names.back() || line.text("robot") == std::to_string(i)) return static_cast<int>(i);
  }
  throw Error("there is no robot '" + line.text("robot") + "'", {}, suggestFrom(line.text("robot"), names));
}

UserTrialSettings trialSettings(const CommandLine& line) {
  UserTrialSettings settings;
  settings.interfaces = interfacesOf(line);
  settings.drags = static_cast<int>(line.integer("drags", settings.drags));
  settings.checks = static_cast<int>(line.integer("checks", settings.checks));
  settings.patience = line.quantity("patience", "s", settings.patience);
  settings.seed = line.seed();
  settings.options.margin = line.quantity("margin", "m", 0);
  settings.options.session.split.initial = 0.05;  // Shorter than the time between two movements of a mouse.
  if (settings.drags < 1 || settings.drags > 100000 || settings.checks < 0)
    throw UsageError("--drags is at least 1, --checks at least 0");
  if (!(settings.patience > 0) || !std::isfinite(settings.patience))
    throw UsageError("--patience is above 0, not '" + line.text("patience") + "'");
  return settings;
}

/// Settings of the controller that plans as an interface does. Throws `UsageError` for one that does not plan.
Value controllerSettings(const CommandLine& line, const UserTrialSettings& settings) {
  const TrialInterface kind = line.has("interface") ? settings.interfaces.front() : TrialInterface::hybridPointPoser;
  if (line.texts("interface").size() > 1 || !isSafe(kind))
    throw UsageError("--view takes one interface that plans: IKPointPoser, RRTPointPoser or HybridPointPoser");
  Value value = Value::map();
  value.set("method", kind == TrialInterface::ikPointPoser    ? "ik"
                      : kind == TrialInterface::rrtPointPoser ? "tree"
                                                              : "hybrid");
  value.set("split_time", settings.options.session.split.initial);
  value.set("margin", settings.options.margin);
  return value;
}

}  // namespace

namespace {

/// Writes what the robot did to the file of --output; several motions get the names of their interfaces.
void writeMotions(const CommandLine& line, FormatLoader& loader, UserTrialResult& result) {
  if (!line.has("output")) return;
  Diagnostics writing;
  for (std::size_t k = 0; k < result.motions.size(); ++k)
    loader.write(std::move(result.motions[k]),
                 result.motions.size() == 1
                     ? line.text("output")
                     : withName(line.text("output"), result.report[k].at("interface").asString()),
                 writing);
  printWarnings(line, writing);
}

}  // namespace

int userTrialsCommand(const Arguments& arguments) {
  CommandLine line("mortise UserTrials", "a user drags a robot's hand, and the robot follows while it plans");
  declareTrialOptions(line);
  if (!line.parse(arguments.empty() ? Arguments{"--help"} : arguments)) return 0;
  UserTrialSettings settings = trialSettings(line);
  std::string logFile = "trial.log", begin = "Begin";
  std::vector<std::string> files;
  for (const std::string& file : line.positionals()) {
    begin += " " + file;
    if (file.ends_with(".log"))
      logFile = file;
    else
      files.push_back(file);
  }
  if (files.empty()) throw UsageError("missing a world, or a robot");
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  if (line.has("output")) requireMotionFormat(loader, line.text("output"));
  Diagnostics diagnostics;
  auto world = std::make_shared<const World>(assembleWorld(loader, files, diagnostics));
  diagnostics.throwIfErrors("the world cannot be used");
  settings.robot = trialRobot(line, *world);
  if (wantsView(line))
    return dragGoals(line, files, settings.robot, controllerSettings(line, settings),
                     {"input", "drags", "patience", "moving", "checks", "output"});
  for (const std::string& moving : line.texts("moving"))
    settings.options.motions.push_back(movingBody(moving, *world, loader, diagnostics));
  if (line.has("input"))
    settings.events = dragEventsFromSetting(configurationOption("input", line.text("input")),
                                            world->robots[static_cast<std::size_t>(settings.robot)], loader);
  diagnostics.throwIfErrors();
  printWarnings(line, diagnostics);
  std::ofstream log(logFile, std::ios::app);
  if (!log) throw Error("cannot write '" + logFile + "'", {}, "name another file that ends with .log");
  log << begin << "\n";
  settings.log = [&](const std::string& text) { log << text << "\n"; };

  const InterruptGuard interrupt;
  settings.stopRequested = interrupt.asked();
  UserTrialResult result = runUserTrials(world, settings);
  log.flush();
  if (!log) throw Error("cannot write '" + logFile + "'", {}, "is the disk full?");
  writeMotions(line, loader, result);
  if (line.json()) {
    Value report = Value::map();
    report.set("trials", result.report);
    report.set("log", logFile);
    print(toJson(report) + "\n");
  } else if (!line.quiet()) {
    print(userTrialText(result.report));
  }
  if (interrupt.signal() != 0) return interrupt.exitCode();
  return result.valid ? 0 : 1;
}

}  // namespace mortise::app
