#include "mortise/plugin/plugin.h"

#include "bullet_physics.h"
#include "documentation.h"

MORTISE_PLUGIN("mortise_physics_bullet", "0.1.0") {
  plugin.physics<mortise::bullet::BulletPhysics>("mortise.BulletPhysics")
      .alias("bullet")
      .summary("Bullet 3 in double precision: rigid bodies, and robots in reduced coordinates with implicit drives.")
      .documentation(documentation::bullet_physics)
      .settings<mortise::bullet::BulletSettings>();
}
