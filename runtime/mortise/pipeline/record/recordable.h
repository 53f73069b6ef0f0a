#pragma once

#include <string>
#include <vector>

#include "mortise/component/stage.h"

namespace mortise {

/// Everything that `record` may name in this pipeline, sensors as far as they are known before the simulation is made:
/// those of the components, of the world and of the robots' files, and the two that every robot has.
std::vector<std::string> recordableNames(StageContext& context);

}  // namespace mortise
