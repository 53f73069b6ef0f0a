#include <filesystem>
#include <optional>
#include <sstream>

#include "command_line/command_group.h"
#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "command_line/terminal_progress.h"
#include "logs/live_view.h"
#include "mortise/appearance/visual_files.h"
#include "mortise/base/error.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/planning/motion_file.h"
#include "mortise/planning/request/required_planner.h"
#include "mortise/simulation/scene/substitution.h"
#include "mortise/text/suggest.h"
#include "mortise/viewer/plan_view.h"
#include "planning/plan_options.h"
#include "planning/plan_problem.h"

namespace mortise::app {

namespace {

int listPlanners(const CommandLine& line, const Registry& registry) {
  Value list = Value::list();
  std::ostringstream text;
  for (const ComponentInfo& info : registry.components()) {
    if (info.kind != Kind::planner) continue;
    Value entry = Value::map();
    entry.set("name", info.name);
    entry.set("aliases", info.aliases);
    entry.set("summary", info.summary);
    entry.set("package", info.package);
    list.push_back(std::move(entry));
    std::string names = info.name;
    if (!info.aliases.empty()) names += " (" + nameList(info.aliases) + ")";
    text << names << "\n    " << info.summary << "\n";
  }
  for (const AlikePlanner& each : alikePlanners(registry))
    text << "`" << each.name << "` is " << each.component << ", and `" << each.otherName << "` " << each.otherComponent
         << ".\n";
  text << "`mortise plugins info NAME` lists a planner's parameters.\n";
  print(line.json() ? toJson(list) + "\n" : text.str());
  return 0;
}

/// The two options whose values may be left out.
Arguments withValues(Arguments arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool last = i + 1 == arguments.size();
    const std::string next = last ? std::string() : arguments[i + 1];
    const bool number = !next.empty() && Value::fromText(next.substr(0, next.find_first_of("msh "))).isNumber();
    if (arguments[i] == "--shortcut" && !number && next.find('{') != 0) arguments[i] += "=yes";
    if (arguments[i] == "--retime" && next != "parabolic" && next != "blend" && next != "toppra" && next != "linear" &&
        next.find('{') != 0)
      arguments[i] += "=yes";
  }
  return arguments;
}

std::string commandText(const Arguments& arguments) {
  std::string text = "mortise plan";
  for (const std::string& argument : arguments) text += " " + argument;
  return text;
}

Value pathValue(const std::vector<VectorXd>& path) {
  Value list = Value::list();
  for (const VectorXd& q : path) list.push_back(std::vector<double>(q.data(), q.data() + q.size()));
  return list;
}

Value motionValue(const HermiteTrajectory& motion) {
  Value value = Value::map();
  value.set("times", motion.times);
  value.set("configurations", pathValue(motion.configurations));
  value.set("velocities", pathValue(motion.velocities));
  return value;
}

const std::vector<Subcommand>& planCommands() {
  static const std::vector<Subcommand> commands = {
      {"benchmark", planBenchmark, "FILE", "run planners on problems with many seeds, and compare them"}};
  return commands;
}

int plan(const Arguments& arguments) {
  CommandLine line("mortise plan", "plan a collision-free motion of robots, or of a rigid object, in a world");
  line.positional("FILE", "a world, or robots, rigid objects and terrains that make up one", 0, -1);
  line.subcommands(planCommands());
  declarePlanOptions(line);
  addProblemOptions(line);
  line.epilog(
      "Exit codes: 0 a path was found (and passed --check), 1 no path was found, or the input is wrong, 2 wrong "
      "usage, 130 ended\nby Ctrl-C without a path. Ctrl-C keeps the best path so far. The same command gives the same "
      "path, unless the time limit\nended it: then --iterations with the number that it printed repeats it.\n\n"
      "Examples:\n"
      "  mortise plan data/worlds/heron_shelf.xml --goal data/motions/heron_shelf_goal.config -o way.path\n"
      "  mortise plan data/worlds/heron_shelf.xml --goal data/motions/heron_shelf_goal.config --planner RRTConnect \\\n"
      "      --seed 3 --shortcut --retime --check -o motion.milestones --json\n"
      "Klamp't's PlanDemo, ContactPlan and DynamicPlanDemo are available as `mortise PlanDemo` and so on.\n"
      "See docs/planning.md.");
  addResourceOptions(line);
  declareViewOptions(line, "look at the finished plan in the browser, with the ways that the planner knows");
  if (!line.parse(withValues(arguments))) return 0;
  const bool shows = wantsView(line);
  if (shows && namesProblems(line)) throw UsageError("--view shows one plan, not those of a problem set");
  if (namesProblems(line)) return planProblems(line, commandText(arguments));
  const auto registry = line.makeRegistry();
  if (line.has("list-planners")) return listPlanners(line, *registry);
  if (line.positionals().empty())
    throw UsageError("missing WORLD\n  hint: `mortise plan --help` explains every option");

  const PlanRequestSettings settings = planRequestSettings(line);
  if (!settings.plan.contains("goal")) throw UsageError("missing --goal or --goal-ik");
  refuseOtherValues(line, arguments);
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  const VisualFilesScope looks(&loader, line.log());
  for (const std::string& file : line.texts("output")) requireMotionFormat(loader, file);
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  auto world = std::make_shared<const World>(assembleWorld(loader, line.positionals(), diagnostics));
  PlanSources sources{*world, loader, registry.get(), line.text("settings"), {}, {}};
  diagnostics.throwIfErrors();
  PlanRequest request = readPlanRequest(settings, planSchema(), sources, diagnostics);
  printWarnings(line, diagnostics);
  diagnostics.throwIfErrors("the plan cannot be made");

  request.keepRoadmap = shows;
  TerminalProgress progress(!line.quiet());
  const InterruptGuard interrupt;
  SubstitutionRecord said(line.log(), line.has("strict"));
  PlanResult result = runPlan(world, request, *registry, said, &progress, interrupt.asked());
  said.throwIfRefused();
  if (Value substitutions = said.value(); !substitutions.isNull())
    result.report.set("substitutions", std::move(substitutions));
  const bool solved = !result.path.empty();
  if (solved && line.has("output")) {
    Value files = Value::list();
    Diagnostics writing;
    const double tolerance = request.retime ? request.retime->sampleTolerance : RetimeSettings().sampleTolerance;
    for (const std::string& file : line.texts("output"))
      for (const std::string& written :
           writeMotions(loader, file, result, *world, tolerance, {{"command", commandText(arguments)}}, writing))
        files.push_back(written);
    printWarnings(line, writing);
    result.report.set("files", std::move(files));
  }
  if (line.json()) {
    result.report.set("path", pathValue(result.path));
    if (result.motion) result.report.set("motion", motionValue(*result.motion));
    print(toJson(result.report) + "\n");
  } else if (!line.quiet()) {
    print(planResultText(result.report) + writtenText(result.report));
  }
  std::optional<viewer::SnapshotLog> still;
  SequenceView view(line, *registry, interrupt.asked());
  if (solved && shows) {
    const viewer::ShownPlan shown{result.movers, result.path, result.motion, result.roadmap};
    still.emplace(*world, *registry, line.log(), viewer::planMotion(shown));
    const std::string name = std::filesystem::path(line.positionals().front()).stem().string();
    view.show({{name, still->path(), viewer::planOverlays(*world, shown)}}, nullptr);
    view.wait();
  }
  if (!solved) {
    const std::string why = result.report.string("message", "");
    line.log().write(LogLevel::error, "plan",
                     "no path: " + result.report.string("status", "") + (why.empty() ? "" : ": " + why));
    return interrupt.signal() != 0 ? interrupt.exitCode() : 1;
  }
  if (const Value* check = result.report.find("check"); check != nullptr && !check->boolean("valid", false)) {
    line.log().write(LogLevel::error, "plan", "the path fails the check: " + check->at("faults")[0].string("text", ""));
    return 1;
  }
  return 0;
}

}  // namespace

int planCommand(const Arguments& arguments) {
  if (const Subcommand* command = commandNamed(planCommands(), arguments))
    return command->function({arguments.begin() + 1, arguments.end()});
  return plan(arguments);
}

}  // namespace mortise::app
