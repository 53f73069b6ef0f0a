#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/resource_options.h"
#include "command_line/setting_options.h"
#include "mortise/json/json_writer.h"
#include "mortise/planning/path_report.h"
#include "mortise/planning/settings/motion_settings.h"
#include "planning/path_file.h"
#include "planning/path_in_world.h"

namespace mortise::app {

int pathCheck(const Arguments& arguments) {
  CommandLine line("mortise path check", "what is wrong with a path: gaps, limits, goals, torques, collisions");
  declareMotionFile(line);
  line.option("world", "FILE", "a world with the robot, for collisions; may stand in place of --robot");
  declareSettings(line, MultiPathCheckSettings());
  line.epilog(
      "Exits with 1 when something is wrong. Links with goals or holds may touch what they stand on. Without\n"
      "--robot and --world, times and gaps between sections are checked alone.\n");
  if (!line.parse(arguments)) return 0;
  MultiPathCheckOptions options = settingsOf<MultiPathCheckSettings>(line).options;
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  OpenedMotion opened = openMotion(line, loader, line.positionals().front());
  const MultiPath path = multiPathOf(opened.motion.resource());
  if (line.has("world")) opened.robot = useWorld(loadWorld(line, loader), opened.robot, path, options);
  const Value report = checkReport(checkMultiPath(opened.robot, path, options));
  print(line.json() ? toJson(report) + "\n" : checkText(report, line.positionals().front()));
  return report.at("valid").asBool() ? 0 : 1;
}

}  // namespace mortise::app
