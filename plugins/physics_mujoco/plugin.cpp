#include "mortise/plugin/plugin.h"

#include "documentation.h"
#include "mujoco_physics.h"

MORTISE_PLUGIN("mortise_physics_mujoco", "0.1.0") {
  plugin.physics<mortise::mujoco::MujocoPhysics>("mortise.MujocoPhysics")
      .alias("mujoco")
      .summary("MuJoCo: generalized coordinates, soft constraints by convex optimization, elliptic friction cones.")
      .documentation(documentation::mujoco_physics)
      .settings<mortise::mujoco::MujocoSettings>();
}
