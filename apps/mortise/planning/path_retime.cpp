#include <algorithm>

#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/resource_options.h"
#include "command_line/setting_options.h"
#include "mortise/base/error.h"
#include "mortise/base/units.h"
#include "mortise/base/value_text.h"
#include "mortise/json/json_writer.h"
#include "mortise/mechanics/held_motion.h"
#include "mortise/planning/motion_file.h"
#include "mortise/planning/path_report.h"
#include "mortise/planning/plan_substitutions.h"
#include "mortise/planning/request/path_settings.h"
#include "mortise/simulation/scene/substitution.h"
#include "planning/path_file.h"

namespace mortise::app {

namespace {

/// Returns the defaults; `contact-optimize` (`forces`) bounds torques and contacts without being asked.
TimingSettings defaultTiming(bool forces) {
  TimingSettings settings;
  settings.forces.torque = settings.forces.contacts = forces;
  return settings;
}

std::vector<std::string> settledBy(bool forces) {
  return forces ? std::vector<std::string>{"torque", "contacts"} : std::vector<std::string>();
}

/// A margin as the fraction that it leaves; what is no number stays, for the option to refuse.
std::string leftBy(const std::string& margin) {
  std::string problem;
  const std::optional<double> number = parseQuantity(margin, "", problem);
  return number ? formatReal(1 - *number) : margin;
}

void declareTiming(CommandLine& line, bool forces) {
  line.option("world", "FILE", "sections without contacts are held by what the robot touches there (with --contacts)");
  declareSettings(line, defaultTiming(forces), settledBy(forces));
  line.formerly("torque-robustness", "torque-scale", leftBy)
      .formerly("friction-robustness", "friction-scale", leftBy)
      .formerly("force-robustness", "min-force")
      .formerly("tolerance", "goal-tolerance");
}

/// The path with the contacts that its sections lack, told in `report`.
MultiPath heldPath(const CommandLine& line, FormatLoader& loader, const RobotPtr& robot, MultiPath path,
                   const ForceTimingSettings& forces, Vector3d& gravity_W, Value& report) {
  if (!line.has("world")) return path;
  if (!forces.contacts) throw UsageError("--world is for --contacts, which is missing");
  WorldContactOptions touch;
  touch.touch = forces.touch;
  touch.maxContacts = 8;
  touch.friction = forces.friction;
  Diagnostics diagnostics;
  RobotInWorld world(loader, line.text("world"), robot, touch, diagnostics);
  printWarnings(line, diagnostics);
  gravity_W = world.gravity_W();
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
  declareMotionOutput(line);
  if (!line.parse(arguments)) return 0;
  if (!line.has("robot")) throw UsageError("missing --robot, whose bounds the motion keeps to");
  const auto settings = settingsOf(line, defaultTiming(forces), settledBy(forces));
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  if (line.has("output")) requireMotionFormat(loader, line.text("output"));
  const OpenedMotion opened = openMotion(line, loader, line.positionals().front());
  Value held;
  Vector3d gravity_W = MultiPathTimingOptions().gravity_W;
  const MultiPath path =
      heldPath(line, loader, opened.robot, multiPathOf(opened.motion.resource()), settings.forces, gravity_W, held);
  if (forces && held.isNull()) requireContacts(path);
  const MultiPathTiming timing = timeMultiPath(opened.robot, path, multiPathTiming(settings, gravity_W));
  Value report = timingReport(timing);
  SubstitutionRecord said(line.log(), line.has("strict"));
  reportAssumedAccelerations(report, settings.limits.rampUp, said);
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
  declareTiming(line, false);
  line.epilog(
      "Links that the path's sections give goals to stay at them. Links without limits, such as those of floating\n"
      "bases, move along with the others. The peaks are fractions of the limits.\n");
  return timeAlong(line, arguments, false);
}

int pathContactOptimize(const Arguments& arguments) {
  CommandLine line("mortise path contact-optimize",
                   "the fastest motion that contacts and motors bear, with margins for both");
  declareMotionFile(line);
  declareTiming(line, true);
  line.epilog(
      "The same as `mortise path retime --torque --contacts`: sections are interpolated so that links stay at their\n"
      "goals, and then timed within the limits of velocity, acceleration, torque and contact forces. Every section "
      "has\n"
      "holds with contact points, or --world says what the robot touches. Klamp't's TrajOpt is `mortise TrajOpt`.\n");
  return timeAlong(line, arguments, true);
}

}  // namespace mortise::app
