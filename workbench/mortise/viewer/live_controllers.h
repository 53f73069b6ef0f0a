#pragma once

#include "mortise/plugin/registry.h"
#include "mortise/simulation/simulation.h"
#include "mortise/viewer/protocol/controller_messages.h"

namespace mortise::viewer {

/// Returns what pages can command and change in a simulation as it is now. `registry`, which may be null, knows the
/// units, bounds and choices of settings.
message::Controllers controllersOf(Simulation& simulation, const Registry* registry);

}  // namespace mortise::viewer
