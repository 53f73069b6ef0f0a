#pragma once

namespace plain {

/// Shares of its linear and of its angular velocity that a robot of Bullet's loses in a second unless it is told
/// otherwise.
struct Damping {
  double linear = 0, angular = 0;
};
Damping dampingOfBullet();

}  // namespace plain
