#include <algorithm>

#include "command_line/command_line.h"
#include "command_line/resource_options.h"
#include "commands.h"
#include "mortise/base/error.h"
#include "mortise/json/json_writer.h"
#include "mortise/mechanics/held_motion.h"
#include "mortise/planning/motion_file.h"
#include "mortise/planning/path_report.h"
#include "mortise/planning/plan_substitutions.h"
#include "mortise/simulation/scene/substitution.h"
#include "planning/path_file.h"

namespace mortise::app {

namespace {

/// A margin from 0 to less than 1 as the fraction that it leaves.
double leftBy(const CommandLine& line, const std::string& option) {
  const double margin = line.quantity(option, "", 0);
  if (!(margin >= 0 && margin < 1))
    throw UsageError("--" + option + " takes a fraction of at least 0 and below 1, not '" + line.text(option) + "'");
  return 1 - margin;
}

/// `forces`: torques and contacts are bounded without being asked for.
MultiPathTimingOptions timingOptions(const CommandLine& line, bool forces) {
  MultiPathTimingOptions options;
  options.torque = forces || line.has("torque");
  options.contacts = forces || line.has("contacts");
  options.torqueScale = leftBy(line, "torque-robustness");
  options.frictionScale = leftBy(line, "friction-robustness");
  options.leastForce = line.quantity("force-robustness", "", 0);
  if (!(options.leastForce >= 0)) throw UsageError("--force-robustness takes newtons, at least 0");
  if (line.has("jerk")) {
    options.jerk = line.quantity("jerk", "", 0);
    if (!(options.jerk > 0)) throw UsageError("--jerk takes a number above 0, not '" + line.text("jerk") + "'");
  }
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

void declareTimingOptions(CommandLine& line, bool forces) {
  if (!forces)
    line.flag("torque", "keep to the motors' torques as well")
        .flag("contacts", "keep the forces at the holds' contacts within their friction cones");
  line.option("world", "FILE", "sections without contacts are held by what the robot touches there (with --contacts)")
      .option("touch", "X", "with --world: surfaces that are no farther apart touch, in m (0.005)")
      .option("friction", "MU", "with --world: coefficient of what touches, in place of the surfaces'")
      .option("torque-robustness", "F", "fraction of the motors' torques that is left unused, below 1 (0)")
      .option("friction-robustness", "F", "fraction of friction that is left unused, below 1 (0)")
      .option("force-robustness", "N", "what each contact point bears along its normal at least, in N (0)")
      .option("curve", "KIND", "automatic (default), blend, smooth or stop: what lies between milestones")
      .values("curve", {"automatic", "blend", "smooth", "stop"})
      .option("deviation", "X", "how far blends may leave the corners, in coordinates (0.01)")
      .option("tolerance", "X", "how far links may be from their goals, in m or rad (0.0001)")
      .option("jerk", "J", "limit of jerk of all links that have one of acceleration (rad/s^3 or m/s^3)")
      .option("velocity-scaling", "F", "fraction of the limits of velocity, above 0 and at most 1")
      .option("acceleration-scaling", "F", "fraction of the limits of acceleration, above 0 and at most 1")
      .option("velocity", "V", "limit of velocity of all links, in place of the robot's (rad/s or m/s)")
      .option("acceleration", "A", "limit of acceleration of all links, in place of the robot's")
      .option("ramp-up", "TIME", "time in which a link without a limit of acceleration reaches its velocity (0.25)")
      .option("grid", "N", "grid points of a stretch between rests (200)");
}

/// The path with the contacts that its sections lack, told in `report`.
MultiPath heldPath(const CommandLine& line, FormatLoader& loader, const RobotPtr& robot, MultiPath path,
                   MultiPathTimingOptions& options, Value& report) {
  if (!line.has("world")) return path;
  if (!options.contacts) throw UsageError("--world is for --contacts, which is missing");
  WorldContactOptions touch;
  touch.touch = line.quantity("touch", "m", touch.touch);
  touch.maxContacts = 8;
  if (line.has("friction")) touch.friction = line.quantity("friction", "", 0);
  Diagnostics diagnostics;
  RobotInWorld world(loader, line.text("world"), robot, touch, diagnostics);
  printWarnings(line, diagnostics);
  options.gravity_W = world.gravity_W();
  HeldPath held = holdInWorld(world, robot, path);
  report = heldValue(held, *robot);
  return std::move(held.path);
}

void requireContacts(const MultiPath& path) {
  for (std::size_t s = 0; s < path.sections.size(); ++s) {
    const std::vector<Hold> holds = path.holdsOf(s);
    if (std::none_of(holds.begin(), holds.end(), [](const Hold& hold) { return !hold.contacts.empty(); }))
      throw Error("section " + std::to_string(s) + " has no holds with contact points", {},
                  "name the world that the robot stands in with --world, or take `mortise path retime`");
  }
}

int timeAlong(CommandLine& line, const Arguments& arguments, bool forces) {
  line.option("output,o", "OUT", "write the motion: MultiPath .xml, .json, .path, .milestones or .configs");
  if (!line.parse(arguments)) return 0;
  if (!line.has("robot")) throw UsageError("missing --robot, whose bounds the motion keeps to");
  MultiPathTimingOptions options = timingOptions(line, forces);
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  if (line.has("output")) requireMotionFormat(loader, line.text("output"));
  const OpenedMotion opened = openMotion(line, loader, line.positionals().front());
  Value held;
  const MultiPath path = heldPath(line, loader, opened.robot, multiPathOf(opened.motion.resource()), options, held);
  if (forces && held.isNull()) requireContacts(path);
  const MultiPathTiming timing = timeMultiPath(opened.robot, path, options);
  Value report = timingReport(timing);
  SubstitutionRecord said(line.log(), line.has("strict"));
  tellAssumedAccelerations(report, options.limits.rampUp, said);
  if (Value substitutions = said.value(); !substitutions.isNull())
    report.set("substitutions", std::move(substitutions));
  if (!held.isNull()) report.set("sections", held);
  if (line.has("output")) {
    Diagnostics writing;
    writeMotion(loader, line.text("output"), timing.path, 1e-4, writing);
    printWarnings(line, writing);
    report.set("file", line.text("output"));
  }
  print(line.json() ? toJson(report) + "\n" : timingText(report) + (held.isNull() ? "" : heldText(held)));
  return 0;
}

}  // namespace

int pathRetime(const Arguments& arguments) {
  CommandLine line("mortise path retime", "the fastest motion along a path within the robot's bounds");
  declareMotionFile(line);
  declareTimingOptions(line, false);
  line.epilog(
      "Links that the path's sections give goals to stay at them. Links without limits, such as those of floating\n"
      "bases, move along with the others. The peaks are shares of the limits.\n");
  return timeAlong(line, arguments, false);
}

int pathContactOptimize(const Arguments& arguments) {
  CommandLine line("mortise path contact-optimize",
                   "the fastest motion that contacts and motors bear, with margins for both");
  declareMotionFile(line);
  declareTimingOptions(line, true);
  line.epilog(
      "The same as `mortise path retime --torque --contacts`: sections are interpolated so that links stay at their\n"
      "goals, and then timed within the limits of velocity, acceleration, torque and contact forces. Every section "
      "has\n"
      "holds with contact points, or --world says what the robot touches. Klamp't's TrajOpt is `mortise TrajOpt`.\n");
  return timeAlong(line, arguments, true);
}

}  // namespace mortise::app
