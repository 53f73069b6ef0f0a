#pragma once

/// From a pipeline's settings to the options of one simulation.

#include <string>

#include "mortise/base/diagnostics.h"
#include "mortise/component/stage.h"
#include "mortise/pipeline/file/backend_settings.h"
#include "mortise/plugin/registry.h"
#include "mortise/simulation/simulation.h"

namespace mortise {

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
