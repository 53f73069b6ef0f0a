#pragma once

#include "mortise/base/random.h"

namespace mortise::robotsim {

/// Of random configurations and planners; `set_random_seed` seeds it.
RandomStream& sharedRandom();

}  // namespace mortise::robotsim
