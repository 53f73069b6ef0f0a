#include <algorithm>

#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "klampt/programs.h"
#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/value_text.h"
#include "mortise/json/json_writer.h"
#include "mortise/planning/path_report.h"
#include "mortise/planning/paths/motion_conversion.h"
#include "mortise/planning/plan_substitutions.h"
#include "mortise/settings/klampt_text.h"
#include "mortise/settings/settings.h"
#include "mortise/simulation/scene/substitution.h"
#include "mortise/timing/multipath/multipath_timing.h"

namespace mortise::app {

namespace {

constexpr const char* kDefaultTrajOptSettings =
    "{\n"
    "  \"forceRobustness\": 0.5,\n"
    "  \"frictionRobustness\": 0,\n"
    "  \"ignoreForces\": 0,\n"
    "  \"numdivs\": 101,\n"
    "  \"outputDt\": 0.1,\n"
    "  \"outputPath\": \"trajopt.path\",\n"
    "  \"torqueRobustness\": 0,\n"
    "  \"xtol\": 0.05\n"
    "}\n";
/// Friction of contacts without, as in Klamp't.
constexpr double kUsualFriction = 0.5;

/// A settings file of Klamp't's TrajOpt.
struct KlamptTrajOpt {
  double forceRobustness = 0.5, frictionRobustness = 0, torqueRobustness = 0;
  bool ignoreForces = false;
  int divisions = 101;
  double outputStep = 0.1;  ///< s
  std::string outputPath = "trajopt.path";
  double tolerance = 0.05;  ///< m or rad

  void bind(SettingBinder& b) {
    b.add("forceRobustness", forceRobustness, "What each contact point bears at least.", {.min = 0, .unit = "N"});
    b.add("frictionRobustness", frictionRobustness, "Fraction of friction left unused.", {.max = 1});
    b.add("torqueRobustness", torqueRobustness, "Fraction of torques left unused.", {.max = 1});
    b.add("ignoreForces", ignoreForces, "Keep to velocities and accelerations alone.");
    b.add("numdivs", divisions, "Grid points.", {.min = 2, .max = 1e6});
    b.add("outputDt", outputStep, "Steps in which the motion is written.", {.unit = "s"});
    b.add("outputPath", outputPath, "The motion's file.");
    b.add("xtol", tolerance, "How far links may be from their goals (m or rad), at most 1 mm here.", {.min = 0});
  }
  MultiPathTimingOptions options() const {
    MultiPathTimingOptions result;
    result.torque = result.contacts = !ignoreForces;
    result.torqueScale = 1 - torqueRobustness;
    result.frictionScale = 1 - frictionRobustness;
    result.minForce = forceRobustness;
    result.curve.tolerance = std::min(tolerance, 1e-3);
    result.timing.gridPoints = divisions - 1;
    return result;
  }
};

KlamptTrajOpt trajOptSettings(const std::string& file) {
  if (file.empty()) return {};
  const Value given = parseKlamptText(readFile(file), file);
  if (!given.isMap()) throw Error("the settings are a map", {file, 1, 1, {}}, "{\"xtol\": 0.05, ...}");
  return readSettings<KlamptTrajOpt>(given, "TrajOpt");
}

/// Contacts without friction get Klamp't's. Where a floating base has no contacts at all, a warning says what then
/// bears it.
void mendContacts(MultiPath& path, const Robot& robot, bool forces, LogSink& log) {
  bool changed = false;
  const auto mend = [&](Hold& hold) {
    for (ContactPoint& contact : hold.contacts)
      if (!(contact.friction > 0)) contact.friction = kUsualFriction, changed = true;
  };
  for (MultiPath::NamedHold& hold : path.holds) mend(hold.hold);
  for (MultiPath::Section& section : path.sections)
    for (Hold& hold : section.holds) mend(hold);
  if (changed)
    substitute(log, {SubstitutionKind::friction, "", "contacts without friction get " + formatReal(kUsualFriction)});
  if (!forces || robot.floatingBaseLink() < 0) return;
  for (std::size_t s = 0; s < path.sections.size(); ++s) {
    const std::vector<Hold> holds = path.holdsOf(s);
    if (std::none_of(holds.begin(), holds.end(), [](const Hold& hold) { return !hold.contacts.empty(); }))
      log.write(LogLevel::warning, "TrajOpt",
                "section " + std::to_string(s) +
                    " has no contacts: its floating base is borne by whatever force it takes; ignoreForces 1 leaves "
                    "forces out, `mortise path contact-optimize --world` finds contacts");
  }
}

}  // namespace

int trajOptCommand(const Arguments& arguments) {
  CommandLine line("mortise TrajOpt", "time a MultiPath within torques and contact forces, as Klamp't's TrajOpt");
  line.positional("ARGUMENT", "ROBOT MULTIPATH [SETTINGS]: a robot's file, a path, a settings file", 0, 3)
      .flag("strict", "treat warnings about files as errors")
      .withPlugins()
      .epilog(
          "Without arguments it writes trajopt_default.settings: numdivs (grid points), xtol (how far links may be "
          "from\n"
          "their goals, at most 1 mm here), ignoreForces, torqueRobustness and frictionRobustness (fractions left "
          "unused),\n"
          "forceRobustness (N that each contact point bears at least), outputPath and outputDt. The motion is written\n"
          "every outputDt. `mortise path contact-optimize` does the same with options.\n");
  addResourceOptions(line);
  if (!line.parse(arguments)) return 0;
  const std::vector<std::string>& given = line.positionals();
  if (given.size() < 2) {
    writeFile("trajopt_default.settings", kDefaultTrajOptSettings);
    if (!line.quiet())
      print("Usage: TrajOpt robot multipath [settings]\nSaving settings template to trajopt_default.settings\n");
    return given.empty() ? 0 : 2;
  }
  const KlamptTrajOpt settings = trajOptSettings(given.size() > 2 ? given[2] : "");
  const MultiPathTimingOptions options = settings.options();
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  const RobotPtr robot = Robot::compile(loader.load<RobotDescription>(given[0], {}, diagnostics));
  MultiPath path = loader.load<MultiPath>(given[1], {}, diagnostics);
  diagnostics.throwIfErrors();
  printWarnings(line, diagnostics);
  SubstitutionRecord said(line.log(), line.has("strict"));
  mendContacts(path, *robot, options.torque, said);
  const MultiPathTiming timing = timeMultiPath(robot, path, options);
  MotionConversionOptions output;
  output.every = settings.outputStep;
  Diagnostics writing;
  const Resource motion = convertMotion(Resource(timing.motion), FileContent::trajectory, output, writing);
  const std::string& file = settings.outputPath;
  const InterruptGuard guard;
  Diagnostics written;
  loader.write(motion, file, written);
  printWarnings(line, written);
  Value report = timingReport(timing);
  reportAssumedAccelerations(report, options.limits.rampUp, said);
  report.set("file", file);
  if (Value substitutions = said.value(); !substitutions.isNull())
    report.set("substitutions", std::move(substitutions));
  print(line.json() ? toJson(report) + "\n" : line.quiet() ? "" : timingText(report));
  return guard.signal() != 0 ? guard.exitCode() : 0;
}

}  // namespace mortise::app
