#pragma once

#include <string_view>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/plugin/registry.h"

namespace mortise {

/// The component with the role, of the first place that has one; nullptr when none has it. Throws `Error` when several
/// of that place do.
const ComponentInfo* roleHolder(const std::vector<ComponentInfo>& components, std::string_view role);

/// Notes, of roles that the program uses one component for, which component takes it from which; warns of several in
/// one place. `components`: of a registry, in its order.
void noteRoles(const std::vector<ComponentInfo>& components, Diagnostics& problems);

}  // namespace mortise
