#include <cmath>

#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "klampt/dragged_goals.h"
#include "logs/live_view.h"
#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/component/resource.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/planning/motion_file.h"
#include "mortise/planning/real_time/trials/real_time_obstacles.h"
#include "mortise/planning/real_time/trials/real_time_run.h"
#include "mortise/text/suggest.h"

namespace mortise::app {

namespace {

void declareRealTimeOptions(CommandLine& line) {
  line.positional("FILE", "a world, or robots, rigid objects and terrains that make up one", 1, -1)
      .option("targets", "N", "how many random targets (default 10)")
      .option("config", "FILE", "targets to go to instead, one after another (.configs, .config)")
      .option("robot", "NAME", "which robot, by name, id or index (default: the first)")
      .option("method", "NAME", "hybrid (default), tree or ik")
      .option("split", "NAME", "when new motions begin: adaptive (default) or constant")
      .option("split-time", "T", "after planning begins, with adaptive at first (default 100 ms)")
      .option("rate", "N", "iterations of planning for each second of the robot's clock (default 2000)")
      .option("velocity", "V", "the limit of velocity of all joints, in place of the model's, in rad/s or m/s")
      .option("acceleration", "A", "the same of acceleration")
      .option("margin", "D", "meters that the robot keeps from everything (default 0)")
      .repeatedOption(
          "moving", "BODY=FILE",
          "a terrain or rigid object moves as this file says, over and over when its ends are the same place "
          "(repeatable); six numbers a time: position and rotation vector")
      .option("interrupt", "P", "the fraction of targets that are replaced before they are reached (default 0.5)")
      .option("patience", "T", "how long every other target may take (default 10 s)")
      .option("checks", "N", "places that are checked in each millisecond of what was executed (default 100; 0: none)")
      .option("output,o", "FILE", "the motion that was executed, in any format for motions")
      .option("seed", "N", "seed of targets and planning (default 0)")
      .withPlugins()
      .epilog(
          "Sends a robot from target to target, half of the time before it is there, while it plans the next motion, "
          "as "
          "Klamp't's\nRealTimePlanning does, and checks what was executed. Exit codes: 0 done, 1 a target was not "
          "reached "
          "or a check failed,\n2 wrong usage.\n\nExample:\n"
          "  mortise RealTimePlanning data/worlds/heron_shelf.xml --targets 20 --seed 3\n"
          "  mortise RealTimePlanning data/worlds/heron_shelf.xml --view\n"
          "See docs/real_time_planning.md.");
  declareDragging(line);
  addResourceOptions(line);
}

/// Settings of the controller that plans as these options say.
Value controllerSettings(const RealTimeRunSettings& settings) {
  const RealTimeRobotOptions& options = settings.options;
  Value value = Value::map();
  value.set("method", std::string(realTimeMethodName(options.planner.method)));
  value.set("split", options.session.split.kind == SplitTimeOptions::Kind::constant ? "constant" : "adaptive");
  value.set("split_time", options.session.split.initial);
  value.set("iterations_per_second", options.session.iterationsPerSecond);
  value.set("velocity_limit", options.limits.velocity);
  value.set("acceleration_limit", options.limits.acceleration);
  value.set("margin", options.margin);
  return value;
}

int robotOf(const CommandLine& line, const World& world) {
  if (!line.has("robot")) return 0;
  const std::string name = line.text("robot");
  std::vector<std::string> names;
  for (std::size_t i = 0; i < world.robots.size(); ++i) {
    names.push_back(world.robots[i].name);
    if (name == names.back() || name == std::to_string(world.robotId(static_cast<int>(i)))) return static_cast<int>(i);
  }
  const Value index = Value::fromText(name);
  if (index.isInteger() && index.asInteger() >= 0 && index.asInteger() < static_cast<std::int64_t>(names.size()))
    return static_cast<int>(index.asInteger());
  throw Error("there is no robot '" + name + "'", {}, suggestFrom(name, names));
}

RealTimeRunSettings runSettings(const CommandLine& line) {
  RealTimeRunSettings settings;
  const auto positive = [&](const char* option, double value) {
    if (!(value > 0) || !std::isfinite(value))
      throw UsageError("--" + std::string(option) + " is above 0, not '" + line.text(option) + "'");
    return value;
  };
  settings.targets = static_cast<int>(line.integer("targets", 10));
  settings.seed = line.seed();
  settings.checks = static_cast<int>(line.integer("checks", 100));
  if (settings.targets < 1 || settings.checks < 0) throw UsageError("--targets is at least 1, --checks at least 0");
  settings.interrupt = line.quantity("interrupt", "", 0.5);
  if (!(settings.interrupt >= 0 && settings.interrupt <= 1))
    throw UsageError("--interrupt is a fraction from 0 to 1, not '" + line.text("interrupt") + "'");
  settings.patience = positive("patience", line.quantity("patience", "s", 10));
  settings.options.margin = line.quantity("margin", "m", 0);
  settings.options.limits.velocity = line.quantity("velocity", "", 0);
  settings.options.limits.acceleration = line.quantity("acceleration", "", 0);
  RealTimeSessionOptions& session = settings.options.session;
  session.split.initial = positive("split-time", line.quantity("split-time", "s", session.split.initial));
  session.iterationsPerSecond = positive("rate", line.quantity("rate", "", session.iterationsPerSecond));
  const std::string split = line.text("split", "adaptive"), method = line.text("method", "hybrid");
  if (split != "adaptive" && split != "constant")
    throw UsageError("--split is adaptive or constant, not '" + split + "'");
  session.split.kind = split == "constant" ? SplitTimeOptions::Kind::constant : SplitTimeOptions::Kind::adaptive;
  bool known = false;
  for (const RealTimeMethod each : {RealTimeMethod::hybrid, RealTimeMethod::tree, RealTimeMethod::ik}) {
    if (method != realTimeMethodName(each)) continue;
    settings.options.planner.method = each;
    known = true;
  }
  if (!known) throw UsageError("--method is hybrid, tree or ik, not '" + method + "'");
  return settings;
}

}  // namespace

int realTimePlanningCommand(const Arguments& arguments) {
  CommandLine line("mortise RealTimePlanning", "plan while a robot moves, from one random target to the next");
  declareRealTimeOptions(line);
  // Without arguments it prints its help, as Klamp't's does.
  if (!line.parse(arguments.empty() ? Arguments{"--help"} : arguments)) return 0;
  RealTimeRunSettings settings = runSettings(line);
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  if (line.has("output")) requireMotionFormat(loader, line.text("output"));
  Diagnostics diagnostics;
  auto world = std::make_shared<const World>(assembleWorld(loader, line.positionals(), diagnostics));
  diagnostics.throwIfErrors("the world cannot be used");
  if (world->robots.empty()) throw Error("there is no robot in '" + line.positionals().front() + "'");
  settings.robot = robotOf(line, *world);
  if (wantsView(line))
    return dragGoals(line, line.positionals(), settings.robot, controllerSettings(settings),
                     {"targets", "config", "moving", "interrupt", "patience", "checks", "output"});
  for (const std::string& moving : line.texts("moving"))
    settings.options.motions.push_back(movingBody(moving, *world, loader, diagnostics));
  if (line.has("config"))
    settings.given = loader.load<ConfigurationList>(line.text("config"), {}, diagnostics).configurations;
  diagnostics.throwIfErrors();
  const int links = world->robots[static_cast<std::size_t>(settings.robot)].robot->numLinks();
  for (const VectorXd& q : settings.given)
    if (q.size() != links)
      throw Error("a target in '" + line.text("config") + "' has " + std::to_string(q.size()) +
                  " numbers, but robot '" + world->robots[static_cast<std::size_t>(settings.robot)].name + "' has " +
                  std::to_string(links) + " links");
  printWarnings(line, diagnostics);

  const InterruptGuard interrupt;
  settings.stopRequested = interrupt.asked();
  RealTimeRunResult result = runRealTime(world, settings);
  if (line.has("output")) {
    Diagnostics writing;
    loader.write(result.motion, line.text("output"), writing);
    printWarnings(line, writing);
    result.report.set("file", line.text("output"));
  }
  if (line.json())
    print(toJson(result.report) + "\n");
  else if (!line.quiet())
    print(realTimeReportText(result.report));
  if (interrupt.signal() != 0) return interrupt.exitCode();
  if (!result.findings.clean()) {
    line.log().write(LogLevel::error, "RealTimePlanning", "the motion fails the check: " + result.findings.first);
    return 1;
  }
  return result.report.at("unreached").asInteger() == 0 ? 0 : 1;
}

}  // namespace mortise::app
