#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/resource_options.h"
#include "command_line/setting_options.h"
#include "mortise/planning/motion_file.h"
#include "mortise/planning/path_report.h"
#include "mortise/planning/settings/motion_settings.h"
#include "mortise/timing/multipath/multipath_tools.h"
#include "planning/path_file.h"

namespace mortise::app {

int pathSmooth(const Arguments& arguments) {
  CommandLine line("mortise path smooth", "a smooth curve through a path's milestones, on which links keep to goals");
  declareMotionFile(line);
  declareSettings(line, SmoothSettings());
  declareMotionOutput(line);
  line.epilog(
      "The path goes along at a constant rate, in the time that it had; `mortise path retime` makes it a motion\n"
      "within the robot's bounds.\n");
  if (!line.parse(arguments)) return 0;
  const auto settings = settingsOf<SmoothSettings>(line);
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  if (line.has("output")) requireMotionFormat(loader, line.text("output"));
  const OpenedMotion opened = openMotion(line, loader, line.positionals().front());
  const MultiPath before = multiPathOf(opened.motion.resource());
  finishPath(line, loader, before, smoothMultiPath(opened.robot, before, settings.curve));
  return 0;
}

}  // namespace mortise::app
