#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "command_line/terminal_progress.h"
#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/component/resource.h"
#include "mortise/json/json_writer.h"
#include "mortise/modeling/resource_conversion.h"
#include "mortise/planning/motion_file.h"
#include "mortise/planning/plan_report.h"
#include "mortise/planning/plan_run.h"
#include "mortise/planning/settings/klampt_settings.h"
#include "mortise/planning/space/plan_space.h"

namespace mortise::app {

namespace {

enum class Program { planDemo, contactPlan, dynamicPlanDemo };

const char* nameOf(Program program) {
  return program == Program::planDemo      ? "PlanDemo"
         : program == Program::contactPlan ? "ContactPlan"
                                           : "DynamicPlanDemo";
}

/// Klamp't's options have one dash.
Arguments withLongOptions(Arguments arguments, Program program) {
  std::vector<std::pair<const char*, const char*>> names = {{"-o", "--output"},     {"-p", "--settings"},
                                                            {"-opt", "--optimize"}, {"-n", "--iterations"},
                                                            {"-t", "--time"},       {"-r", "--robot"}};
  if (program == Program::contactPlan) names.emplace_back("-m", "--margin");
  if (program == Program::dynamicPlanDemo) {
    names.emplace_back("-s", "--shortcuts");
    names.emplace_back("-h", "--timestep");
  }
  for (std::string& argument : arguments)
    for (const auto& [theirs, ours] : names)
      if (argument == theirs) {
        argument = ours;
        break;
      }
  return arguments;
}

void declareDemoOptions(CommandLine& line, Program program) {
  line.positional("WORLD", "world file", 1, 1)
      .positional("CONFIGS", "configurations (.configs): the plan goes from each to the next", 1, 1);
  if (program == Program::contactPlan) line.positional("STANCE", "contacts that are kept (.stance)", 1, 1);
  line.option("output", "FILE",
              std::string("(-o) the path: MultiPath .xml, or .path (default ") +
                  (program == Program::planDemo      ? "plandemo.xml"
                   : program == Program::contactPlan ? "contactplan.xml"
                                                     : "dynamicplandemo.xml") +
                  ")")
      .option("settings", "FILE", "(-p) planner settings: { type:\"rrt\", perturbationRadius:0.5 } (default: type any)")
      .flag("optimize", "(-opt) do not stop at the first path")
      .option("iterations", "N", "(-n) stop after so many iterations of each plan (default 1000)")
      .option("time", "T", "(-t) stop each plan after this time (default: no limit)")
      .option("robot", "INDEX", "(-r) which robot (default 0)");
  if (program == Program::contactPlan)
    line.option("margin", "D", "(-m) distance of the center of mass from the edge of the support polygon (default 0)");
  if (program == Program::dynamicPlanDemo)
    line.option("shortcuts", "N", "(-s) number of time-optimal shortcuts tried (default 100)")
        .option("timestep", "DT", "(-h) seconds between configurations of a .path (default 0.01)");
  line.option("seed", "N", "seed of everything random (default 0; Klamp't's comes from the clock)")
      .withPlugins()
      .epilog(
          "Takes Klamp't's options, in its spelling in brackets, and writes what Klamp't writes: a MultiPath with a "
          "section "
          "a plan,\nor its linear form for .path. A section that could not be planned is marked `infeasible`, and the "
          "exit "
          "code is 1\n(Klamp't's is 0). See docs/planning.md.");
  addResourceOptions(line);
}

/// Holds that touch nothing only keep their links in place.
bool touches(const Stance& stance) {
  return std::any_of(stance.holds.begin(), stance.holds.end(), [](const Hold& hold) { return !hold.contacts.empty(); });
}

MultiPath::Section infeasible(const VectorXd& from, const VectorXd& to, bool timed, double time) {
  MultiPath::Section section;
  section.settings = {{"infeasible", "1"}};
  section.milestones = {from, to};
  if (timed) {
    section.times = {time, time};
    section.velocities.assign(2, VectorXd::Zero(from.size()));
  }
  return section;
}

bool isInfeasible(const MultiPath::Section& section) {
  return std::any_of(section.settings.begin(), section.settings.end(),
                     [](const auto& setting) { return setting.first == "infeasible"; });
}

/// Discretizes a timed path as Klamp't does: every so many seconds, and its end.
Trajectory everyStep(const MultiPath& path, double step) {
  Trajectory result;
  VectorXd q(path.dimension()), dq(path.dimension());
  const double start = path.startTime(), end = path.endTime();
  if (!((end - start) / step < 1e6)) throw Error("the path would have more than a million configurations");
  for (std::int64_t k = 0; start + step * static_cast<double>(k) < end; ++k) {
    const double t = start + step * static_cast<double>(k);
    path.evaluate(t, MultiPath::Interpolation::cubic, q, dq);
    result.times.push_back(t);
    result.configurations.push_back(q);
  }
  path.evaluate(end, MultiPath::Interpolation::cubic, q, dq);
  result.times.push_back(end);
  result.configurations.push_back(q);
  return result;
}

/// Formats that cannot say that a section is infeasible hold only what comes before it. False: that is nothing, and no
/// file is written.
bool write(FormatLoader& loader, MultiPath path, const std::string& file, double timestep, Diagnostics& diagnostics) {
  const std::set<FileContent> writable = loader.writableContents(file);
  if (writable.count(FileContent::multipath) > 0) {
    loader.write(path, file, diagnostics);
    return true;
  }
  const auto failed = std::find_if(path.sections.begin(), path.sections.end(), isInfeasible);
  if (failed != path.sections.end()) {
    const auto planned = failed - path.sections.begin();
    const std::string all = std::to_string(path.sections.size());
    path.sections.erase(failed, path.sections.end());
    diagnostics.warning(planned == 0
                            ? "the first plan failed, and this format cannot say so: nothing is written"
                            : "plan " + std::to_string(planned + 1) + " of " + all +
                                  " failed, and this format cannot say so: only what comes before it is written",
                        inFile(file), "a MultiPath .xml has all sections, those that failed marked infeasible");
    if (planned == 0) return false;
  }
  if (path.timed()) {
    loader.write(everyStep(path, timestep), file, diagnostics);
    return true;
  }
  diagnostics.note("the path has no times; its configurations are one second apart", inFile(file));
  const Resource configurations = convertResource(path, FileContent::configurations, diagnostics);
  loader.write(convertResource(configurations, FileContent::trajectory, diagnostics), file, diagnostics);
  return true;
}

/// Planning task: a robot of a world, and the configurations that it passes.
struct DemoProblem {
  std::shared_ptr<const World> world;
  int robot = 0;
  std::vector<VectorXd> configurations;

