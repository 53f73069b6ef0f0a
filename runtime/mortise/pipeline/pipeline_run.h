#pragma once

/// Runs a checked pipeline: stages one after another, a folder of results, and a record of how to get them again.

#include <functional>
#include <string>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/base/progress.h"
#include "mortise/pipeline/context/pipeline_context.h"
#include "mortise/pipeline/file/pipeline.h"

namespace mortise {

struct RunOptions {
  /// Folder of the results; empty: `runs/NAME` below the current folder, where NAME is the stem of the pipeline's file,
  /// with -2, -3, ... when that is taken.
  std::string directory;
  /// Replaces the results of another pipeline in `directory`, and a result.json that is no run's.
  bool force = false;
  std::string command;                  ///< The command as typed, for the record in run.lock.yaml; may be empty.
  Progress* progress = nullptr;         ///< May be null.
  std::function<Value()> warnings;      ///< Warnings so far, for result.json: a list of texts. May be empty.
  std::function<bool()> stopRequested;  ///< May be empty. Asked before every step.
  /// Says whether the run must end now, even in the middle of a step; may be empty. Asked by a thread of its own.
  std::function<bool()> stopInsisted;
  /// Ends the process; may be empty. Called by that thread, with the folder of the run, when `stopInsisted` or when a
  /// stage that was asked to stop has not heeded it for three seconds, as while a world is built. result.json says then
  /// that the run was interrupted.
  std::function<void(const std::string& directory)> leave;
  /// Told of every stage before and after it runs; may be empty. `result` is null before, and when it left none.
  std::function<void(const PipelineStage& stage, std::size_t number, const std::string& resultName,
                     const Value* result)>
      onStage;
  /// Asked for every simulation of a stage before its run, but not for those that only measure; what it returns takes
  /// the place of `Simulation::advance` (`SimulationJob::advance`). May be empty.
  SimulationWatch watch;
};

enum class RunStatus { done, failed, interrupted };
std::string_view runStatusName(RunStatus status);

struct RunOutcome {
  RunStatus status = RunStatus::done;
  std::string directory;
  std::string failure;             ///< Full text of what failed.
  std::vector<Diagnostic> errors;  ///< Failures, one by one.
  /// The content of result.json: name, pipeline, seed, status, directory, stages, results, started, files; of a lock
  /// file that was repeated also `repeated` {same, differences}.
  Value result;
  /// Differences of a run of run.lock.yaml from what it was then; empty lists otherwise.
  std::vector<std::string> notReproduced;
  bool wasLocked = false;
};

/// Asks every stage to check itself, without running anything. Skips what needs a world when that could not be loaded.
void checkStages(const Pipeline& pipeline, Registry& registry, FormatLoader& loader, LogSink& log,
                 Diagnostics& diagnostics);

/// Runs all stages. Writes run.lock.yaml before the first stage and again at the end, and result.json before the first
/// stage (status `running`, with the process), while stages run and after every one. A stage that throws ends the run
/// with the status `failed`; nothing is thrown for it. What an earlier run of the pipeline left in the folder is
/// removed first. Throws `Error` when the folder cannot be made, written or used (see `RunRecord`).
RunOutcome runPipeline(const Pipeline& pipeline, Registry& registry, FormatLoader& loader, LogSink& log,
                       const RunOptions& options);

}  // namespace mortise
