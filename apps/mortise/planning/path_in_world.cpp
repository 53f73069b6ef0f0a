#include "planning/path_in_world.h"

#include <algorithm>

#include "command_line/resource_options.h"
#include "command_line/setting_options.h"
#include "mortise/base/error.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/planning/motion_file.h"
#include "mortise/planning/path_report.h"
#include "mortise/planning/settings/plan_settings.h"
#include "planning/space_options.h"

namespace mortise::app {

std::shared_ptr<const World> loadWorld(const CommandLine& line, FormatLoader& loader) {
  Diagnostics diagnostics;
  auto world = std::make_shared<const World>(assembleWorld(loader, {line.text("world")}, diagnostics));
  diagnostics.throwIfErrors("'" + line.text("world") + "' cannot be used");
  printWarnings(line, diagnostics);
  return world;
}

PathInWorld::PathInWorld(const CommandLine& line, FormatLoader& loader, const std::vector<std::string>& without,
                         const Value& objectiveSettings) {
  const OpenedMotion opened = openMotion(line, loader, line.positionals().front());
  world = loadWorld(line, loader);
  const MultiPath path = multiPathOf(opened.motion.resource());
  MultiPathCheckOptions unused;
  const RobotPtr robot = useWorld(world, opened.robot, path, unused);
  const auto own = std::find_if(world->robots.begin(), world->robots.end(),
                                [&](const WorldRobot& other) { return other.robot == robot; });
  Value settings = givenPathSpace(line, without);
  settings.set("robot", world->robotId(static_cast<int>(own - world->robots.begin())));
  Diagnostics diagnostics;
  const PlanSources sources{*world, loader};
  space = readPlanSpace(planSpaceSchema().complete(settings, "the path", diagnostics), sources, diagnostics);
  throwIfWrongOptions(diagnostics);
  objective = readPlanObjective(objectiveSettings, sources, space, diagnostics);
  throwIfWrongOptions(diagnostics);
  work = std::make_unique<PathWork>(world, nullptr, space, milestonesOf(path));
}

void writeWork(const CommandLine& line, FormatLoader& loader, const PathWork& work, Value& report) {
  if (!line.has("output")) return;
  Diagnostics writing;
  writeMotion(loader, line.text("output"), work.path(), nullptr, 1e-4, {}, writing);
  printWarnings(line, writing);
  report.set("file", line.text("output"));
}

std::string firstFault(const Value& check) {
  const Value& faults = check.at("faults");
  return faults.size() > 0 ? ": " + faults[0].string("text", "") : "";
}

}  // namespace mortise::app
