#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "command_line/setting_options.h"
#include "mortise/base/error.h"
#include "mortise/json/json_writer.h"
#include "mortise/planning/motion_file.h"
#include "mortise/planning/plan_substitutions.h"
#include "mortise/simulation/scene/substitution.h"
#include "planning/path_file.h"
#include "planning/path_in_world.h"
#include "planning/space_options.h"

namespace mortise::app {

namespace {

/// The optimization tests configurations every `step`, and samples none.
const std::vector<std::string> kWithoutEffect = {"edges", "resolution", "workspace"};

}  // namespace

int pathOptimize(const Arguments& arguments) {
  CommandLine line("mortise path optimize", "a smooth path that keeps clear of a world, from one that need not");
  declareMotionFile(line);
  line.option("world", "FILE", "the world in which the robot moves");
  declareSettings(line, OptimizeSettings());
  declarePathSpace(line, kWithoutEffect);
  declareMotionOutput(line);
  line.epilog(
      "The first and the last configuration stay. Links count as their convex hulls. A local method: it cannot move\n"
      "every path out of collisions. Exits with 1, and writes nothing, where the result is not free.\n");
  if (!line.parse(arguments)) return 0;
  if (!line.has("world")) throw UsageError("missing --world, what the path keeps clear of");
  const auto settings = settingsOf<OptimizeSettings>(line);
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  if (line.has("output")) requireMotionFormat(loader, line.text("output"));
  PathInWorld path(line, loader, kWithoutEffect);
  const InterruptGuard guard;
  Value report = path.work->optimize(settings, guard.asked());
  if (guard.signal() != 0) return guard.exitCode();
  SubstitutionRecord said(line.log(), line.has("strict"));
  reportKeptClearance(report, said);
  if (Value substitutions = said.value(); !substitutions.isNull())
    report.set("substitutions", std::move(substitutions));
  const bool feasible = report.at("feasible").asBool();
  if (feasible)
    writeWork(line, loader, *path.work, report);
  else
    report.set("check", path.work->check(CheckSettings()));
  print(line.json() ? toJson(report) + "\n" : optimizeText(report));
  if (feasible) return 0;
  throw Error("the path could not be made free" + firstFault(report.at("check")), {},
              "plan a path first (`mortise plan`), or allow more --penalty-rounds, --waypoints, or less --clearance");
}

}  // namespace mortise::app
