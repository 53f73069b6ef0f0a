#include "plan_problem.h"

#include <cstdio>
#include <filesystem>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/plan/plan_report.h"
#include "mortise/plan/plan_setup.h"
#include "mortise/plugin/format_loader.h"
#include "resource_options.h"

namespace mortise::app {

namespace {

constexpr const char* kOptions[] = {"problem", "scene", "request", "urdf", "srdf", "joint-limits"};
/// Where neither the request nor an option limits the time, seconds.
constexpr double kDefaultSeconds = 10;

std::string outputOf(const std::string& output, const std::string& name, std::size_t count) {
  if (count == 1) return output;
  const std::filesystem::path path(output);
  return (path.parent_path() / (path.stem().string() + "_" + name + path.extension().string())).string();
}

std::string rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g", value);
  return text;
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}

}  // namespace

void addProblemOptions(CommandLine& line) {
  line.option("problem", "DIR", "folder of a problem set: scene*.yaml, request*.yaml, config.yaml, *.urdf, *.srdf")
      .repeatedOption("scene", "FILE", "scene (moveit_msgs/PlanningScene as YAML); * and ? name several")
      .repeatedOption("request", "FILE", "request (moveit_msgs/MotionPlanRequest as YAML); * and ? name several")
      .option("urdf", "FILE", "robot of the scene")
      .option("srdf", "FILE", "its groups and pairs that may touch")
      .option("joint-limits", "FILE", "limits that take the place of its own (joint_limits.yaml)");
}

bool namesProblems(const CommandLine& line) {
  for (const char* option : kOptions)
    if (line.has(option)) return true;
  return false;
}

std::vector<ProblemCase> readProblems(const CommandLine& line, Registry& registry, Diagnostics& diagnostics) {
  ProblemSetFiles files;
  if (line.has("problem")) files = problemSetOfFolder(line.text("problem"));
  const auto take = [&](const char* option, std::vector<std::string>& into) {
    if (!line.has(option)) return;
    into.clear();
    for (const std::string& pattern : line.texts(option))
      for (std::string& file : filesLike(pattern)) into.push_back(std::move(file));
  };
  take("scene", files.scenes);
  take("request", files.requests);
  if (line.has("urdf")) files.urdf = line.text("urdf");
  if (line.has("srdf")) files.srdf = line.text("srdf");
  if (line.has("joint-limits")) files.jointLimits = line.text("joint-limits");
  if (files.requests.empty()) throw UsageError("a problem needs --request FILE, or a folder of them: --problem DIR");
  if (files.urdf.empty() && files.config.empty()) throw UsageError("a problem needs its robot: --urdf FILE");
  return loadProblemSet(files, registry, line.log(), resourcePath(line), diagnostics);
}

int planProblems(const CommandLine& line, const ProblemRunOptions& options) {
  const auto registry = line.makeRegistry();
  Diagnostics diagnostics;
  const std::vector<ProblemCase> problems = readProblems(line, *registry, diagnostics);
  printWarnings(line, diagnostics);
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  std::size_t width = 0, solved = 0;
  for (const ProblemCase& problem : problems) width = std::max(width, problem.name.size());
  Value list = Value::list();
  for (const ProblemCase& problem : problems) {
    PlanRequest request = problem.request;
    request.planner = options.planner.empty() ? plannerOfId(problem.plannerId, *registry) : options.planner;
    if (request.planner.empty()) request.planner = "any";
    request.settings = options.settings;
    if (options.seconds) request.stop.seconds = *options.seconds;
    if (options.iterations) request.stop.iterations = *options.iterations;
    const bool unlimited =
        request.stop.seconds == StopConditions().seconds && request.stop.iterations == StopConditions().iterations;
    if (unlimited) request.stop.seconds = kDefaultSeconds;
    request.seed = options.seed;
    PlanSetup setup(problem.world, nullptr, request, *registry, line.log());
    const PlanResult result = setup.run();
    Value report = planReport(setup, result);
    const bool found = !result.path.empty();
    solved += found ? 1 : 0;
    if (found && !options.output.empty()) {
      const std::string file = outputOf(options.output, problem.name, problems.size());
      loader.writeTrajectory(milestoneTrajectory(result.path), file);
      report.set("file", file);
    }
    if (line.json()) {
      report.set("problem", problem.name);
      report.set("scene", problem.sceneFile);
      report.set("request", problem.requestFile);
      report.set("group", problem.group);
      list.push_back(std::move(report));
      continue;
    }
    std::string text = padded(problem.name, width) + "  " + result.planner + ": ";
    if (found)
      text += "path of " + std::to_string(result.path.size()) + " configurations, length " +
              rounded(result.run.outcome.cost);
    else
      text += "no path (" + std::string(planningStatusName(result.run.outcome.status)) + ")" +
              (result.run.outcome.message.empty() ? "" : ": " + result.run.outcome.message);
    print(text + "; " + rounded(result.run.seconds) + " s, " + std::to_string(result.run.iterations) + " iterations\n");
  }
  if (line.json()) {
    Value result = Value::map();
    result.set("solved", static_cast<std::int64_t>(solved));
    result.set("problems", std::move(list));
    print(toJson(result) + "\n");
  } else if (problems.size() > 1) {
    print(std::to_string(solved) + " of " + std::to_string(problems.size()) + " problems solved\n");
  }
  return solved == problems.size() ? 0 : 1;
}

}  // namespace mortise::app
