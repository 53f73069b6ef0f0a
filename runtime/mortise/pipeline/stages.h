#pragma once

#include "mortise/plugin/registry.h"

namespace mortise {

/// Adds the stages simulate, compare and report to a registry; they are known after its next `discover`.
void addPipelineStages(Registry& registry);

}  // namespace mortise
