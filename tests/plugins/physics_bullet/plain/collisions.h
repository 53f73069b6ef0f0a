#pragma once

#include "tests/support/plain/plain_scene.h"

namespace plain {

/// Of contacts, as `btContactSolverInfo` has it.
struct BulletErrorReduction {
  double erp2 = 0.08;
};

/// Bullet with the settings of its author's robot simulator, PyBullet.
History collideOnBullet(const Scene& scene, const BulletErrorReduction& reduction = {});

}  // namespace plain
