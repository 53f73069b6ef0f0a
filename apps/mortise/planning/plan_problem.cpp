#include "planning/plan_problem.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "command_line/terminal_progress.h"
#include "mortise/base/error.h"
#include "mortise/base/suggest.h"
#include "mortise/base/value_text.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/format_loader.h"
#include "mortise/planning/plan_job.h"
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

/// What came of one of several problems.
std::string lineOf(const Value& report, std::size_t configurations) {
  std::string text = report.string("planner", "") + ": ";
  text += configurations == 0 ? "no path, " + report.string("status", "")
                              : "length " + formatReal(report.real("length", 0), 3) + ", " +
                                    std::to_string(configurations) + " configurations";
  return text + "; " + formatReal(report.real("seconds", 0), 3) + " s, " +
         std::to_string(report.integer("iterations", 0)) + " iterations" +
         (faultOf(report).empty() ? "" : "; does not hold");
}

/// What problems say themselves.
void refuseOptions(const CommandLine& line) {
  for (const char* option : {"robot", "object", "planar", "links", "start", "goal", "goal-ik", "keep", "stance",
                             "ignore", "workspace", "roadmap"})
    if (line.has(option))
      throw UsageError("--" + std::string(option) + " does not go with problems, which say it themselves");
  if (!line.positionals().empty())
    throw UsageError("'" + line.positionals().front() + "' does not go with problems, which have worlds of their own");
}

/// Once for each id, however many requests have it.
void warnOfPlanner(const ProblemCase& problem, const Registry& registry, std::set<std::string>& warned,
                   Diagnostics& diagnostics) {
  if (problem.plannerId.empty() || !warned.insert(problem.plannerId).second) return;
  std::vector<std::string> names;
  for (const ComponentInfo& info : registry.components()) {
    if (info.kind != Kind::planner) continue;
    names.push_back(info.name.substr(info.name.rfind('.') + 1));
    names.insert(names.end(), info.aliases.begin(), info.aliases.end());
  }
  std::string id = problem.plannerId.substr(problem.plannerId.rfind(':') + 1);  // Of none: from 0 on.
  const std::string configured = "kConfigDefault";
  if (id.ends_with(configured)) id.resize(id.size() - configured.size());
  const std::string near = didYouMean(id, names);
  diagnostics.warning("there is no planner '" + problem.plannerId + "'; 'any' takes its place",
                      {problem.requestFile, 0, 0, "planner_id"},
                      (near.empty() ? "" : near + " ") + "name one with --planner; see --list-planners");
}

PlanJob jobOf(const CommandLine& line, const ProblemCase& problem, FormatLoader& loader, const Registry& registry,
              std::set<std::string>& warned, Diagnostics& diagnostics) {
  const PlanRequest& asked = problem.request;
  Value settings = planSettings(line);
  const bool limited = settings.contains("time_limit") || settings.contains("iterations");
  if (!settings.contains("planner")) {
    const std::string planner = plannerOfId(problem.plannerId, registry);
    if (planner.empty())
      warnOfPlanner(problem, registry, warned, diagnostics);
    else
      settings.set("planner", planner);
  }
  // Settings need a goal that they can say; the problem's own comes instead.
  const VectorXd& start = asked.starts.front();
  settings.set("robot", problem.world->robots.front().name);
  settings.set("goal", std::vector<double>(start.data(), start.data() + start.size()));
  const PlanSources sources{*problem.world, loader, &registry, line.text("settings"), {}, {}};
  PlanJob job = planJob(line, settings, sources, diagnostics);
  PlanSpaceRequest space = job.plan.space;
  space.robots = asked.space.robots;
  space.links = asked.space.links;
  space.ignored = asked.space.ignored;
  space.keep = asked.space.keep;
  if (!line.has("keep-tolerance")) space.keepTolerance = asked.space.keepTolerance;
  space.workspace = asked.space.workspace;
  job.plan.space = std::move(space);
  job.plan.starts = asked.starts;
  job.plan.goal = asked.goal;
  if (!limited && std::isfinite(asked.stop.seconds)) job.plan.stop.seconds = asked.stop.seconds;
  if (job.retime) {
    job.retime->limits.velocityShare *= problem.velocityScaling;
    job.retime->limits.accelerationShare *= problem.accelerationScaling;
  }
  return job;
}

