#pragma once

/// One run of a simulation as `mortise sim` and the stages `simulate` and `compare` make it: continue from a state, let
/// everything settle, run, save what is asked for, sum up.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mortise/base/progress.h"
#include "mortise/loading/format_loader.h"
#include "mortise/pipeline/stages/saved_state.h"
#include "mortise/pipeline/stages/timed_command.h"
#include "mortise/simulation/simulation.h"

namespace mortise {

struct SimulationJob {
  double duration = 0;        ///< s, counted from where the run starts.
  std::optional<double> end;  ///< s; the run ends at this simulated time if that comes first.
  double realtime = 0;        ///< Simulated seconds in a second of the clock, at most; 0: no matter.
  double settle = 0;          ///< s; 0: no settling. Before the run, until everything rests, at most this long.
  std::string state;          ///< File to continue from; empty: the state in the world's file, if there is one.
  SourcePosition statePosition;
  /// The run is known to differ from the one that saved `state`, so that taking poses and velocities only is no
  /// warning.
  bool posesExpected = false;
  bool useWorldState = true;
  StateRequest request;  ///< What the user asked for in so many words; holds over what a state brings along.
  /// Robots' configurations were given: a state in the world's file is left out for them, one in `state` is not. Both
  /// with a warning.
  bool startGiven = false;
  std::string saveState;  ///< File for the state at the end; empty: none.
  StateFormat stateFormat = StateFormat::raw;
  std::string saveWorld;                ///< World file for the world at the end; empty: none.
  std::vector<TimedCommand> commands;   ///< By time, each before the step that begins then.
  std::vector<std::string> worldFiles;  ///< What the world was put together from; for `saveWorld`.
};

/// What would come out only at the end of a long run: throws `Error` when there is no folder for a file, or something
/// else of that name, or no format for worlds of that name.
void requireWritable(const std::string& file);
void requireWorldFormat(FormatLoader& loader, const std::string& file);

/// Steps from one row of a log to the next; says so when a rate (Hz; 0: every step) cannot be kept.
int recordingInterval(double rate, double timeStep, LogSink& log);

/// Makes the simulation of a world and puts it where the job starts, before any recorder is added. A state of this
/// world that was saved with another backend, other contacts, other components (or settings of them) or bodies of other
/// shapes, masses, joints or surfaces gives poses and velocities only, with a warning: they become the start of
/// `world`, which outlives the simulation, and time begins at 0. Throws `DiagnosticsError` for the job's commands that
/// the simulation does not know.
std::unique_ptr<Simulation> startJob(World& world, const SimulationJob& job, LogSink& log,
                                     const std::function<std::unique_ptr<Simulation>(const World&)>& make);

/// Runs the job and closes the recorders. Stops between two steps when `stopRequested` says so; whatever happens, logs
/// are complete up to the last step, and state and world are saved as they are then. Returns what `summarize` does,
/// but with the `steps` of this run alone, plus `start_time` where that is not 0, `wall_s`, `realtime_factor`
/// (simulated over CPU seconds), what `addEndings` adds, `overlaps` [{ids, names, depth}] where bodies overlap at the
/// start, which is a warning, `energy` {start, end} {kinetic, potential, total}, `contacts` (at the end), `settled`
/// {rests, time} when asked for, `commands` that were carried out, `saved` [files], and `interrupted: true`. What could
/// not be written makes `status` "error" and is in `fault`.
Value runJob(Simulation& simulation, const SimulationJob& job, FormatLoader& loader, LogSink& log, Progress& progress,
             const std::string& task, const std::function<bool()>& stopRequested);

}  // namespace mortise
