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

void declarePathInWorld(CommandLine& line, const Schema& settings, const std::vector<std::string>& without) {
  declareMotionFile(line);
  line.option("world", "FILE", "the world in which the robot moves");
  declareSettings(line, settings);
  declarePathSpace(line, without);
  declareMotionOutput(line);
}

PathInWorld::PathInWorld(const CommandLine& line, const std::vector<std::string>& without,
                         const Value& objectiveSettings)
    : line_(line), registry_(line.makeRegistry()), loader_(*registry_, line.log(), resourcePath(line)) {
  if (!line.has("world")) throw UsageError("missing --world, the world in which the robot moves");
  if (line.has("output")) requireMotionFormat(loader_, line.text("output"));
  const OpenedMotion opened = openMotion(line, loader_, line.positionals().front());
  const std::shared_ptr<const World> world = loadWorld(line, loader_);
  const MultiPath path = multiPathOf(opened.motion.resource());
  MultiPathCheckOptions unused;
  const RobotPtr robot = useWorld(world, opened.robot, path, unused);
  const auto own = std::find_if(world->robots.begin(), world->robots.end(),
                                [&](const WorldRobot& other) { return other.robot == robot; });
  Value settings = givenPathSpace(line, without);
  settings.set("robot", world->robotId(static_cast<int>(own - world->robots.begin())));
  Diagnostics diagnostics;
  const PlanSources sources{*world, loader_};
  space_ = readPlanSpace(planSpaceSchema().complete(settings, "the path", diagnostics), sources, diagnostics);
  throwIfWrongOptions(diagnostics);
  objective_ = readPlanObjective(objectiveSettings, sources, space_, diagnostics);
  throwIfWrongOptions(diagnostics);
  work_ = std::make_unique<PathWork>(world, nullptr, space_, milestonesOf(path));
}

void PathInWorld::write(Value& report) {
  if (!line_.has("output")) return;
  Diagnostics writing;
  writeMotion(loader_, line_.text("output"), work_->path(), nullptr, 1e-4, {}, writing);
  printWarnings(line_, writing);
  report.set("file", line_.text("output"));
}

std::string firstFault(const Value& check) {
  const Value& faults = check.at("faults");
  return faults.size() > 0 ? ": " + faults[0].string("text", "") : "";
}

}  // namespace mortise::app
