#pragma once

#include "mortise/plugin/plugin.h"

namespace mortise {

/// Declares the sensors that change another sensor's values.
void declareWrapperSensors(PluginBuilder& plugin);

}  // namespace mortise
