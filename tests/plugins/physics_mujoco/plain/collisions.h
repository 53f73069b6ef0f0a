#pragma once

#include <string>

#include "tests/support/plain/plain_scene.h"

namespace plain {

/// MuJoCo's defaults with the elliptic cone that its manual advises. `file`: where its model may be written.
History collideOnMujoco(const Scene& scene, const std::string& file);

}  // namespace plain
