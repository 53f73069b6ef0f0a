#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/resource_options.h"
#include "mortise/planning/motion_file.h"
#include "mortise/planning/path_report.h"
#include "mortise/timing/multipath/multipath_tools.h"
#include "planning/path_file.h"

namespace mortise::app {

int pathDiscretize(const Arguments& arguments) {
  CommandLine line("mortise path discretize", "milestones that straight lines may connect");
  declareMotionFile(line);
  line.option("resolution", "X", "how far lines may leave the path, and links their goals, in rad or m (0.01)")
      .option("curve", "KIND", "automatic (default), blend, smooth or stop: what lies between the path's milestones")
      .values("curve", {"automatic", "blend", "smooth", "stop"})
      .option("output,o", "OUT", "write the path: MultiPath .xml, .json, .path, .milestones or .configs")
      .epilog("Sections with goals become configurations at which links meet them. Milestones keep their times.\n");
  if (!line.parse(arguments)) return 0;
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  if (line.has("output")) requireMotionFormat(loader, line.text("output"));
  const OpenedMotion opened = openMotion(line, loader, line.positionals().front());
  PathCurveOptions options;
  options.kind = curveKind(line.text("curve", "automatic"));
  const MultiPath before = multiPathOf(opened.motion.resource());
  finishPath(line, loader, before,
             discretizeMultiPath(opened.robot, before, options, line.quantity("resolution", "", 0.01)));
  return 0;
}

}  // namespace mortise::app
