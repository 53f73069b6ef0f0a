#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/resource_options.h"
#include "mortise/base/error.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/planning/path_report.h"
#include "planning/path_file.h"

namespace mortise::app {

int pathCheck(const Arguments& arguments) {
  CommandLine line("mortise path check", "what is wrong with a path: gaps, limits, goals, torques, collisions");
  declareMotionFile(line);
  line.option("world", "FILE", "a world with the robot, for collisions; may stand in place of --robot")
      .flag("torque", "check the motors' torques")
      .flag("contacts", "check forces at the holds' contacts against their friction cones")
      .option("tolerance", "X", "how far links may be from their goals, in m or rad (0.001)")
      .option("step", "X", "distance of the configurations that are checked, in rad or m (0.01)")
      .option("velocity", "V", "limit of velocity of all links, in place of the robot's (rad/s or m/s)")
      .option("acceleration", "A", "limit of acceleration of all links, in place of the robot's")
      .epilog(
          "Exits with 1 when something is wrong. Links with goals or holds may touch what they stand on. Without\n"
          "--robot and --world, times and gaps between sections are checked alone.\n");
  if (!line.parse(arguments)) return 0;
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  OpenedMotion opened = openMotion(line, loader, line.positionals().front());
  MultiPathCheckOptions options;
  options.torque = line.has("torque");
  options.contacts = line.has("contacts");
  options.tolerance = line.quantity("tolerance", "", options.tolerance);
  options.step = line.quantity("step", "", options.step);
  options.limits.velocity = line.quantity("velocity", "", 0);
  options.limits.acceleration = line.quantity("acceleration", "", 0);
  const MultiPath path = multiPathOf(opened.motion.resource());
  if (line.has("world")) {
    Diagnostics diagnostics;
    const auto world = std::make_shared<const World>(assembleWorld(loader, {line.text("world")}, diagnostics));
    diagnostics.throwIfErrors("'" + line.text("world") + "' cannot be used");
    printWarnings(line, diagnostics);
    opened.robot = useWorld(world, opened.robot, path, options);
  }
  const Value report = checkReport(checkMultiPath(opened.robot, path, options));
  print(line.json() ? toJson(report) + "\n" : checkText(report, line.positionals().front()));
  return report.at("valid").asBool() ? 0 : 1;
}

}  // namespace mortise::app
