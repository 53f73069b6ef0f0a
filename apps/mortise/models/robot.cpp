#include "command_line/command_group.h"
#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/configuration_options.h"
#include "command_line/diagnostics_output.h"
#include "command_line/resource_options.h"
#include "models/robot_input.h"
#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/configuration/link_setting.h"
#include "mortise/inspect/robot_check.h"
#include "mortise/inspect/robot_info.h"
#include "mortise/inspect/values.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/format_loader.h"

namespace mortise::app {

namespace {

RobotDescription readRobot(const CommandLine& line, Diagnostics& diagnostics) {
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  diagnostics.setStrict(line.has("strict"));
  return loader.load<RobotDescription>(line.positionals().front(), {}, diagnostics);
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

int robotInfo(const Arguments& arguments) {
  CommandLine line("mortise robot info", "print what a robot file holds");
  declareRobotInput(line);
  if (!line.parse(arguments)) return 0;
  RobotInput input(line);
  input.finish();
  if (!line.json()) {
    print(robotTable(input.robot()));
    return 0;
  }
  Value result = robotInfo(input.robot());
  addLimits(input.robot(), result);
  print(toJson(result) + "\n");
  return 0;
}

/// The one state that options give, as a sample.
Value sampleFromOptions(const CommandLine& line, RobotInput& input) {
  const VectorXd q = input.configuration("config");
  Value sample = Value::map();
  sample.set("q", inspect::list(q));
  const VectorXd zero = VectorXd::Zero(q.size());
  if (line.has("dq"))
    sample.set("dq", inspect::list(ConfigurationReader(input.robot(), ConfigurationReader::Quantity::velocity)
                                       .read(configurationOption("dq", line.text("dq")), zero)));
  Value samples = Value::list();
  samples.push_back(std::move(sample));
  return samples;
}

Value samplesFromFile(const std::string& name) {
  const Value file = loadYaml(name);
  if (file.isNull()) throw Error("the file is empty", inFile(name), "it needs samples: [{q, dq, ddq, tau_in}]");
  return file.at("samples");
}

int robotEval(const Arguments& arguments) {
  CommandLine line("mortise robot eval", "kinematics and dynamics of a robot at given states, as JSON");
  declareRobotInput(line);
  line.option("config", "WHERE",
              "one state: numbers 0,90deg,0 (one a link or a driver), a .config file, or YAML such as {elbow: 90 deg}; "
              "links that are not named are as in the file; --q is the same")
      .synonym("q")
      .option("dq", "RATES", "with --config: velocities, written alike, such as {elbow: 90 deg/s} (default: 0)")
      .option(
          "samples", "FILE",
          "JSON or YAML with samples: [{q, dq, ddq, tau_in}], one number a link; all but q are 0 where they are left "
          "out, other keys are ignored")
      .repeatedOption("link", "NAME", "add the Jacobian of this link; may be repeated")
      .epilog(
          "Prints one object: the robot's constants and, for each sample, link frames, center of mass, Jacobian of "
          "the\n"
          "last link, B, C and G of B ddq + C + G = tau for gravity (0, 0, -9.8), energies, torques and "
          "accelerations.\n"
          "With --link also 'jacobians', a list of {link, name, jacobian}: 3 angular, then 3 linear rows, of the "
          "link's\n"
          "origin, in the world frame.\n\n"
          "Example:\n"
          "  mortise robot eval arm.urdf --config '{elbow_joint: 90 deg}' --link hand\n");
  if (!line.parse(arguments)) return 0;
  if (line.has("samples") == line.has("config"))
    throw UsageError(line.has("config") ? "--config and --samples exclude each other"
                                        : "missing --config WHERE, or --samples FILE");
  if (line.has("dq") && !line.has("config")) throw UsageError("--dq goes with --config");
  RobotInput input(line);
  const Value samples = line.has("config") ? sampleFromOptions(line, input) : samplesFromFile(line.text("samples"));
  std::vector<int> links;
  for (const std::string& name : line.texts("link")) links.push_back(input.link("link", name));
  Value result = robotInfo(input.robot());
  result.set("samples", evaluateSamples(input.pointer(), samples, input.diagnostics(), links));
  printWarnings(line, input.diagnostics());
  input.diagnostics().throwIfErrors("the samples do not fit the robot");
  print(toJson(result) + "\n");
  return 0;
}

int robotCheck(const Arguments& arguments) {
  CommandLine line("mortise robot check",
                   "say what is doubtful about a robot file; exit code 1 when something is wrong");
  declareRobotInput(line);
  line.epilog(
      "Errors: files that are missing or wrong, limits the wrong way round, rotations that are none. Warnings: "
      "inertias\n"
      "that no body can have or that do not fit the shape, joints without range, start positions outside of limits,\n"
      "links moved by several drivers, sensors and controllers that no plugin has. Notes: roots that float, links "
      "without\n"
      "driver, mass or inertia, drivers without limits or gains.\n");
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
       {"fk", robotFkCommand, "FILE", "print where the links are"},
       {"ik", robotIkCommand, "FILE", "find a configuration in which links meet their goals"},
       {"jacobian", robotJacobianCommand, "FILE", "print how fast links move for each joint's rate"},
       {"convert", convertCommand, "IN OUT", "write the robot in another format; the same as `mortise convert`"},
       {"save", robotSaveCommand, "IN OUT", "write the robot to another file, its shapes with it if asked"},
       {"merge", robotMergeCommand, "FILE...", "make one robot of several robots and rigid objects"},
       {"calibrate", robotCalibrateCommand, "FILE", "find servo gains and friction from recorded motions"},
       {"trace", robotTraceCommand, "FILE MOTION", "print where links are while the robot moves"},
       {"mesh", robotMeshCommand, "FILE", "write the robot in a configuration as one mesh"},
       {"self-collisions", robotSelfCollisionsCommand, "FILE",
        "list links that collide, and search for pairs worth checking"},
       {"view", robotViewCommand, "FILE", "move the robot's joints in the browser"},
       {"balance", robotBalanceCommand, "FILE", "say whether the robot balances on its contacts"},
       {"contacts", robotContactsCommand, "FILE", "list the robot's contacts, write them as a stance"},
       {"torques", robotTorquesCommand, "FILE", "print joint torques with the best contact forces"},
       {"grasp", robotGraspCommand, "FILE", "say how well contacts hold an object"},
       {"dynamics", robotDynamicsCommand, "FILE", "print mass matrix, forces and energies of one state"}});
  return group.run(arguments);
}

}  // namespace mortise::app
