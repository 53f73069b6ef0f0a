#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/interrupt.h"
#include "command_line/setting_options.h"
#include "mortise/base/error.h"
#include "mortise/json/json_writer.h"
#include "mortise/planning/plan_substitutions.h"
#include "mortise/simulation/scene/substitution.h"
#include "planning/path_in_world.h"

namespace mortise::app {

namespace {

/// The optimization tests configurations every `step`, and samples none.
const std::vector<std::string> kWithoutEffect = {"edges", "resolution", "workspace"};

}  // namespace

int pathOptimize(const Arguments& arguments) {
  CommandLine line("mortise path optimize", "a smooth path that keeps clear of a world, from one that need not");
  declarePathInWorld(line, schemaOf<OptimizeSettings>(), kWithoutEffect);
  line.epilog(
      "The first and the last configuration stay. Links count as their convex hulls. A local method: it cannot move\n"
      "every path out of collisions. Exits with 1, and writes nothing, where the result is not free.\n");
  if (!line.parse(arguments)) return 0;
  const auto settings = settingsOf<OptimizeSettings>(line);
  PathInWorld path(line, kWithoutEffect);
  const InterruptGuard guard;
  Value report = path.work().optimize(settings, guard.asked());
  if (guard.signal() != 0) return guard.exitCode();
  SubstitutionRecord said(line.log(), line.has("strict"));
  reportKeptClearance(report, said);
  if (Value substitutions = said.value(); !substitutions.isNull())
    report.set("substitutions", std::move(substitutions));
  const bool feasible = report.at("feasible").asBool();
  if (feasible)
    path.write(report);
  else
    report.set("check", path.work().check(CheckSettings()));
  print(line.json() ? toJson(report) + "\n" : optimizeText(report));
  if (feasible) return 0;
  throw Error("the path could not be made free" + firstFault(report.at("check")), {},
              "plan a path first (`mortise plan`), or allow more --penalty-rounds, --waypoints, or less --clearance");
}

}  // namespace mortise::app
