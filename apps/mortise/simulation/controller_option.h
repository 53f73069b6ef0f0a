#pragma once

#include <string>

#include "mortise/simulation/context/simulation_options.h"

namespace mortise::app {

/// Reads what `--controller` names: a controller's name or file, or its settings, of which `type` is the name: "{type:
/// acme.Damper, gain: 2, rate: 500}". Throws `UsageError` and `Error`. The robot is the caller's.
ComponentOptions controllerFromOption(const std::string& text);

}  // namespace mortise::app
