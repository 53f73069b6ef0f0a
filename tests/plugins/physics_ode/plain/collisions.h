#pragma once

#include "tests/support/plain/plain_scene.h"

namespace plain {

/// ODE with `dWorldStep`, contact joints as in its manual, and what the manual advises against jitter and popping.
History collideOnOde(const Scene& scene);

}  // namespace plain
