#include <algorithm>
#include <chrono>
#include <cmath>
#include <sstream>

#include "command_line/configuration_options.h"
#include "command_line/resource_options.h"
#include "models/robot_ik.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/goals/world_terms_setting.h"
#include "mortise/inspect/values.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/loading/world_configuration.h"
#include "mortise/math/rotation.h"
#include "mortise/planning/plan_substitutions.h"
#include "mortise/simulation/scene/substitution.h"

namespace mortise::app {

namespace {

/// FILE says which of the world's robots goals are of that do not say it themselves; -1: there is no FILE.
int ownRobot(const CommandLine& line, FormatLoader& loader, const World& world, Diagnostics& diagnostics) {
  if (line.positionals().empty()) return -1;
  const std::string& file = line.positionals().front();
  const RobotPtr robot = Robot::compile(loader.load<RobotDescription>(file, {}, diagnostics));
  for (const bool byName : {true, false})
    for (std::size_t i = 0; i < world.robots.size(); ++i)
      if (world.robots[i].robot->numLinks() == robot->numLinks() &&
          (!byName || world.robots[i].robot->name() == robot->name()))
        return static_cast<int>(i);
  throw Error(
      "the world has no robot with " + std::to_string(robot->numLinks()) + " links, as '" + robot->name() + "' has", {},
      "leave '" + file + "' out: the world's own robots are used");
}

IKProblem worldProblem(const CommandLine& line, const IKWorld& full, int robot, FormatLoader& loader,
                       Diagnostics& diagnostics) {
  IKProblem problem;
  problem.robot = full.robot();
  problem.limits = line.text("limits", "on") == "on";
  const auto add = [&](const std::string& option, const Value& value) {
    const std::vector<IKTerm> more = worldIKTermsFromSetting(value, full, robot, loader, diagnostics);
    if (more.empty()) throw UsageError("--" + option + " holds no goal");
    problem.terms.insert(problem.terms.end(), more.begin(), more.end());
  };
  if (line.has("pose")) {
    Value goal = configurationOption("pose", line.text("pose"));
    if (!goal.isMap())
      throw UsageError("with --world, --pose is a map such as {position: [0.5, 0, 0.4]}; or use --goal");
    goal.set("link", line.text("link"));
    add("pose", goal);
  }
  for (const auto& [option, value] : ikGoalValues(line)) add(option, value);
  if (problem.terms.empty()) throw UsageError("missing --goal GOAL");
  const std::vector<std::string> active = activeNames(line);
  problem.active = active.empty() ? worldIKActive(full, problem.terms) : worldIKActive(full, active, robot);
  if (const double margin = clearanceOption(line); margin > 0) {
    const auto world = std::make_shared<const World>(full.world());
    problem.terms.push_back(
        {full.clearance(std::make_shared<WorldCollider>(world),
                        movedLinks(*problem.robot, problem.active, problem.terms, problem.limits), margin)});
  }
  return problem;
}

Value worldSolutionValue(const IKWorld& full, const IKSolution& solution, double seconds) {
  Value result = ikSolutionValue(solution, seconds), robots = Value::map(), objects = Value::map();
  result.erase("q");
  const World& world = full.world();
  for (std::size_t r = 0; r < world.robots.size(); ++r)
    robots.set(world.robots[r].name, inspect::list(full.configuration(static_cast<int>(r), solution.q)));
  for (std::size_t i = 0; i < world.objects.size(); ++i)
    objects.set(world.objects[i].name, inspect::list(full.pose(static_cast<int>(i), solution.q)));
  result.set("robots", std::move(robots));
  result.set("objects", std::move(objects));
  return result;
}

std::string worldSolutionText(const IKWorld& full, const IKSolver& solver, const IKSolution& solution) {
  std::ostringstream text;
  text << ikVerdict(solution, solver.problem()) << "\n";
  const World& world = full.world();
  std::vector<char> moved(static_cast<std::size_t>(full.robot()->numLinks()), 0);
  for (const IKVariable& variable : solver.variables())
    for (const DrivenCoordinate& move : variable.moves) moved[static_cast<std::size_t>(move.link)] = 1;
  const auto number = [](double x) { return formatReal(std::round(1e8 * x) / 1e8 + 0.0, 8); };
  for (std::size_t r = 0; r < world.robots.size(); ++r)
    for (int l = 0; l < world.robots[r].robot->numLinks(); ++l) {
      const int link = full.link(static_cast<int>(r), l);
      if (moved[static_cast<std::size_t>(link)] == 0) continue;
      text << "  " << world.robots[r].name << ":" << world.robots[r].robot->link(l).name << " "
           << number(solution.q[link]) << "\n";
    }
  for (std::size_t i = 0; i < world.objects.size(); ++i) {
    if (moved[static_cast<std::size_t>(full.objectLink(static_cast<int>(i)))] == 0) continue;
    const RigidTransform X = full.pose(static_cast<int>(i), solution.q);
    const Vector3d rpy = eulerZyxFromRotation(X.R).reverse();
    text << "  " << world.objects[i].name << ": position";
    for (int k = 0; k < 3; ++k) text << " " << number(X.p[k]);
    text << ", rpy";
    for (int k = 0; k < 3; ++k) text << " " << number(rpy[k]);
    text << "\n";
  }
  return text.str();
}

}  // namespace

int robotIkInWorld(const CommandLine& line) {
  if (line.has("line") || line.has("all")) throw UsageError("--line and --all are of one robot: leave --world out");
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  World loaded = assembleWorld(loader, {line.text("world")}, diagnostics);
  diagnostics.throwIfErrors("'" + line.text("world") + "' cannot be used");
  const int robot = ownRobot(line, loader, loaded, diagnostics);
  if (line.has("start")) {
    const Value start = configurationOption("start", line.text("start"));
    const ConfigurationFiles files = configurationFiles(loader, diagnostics);
    if (robot >= 0 && !isByRobot(loaded, start))
      setConfiguration(loaded, robot, start, files, diagnostics);
    else
      setConfigurations(loaded, start, files, diagnostics);
  }
  const auto world = std::make_shared<const World>(std::move(loaded));
  const IKWorld full(world);
  IKProblem problem = worldProblem(line, full, robot, loader, diagnostics);
  IKOptions options = ikOptions(line);
  options.start = full.start();
  printWarnings(line, diagnostics);
  diagnostics.throwIfErrors("'" + line.text("world") + "' cannot be used");

  const auto begin = std::chrono::steady_clock::now();
  IKSolver solver(std::move(problem));
  if (solver.variables().empty())
    line.log().write(LogLevel::warning, "ik", "no joint that may move changes what the goals ask for");
  SubstitutionRecord said(line.log(), line.has("strict"));
  reportStartBeyondLimits(solver, options.start, said);
  const IKSolution solution = solver.solve(options);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  Value result = worldSolutionValue(full, solution, seconds);
  if (Value substitutions = said.value(); !substitutions.isNull())
    result.set("substitutions", std::move(substitutions));
  print(line.json() ? toJson(result) + "\n" : worldSolutionText(full, solver, solution));
  return solution.solved ? 0 : 1;
}

}  // namespace mortise::app
