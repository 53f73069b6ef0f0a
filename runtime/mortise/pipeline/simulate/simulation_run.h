#pragma once

/// What the stages `simulate` and `compare` share: one simulation from the start of the world, with its records.

#include <functional>
#include <string>
#include <vector>

#include "mortise/component/stage.h"
#include "mortise/pipeline/simulate/simulation_setup.h"
#include "mortise/pipeline/simulate/timed_command.h"
#include "mortise/plugin/plugin.h"

namespace mortise {

/// Settings that both stages have, from the stage's complete settings.
struct SimulationPlan {
  double duration = 0;  ///< s
  std::string follow;   ///< Saved trajectory or file; empty: none.
  SourcePosition followPosition;
  std::string milestones;  ///< File of milestones that a robot moves through; empty: none.
  SourcePosition milestonesPosition;
  double timeStep = 0;              ///< s; 0: the pipeline's.
  Value followRobot;                ///< Name or id; null: the only one.
  std::vector<std::string> record;  ///< What a recorder records; empty: nothing.
  Value recordNames;                ///< The same as written.
  std::string recorder;
  double recordRate = 0;  ///< Hz; 0: every step.
  SourcePosition recordPosition;
  // As of `SimulationJob`; files relative to the run directory, except `state`, which is relative to the pipeline.
  std::string contacts;  ///< Empty: the pipeline's.
  double settle = 0;
  Value config;  ///< Start configurations of robots; null: those of the world.
  std::string state;
  SourcePosition statePosition;
  std::string saveState, saveWorld;
  SourcePosition saveStatePosition, saveWorldPosition;
  Value commands;  ///< As written; null: none.

  static SimulationPlan from(const Value& settings);
  static void declare(ComponentBuilder& stage);
  /// Reports all errors that can be found without running.
  void check(StageContext& context, Diagnostics& diagnostics) const;
};

/// The same run in another way, to see what changes.
struct RunVariation {
  double stepFactor = 1;   ///< Of the time step.
  double disturbance = 0;  ///< m and rad, by which the start is disturbed (`disturb`).
  /// Nothing is recorded, saved, said or kept to the pace of a clock.
  bool silent = false;
  /// As of `SimulationJob`.
  std::function<void(const Simulation& simulation, double time)> observe;
};

/// Runs one simulation. `prefix` starts the names of log files and saved states and worlds; `task`: the title of the
/// progress bar. Returns what `runJob` does, plus `duration` (asked for), `logs` and `effective` settings.
Value runSimulation(StageContext& context, const SimulationPlan& plan, const BackendChoice& choice,
                    const std::string& shownBackend, const std::string& prefix, const std::string& task,
                    const RunVariation& variation = {});

}  // namespace mortise
