#pragma once

#include "tests/support/plain/plain_scene.h"

namespace plain {

/// DART as its `World` comes: Dantzig's method, contacts found by FCL, to which shapes are meshes.
History collideOnDart(const Scene& scene);

}  // namespace plain
