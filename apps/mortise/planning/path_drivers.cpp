#include "planning/path_drivers.h"

#include "command_line/command_line.h"
#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "models/robot_input.h"
#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/configuration/driver_motion.h"
#include "mortise/json/json_writer.h"
#include "mortise/modeling/resource_conversion.h"
#include "mortise/planning/motion_file.h"
#include "mortise/text/suggest.h"

namespace mortise::app {

namespace {

/// Reads any motion as configurations with times. Throws `Error` where they do not have `size` numbers each; `of` says
/// what these are, such as "drivers".
Trajectory readMotion(RobotInput& input, const std::string& file, Eigen::Index size, const char* of) {
  FormatLoader& loader = input.loader();
  const std::string path = loader.find(file, {});
  const std::optional<FileContent> content = loader.contentOf(path);
  if (!content) throw Error("no format reads this file as a motion", inFile(path));
  const Resource read = loader.load(*content, path, {}, input.diagnostics());
  auto motion = std::get<Trajectory>(convertResource(read, FileContent::trajectory, input.diagnostics()));
  input.diagnostics().throwIfErrors("'" + file + "' cannot be used");
  if (motion.empty()) throw Error("the motion has no milestones", inFile(path));
  for (const VectorXd& q : motion.configurations)
    if (q.size() != size)
      throw Error("the motion has " + std::to_string(q.size()) + " numbers a milestone, but robot '" +
                      input.robot().name() + "' has " + std::to_string(size) + " " + of,
                  inFile(path), "with --to-links the motion has a number a driver, without it one a link");
  return motion;
}

void reportLoss(const Robot& robot, const DriverMotionLoss& loss, const std::string& file, Diagnostics& diagnostics) {
  if (!loss.links.empty()) {
    std::vector<std::string> names;
    for (const int link : loss.links) names.push_back(robot.link(link).name);
    diagnostics.warning("no driver moves " + nameList(names) + ", which move" + (names.size() == 1 ? "s" : "") +
                            " in the motion: this is lost",
                        inFile(file));
  }
  if (loss.mismatch > 1e-6)
    diagnostics.warning("links of one driver do not move together: they are up to " + formatReal(loss.mismatch, 3) +
                            " from where it holds them, and the driver takes their mean",
                        inFile(file));
}

}  // namespace

int pathDrivers(const Arguments& arguments) {
  CommandLine line("mortise path drivers", "a motion of links as one of drivers (motors), or back");
  declareRobotInput(line);
  line.positional("IN", "motion: a number a link in each milestone, with --to-links a number a driver")
      .positional("OUT", "file to write")
      .flag("to-links", "from drivers to links; links that no driver moves stay as --config says");
  declareConfiguration(line, "config", "the robot's file's");
  line.epilog(
      "Examples:\n"
      "  mortise path drivers data/robots/pincer.rob links.path drivers.path\n"
      "  mortise path drivers data/robots/pincer.rob drivers.path links.path --to-links\n");
  if (!line.parse(arguments)) return 0;
  RobotInput input(line);
  const Robot& robot = input.robot();
  const std::string &in = line.positionals()[1], &out = line.positionals()[2];
  requireMotionFormat(input.loader(), out);
  Trajectory result;
  if (line.has("to-links")) {
    const VectorXd q = input.configuration("config");
    result = linkMotionOf(robot, readMotion(input, in, robot.numDrivers(), "drivers"), q);
  } else {
    if (line.has("config")) throw UsageError("--config goes with --to-links");
    DriverMotionLoss loss;
    result = driverMotion(robot, readMotion(input, in, robot.numLinks(), "links"), &loss);
    reportLoss(robot, loss, in, input.diagnostics());
  }
  const InterruptGuard writing;
  const FileContent kind = motionKindFor(input.loader(), FileContent::trajectory, out);
  const std::size_t milestones = result.times.size();
  input.loader().write(convertResource(result, kind, input.diagnostics()), out, input.diagnostics());
  input.finish();
  if (line.json()) {
    Value done = Value::map();
    done.set("input", in);
    done.set("output", out);
    done.set("milestones", static_cast<std::int64_t>(milestones));
    done.set("warnings", diagnosticsValue(input.diagnostics()));
    print(toJson(done) + "\n");
  }
  return writing.signal() != 0 ? writing.exitCode() : 0;
}

}  // namespace mortise::app
