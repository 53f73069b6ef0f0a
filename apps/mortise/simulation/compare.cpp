#include <filesystem>

#include "command_line/command_group.h"
#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/failure.h"
#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "command_line/setting_options.h"
#include "command_line/terminal_progress.h"
#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/closed_forms/truth_engine.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/pipeline/context/pipeline_context.h"
#include "mortise/pipeline/pipeline_run.h"
#include "mortise/pipeline/record/result_text.h"
#include "mortise/pipeline/simulate/simulation_job.h"
#include "mortise/pipeline/stages/compare_stage.h"
#include "mortise/pipeline/stages/stages.h"
#include "mortise/settings/permissions.h"
#include "mortise/simulation/backend_text.h"
#include "simulation/controller_option.h"

namespace mortise::app {

namespace {

const std::vector<Subcommand>& compareCommands() {
  static const std::vector<Subcommand> commands = {
      {"truth", compareTruth, "", "the error of each backend against closed forms, and what a step costs"}};
  return commands;
}

CompareSettings defaultComparison() {
  CompareSettings settings;
  settings.duration = 4;
  return settings;
}

/// Settings that are said in another way (--backends NAME:SETTING=VALUE,...), and those of files in the folder of a
/// run, which the command does not have.
const std::vector<std::string>& keptElsewhere() {
  static const std::vector<std::string> names = {"backends",   "record",     "recorder", "record_rate",
                                                 "save_state", "save_world", "save"};
  return names;
}

void declareCompare(CommandLine& line) {
  line.positional("WORLD", "a world, or robots, rigid objects and terrains to put together", 0, -1)
      .subcommands(compareCommands())
      .option("backends", "NAME[:SETTING=VALUE,...],NAME,...",
              "physics backends; the others are compared with the first (default: all with dynamics that are "
              "installed); one may be named several times, with other settings or without any")
      .repeatedOption(
          "controller", "NAME",
          "controller of the first, second, ... robot: a name of `mortise plugins list`, a file of Python such as "
          "damper.py, or with settings {type: damper.py, gain: 2, rate: 500 Hz}")
      .option("seed", "N", "seed of all random streams, that of the disturbance among them (default 0)")
      .option("csv", "FILE", "write all distances as comma-separated values, too")
      .flag("strict", "treat warnings about files as errors")
      .componentValues("backends", Kind::physics)
      .withPlugins()
      .epilog(
          "Each backend runs three times: as it is, with half the step, and from a disturbed start. For each object\n"
          "and robot this tells whether backends differ because of their step, because the motion is chaotic, or\n"
          "because they are different, and which one differs from most. The stage `compare` of pipelines keeps logs, "
          "too.\n\n"
          "Exit codes: 0 done, whatever differs, 1 failed, 2 wrong usage, 128 and a signal's number: interrupted.\n\n"
          "Examples:\n"
          "  mortise compare data/worlds/blocks.xml --backends ode,bullet --duration 2\n"
          "  mortise compare data/worlds/blocks.xml --step 0.5ms --csv distances.csv\n"
          "  mortise compare data/worlds/blocks.xml --backends ode:solver=exact,ode:solver=quick,iterations=100\n"
          "  mortise compare truth\n"
          "See docs/comparing.md.\n");
  declareSettings(line, defaultComparison(), keptElsewhere());
  addResourceOptions(line);
}

std::vector<std::string> backendsOf(const CommandLine& line, Registry& registry) {
  std::vector<std::string> names;
  if (!line.has("backends")) {
    std::vector<truth::LeftOut> leftOut;
    for (const truth::TruthEngine& engine : truth::installedEngines(registry, line.log(), false, leftOut))
      names.push_back(engine.name);
    if (names.empty())
      throw Error("no physics backend with dynamics is installed", {},
                  "`mortise plugins list --kind physics` lists all");
    return names;
  }
  return splitBackends(line.text("backends"));
}

/// A value of an option, for messages about it.
Value given(const char* option, Value value) { return value.setPosition(onCommandLine(std::string("--") + option)); }

/// The controllers that were asked for, as a pipeline's components.
Value controllersOf(const CommandLine& line, FormatLoader& loader) {
  Value components = Value::list();
  const std::vector<std::string> controllers = line.texts("controller");
  if (controllers.empty()) return components;
  Diagnostics diagnostics;  // What is wrong with the world is reported when the pipeline loads it.
  const World world = assembleWorld(loader, line.positionals(), diagnostics);
  if (controllers.size() > world.robots.size() && !diagnostics.hasErrors())
    throw UsageError(
        "--controller is given " + std::to_string(controllers.size()) + " times, but there " +
        (world.robots.size() == 1 ? "is only 1 robot" : "are only " + std::to_string(world.robots.size()) + " robots"));
  for (std::size_t i = 0; i < controllers.size(); ++i) {
    const ComponentOptions controller = controllerFromOption(controllers[i]);
    Value entry = controller.settings.isMap() ? controller.settings : Value::map();
    // Files are found from here, as the world's is.
    const bool file = std::filesystem::exists(controller.type);
    entry.set("controller",
              given("controller", file ? std::filesystem::absolute(controller.type).string() : controller.type));
    if (i < world.robots.size()) entry.set("robot", given("controller", world.robotId(static_cast<int>(i))));
    if (controller.rate > 0) entry.set("rate", given("controller", controller.rate));
    components.push_back(entry.setPosition(onCommandLine("--controller")));
  }
  return components;
}

/// Reads the settings of the stage from the options. Files are found from the working folder, as the world's is.
Value comparisonOf(const CommandLine& line) {
  const CompareSettings defaults = defaultComparison();
  Value stage = givenSettings(line, schemaOf(defaults), keptElsewhere());
  if (!stage.contains("duration")) stage.set("duration", given("duration", defaults.duration));
  for (const char* file : {"follow", "milestones", "state", "config"})
    if (const Value* name = stage.find(file); name != nullptr && name->isString())
      if (std::filesystem::exists(name->asString()))
        stage.set(file, given(file, std::filesystem::absolute(name->asString()).string()));
  return stage;
}

/// The pipeline of one stage that the command stands for.
PipelineFile pipelineOf(const CommandLine& line, Registry& registry, FormatLoader& loader) {
  Value stage = comparisonOf(line);
  Value backends = Value::list();
  for (const std::string& name : backendsOf(line, registry)) backends.push_back(given("backends", name));
  stage.set("backends", backends.setPosition(onCommandLine("--backends")));
  (void)completeSettings(stage, schemaOf(defaultComparison()));  // What is wrong with an option is wrong usage.
  Value entry = Value::map();
  entry.set("compare", std::move(stage));
  Value stages = Value::list();
  stages.push_back(std::move(entry));
  PipelineFile file;
  file.path = line.positionals().front();
  file.root = Value::map();
  file.root.set("mortise", 1);
  file.root.set("seed", static_cast<std::int64_t>(line.seed()));
  Value world = Value::list();
  for (const std::string& name : line.positionals()) world.push_back(name);
  file.root.set("world", std::move(world));
  if (Value components = controllersOf(line, loader); components.size() > 0)
    file.root.set("components", std::move(components));
  file.root.set("stages", std::move(stages));
  file.written = file.root;
  return file;
}

int compareWorld(const Arguments& arguments) {
  CommandLine line("mortise compare", "how far backends are apart on a world, and what that means");
  declareCompare(line);
  if (!line.parse(arguments)) return 0;
  if (line.positionals().empty())
    throw UsageError("missing WORLD\n  hint: `mortise compare --help` explains every option");
  if (line.has("csv")) requireWritable(line.text("csv"));
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  const Pipeline pipeline =
      checkPipeline(pipelineOf(line, *registry, loader), *registry, loader, line.log(), diagnostics);
  checkStages(pipeline, *registry, loader, line.log(), diagnostics);
  printWarnings(line, diagnostics);
  diagnostics.throwIfErrors();

  TerminalProgress progress(!line.quiet());
  const InterruptGuard interrupt;
  PipelineContext context(pipeline, *registry, loader, line.log(), &progress, interrupt.asked(), {});
  std::string fault;
  try {
    context.create(pipeline.stages.front())->run(context);
  } catch (const Error& error) {
    if (context.findResult("compare") == nullptr) throw;
    fault = error.what();
  }
  const Value& result = *context.findResult("compare");
  if (line.has("csv")) writeFile(line.text("csv"), comparisonCsv(result));
  const bool interrupted = result.contains("interrupted");
  const int exitCode = interrupted ? interrupt.exitCode() : fault.empty() ? 0 : 1;
  if (line.json())
    print(toJson(exitCode == 0 ? result : failedResult(result, exitCode, interrupted ? "interrupted" : fault)) + "\n");
  else if (!line.quiet())
    print(renderResult("compare", result));
  if (!fault.empty()) line.log().write(LogLevel::error, "mortise", fault);
  return exitCode;
}

}  // namespace

int compareCommand(const Arguments& arguments) {
  if (const Subcommand* command = commandNamed(compareCommands(), arguments))
    return command->function({arguments.begin() + 1, arguments.end()});
  return compareWorld(arguments);
}

}  // namespace mortise::app