Value write(const CommandLine& line, const ProblemCase& problem, std::size_t count, const PlanJobResult& result,
            const PlanJob& job, FormatLoader& loader, const std::string& command) {
  Value files = Value::list();
  Diagnostics writing;
  const double tolerance = job.retime ? job.retime->sampleTolerance : RetimeSettings().sampleTolerance;
  for (const std::string& file : line.texts("output"))
    for (const std::string& written : writeMotions(loader, outputOf(file, problem.name, count), result, *problem.world,
                                                   tolerance, {{"command", command}}, writing))
      files.push_back(written);
  printWarnings(line, writing);
  return files;
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

int planProblems(const CommandLine& line, const std::string& command) {
  refuseOptions(line);
  const auto registry = line.makeRegistry();
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  const std::vector<ProblemCase> problems = readProblems(line, *registry, diagnostics);
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  for (const std::string& file : line.texts("output")) requireMotionFormat(loader, file);
  std::vector<PlanJob> jobs;
  std::set<std::string> warned;
  for (const ProblemCase& problem : problems) {
    jobs.push_back(jobOf(line, problem, loader, *registry, warned, diagnostics));
    diagnostics.throwIfErrors("the plan cannot be made");
  }
  printWarnings(line, diagnostics);

  TerminalProgress progress(!line.quiet());
  const InterruptGuard interrupt;
  std::size_t width = 0, solved = 0, faulty = 0;
  for (const ProblemCase& problem : problems) width = std::max(width, problem.name.size());
  Value list = Value::list();
  for (std::size_t i = 0; i < problems.size() && interrupt.signal() == 0; ++i) {
    const ProblemCase& problem = problems[i];
    PlanJobResult result = runPlanJob(problem.world, jobs[i], *registry, line.log(), &progress, interrupt.asked());
    Value& report = result.report;
    const bool found = !result.path.empty();
    solved += found ? 1 : 0;
    const std::string fault = faultOf(report);
    const std::string status = report.string("status", ""), reason = report.string("message", "");
    faulty += fault.empty() ? 0 : 1;
    if (found && line.has("output"))
      report.set("files", write(line, problem, problems.size(), result, jobs[i], loader, command));
    if (line.json()) {
      report.set("problem", problem.name);
      report.set("scene", problem.sceneFile);
      report.set("request", problem.requestFile);
      report.set("group", problem.group);
      Value path = Value::list();
      for (const VectorXd& q : result.path) path.push_back(std::vector<double>(q.data(), q.data() + q.size()));
      report.set("path", std::move(path));
      list.push_back(std::move(report));
    } else if (problems.size() == 1) {
      print(planJobText(report) + writtenText(report));
    } else {
      print(padded(problem.name, width) + "  " + lineOf(report, result.path.size()) + "\n");
    }
    if (!found)
      line.log().write(LogLevel::error, "plan",
                       problem.name + ": no path: " + status + (reason.empty() ? "" : ": " + reason));
    else if (!fault.empty())
      line.log().write(LogLevel::error, "plan", problem.name + ": the path does not hold: " + fault);
  }
  if (line.json()) {
    Value result = Value::map();
    result.set("solved", static_cast<std::int64_t>(solved));
    result.set("faulty", static_cast<std::int64_t>(faulty));
    result.set("problems", std::move(list));
    print(toJson(result) + "\n");
  } else if (problems.size() > 1) {
    print(
        std::to_string(solved) + " of " + std::to_string(problems.size()) + " problems solved" +
        (faulty == 0 ? "" : "; " + std::to_string(faulty) + (faulty == 1 ? " path does" : " paths do") + " not hold") +
        "\n");
  }
  if (interrupt.signal() != 0 && solved < problems.size()) return interrupt.exitCode();
  return solved == problems.size() && faulty == 0 ? 0 : 1;
}

}  // namespace mortise::app
