#include <atomic>
#include <csignal>
#include <filesystem>

#include "command_line.h"
#include "commands.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/pipeline/pipeline_run.h"
#include "mortise/pipeline/render.h"
#include "pipeline_command.h"
#include "terminal_progress.h"

namespace mortise::app {

namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

/// The second Ctrl-C ends the program at once, for whoever cannot wait for the end of a step.
void onRunInterrupt(int signal) {
  interrupted = true;
  std::signal(signal, SIG_DFL);
}

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

}  // namespace

int runCommand(const Arguments& arguments) {
  CommandLine line("mortise run", "run a pipeline");
  line.positional("FILE", "pipeline (.yaml), or run.lock.yaml of an earlier run, which is repeated")
      .option("output,o", "DIR", "folder of the results (default: runs/NAME, numbered when it exists)")
      .option("seed", "N", "seed of all random streams; the same as --set seed=N")
      .flag("strict", "treat warnings about files as errors")
      .settings()
      .withPlugins()
      .epilog(
          "Examples:\n"
          "  mortise run data/pipelines/two_engines.yaml\n"
          "  mortise run pipeline.yaml --set simulation.backend=bullet --set stages.simulate.duration=500ms\n"
          "  mortise run runs/pipeline/run.lock.yaml\n");
  if (!line.parse(arguments)) return 0;

  CheckedPipeline checked(line, line.positionals().front());
  checked.throwIfErrors();
  const Pipeline& pipeline = checked.pipeline();

  const bool talk = !line.json() && !line.quiet();
  TerminalProgress progress(!line.quiet());
  RunOptions options;
  options.directory = line.text("output");
  options.progress = &progress;
  options.stopRequested = [] { return interrupted.load(); };
  options.onStage = [&](const PipelineStage&, std::size_t, const std::string& name, const Value* result) {
    if (talk && result != nullptr) print(renderResult(name, *result) + "\n");
  };
  if (talk) print(header(pipeline));
  std::signal(SIGINT, onRunInterrupt);
  const RunOutcome outcome = runPipeline(pipeline, checked.registry(), checked.loader(), line.log(), options);
  std::signal(SIGINT, SIG_DFL);

  for (const std::string& difference : outcome.notReproduced)
    line.log().write(LogLevel::warning, "mortise", "not as in the locked run: " + difference);
  if (line.json()) print(toJson(outcome.result));
  if (talk) {
    if (outcome.wasLocked && outcome.notReproduced.empty() && outcome.status == RunStatus::done)
      print("repeated the locked run: every state hash is the same\n");
    print("results: " + outcome.directory + "\n");
  }
  if (outcome.status == RunStatus::failed) {
    line.log().write(LogLevel::error, "mortise", outcome.failure);
    return 1;
  }
  if (outcome.status == RunStatus::interrupted) {
    line.log().write(LogLevel::warning, "mortise", "interrupted; what was done up to here is in " + outcome.directory);
    return 130;
  }
  return 0;
}

}  // namespace mortise::app
