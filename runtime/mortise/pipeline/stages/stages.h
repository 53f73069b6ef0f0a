#pragma once

#include "mortise/plugin/registry.h"

namespace mortise {

/// Adds the stages simulate, compare, report, plan, shortcut, retime, check and balance to a registry; they are known
/// after its next `discover`.
void addPipelineStages(Registry& registry);

}  // namespace mortise
