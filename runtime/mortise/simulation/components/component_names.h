#pragma once

#include <string>
#include <string_view>

#include "mortise/plugin/registry.h"

namespace mortise {

/// "did you mean 'JointPositionSensor'? ..." for a name that no component of the kind has, aliases included; how to
/// list what is installed where none is near.
std::string componentNameHint(const Registry& registry, Kind kind, std::string_view name);

}  // namespace mortise
