#pragma once

/// What the stages `simulate` and `compare` share: one simulation from the start of the world, recorded and summed up.

#include <string>
#include <vector>

#include "mortise/component/stage.h"
#include "mortise/pipeline/stages/simulation_setup.h"
#include "mortise/pipeline/stages/timed_command.h"
#include "mortise/plugin/plugin.h"

namespace mortise {

/// Settings that both stages have, from the stage's complete settings.
struct SimulationPlan {
  double duration = 0;  ///< s
  std::string follow;   ///< Saved trajectory or file; empty: none.
  SourcePosition followPosition;
  std::string milestones;  ///< File of milestones that a robot moves through; empty: none.
  SourcePosition milestonesPosition;
  double timeStep = 0;              ///< s, in place of the pipeline's; 0: that.
  Value followRobot;                ///< Name or id; null: the only one.
  std::vector<std::string> record;  ///< What a recorder is asked for; empty: nothing is recorded.
  Value recordNames;                ///< The same as written.
  std::string recorder;
  double recordRate = 0;  ///< Hz; 0: every step.
  SourcePosition recordPosition;
  // As of `SimulationJob`; files relative to the run directory, except `state`, which is relative to the pipeline.
  std::string contacts;  ///< In place of the pipeline's; empty: that.
  double settle = 0;
  Value config;  ///< Where robots start; null: where the world has them.
  std::string state;
  SourcePosition statePosition;
  std::string saveState, saveWorld;
  SourcePosition saveStatePosition, saveWorldPosition;
  Value commands;  ///< As written; null: none.

  static SimulationPlan from(const Value& settings);
  static void declare(ComponentBuilder& stage);
  /// Whatever can be found wrong without running.
  void check(StageContext& context, Diagnostics& diagnostics) const;
};

/// Runs one simulation. `prefix` starts the names of log files and saved states and worlds; `task` is what the progress
/// bar says. Returns what `runJob` does, plus `duration` (asked for), `logs` and `effective` settings.
Value runSimulation(StageContext& context, const SimulationPlan& plan, const BackendChoice& choice,
                    const std::string& shownBackend, const std::string& prefix, const std::string& task);

}  // namespace mortise
