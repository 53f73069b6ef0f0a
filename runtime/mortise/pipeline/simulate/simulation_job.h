#pragma once

/// One run of a simulation, for `mortise sim` and the stages `simulate` and `compare`: continue from a state, settle,
/// run, save, summarize.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mortise/base/progress.h"
#include "mortise/loading/format_loader.h"
#include "mortise/pipeline/simulate/command_schedule.h"
#include "mortise/pipeline/simulate/timed_command.h"
#include "mortise/simulation/saving/saved_state.h"
#include "mortise/simulation/simulation.h"

namespace mortise {

struct SimulationJob {
  double duration = 0;        ///< s, counted from where the run starts.
  std::optional<double> end;  ///< s; the run ends at this simulated time if that comes first.
  double realtime = 0;        ///< Maximum number of simulated seconds in a second of the clock; 0: unlimited.
  double settle = 0;          ///< Maximum time before the run until all bodies come to rest (s); 0: no settling.
  std::string state;          ///< File to continue from; empty: the state in the world's file, if there is one.
  SourcePosition statePosition;
  /// The run is known to differ from the one that saved `state`, so that taking poses and velocities only is no
  /// warning.
  bool posesExpected = false;
  bool useWorldState = true;
  StateRequest request;  ///< Settings of the user, which take precedence over those of a state.
  /// Robots' configurations were given: a state in the world's file is left out for them, one in `state` is not. Both
  /// with a warning.
  bool startGiven = false;
  std::string saveState;  ///< File for the state at the end; empty: none.
  StateFormat stateFormat = StateFormat::raw;
  std::string saveWorld;                ///< World file for the world at the end; empty: none.
  std::string saveScene;                ///< Scene of three.js of the world at the end; empty: none.
  std::vector<TimedCommand> commands;   ///< By time, each before the step that begins then.
  std::vector<std::string> worldFiles;  ///< The files that the world is made of; for `saveWorld`.
  /// Told of the start of the run, settling apart, and of every step, with the seconds since that start; may be empty.
  std::function<void(const Simulation& simulation, double time)> observe;
  /// In place of `Simulation::advance`, for who lets people take part in the run; may be empty. May go back to an
  /// earlier state of the run: commands from there on are carried out again. It may add commands.
  RunControl advance;
};

/// Checks before a long run: each throws `Error` when there is no folder for the file, something else has that name, or
/// no format writes worlds to it.
void requireWritable(const std::string& file);
void requireWorldFormat(FormatLoader& loader, const std::string& file);

/// Steps from one row of a log to the next; a rate (Hz; 0: every step) that cannot be kept is a warning.
int recordingInterval(double rate, double timeStep, LogSink& log);

/// Makes the simulation of a world and puts it where the job starts, before any recorder is added. A state of this
/// world that was saved with another backend, other contacts, other components (or settings of them) or bodies of other
/// shapes, masses, joints or surfaces gives poses and velocities only, with a warning: they become the start of
/// `world`, which outlives the simulation, and time begins at 0. Throws `DiagnosticsError` for the job's commands that
/// the simulation does not know.
std::unique_ptr<Simulation> startJob(World& world, const SimulationJob& job, LogSink& log,
                                     const std::function<std::unique_ptr<Simulation>(const World&)>& make);

/// Runs the job and closes the recorders. Stops between two steps when `stopRequested` returns true; in any case, logs
/// are complete up to the last step, and state and world are saved as they are then. Returns what `summarize` does,
/// but with the `steps` of this run alone, plus `start_time` where that is not 0, `wall_s`, `realtime_factor`
/// (simulated over CPU seconds), what `addEndings` adds, `overlaps` [{ids, names, depth}] where bodies overlap at the
/// start, which is a warning, `energy` {start, end} {kinetic, potential, total}, `contacts` (at the end), `settled`
/// {rests, time} when asked for, `commands` that were carried out, `saved` [files], and `interrupted: true`. A file
/// that could not be written makes `status` "error" and is named in `fault`.
Value runJob(Simulation& simulation, const SimulationJob& job, FormatLoader& loader, LogSink& log, Progress& progress,
             const std::string& task, const std::function<bool()>& stopRequested);

}  // namespace mortise
