#pragma once

#include "mortise/base/random.h"

namespace mortise::robotsim {

/// Returns the stream of random configurations and planners; `set_random_seed` seeds it.
RandomStream& sharedRandom();

}  // namespace mortise::robotsim
