#include "models/robot_ik.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <sstream>

#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/configuration_options.h"
#include "command_line/resource_options.h"
#include "command_line/setting_options.h"
#include "models/robot_input.h"
#include "mortise/base/value_text.h"
#include "mortise/configuration/link_setting.h"
#include "mortise/goals/goal_setting.h"
#include "mortise/goals/ik_settings.h"
#include "mortise/goals/terms_setting.h"
#include "mortise/ik/cartesian_path.h"
#include "mortise/ik/equations/clearance_goal.h"
#include "mortise/inspect/values.h"
#include "mortise/json/json_writer.h"
#include "mortise/math/rotation.h"
#include "mortise/planning/plan_substitutions.h"
#include "mortise/simulation/scene/substitution.h"

namespace mortise::app {

namespace {

/// Declares the goals: one option for each kind, named after its key, with the text that its settings have.
void declareGoals(CommandLine& line) {
  declareSettings(line, schemaOf<IKTargetSettings>(), {},
                  {{"link", "NAME"}, {"pose", "WHERE"}, {"clearance", "DISTANCE"}});
  line.repeatedOption("goal", "GOAL",
                      "another goal: YAML such as {link: hand, position: [0.5, 0, 0.4], priority: 1}, or a file "
                      "(.ikgoal, .hold, .stance, YAML, JSON); may be repeated");
  for (const IKGoalKind& kind : ikGoalKinds()) {
    const bool map = kind.schema.find("link") != nullptr;
    line.repeatedOption(optionName(kind.key), map ? "GOAL" : "VALUES",
                        "another goal" + std::string(map ? ", a map with 'link': " : ": ") +
                            optionHelp(*kind.schema.find(kind.key)) + "; may be repeated");
    if (kind.key == "joints") line.synonym("joint");
  }
}

/// Settings of `IKFreedomSettings` that are declared apart: --limits takes on or off.
const std::vector<std::string> kSaidOtherwise = {"limits"};

void declareSolving(CommandLine& line) {
  declareSettings(line, schemaOf<IKFreedomSettings>(), kSaidOtherwise, {{"active", "LINKS"}});
  line.option("limits", "SWITCH", "on (default), or off: joints may leave their limits")
      .values("limits", {"on", "off"})
      .flag("analytic", "the same as --method analytic")
      .flag("all", "list all solutions that are found");
  declareSettings(line, IKSolveSettings());
  line.flag("line", "move the link to --pose along a straight line from the start, and print the motion")
      .option("delta", "STEP", "with --line: no joint moves farther between milestones; default 0.01")
      .option("output,o", "FILE", "with --line: write the motion here, such as line.path");
}

std::vector<IKTerm> goalsOf(const CommandLine& line, RobotInput& input, int link) {
  std::vector<IKTerm> terms;
  if (line.has("pose") && !line.has("line"))
    terms.push_back({poseGoalFromSetting(configurationOption("pose", line.text("pose")), input.robot(), link,
                                         input.loader(), input.diagnostics())});
  for (const auto& [option, value] : ikGoalValues(line)) {
    const std::vector<IKTerm> more = ikTermsFromSetting(value, input.robot(), input.loader(), input.diagnostics());
    if (more.empty()) throw UsageError("--" + option + " holds no goal");
    terms.insert(terms.end(), more.begin(), more.end());
  }
  if (const double margin = clearanceOption(line); margin > 0)
    terms.push_back({clearanceGoal(std::make_shared<WorldCollider>(worldOf(input.pointer())), 0, margin)});
  return terms;
}

std::vector<int> activeLinks(const CommandLine& line, const RobotInput& input) {
  std::vector<int> links;
  for (const std::string& name : activeNames(line)) links.push_back(input.link("active", name));
  return links;
}

std::string solutionText(const Robot& robot, const IKSolver& solver, const IKSolution& solution) {
  std::ostringstream text;
  text << ikVerdict(solution, solver.problem());
  if (!solver.closedForm().empty())
    text << " (" << (solution.method == IKMethod::analytic ? solver.closedForm() : "by numbers") << ")";
  text << "\n";
  constexpr double kDigits = 1e8;  // What is 0 but for rounding reads as 0.
  for (const IKVariable& variable : solver.variables())
    for (const DrivenCoordinate& move : variable.moves)
      text << "  " << robot.link(move.link).name << " "
           << formatReal(std::round(kDigits * solution.q[move.link]) / kDigits + 0.0, 8) << "\n";
  return text.str();
}

/// --line: the motion as times and configurations.
int moveAlongLine(const CommandLine& line, RobotInput& input, IKProblem problem, int link, const IKOptions& options) {
  const IKGoal goal = poseGoalFromSetting(configurationOption("pose", line.text("pose")), input.robot(), link,
                                          input.loader(), input.diagnostics());
  if (goal.position != IKGoal::Position::point || goal.rotation != IKGoal::Rotation::fixed)
    throw UsageError("--line needs a whole pose: 12 numbers, or a position and a rotation");
  CartesianPathOptions path;
  path.start = options.start;
  path.tolerance = options.tolerance;
  path.delta = line.quantity("delta", "rad", path.delta);
  if (!(path.delta >= 1e-6)) throw UsageError("--delta must be at least 1e-6");
  path.maximize = true;
  input.finish();
  const CartesianPath found =
      moveLinkAlongLine(problem, link, {rotationFromMoment(goal.rotationVector_DL), goal.p_DP}, path);
  if (line.has("output")) input.loader().write(found.motion, line.text("output"), input.diagnostics());
  if (line.json()) {
    Value result = Value::map(), rows = Value::list();
    for (const VectorXd& q : found.motion.configurations) rows.push_back(inspect::list(q));
    result.set("solved", found.complete);
    result.set("reached", found.reached);
    result.set("times", found.motion.times);
    result.set("milestones", std::move(rows));
    print(toJson(result) + "\n");
  } else {
    print(
        (found.complete ? "the whole line, " : formatReal(100 * std::max(0.0, found.reached), 4) + " % of the line, ") +
        std::to_string(found.motion.times.size()) +
        (found.motion.times.size() == 1 ? " milestone\n" : " milestones\n"));
  }
  if (!found.complete) line.log().write(LogLevel::warning, "ik", found.problem);
  return found.complete ? 0 : 1;
}

int listAll(const CommandLine& line, const RobotInput& input, IKSolver& solver, const IKOptions& options) {
  const std::vector<IKSolution> found = solver.solveAll(options);
  Value list = Value::list();
  std::string text = std::to_string(found.size()) + (found.size() == 1 ? " solution\n" : " solutions\n");
  for (const IKSolution& solution : found) {
    Value entry = Value::map();
    entry.set("q", inspect::list(solution.q));
    entry.set("residual", solution.residual);
    entry.set("method", ikMethodName(solution.method));
    list.push_back(std::move(entry));
    text += solutionText(input.robot(), solver, solution);
  }
  Value result = Value::map();
  result.set("solved", !found.empty());
  result.set("solutions", std::move(list));
  print(line.json() ? toJson(result) + "\n" : text);
  if (found.empty())
    line.log().write(
        LogLevel::warning, "ik",
        line.has("analytic")
            ? "no closed form reaches the goal within the joint limits: without --analytic and --all a solver finds "
              "the "
              "nearest configuration and says how far from the goal it ends"
            : "no start led to a solution: without --all the nearest configuration is shown, and how far it ends");
  return found.empty() ? 1 : 0;
}

}  // namespace

IKOptions ikOptions(const CommandLine& line) {
  auto settings = settingsOf<IKSolveSettings>(line);
  if (line.has("analytic")) settings.method = IKSolveSettings::Method::analytic;
  return settings.options();
}

std::vector<std::string> activeNames(const CommandLine& line) {
  std::vector<std::string> names = settingsOf<IKFreedomSettings>(line, {}, kSaidOtherwise).active;
  std::erase(names, std::string());
  if (line.has("active") && names.empty()) throw UsageError("--active names no link");
  return names;
}

std::vector<std::pair<std::string, Value>> ikGoalValues(const CommandLine& line) {
  std::vector<std::pair<std::string, Value>> values;
  for (const std::string& text : line.texts("goal")) values.emplace_back("goal", configurationOption("goal", text));
  for (const IKGoalKind& kind : ikGoalKinds())
    for (const std::string& text : line.texts(optionName(kind.key))) {
      Value goal = configurationOption(optionName(kind.key), text);
      const bool complete = goal.isMap() && (goal.contains(kind.key) || kind.schema.find("link") != nullptr);
      Value map = complete ? std::move(goal) : Value::map();
      if (!complete) map.set(kind.key, std::move(goal));
      values.emplace_back(optionName(kind.key), std::move(map));
    }
  return values;
}

double clearanceOption(const CommandLine& line) {
  const double margin = settingsOf<IKTargetSettings>(line, {}, {"link", "pose"}).clearance.value_or(0);
  if (line.has("clearance") && !(margin > 0)) throw UsageError("--clearance must be above 0");
  return margin;
}

namespace {

void declareIk(CommandLine& line) {
  line.positional("FILE", "robot file; with --world it may be left out", 0, 1)
      .option("world", "FILE",
              "several robots and rigid objects at once: the goals' links are of its robots and objects, written "
              "ROBOT:LINK, or with 'robot: NAME' in the goal; FILE then is the robot that is meant without one")
      .flag("strict", "treat warnings about files as errors")
      .withPlugins();
  addResourceOptions(line);
  declareGoals(line);
  declareConfiguration(line, "start", "the file's initial one").synonym("q");
  declareSolving(line);
  line.epilog(
      "With --json {\"solved\", \"q\", \"residual\", \"time_s\", \"restarts\", \"method\"}: one number a link; m and "
      "rad. Exit "
      "code "
      "1 where it\n"
      "is not solved; q is then the nearest that was found. With --world {\"robots\": {NAME: q}, \"objects\": {NAME: "
      "T}}\n"
      "in place of q.\n\n"
      "Examples:\n"
      "  mortise robot ik arm.urdf --link hand --pose '{position: [0.5, 0, 0.4], rpy: [0, 90 deg, 0]}'\n"
      "  mortise robot ik humanoid.rob --goal left_foot.ikgoal --goal right_foot.ikgoal --com 0,0 --json\n"
      "  mortise robot ik --world arms.xml --goal '{link: left:hand, destination: right:hand, position: [0, 0, "
      "0.2]}'\n");
}

}  // namespace

int robotIkCommand(const Arguments& arguments) {
  CommandLine line("mortise robot ik", "a configuration in which links meet their goals");
  declareIk(line);
  if (!line.parse(arguments)) return 0;
  if (line.has("link") != line.has("pose")) throw UsageError("--link NAME and --pose WHERE go together");
  if (line.has("line") && (!line.has("pose") || line.has("all")))
    throw UsageError("--line goes with --link and --pose, and not with --all");
  if ((line.has("output") || line.has("delta")) && !line.has("line"))
    throw UsageError("--output and --delta go with --line");
  if (const std::string limits = line.text("limits", "on"); limits != "on" && limits != "off")
    throw UsageError("--limits takes on or off, not '" + limits + "'");
  if (line.has("world")) return robotIkInWorld(line);
  if (line.positionals().empty()) throw UsageError("missing FILE, a robot file, or --world FILE");
  RobotInput input(line);
  const int link = line.has("link") ? input.link("link", line.text("link")) : -1;
  IKProblem problem;
  problem.robot = input.pointer();
  problem.limits = line.text("limits", "on") == "on";
  problem.active = activeLinks(line, input);
  problem.terms = goalsOf(line, input, link);
  IKOptions options = ikOptions(line);
  options.start = input.configuration("start");
  if (line.has("line")) return moveAlongLine(line, input, std::move(problem), link, options);
  if (problem.terms.empty()) throw UsageError("missing --link NAME and --pose WHERE, or --goal GOAL");
  input.finish();

  const auto begin = std::chrono::steady_clock::now();
  IKSolver solver(std::move(problem));
  if (solver.variables().empty())
    line.log().write(LogLevel::warning, "ik", "no joint that may move changes what the goals ask for");
  SubstitutionRecord said(line.log(), line.has("strict"));
  reportStartBeyondLimits(solver, options.start, said);
  if (line.has("all")) return listAll(line, input, solver, options);
  const IKSolution solution = solver.solve(options);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  Value result = ikSolutionValue(solution, seconds);
  if (Value substitutions = said.value(); !substitutions.isNull())
    result.set("substitutions", std::move(substitutions));
  print(line.json() ? toJson(result) + "\n" : solutionText(input.robot(), solver, solution));
  return solution.solved ? 0 : 1;
}

}  // namespace mortise::app
