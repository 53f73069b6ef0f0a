#pragma once

/// The part that the stages `simulate` and `compare` share: one simulation from the start of the world, with its
/// records.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mortise/component/stage.h"
#include "mortise/pipeline/simulate/simulation_setup.h"
#include "mortise/pipeline/simulate/timed_command.h"
#include "mortise/settings/placed.h"
#include "mortise/settings/settings.h"

namespace mortise {

/// Settings that both stages have. Files are relative to the run directory, those that are read to the pipeline.
struct SimulationPlan {
  double duration = 0;             ///< s
  PlacedText follow;               ///< Saved trajectory or file; empty: none.
  PlacedText milestones;           ///< File of milestones that a robot moves through; empty: none.
  Value followRobot;               ///< Name or id; null: the only one.
  std::optional<double> timeStep;  ///< s; absent: the pipeline's.
  PlacedTexts record;              ///< Things that a recorder records; empty: nothing.
  PlacedText recorder = {"csv"};
  std::optional<Placed<double>> recordRate;  ///< Hz; absent: every step.
  std::optional<ContactSource> contacts;
  std::optional<OnUnstable> onUnstable;
  Value commands;  ///< Commands as written; null: none.
  Value config;    ///< Start configurations of robots; null: those of the world.
  double settle = 0;
  PlacedText state, saveState, saveWorld;

  void bind(SettingBinder& b);
  /// Reports all errors that can be found without running.
  void check(StageContext& context, Diagnostics& diagnostics) const;
  /// For messages about the recorder.
  const SourcePosition& recordPosition() const { return recorder.where.known() ? recorder.where : record.where; }
};

/// The same run in another way, to see what changes.
struct RunVariation {
  double stepFactor = 1;   ///< Factor of the time step.
  double disturbance = 0;  ///< m and rad, by which the start is disturbed (`disturb`).
  /// Nothing is recorded, saved, said or kept to the pace of a clock.
  bool silent = false;
  /// The function that `SimulationJob` calls.
  std::function<void(const Simulation& simulation, double time)> observe;
};

/// Results of a simulation of a pipeline.
struct SimulationOutcome {
  Value report;
  std::optional<SavedState> state;  ///< State, where one was asked for.
};

/// Runs one simulation. `prefix` starts the names of log files and saved states and worlds; `task`: the title of the
/// progress bar. The report is what `runJob` returns, plus `duration` (asked for), `logs` and `effective` settings.
SimulationOutcome runSimulation(StageContext& context, const SimulationPlan& plan, const BackendChoice& choice,
                                const std::string& shownBackend, const std::string& prefix, const std::string& task,
                                const RunVariation& variation = {});

}  // namespace mortise
