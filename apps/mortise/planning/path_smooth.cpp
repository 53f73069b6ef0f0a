#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/resource_options.h"
#include "mortise/json/json_writer.h"
#include "mortise/planning/motion_file.h"
#include "mortise/planning/path_report.h"
#include "mortise/timing/multipath/multipath_tools.h"
#include "planning/path_file.h"

namespace mortise::app {

int pathSmooth(const Arguments& arguments) {
  CommandLine line("mortise path smooth", "a smooth curve through a path's milestones, on which links keep to goals");
  declareMotionFile(line);
  line.option("curve", "KIND", "smooth (default), blend, stop or automatic: what lies between milestones")
      .values("curve", {"smooth", "blend", "stop", "automatic"})
      .option("deviation", "X", "how far blends may leave the corners, in coordinates (0.01)")
      .option("tolerance", "X", "how far links may be from their goals, in m or rad (0.0001)")
      .option("output,o", "OUT", "write the path: MultiPath .xml, .json, .path, .milestones or .configs")
      .epilog(
          "The path goes along at a constant rate, in the time that it had; `mortise path retime` makes it a motion\n"
          "within the robot's bounds.\n");
  if (!line.parse(arguments)) return 0;
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  if (line.has("output")) requireMotionFormat(loader, line.text("output"));
  const OpenedMotion opened = openMotion(line, loader, line.positionals().front());
  PathCurveOptions options;
  options.kind = curveKind(line.text("curve", "smooth"));
  options.deviation = line.quantity("deviation", "", options.deviation);
  options.tolerance = line.quantity("tolerance", "", options.tolerance);
  const MultiPath before = multiPathOf(opened.motion.resource());
  finishPath(line, loader, before, smoothMultiPath(opened.robot, before, options));
  return 0;
}

}  // namespace mortise::app
