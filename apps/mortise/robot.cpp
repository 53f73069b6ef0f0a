#include <iomanip>
#include <sstream>

#include "command_group.h"
#include "command_line.h"
#include "commands.h"
#include "diagnostics_output.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/inspect/robot_check.h"
#include "mortise/inspect/robot_info.h"
#include "mortise/plugin/format_loader.h"
#include "resource_options.h"

namespace mortise::app {

namespace {

void declareRobot(CommandLine& line) {
  line.positional("FILE", "robot file").flag("strict", "treat warnings about files as errors").withPlugins();
  addResourceOptions(line);
}

RobotDescription readRobot(const CommandLine& line, Diagnostics& diagnostics) {
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  diagnostics.setStrict(line.has("strict"));
  return loader.robot(line.positionals().front(), {}, diagnostics);
}

RobotPtr loadRobot(const CommandLine& line, Diagnostics& diagnostics) {
  RobotDescription description = readRobot(line, diagnostics);
  diagnostics.throwIfErrors("'" + line.positionals().front() + "' cannot be used");
  return Robot::compile(std::move(description));
}

/// The robot as far as it could be read, so that a missing mesh does not hide what else is wrong; null when nothing
/// could.
RobotPtr loadWhatCanBe(const CommandLine& line, Diagnostics& diagnostics) {
  RobotDescription description;
  try {
    description = readRobot(line, diagnostics);
  } catch (const Error& error) {  // Malformed XML, a file that is not there: findings like all others.
    diagnostics.error(error);
    return nullptr;
  }
  if (!diagnostics.hasErrors()) return Robot::compile(std::move(description));
  try {
    return Robot::compile(std::move(description));
  } catch (const Error&) {
    return nullptr;  // The reader has said why.
  }
}

std::string table(const Robot& robot) {
  std::ostringstream out;
  out << robot.name() << ": " << robot.numLinks() << " links, " << robot.numDrivers() << " drivers, "
      << robot.totalMass() << " kg, " << robot.description().selfCollisionPairs.size()
      << " pairs checked for self-collision\n";
  out << "  link                      parent  joint                range              mass  geometry\n";
  for (int i = 0; i < robot.numLinks(); ++i) {
    const Link& link = robot.link(i);
    const int joint = robot.jointOfLink(i);
    std::ostringstream range;
    range << std::setprecision(4) << link.qMin << " to " << link.qMax;
    out << std::right << std::setw(5) << i << " " << std::left << std::setw(22) << link.name << std::right
        << std::setw(6) << link.parent << "  " << std::left << std::setw(14)
        << (joint >= 0 ? jointTypeName(robot.joints()[joint].type) : std::string_view("-"))
        << (link.motion == LinkMotion::revolute ? "r " : "p ") << std::setw(20) << range.str() << std::right
        << std::setw(9) << std::setprecision(4) << link.inertia.mass << "  " << link.geometryFile << "\n";
  }
  return out.str();
}

int robotInfo(const Arguments& arguments) {
  CommandLine line("mortise robot info", "print what a robot file holds");
  declareRobot(line);
  if (!line.parse(arguments)) return 0;
  Diagnostics diagnostics;
  const RobotPtr robot = loadRobot(line, diagnostics);
  printWarnings(line, diagnostics);
  print(line.json() ? toJson(robotInfo(*robot)) + "\n" : table(*robot));
  return 0;
}

int robotEval(const Arguments& arguments) {
  CommandLine line("mortise robot eval", "kinematics and dynamics of a robot at given states, as JSON");
  declareRobot(line);
  line.option("samples", "FILE", "JSON or YAML with samples: [{q, dq, ddq, tau_in}]; other keys are ignored")
      .epilog(
          "Prints one object: the robot's constants and, for each sample, link frames, centre of mass, Jacobian of the "
          "last\n"
          "link, B, C and G of B ddq + C + G = tau for gravity (0, 0, -9.8), energies, torques and accelerations.\n");
  if (!line.parse(arguments)) return 0;
  if (!line.has("samples")) throw UsageError("name the states with --samples FILE");
  Diagnostics diagnostics;
  const RobotPtr robot = loadRobot(line, diagnostics);
  const Value file = loadYaml(line.text("samples"));
  if (file.isNull())
    throw Error("the file is empty", {line.text("samples"), 0, 0, {}}, "it needs samples: [{q, dq, ddq, tau_in}]");
  Value result = robotInfo(*robot);
  result.set("samples", evaluateSamples(robot, file.at("samples"), diagnostics));
  printWarnings(line, diagnostics);
  diagnostics.throwIfErrors("the samples do not fit the robot");
  print(toJson(result) + "\n");
  return 0;
}

int robotCheck(const Arguments& arguments) {
  CommandLine line("mortise robot check",
                   "say what is doubtful about a robot file; exit code 1 when something is wrong");
  declareRobot(line);
  line.epilog(
      "Errors: files that are missing or wrong, limits the wrong way round, rotations that are none. Warnings: "
      "inertias\n"
      "that no body can have or that do not fit the shape, joints without range, start positions outside of limits,\n"
      "links moved by several drivers, sensors and controllers that no plugin has. Notes: links without driver or "
      "mass, drivers without limits or gains.\n");
  if (!line.parse(arguments)) return 0;
  Diagnostics diagnostics;
  const RobotPtr robot = loadWhatCanBe(line, diagnostics);
  if (robot) {
    checkRobot(*robot, diagnostics);
    checkComponents(*robot, *line.makeRegistry(), diagnostics);
  }
  print(line.json() ? toJson(diagnosticsValue(diagnostics)) + "\n"
                    : problemText(diagnostics, line.positionals().front()));
  return diagnostics.hasErrors() ? 1 : 0;
}

}  // namespace

int robotCommand(const Arguments& arguments) {
  static const CommandGroup group(
      "mortise robot", "look into a robot file, evaluate and check it",
      {{"info", robotInfo, "FILE", "print links, joints, drivers and limits"},
       {"eval", robotEval, "FILE", "print kinematics and dynamics at given states, as JSON"},
       {"check", robotCheck, "FILE", "say what is doubtful about the file"},
       {"convert", convertCommand, "IN OUT", "write the robot in another format; the same as `mortise convert`"},
       {"self-collisions", robotSelfCollisionsCommand, "FILE",
        "list links that collide, and search for pairs worth checking"}});
  return group.run(arguments);
}

}  // namespace mortise::app
