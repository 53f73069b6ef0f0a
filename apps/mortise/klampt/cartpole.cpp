#include <cmath>

#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "klampt/programs.h"
#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/value_text.h"
#include "mortise/component/role.h"
#include "mortise/control/tabulated_policy.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/assemble_world.h"

namespace mortise::app {

namespace {

Arguments withCartpoleOptions(Arguments arguments) {
  for (std::string& argument : arguments)
    for (const char* name : {"cartpole", "swingup", "optimize", "control"})
      if (argument == std::string("-") + name) argument = std::string("--") + name;
  return arguments;
}

/// Klamp't's grids and weights.
PolicyProblem problemOf(const WorldRobot& robot, bool swingUp) {
  PolicyProblem problem;
  problem.robot = robot.robot;
  problem.goal = robot.q;
  const int links = robot.robot->numLinks();
  const int wanted = swingUp ? 1 : 2;
  if (links != wanted)
    throw Error("robot '" + robot.name + "' has " + std::to_string(links) + " links, and this task is for one with " +
                    std::to_string(wanted),
                {}, swingUp ? "-cartpole is for two links" : "-swingup is for one link");
  problem.cell.resize(2 * links);
  problem.weights.resize(links);
  if (swingUp) {
    problem.cell << 0.05, 0.1;
    problem.weights << 1;
  } else {
    problem.cell << 0.25, 0.25, 0.5, 0.5;
    problem.weights << 0.1, 1;
  }
  return problem;
}

/// Tries the table from a pole that hangs down, or leans on its cart, at rest: the time until the pole stays near its
/// goal, and where the robot ends.
Value tried(const WorldRobot& robot, const PolicyProblem& problem, const TabulatedPolicy& policy, bool swingUp) {
  constexpr double kDuration = 20, kRate = 100, kNear = 0.5, kLeaning = 0.3;
  VectorXd q = robot.q;
  q[q.size() - 1] += swingUp ? kPi : kLeaning;
  const PolicyRun run = runPolicy(robot.robot, policy, q, VectorXd::Zero(q.size()), kDuration, kRate, problem.gravity);
  std::size_t away = 0;
  for (std::size_t i = 0; i < run.q.size(); ++i)
    if (std::abs(turnedDifference(*robot.robot, run.q[i], problem.goal)[q.size() - 1]) > kNear) away = i + 1;
  const VectorXd left = turnedDifference(*robot.robot, run.q.back(), problem.goal);
  Value result = Value::map();
  result.set("from", std::vector<double>(q.begin(), q.end()));
  result.set("stays_after", away < run.q.size() ? Value(static_cast<double>(away) / kRate) : Value());
  result.set("left", std::vector<double>(left.begin(), left.end()));
  return result;
}

int optimize(const CommandLine& line, bool swingUp) {
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  Diagnostics diagnostics;
  const World world = assembleWorld(loader, line.positionals(), diagnostics);
  printWarnings(line, diagnostics);
  if (world.robots.empty()) throw Error("there is no robot in these files");
  const WorldRobot& robot = world.robots[0];
  PolicyProblem problem = problemOf(robot, swingUp);
  problem.gravity = world.simulation.gravity;
  const InterruptGuard interrupt;
  problem.stopRequested = interrupt.asked();
  const PolicySearch found = findPolicy(problem);
  if (interrupt.signal() != 0) return interrupt.exitCode();
  const std::string file = swingUp ? "swingup.policy" : "cartpole.policy";
  writeFile(file, policyText(found.policy));
  Value result = Value::map();
  result.set("output", file);
  result.set("cells", static_cast<std::int64_t>(found.policy.numCells()));
  result.set("sweeps", found.sweeps);
  result.set("converged", found.converged);
  result.set("tried", tried(robot, problem, found.policy, swingUp));
  if (line.json()) {
    print(toJson(result) + "\n");
  } else if (!line.quiet()) {
    const Value& trial = result.at("tried");
    const Value& stays = trial.at("stays_after");
    print(file + ": " + std::to_string(found.policy.numCells()) + " cells, " + std::to_string(found.sweeps) +
          " sweeps" + (found.converged ? "" : ", not converged") + "\n" +
          (swingUp ? "from hanging down" : "leaning by 0.3 rad") +
          (stays.isNull()
               ? std::string(" the pole does not stay within 0.5 rad of its goal in 20 s\n")
               : " the pole stays within 0.5 rad of its goal after " + formatReal(stays.asReal(), 4) + " s\n"));
  }
  return 0;
}

/// The first of the files that is a robot.
int control(const CommandLine& line, bool swingUp) {
  const std::string file = swingUp ? "swingup.policy" : "cartpole.policy";
  const auto registry = line.makeRegistry();
  Arguments drive = {line.positionals().front(),
                     "--controller",
                     nameInRole(registry->requireRole(role::kTablePolicy), role::kTablePolicy),
                     "--set",
                     "file=" + file,
                     "--connect",
                     line.text("connect", "tcp://127.0.0.1:3456"),
                     "--wait",
                     line.text("wait", "60")};
  for (const char* option : {"plugin", "plugin-path", "package"})
    for (const std::string& value : line.texts(option)) drive.insert(drive.end(), {std::string("--") + option, value});
  for (const char* flag : {"json", "quiet", "verbose"})
    if (line.has(flag)) drive.push_back(std::string("--") + flag);
  return driveCommand(drive);
}

}  // namespace

int cartpoleCommand(const Arguments& arguments) {
  CommandLine line("mortise Cartpole", "find a table of torques that swings a pole up or balances it on a cart");
  line.positional("FILE", "robot or world files; with -control the robot's file", 1, -1)
      .flag("cartpole", "(-cartpole) balance a pole on a cart (default)")
      .flag("swingup", "(-swingup) swing a pole up")
      .flag("optimize", "(-optimize) find the table, and write it to cartpole.policy or swingup.policy (default)")
      .flag("control", "(-control) drive a robot with it that waits in another process (SerialController)")
      .option("connect", "ADDRESS", "with -control: where the robot listens (default tcp://127.0.0.1:3456)")
      .option("wait", "TIME", "with -control: how long to try to connect (default 60)")
      .withPlugins()
      .epilog(
          "The goal is the configuration in which the robot starts. TabulatedController uses the table in simulations. "
          "See\n"
          "docs/klampt_programs.md.\n");
  addResourceOptions(line);
  if (!line.parse(arguments.empty() ? Arguments{"--help"} : withCartpoleOptions(arguments))) return 0;
  if (line.has("cartpole") && line.has("swingup")) throw UsageError("-cartpole and -swingup exclude each other");
  if (line.has("optimize") && line.has("control")) throw UsageError("-optimize and -control exclude each other");
  return line.has("control") ? control(line, line.has("swingup")) : optimize(line, line.has("swingup"));
}

}  // namespace mortise::app
