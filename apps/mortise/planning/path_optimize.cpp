#include <algorithm>

#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "mortise/base/error.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/planning/motion_file.h"
#include "mortise/planning/path_report.h"
#include "mortise/planning/path_work.h"
#include "mortise/planning/plan_substitutions.h"
#include "mortise/planning/settings/plan_settings.h"
#include "mortise/simulation/scene/substitution.h"
#include "planning/path_file.h"

namespace mortise::app {

namespace {

OptimizeSettings optimizeSettings(const CommandLine& line) {
  OptimizeSettings settings;
  PathOptimizationOptions& options = settings.options;
  options.waypoints = static_cast<int>(line.integer("waypoints", options.waypoints));
  options.clearance = line.quantity("clearance", "m", options.clearance);
  options.step = line.quantity("step", "", options.step);
  options.accelerations = line.quantity("accelerations", "", options.accelerations);
  options.penalty = line.quantity("penalty", "", options.penalty);
  options.penaltyRounds = static_cast<int>(line.integer("penalty-rounds", options.penaltyRounds));
  options.iterations = static_cast<int>(line.integer("iterations", options.iterations));
  options.trust = line.quantity("trust", "", options.trust);
  return settings;
}

/// What moves: the world's robot that the path is of, and the links that may.
PlanSpaceRequest spaceOf(const CommandLine& line, FormatLoader& loader, const World& world, const RobotPtr& robot) {
  Value settings = Value::map();
  const auto own = std::find_if(world.robots.begin(), world.robots.end(),
                                [&](const WorldRobot& other) { return other.robot == robot; });
  settings.set("robot", world.robotId(static_cast<int>(own - world.robots.begin())));
  if (line.has("links")) {
    Value links = Value::list();
    for (const std::string& link : line.texts("links")) links.push_back(Value::fromText(link));
    settings.set("links", std::move(links));
  }
  Diagnostics diagnostics;
  const PlanSpaceRequest request =
      readPlanSpace(planSpaceSchema().complete(settings, "the path", diagnostics), {world, loader}, diagnostics);
  diagnostics.throwIfErrors();
  return request;
}

}  // namespace

int pathOptimize(const Arguments& arguments) {
  CommandLine line("mortise path optimize", "a smooth path that keeps clear of a world, from one that need not");
  declareMotionFile(line);
  line.option("world", "FILE", "the world in which the robot moves")
      .repeatedOption("links", "L", "link that may move, by name or index; may be repeated; default: all")
      .option("waypoints", "N", "waypoints that the path gets, at equal distances (20)")
      .option("clearance", "X", "what everything shall keep from everything, in m (0.02)")
      .option("step", "X", "distance between the configurations at which clearances are computed, in rad or m (0.1)")
      .option("accelerations", "W", "weight of second differences beside that of first ones (1)")
      .option("penalty", "P", "first penalty of a meter too near (10)")
      .option("penalty-rounds", "N", "how often it grows tenfold where it does not help (5)")
      .option("iterations", "N", "convex programs of one penalty (40)")
      .option("trust", "X", "first size of the trust region, in rad or m (0.2)")
      .option("output,o", "OUT", "write the path: MultiPath .xml, .json, .path, .milestones or .configs")
      .epilog(
          "The first and the last configuration stay. Links count as their convex hulls. A local method: it cannot "
          "move\n"
          "every path out of collisions. Exits with 1, and writes nothing, where the result is not free.\n");
  if (!line.parse(arguments)) return 0;
  if (!line.has("world")) throw UsageError("missing --world, what the path keeps clear of");
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  if (line.has("output")) requireMotionFormat(loader, line.text("output"));
  OpenedMotion opened = openMotion(line, loader, line.positionals().front());
  Diagnostics diagnostics;
  const auto world = std::make_shared<const World>(assembleWorld(loader, {line.text("world")}, diagnostics));
  diagnostics.throwIfErrors("'" + line.text("world") + "' cannot be used");
  printWarnings(line, diagnostics);
  const MultiPath before = multiPathOf(opened.motion.resource());
  MultiPathCheckOptions unused;
  opened.robot = useWorld(world, opened.robot, before, unused);
  PathWork work(world, nullptr, spaceOf(line, loader, *world, opened.robot), milestonesOf(before));
  const InterruptGuard guard;
  Value report = work.optimize(optimizeSettings(line), guard.asked());
  if (guard.signal() != 0) return guard.exitCode();
  SubstitutionRecord said(line.log(), line.has("strict"));
  tellKeptClearance(report, said);
  if (Value substitutions = said.value(); !substitutions.isNull())
    report.set("substitutions", std::move(substitutions));
  const bool feasible = report.at("feasible").asBool();
  if (!feasible) report.set("check", work.check(CheckSettings()));
  if (feasible && line.has("output")) {
    Diagnostics writing;
    writeMotion(loader, line.text("output"), work.path(), nullptr, 1e-4, {}, writing);
    printWarnings(line, writing);
    report.set("file", line.text("output"));
  }
  print(line.json() ? toJson(report) + "\n" : optimizeText(report));
  if (feasible) return 0;
  const Value& faults = report.at("check").at("faults");
  throw Error("the path could not be made free" + (faults.size() > 0 ? ": " + faults[0].string("text", "") : ""), {},
              "plan a path first (`mortise plan`), or allow more --penalty-rounds, --waypoints, or less --clearance");
}

}  // namespace mortise::app
