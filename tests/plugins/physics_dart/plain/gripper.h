#pragma once

#include "tests/support/plain/plain_gripper.h"

namespace plain {

enum class DartLcp { dantzig, pgs };

/// DART with its own detector of collisions and one of its solvers, nothing behind it.
Grip gripOnDart(const Gripper& gripper, DartLcp lcp);

}  // namespace plain
