#pragma once

#include "tests/support/plain_gripper.h"

namespace plain {

enum class BulletSolver { sequentialImpulse, dantzig, pgs };

/// Bullet with the settings of its author's robot simulator, PyBullet, but for these two.
Grip gripOnBullet(const Gripper& gripper, BulletSolver solver, double globalCfm = 0);

}  // namespace plain
