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

int pathDiscretize(const Arguments& arguments) {
  CommandLine line("mortise path discretize", "milestones that straight lines may connect");
  declareMotionFile(line);
  declareSettings(line, DiscretizeSettings());
  declareMotionOutput(line);
  line.epilog("Sections with goals become configurations at which links meet them. Milestones keep their times.\n");
  if (!line.parse(arguments)) return 0;
  const auto settings = settingsOf<DiscretizeSettings>(line);
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  if (line.has("output")) requireMotionFormat(loader, line.text("output"));
  const OpenedMotion opened = openMotion(line, loader, line.positionals().front());
  const MultiPath before = multiPathOf(opened.motion.resource());
  finishPath(line, loader, before, discretizeMultiPath(opened.robot, before, settings.curve, settings.resolution));
  return 0;
}

}  // namespace mortise::app
