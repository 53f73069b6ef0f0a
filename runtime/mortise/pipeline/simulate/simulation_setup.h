#pragma once

/// From a pipeline's settings to the options of one simulation.

#include <string>

#include "mortise/base/diagnostics.h"
#include "mortise/component/stage.h"
#include "mortise/plugin/registry.h"
#include "mortise/simulation/simulation.h"

namespace mortise {

/// What a stage may change about the pipeline's `simulation`.
struct BackendChoice {
  std::string name;         ///< Empty: the pipeline's.
  SourcePosition position;  ///< Of the name.
  Value settings;           ///< Map or null: override the pipeline's, key by key.
};

/// Settings of a backend, complete. Later ones win: the backend's defaults; the world's, when the world names this
/// backend or none is named anywhere; `simulation.settings` of the pipeline, when this is the pipeline's backend; those
/// of the choice. Errors go to `diagnostics`, an unknown backend included.
Value completeBackendSettings(const Registry& registry, const World& world, const Value& simulation,
                              const BackendChoice& choice, Diagnostics& diagnostics);

/// Models of motors as `simulation.motors` names them. What is wrong goes to `diagnostics`.
std::vector<MotorOptions> motorOptionsFrom(const Value& motors, const World& world, Diagnostics& diagnostics);

/// Options for a simulation of the context's world.
SimulationOptions makeSimulationOptions(StageContext& context, const BackendChoice& choice, Diagnostics& diagnostics);

/// Makes a robot follow a motion: the controller that the options name for it, when that has a parameter `path`, else a
/// PathFollowingController. Throws `Error` when its controller takes no path.
void followMotion(SimulationOptions& options, const Registry& registry, int robot, const std::string& file,
                  const SourcePosition& position);
/// The same with milestones (see `milestonesFrom`), and a parameter `milestones`.
void followMilestones(SimulationOptions& options, const Registry& registry, int robot, Value milestones,
                      const SourcePosition& position);

}  // namespace mortise
