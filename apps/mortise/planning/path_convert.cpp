#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "mortise/base/error.h"
#include "mortise/json/json_writer.h"
#include "mortise/planning/motion_file.h"
#include "mortise/planning/paths/motion_conversion.h"
#include "planning/path_file.h"

namespace mortise::app {

namespace {

std::optional<double> optionalTime(const CommandLine& line, const std::string& option) {
  if (!line.has(option)) return std::nullopt;
  return line.quantity(option, "s", 0);
}

MotionConversionOptions conversionOptions(const CommandLine& line, const RobotPtr& robot) {
  MotionConversionOptions options;
  options.robot = robot;
  options.velocities = knotVelocities(line.text("velocities", "smooth"));
  options.resolution = line.quantity("resolution", "", options.resolution);
  options.every = optionalTime(line, "every");
  options.duration = optionalTime(line, "duration");
  options.start = optionalTime(line, "start");
  return options;
}

}  // namespace

int pathConvert(const Arguments& arguments) {
  const std::vector<std::string> kinds = {"configurations", "trajectory", "hermite_trajectory", "multipath"};
  CommandLine line("mortise path convert", "write a motion as another kind of motion");
  line.positional("IN", "motion file: .path, .traj, .milestones, .configs, MultiPath XML, or JSON of these")
      .positional("OUT", "file to write; its extension says what it holds")
      .option("robot", "FILE", "the robot that moves: its freely turning angles go the short way round")
      .option("as", "KIND",
              "what OUT shall hold where it could be several things, as .json could: " + kinds[0] + ", " + kinds[1] +
                  ", " + kinds[2] + ", " + kinds[3])
      .values("as", kinds)
      .option("velocities", "HOW",
              "where OUT has velocities and IN has none: smooth (default), a curve through the milestones; rest, a "
              "rest in each of them")
      .values("velocities", {"smooth", "rest"})
      .option("resolution", "X", "how far straight lines may leave cubics, in rad or m (0.0001); 0: milestones only")
      .option("every", "DT", "a configuration every DT, in place of the milestones")
      .option("duration", "T", "make the motion take T; a path without times gets evenly spaced ones")
      .option("start", "T", "let the motion begin at T")
      .flag("strict", "treat warnings about files, and about what is lost, as errors")
      .withPlugins();
  addResourceOptions(line);
  line.epilog(
      "Examples:\n"
      "  mortise path convert steps.configs steps.path --duration 5s\n"
      "  mortise path convert walk.path walk.milestones        a smooth curve through the milestones\n"
      "  mortise path convert walk.xml walk.path --every 20ms  evenly sampled\n"
      "A path without times takes 1 s as in Klamp't where OUT needs times; `mortise path retime` finds times within\n"
      "the robot's limits. With --json it prints {input, output, from, to, warnings}.\n");
  if (!line.parse(arguments)) return 0;
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  const OpenedMotion opened = openMotion(line, loader, line.positionals().front());
  const std::string& out = line.positionals()[1];
  const FileContent from = opened.motion.kind(), to = motionKindFor(loader, from, out, line.text("as"));
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  const Resource result =
      convertMotion(opened.motion.resource(), to, conversionOptions(line, opened.robot), diagnostics);
  diagnostics.throwIfErrors("'" + opened.file + "' cannot be converted");
  const InterruptGuard writing;
  loader.write(result, out, diagnostics);
  diagnostics.throwIfErrors("'" + out + "' was written, but does not hold everything");
  printWarnings(line, diagnostics);
  if (line.json()) {
    Value done = Value::map();
    done.set("input", opened.file);
    done.set("output", out);
    done.set("from", contentName(from));
    done.set("to", contentName(to));
    done.set("warnings", diagnosticsValue(diagnostics));
    print(toJson(done) + "\n");
  }
  return writing.signal() != 0 ? writing.exitCode() : 0;
}

}  // namespace mortise::app
