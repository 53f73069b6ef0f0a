#include <optional>
#include <unistd.h>

#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/failure.h"
#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "command_line/terminal_progress.h"
#include "logs/live_view.h"
#include "mortise/base/error.h"
#include "mortise/json/json_writer.h"
#include "mortise/pipeline/pipeline_run.h"
#include "mortise/pipeline/record/result_text.h"
#include "mortise/text/printable.h"
#include "mortise/viewer/run_folder.h"
#include "simulation/pipeline_command.h"

namespace mortise::app {

namespace {

std::string count(std::size_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

std::string header(const Pipeline& pipeline) {
  const World& world = pipeline.world;
  return pipeline.name + " (" + pipeline.file.path + ")\n  world " +
         (world.file.empty() ? "put together" : world.file) + ": " + count(world.robots.size(), "robot") + ", " +
         count(world.objects.size(), "object") + ", " + count(world.terrains.size(), "terrain") + "; seed " +
         std::to_string(pipeline.seed) + "\n\n";
}

/// The command as it may be typed again.
std::string typed(const Arguments& arguments) {
  std::string text = "mortise run";
  for (const std::string& argument : arguments) {
    const bool plain = !argument.empty() && argument.find_first_not_of(
                                                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                                "_-+=./:,@%") == std::string::npos;
    text += ' ';
    if (plain) {
      text += argument;
      continue;
    }
    text += '\'';
    for (const char c : argument) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  }
  return text;
}

void declareRun(CommandLine& line) {
  line.positional("FILE", "pipeline (.yaml), or run.lock.yaml of an earlier run, which is repeated")
      .option("output,o", "DIR",
              "folder of the results (default: runs/NAME, numbered when it exists); the results of an earlier run of "
              "the pipeline in it are replaced")
      .flag("force", "with --output: replace the results of another pipeline, or write into a folder that no run made")
      .option("seed", "N", "seed of all random streams; the same as --set seed=N")
      .flag("strict", "treat warnings about files as errors, and a repeated run that differs from the locked one")
      .settings()
      .outputsOfFiles()
      .withPlugins()
      .epilog(
          "Ctrl-C, SIGTERM and SIGHUP end the run after the current step: logs are whole and result.json says\n"
          "interrupted. Exit codes: 0 done, 1 failed, 2 wrong usage, 128 and a signal's number: interrupted.\n\n"
          "Examples:\n"
          "  mortise run data/pipelines/two_engines.yaml\n"
          "  mortise run pipeline.yaml --set simulation.backend=bullet --set stages.simulate.duration=500ms\n"
          "  mortise run runs/pipeline/run.lock.yaml\n"
          "  mortise run data/pipelines/two_engines.yaml --view\n");
  declareViewOptions(line,
                     "look at the simulations in the browser while they run, one after the other at the pace of the "
                     "clock, and at the run's logs, if it keeps some, in the end. The first one waits for a page, at "
                     "most half a minute");
  line.flag("paused", "with --view: the first simulation begins paused; the page plays");
}

/// Prints how the run ended; returns the exit code.
int reportOutcome(const CommandLine& line, const Pipeline& pipeline, const RunOutcome& outcome,
                  const InterruptGuard& interrupt) {
  int exitCode = 0;
  std::string problem;
  const bool strict = line.has("strict");
  for (const std::string& difference : outcome.notReproduced) {
    if (strict) problem = "the run is not as in " + pipeline.file.path + ": " + outcome.notReproduced.front();
    line.log().write(strict ? LogLevel::error : LogLevel::warning, "mortise",
                     "not as in the locked run: " + difference);
  }
  if (!problem.empty()) exitCode = 1;
  if (outcome.status == RunStatus::failed) {
    exitCode = 1;
    problem = outcome.failure;
  } else if (outcome.status == RunStatus::interrupted) {
    exitCode = interrupt.exitCode();
    problem = std::string("interrupted by ") + interrupt.signalName() + "; what was done up to here is in " +
              outcome.directory;
  }
  if (line.json())
    print(toJson(exitCode == 0 ? outcome.result : failedResult(outcome.result, exitCode, problem, outcome.errors)) +
          "\n");
  if (!line.json() && !line.quiet()) {
    if (outcome.wasLocked && outcome.notReproduced.empty() && outcome.status == RunStatus::done)
      print("repeated the locked run: every state hash is the same\n");
    print("results: " + outcome.directory + "\n");
  }
  if (outcome.status != RunStatus::done)
    line.log().write(outcome.status == RunStatus::failed ? LogLevel::error : LogLevel::warning, "mortise", problem);
  return exitCode;
}

}  // namespace

int runCommand(const Arguments& arguments) {
  CommandLine line("mortise run", "run a pipeline");
  declareRun(line);
  if (!line.parse(arguments)) return 0;

  const InterruptGuard interrupt(false);
  CheckedPipeline checked(line, line.positionals().front(), Trust::libraries);
  checked.throwIfErrors();
  printWarnings(line, checked.diagnostics());
  const bool shows = wantsView(line);
  const Pipeline& pipeline = checked.pipeline();

  const bool talk = !line.json() && !line.quiet();
  TerminalProgress progress(!line.quiet() && !shows);
  interrupt.begin();
  interrupt.noteSecond();
  std::optional<SequenceView> view;
  if (shows) view.emplace(line, checked.registry(), interrupt.asked());
  RunOptions options;
  if (view)
    options.watch = [&](Simulation& simulation, const std::string& name, double pace) {
      return view->watch(simulation, name, pace);
    };
  options.directory = line.text("output");
  options.force = line.has("force");
  options.command = typed(arguments);
  options.progress = &progress;
  options.warnings = [&] { return line.warnings(); };
  options.stopRequested = interrupt.asked();
  options.stopInsisted = interrupt.insisted();
  options.leave = [&](const std::string& directory) {
    const std::string text = std::string("\nmortise: warning: interrupted by ") + interrupt.signalName() +
                             "; what was done up to here is in " + printable(directory) + "\n";
    (void)!::write(STDERR_FILENO, text.data(), text.size());
    ::_exit(interrupt.exitCode());
  };
  options.onStage = [&](const PipelineStage&, std::size_t, const std::string& name, const Value* result) {
    if (talk && result != nullptr) print(renderResult(name, *result) + "\n");
  };
  if (talk) print(header(pipeline));
  const RunOutcome outcome = runPipeline(pipeline, checked.registry(), checked.loader(), line.log(), options);

  const int exitCode = reportOutcome(line, pipeline, outcome, interrupt);
  if (view && interrupt.signal() == 0) {
    if (const auto logs = viewer::logsOfFolder(outcome.directory); !logs.empty()) view->show(logs, nullptr);
    view->wait();
  }
  return exitCode;
}

}  // namespace mortise::app
