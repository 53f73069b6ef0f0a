#include <sstream>

#include "command_line/command_line.h"
#include "command_line/resource_options.h"
#include "commands.h"
#include "mortise/base/error.h"
#include "mortise/json/json_writer.h"
#include "mortise/planning/motion_file.h"
#include "mortise/planning/path_report.h"
#include "planning/path_file.h"

namespace mortise::app {

namespace {

MultiPathTimingOptions timingOptions(const CommandLine& line) {
  MultiPathTimingOptions options;
  options.torque = line.has("torque");
  options.contacts = line.has("contacts");
  options.curve.kind = curveKind(line.text("curve", "automatic"));
  options.curve.deviation = line.quantity("deviation", "", options.curve.deviation);
  options.curve.tolerance = line.quantity("tolerance", "", options.curve.tolerance);
  options.limits.velocityScaling = line.quantity("velocity-scaling", "", 1);
  options.limits.accelerationScaling = line.quantity("acceleration-scaling", "", 1);
  options.limits.velocity = line.quantity("velocity", "", 0);
  options.limits.acceleration = line.quantity("acceleration", "", 0);
  options.limits.rampUp = line.quantity("ramp-up", "s", options.limits.rampUp);
  options.timing.gridPoints = static_cast<int>(line.integer("grid", options.timing.gridPoints));
  return options;
}

void declareTimingOptions(CommandLine& line) {
  line.flag("torque", "keep to the motors' torques as well")
      .flag("contacts", "keep the forces at the holds' contacts within their friction cones")
      .option("curve", "KIND", "automatic (default), blend, smooth or stop: what lies between milestones")
      .values("curve", {"automatic", "blend", "smooth", "stop"})
      .option("deviation", "X", "how far blends may leave the corners, in coordinates (0.01)")
      .option("tolerance", "X", "how far links may be from their goals, in m or rad (0.0001)")
      .option("velocity-scaling", "F", "fraction of the limits of velocity, above 0 and at most 1")
      .option("acceleration-scaling", "F", "fraction of the limits of acceleration, above 0 and at most 1")
      .option("velocity", "V", "limit of velocity of all links, in place of the robot's (rad/s or m/s)")
      .option("acceleration", "A", "limit of acceleration of all links, in place of the robot's")
      .option("ramp-up", "TIME", "time in which a link without a limit of acceleration reaches its velocity (0.25)")
      .option("grid", "N", "grid points of a stretch between rests (200)");
}

}  // namespace

int pathRetime(const Arguments& arguments) {
  CommandLine line("mortise path retime", "the fastest motion along a path within the robot's bounds");
  declareMotionFile(line);
  declareTimingOptions(line);
  line.option("output,o", "OUT", "write the motion: MultiPath .xml, .json, .path, .milestones or .configs")
      .epilog(
          "Links that the path's sections give goals to stay at them. Links without limits, such as those of floating\n"
          "bases, move along with the others. The peaks are shares of the limits.\n");
  if (!line.parse(arguments)) return 0;
  if (!line.has("robot")) throw UsageError("missing --robot, whose bounds the motion keeps to");
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  if (line.has("output")) requireMotionFormat(loader, line.text("output"));
  const OpenedMotion opened = openMotion(line, loader, line.positionals().front());
  const MultiPathTiming timing =
      timeMultiPath(opened.robot, multiPathOf(opened.motion.resource()), timingOptions(line));
  Value report = timingReport(timing);
  if (line.has("output")) {
    Diagnostics writing;
    writeMotion(loader, line.text("output"), timing.path, 1e-4, writing);
    printWarnings(line, writing);
    report.set("file", line.text("output"));
  }
  print(line.json() ? toJson(report) + "\n" : timingText(report));
  return 0;
}

}  // namespace mortise::app
