#include "planning/plan_problem.h"

#include <algorithm>
#include <filesystem>

#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "command_line/terminal_progress.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/planning_problem_files.h"
#include "mortise/planning/motion_file.h"
#include "mortise/planning/problem_request.h"
#include "mortise/settings/permissions.h"
#include "planning/plan_options.h"

namespace mortise::app {

namespace {

constexpr const char* kOptions[] = {"problem", "scene", "request", "urdf", "srdf", "joint-limits"};

std::string outputOf(const std::string& output, const std::string& name, std::size_t count) {
  if (count == 1) return output;
  const std::filesystem::path path(output);
  return (path.parent_path() / (path.stem().string() + "_" + name + path.extension().string())).string();
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}

/// The first fault that --check found; empty: none.
std::string faultOf(const Value& report) {
  const Value* check = report.find("check");
  if (check == nullptr || check->boolean("valid", false)) return {};
  const std::vector<Value>& faults = check->at("faults").items();
  const std::string first = faults.empty() ? "" : faults.front().string("text", "");
  return first.empty() ? "the check failed" : first;
}

/// The result of one of several problems, on one line.
std::string lineOf(const Value& report, std::size_t configurations) {
  std::string text = report.string("planner", "") + ": ";
  text += configurations == 0 ? "no path, " + report.string("status", "")
                              : "length " + formatReal(report.real("length", 0), 3) + ", " +
                                    std::to_string(configurations) + " configurations";
  return text + "; " + formatReal(report.real("seconds", 0), 3) + " s, " +
         std::to_string(report.integer("iterations", 0)) + " iterations" +
         (faultOf(report).empty() ? "" : "; fails the check");
}

/// Options for what problems bring themselves.
void refuseOptions(const CommandLine& line) {
  for (const char* option : {"robot", "object", "planar", "links", "start", "goal", "goal-ik", "keep", "stance",
                             "ignore", "workspace", "roadmap"})
    if (line.has(option))
      throw UsageError("--" + std::string(option) + " does not go with problems, which say it themselves");
  if (!line.positionals().empty())
    throw UsageError("'" + line.positionals().front() + "' does not go with problems, which have worlds of their own");
}

/// Throws `UsageError` for what does not go together, `Error` for files that cannot be used.
PlanningProblems readProblems(const CommandLine& line, Registry& registry, FormatLoader& loader,
                              Diagnostics& diagnostics) {
  PlanningProblemFiles files;
  files.path = line.text("problem");
  const auto set = [&](const char* option, const char* key, Value names) {
    if (line.has(option)) files.settings.set(key, names.setPosition(onCommandLine("--" + std::string(option))));
  };
  set("urdf", "urdf", line.text("urdf"));
  set("srdf", "srdf", line.text("srdf"));
  set("joint-limits", "joint_limits", line.text("joint-limits"));
  set("scene", "scenes", line.texts("scene"));
  set("request", "requests", line.texts("request"));
  if (files.path.empty() && !line.has("request"))
    throw UsageError("missing --request FILE, or --problem DIR with a folder of requests");
  if (files.path.empty() && !line.has("urdf")) throw UsageError("missing --urdf FILE, the robot of the problem");
  return loadPlanningProblems(files, registry, loader, diagnostics);
}

Value write(const CommandLine& line, const PlanningProblemDescription& problem, std::size_t count,
            const PlanResult& result, const PlanRequest& request, FormatLoader& loader, const std::string& command) {
  Value files = Value::list();
  Diagnostics writing;
  const double tolerance = request.retime ? request.retime->sampleTolerance : RetimeSettings().sampleTolerance;
  for (const std::string& file : line.texts("output"))
    for (const std::string& written : writeMotions(loader, outputOf(file, problem.name, count), result, *problem.world,
                                                   tolerance, {{"command", command}}, writing))
      files.push_back(written);
  printWarnings(line, writing);
  return files;
}

/// Returns the report of a problem with its name, notes and path.
Value valueOf(const PlanningProblemDescription& problem, const PlanResult& result) {
  Value report = result.report;
  report.set("problem", problem.name);
  for (const Value::Entry& note : problem.notes.entries()) report.set(note.key, note.value);
  Value path = Value::list();
  for (const VectorXd& q : result.path) path.push_back(std::vector<double>(q.data(), q.data() + q.size()));
  report.set("path", std::move(path));
  return report;
}

/// Logs why a problem has no path, or the first `fault` of the one that it has.
void logFailure(const CommandLine& line, const PlanningProblemDescription& problem, const PlanResult& result,
                const std::string& fault) {
  const std::string reason = result.report.string("message", "");
  if (result.path.empty())
    line.log().write(
        LogLevel::error, "plan",
        problem.name + ": no path: " + result.report.string("status", "") + (reason.empty() ? "" : ": " + reason));
  else if (!fault.empty())
    line.log().write(LogLevel::error, "plan", problem.name + ": the path fails the check: " + fault);
}

}  // namespace

void addProblemOptions(CommandLine& line) {
  line.option("problem", "DIR", "folder of a problem set: scene*.yaml, request*.yaml, config.yaml, *.urdf, *.srdf")
      .repeatedOption("scene", "FILE", "scene (moveit_msgs/PlanningScene as YAML); * and ? name several files")
      .repeatedOption("request", "FILE", "request (moveit_msgs/MotionPlanRequest as YAML); * and ? name several files")
      .option("urdf", "FILE", "robot of the scene, instead of the folder's")
      .option("srdf", "FILE", "groups of the robot and pairs of links that may touch")
      .option("joint-limits", "FILE", "limits that replace the robot's own (joint_limits.yaml)");
}

bool namesProblems(const CommandLine& line) {
  for (const char* option : kOptions)
    if (line.has(option)) return true;
  return false;
}

int planProblems(const CommandLine& line, const std::string& command) {
  refuseOptions(line);
  const auto registry = line.makeRegistry();
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  const PlanningProblems problems = readProblems(line, *registry, loader, diagnostics);
  for (const std::string& file : line.texts("output")) requireMotionFormat(loader, file);
  const std::vector<PlanRequest> requests =
      problemRequests(problems, planRequestSettings(line), loader, *registry, line.text("settings"), diagnostics);
  printWarnings(line, diagnostics);

  TerminalProgress progress(!line.quiet());
  const InterruptGuard interrupt;
  std::size_t width = 0, solved = 0, faulty = 0;
  for (const PlanningProblemDescription& problem : problems) width = std::max(width, problem.name.size());
  Value list = Value::list();
  for (std::size_t i = 0; i < problems.size() && interrupt.signal() == 0; ++i) {
    const PlanningProblemDescription& problem = problems[i];
    PlanResult result = runPlan(problem.world, requests[i], *registry, line.log(), &progress, interrupt.asked());
    if (!result.path.empty() && line.has("output"))
      result.report.set("files", write(line, problem, problems.size(), result, requests[i], loader, command));
    const std::string fault = faultOf(result.report);
    solved += result.path.empty() ? 0 : 1;
    faulty += fault.empty() ? 0 : 1;
    if (line.json())
      list.push_back(valueOf(problem, result));
    else if (problems.size() == 1)
      print(planResultText(result.report) + writtenText(result.report));
    else
      print(padded(problem.name, width) + "  " + lineOf(result.report, result.path.size()) + "\n");
    logFailure(line, problem, result, fault);
  }
  if (line.json()) {
    Value result = Value::map();
    result.set("solved", static_cast<std::int64_t>(solved));
    result.set("faulty", static_cast<std::int64_t>(faulty));
    result.set("problems", std::move(list));
    print(toJson(result) + "\n");
  } else if (problems.size() > 1) {
    print(std::to_string(solved) + " of " + std::to_string(problems.size()) + " problems solved" +
          (faulty == 0 ? ""
                       : "; " + std::to_string(faulty) + (faulty == 1 ? " path fails" : " paths fail") + " the check") +
          "\n");
  }
  if (interrupt.signal() != 0 && solved < problems.size()) return interrupt.exitCode();
  return solved == problems.size() && faulty == 0 ? 0 : 1;
}

}  // namespace mortise::app