  const WorldRobot& worldRobot() const { return world->robots[static_cast<std::size_t>(robot)]; }
};

/// Reads the world and the configurations that the command line names. Throws `Error` for fewer than two of them, and
/// for those of another robot.
DemoProblem readProblem(const CommandLine& line, FormatLoader& loader, Diagnostics& diagnostics) {
  const std::string& file = line.positionals()[0];
  DemoProblem problem;
  problem.world = std::make_shared<const World>(loader.world(file, {}, diagnostics));
  diagnostics.throwIfErrors("'" + file + "' cannot be used");
  const std::int64_t robot = line.integer("robot", 0);
  const std::size_t robots = problem.world->robots.size();
  if (robot < 0 || robot >= static_cast<std::int64_t>(robots))
    throw Error("there is no robot " + std::to_string(robot) + " in '" + file + "'", {},
                "it has " + std::to_string(robots) + "; -r counts from 0");
  problem.robot = static_cast<int>(robot);
  const std::string& list = line.positionals()[1];
  problem.configurations = loader.load<ConfigurationList>(list, {}, diagnostics).configurations;
  diagnostics.throwIfErrors();
  const auto& configurations = problem.configurations;
  if (configurations.size() < 2)
    throw Error("'" + list + "' holds " + std::to_string(configurations.size()) +
                " configurations, but a plan needs two or more");
  const int links = problem.worldRobot().robot->numLinks();
  for (std::size_t i = 0; i < configurations.size(); ++i)
    if (configurations[i].size() != links)
      throw Error("configuration " + std::to_string(i) + " of '" + list + "' has " +
                  std::to_string(configurations[i].size()) + " numbers, but robot '" + problem.worldRobot().name +
                  "' has " + std::to_string(links) + " links");
  return problem;
}

/// Returns the request of one plan as the options ask for it, without start, goal and contacts.
PlanRequest demoRequest(const CommandLine& line, Program program, const Registry& registry, int robot,
                        Diagnostics& diagnostics) {
  PlanRequest request;
  request.space.robots = {robot};
  request.seed = line.seed();
  request.stop.foundSolution = !line.has("optimize");
  request.stop.iterations = line.integer("iterations", 1000);
  if (line.has("time")) request.stop.seconds = line.quantity("time", "s", 0);
  if (line.has("settings"))
    setKlamptPlanner(readFile(line.text("settings")), line.text("settings"), registry, request, diagnostics);
  if (program == Program::dynamicPlanDemo) {
    request.retime.emplace();
    request.retime->options.idle = 0;
    request.retime->stop.iterations = line.integer("shortcuts", 100);
  }
  return request;
}

/// Reads the stance and keeps it in the plan's space. Without contact points its links stay where they are.
Stance keepStance(const CommandLine& line, FormatLoader& loader, int robot, PlanRequest& request,
                  Diagnostics& diagnostics) {
  const Stance stance = loader.load<Stance>(line.positionals()[2], {}, diagnostics);
  diagnostics.throwIfErrors();
  auto& space = request.space;
  space.keepNearby = std::numeric_limits<double>::infinity();  // As Klamp't, which solves for contact.
  if (touches(stance)) {
    space.stance = stance;
    space.balanceMargin = line.quantity("margin", "m", 0);
  } else {
    line.log().write(LogLevel::info, nameOf(Program::contactPlan),
                     "no contact points in the stance: planning without balance");
    for (const Hold& hold : stance.holds) space.keep.push_back({robot, hold.goal});
  }
  return stance;
}

/// Results of the plans between consecutive configurations.
struct DemoResult {
  MultiPath path;
  bool feasible = true;
  Value reports = Value::list();
};

/// Plans the sections one after the other, until `interrupt`; they have the holds of the stance, if there is one.
DemoResult planSections(const CommandLine& line, Registry& registry, const DemoProblem& problem, PlanRequest request,
                        const std::optional<Stance>& stance, const InterruptGuard& interrupt) {
  const bool timed = request.retime.has_value(), held = stance.has_value();
  const auto& configurations = problem.configurations;
  TerminalProgress progress(!line.quiet());
  DemoResult demo;
  double time = 0;
  for (std::size_t i = 0; i + 1 < configurations.size() && interrupt.signal() == 0; ++i) {
    request.starts = {configurations[i]};
    request.goal.configurations = {configurations[i + 1]};
    PlanResult result = runPlan(problem.world, request, registry, line.log(), &progress, interrupt.asked());
    if (!line.quiet() && !line.json())
      print("from configuration " + std::to_string(i) + " to " + std::to_string(i + 1) + "\n" +
            planResultText(result.report));
    demo.reports.push_back(std::move(result.report));
    MultiPath::Section section;
    if (result.path.empty()) {
      section = infeasible(configurations[i], configurations[i + 1], timed, time);
      demo.feasible = false;
    } else if (timed) {
      section = multiPathOf(*result.motion).sections.front();
      for (double& t : section.times) t += time;
      time = section.times.back();
    } else {
      section.milestones = result.path;
      if (section.milestones.size() == 1) section.milestones.push_back(section.milestones.front());
    }
    if (held) section.holds = stance->holds;
    demo.path.sections.push_back(std::move(section));
    // Contacts that do not hold any more leave nothing to go on from.
    if (!demo.feasible && held) break;
  }
  return demo;
}

/// Prints what was planned; `written`: whether `output` is.
void printDemo(const CommandLine& line, DemoResult& demo, const std::string& output, bool written) {
  if (line.json()) {
    Value summary = Value::map();
    summary.set("feasible", demo.feasible);
    summary.set("output", written ? Value(output) : Value());
    summary.set("sections", std::move(demo.reports));
    print(toJson(summary) + "\n");
  } else if (!line.quiet()) {
    print(demo.feasible ? "every plan succeeded; the path is in " + output + "\n"
          : !written    ? std::string("not every plan succeeded; nothing is written\n")
                        : "not every plan succeeded; what there is, is in " + output + "\n");
  }
}

int run(const Arguments& given, Program program) {
  const std::string name = nameOf(program);
  CommandLine line("mortise " + name, program == Program::planDemo ? "plan between consecutive configurations"
                                      : program == Program::contactPlan
                                          ? "plan between consecutive configurations on given contacts"
                                          : "plan between consecutive configurations, with times");
  declareDemoOptions(line, program);
  // Without arguments it prints its help, as Klamp't's does.
  if (!line.parse(given.empty() ? Arguments{"--help"} : withLongOptions(given, program))) return 0;

  const double timestep = line.quantity("timestep", "s", 0.01);
  if (!(timestep > 0) || !std::isfinite(timestep))
    throw UsageError("-h (--timestep) is a time above 0, not '" + line.text("timestep") + "'");
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  const std::string output = line.text("output", program == Program::planDemo      ? "plandemo.xml"
                                                 : program == Program::contactPlan ? "contactplan.xml"
                                                                                   : "dynamicplandemo.xml");
  requireMotionFormat(loader, output);
  Diagnostics diagnostics;
  const DemoProblem problem = readProblem(line, loader, diagnostics);
  PlanRequest request = demoRequest(line, program, *registry, problem.robot, diagnostics);
  std::optional<Stance> stance;
  if (program == Program::contactPlan) stance = keepStance(line, loader, problem.robot, request, diagnostics);
  printWarnings(line, diagnostics);

  const InterruptGuard interrupt;
  DemoResult demo = planSections(line, *registry, problem, std::move(request), stance, interrupt);
  std::string command = name;
  for (const std::string& argument : given) command += " " + argument;
  demo.path.settings = {{"robot", problem.worldRobot().name}, {"command", command}};
  Diagnostics writing;
  const bool written = write(loader, demo.path, output, timestep, writing);
  printWarnings(line, writing);
  printDemo(line, demo, output, written);
  if (interrupt.signal() != 0) return interrupt.exitCode();
  return demo.feasible ? 0 : 1;
}

}  // namespace

int planDemoCommand(const Arguments& arguments) { return run(arguments, Program::planDemo); }
int contactPlanCommand(const Arguments& arguments) { return run(arguments, Program::contactPlan); }
int dynamicPlanDemoCommand(const Arguments& arguments) { return run(arguments, Program::dynamicPlanDemo); }

}  // namespace mortise::app
