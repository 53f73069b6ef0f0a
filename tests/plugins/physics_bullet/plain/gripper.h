#pragma once

#include "tests/support/plain/plain_gripper.h"

namespace plain {

enum class BulletSolver { sequentialImpulse, dantzig, pgs };

/// Whose contacts there are: Bullet's own, or one at each corner of a finger, as a generator hands them over, where
/// force acts on each body at a point of its own surface or on both at one point between these.
enum class GripContacts { ofBullet, twoPoints, onePoint };

struct BulletGrip : Grip {
  int fallbacks = 0;  ///< Steps in which Bullet gave up its direct solver for sequential impulses.
};

/// Bullet with the settings of its author's robot simulator, PyBullet, but for these.
BulletGrip gripOnBullet(const Gripper& gripper, BulletSolver solver, double globalCfm = 0,
                        GripContacts contacts = GripContacts::ofBullet);

}  // namespace plain
