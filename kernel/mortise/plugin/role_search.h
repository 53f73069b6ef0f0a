#pragma once

#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/plugin/registry.h"

namespace mortise {

/// Of roles that the program uses one component for: notes which component takes it from which, and warns of several in
/// one place. `components`: of a registry, in its order.
void noteRoles(const std::vector<ComponentInfo>& components, Diagnostics& problems);

}  // namespace mortise
