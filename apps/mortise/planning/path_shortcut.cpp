#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "command_line/setting_options.h"
#include "mortise/base/error.h"
#include "mortise/json/json_writer.h"
#include "mortise/planning/motion_file.h"
#include "mortise/planning/settings/plan_schema.h"
#include "planning/path_file.h"
#include "planning/path_in_world.h"
#include "planning/space_options.h"

namespace mortise::app {

namespace {

/// Shortcuts lie between configurations of the path, and none is sampled elsewhere.
const std::vector<std::string> kNotSampled = {"workspace"};

/// `--objective` as the settings have it: "length", "time", or a map.
Value objectiveOf(const CommandLine& line) {
  static const Schema schema = schemaOf(PathObjectiveSettings());
  return completeSettings(givenSettings(line, schema), schema);
}

}  // namespace

int pathShortcut(const Arguments& arguments) {
  CommandLine line("mortise path shortcut", "a shorter path among what is in a world");
  declareMotionFile(line);
  line.option("world", "FILE", "the world in which the robot moves");
  declareSettings(line, ShortcutSettings());
  declareSettings(line, PathObjectiveSettings());
  declarePathSpace(line, kNotSampled);
  declareMotionOutput(line);
  line.epilog(
      "The same as the stage `shortcut` and `mortise plan --shortcut`, for a path that is there. It begins and ends\n"
      "where the path does, and has to be free: `mortise path optimize` moves a path out of collisions.\n");
  if (!line.parse(arguments)) return 0;
  if (!line.has("world")) throw UsageError("missing --world, among what the robot moves");
  const auto settings = settingsOf<ShortcutSettings>(line);
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  if (line.has("output")) requireMotionFormat(loader, line.text("output"));
  PathInWorld path(line, loader, kNotSampled, objectiveOf(line));
  CheckSettings checking;
  checking.options.margin = path.space.margin;
  if (const Value check = path.work->check(checking); !check.at("valid").asBool())
    throw Error("the path itself is not free" + firstFault(check), {},
                "make it free with `mortise path optimize`, or plan another one with `mortise plan`");
  const InterruptGuard guard;
  Value report = path.work
                     ->shortcut(settings, path.objective, static_cast<std::uint64_t>(settings.stop.seed.value_or(0)),
                                guard.asked())
                     .value;
  if (guard.signal() != 0) return guard.exitCode();
  writeWork(line, loader, *path.work, report);
  print(line.json() ? toJson(report) + "\n" : shortcutText(report));
  return 0;
}

}  // namespace mortise::app
