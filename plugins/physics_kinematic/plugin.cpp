#include "mortise/plugin/plugin.h"

#include "documentation.h"
#include "kinematic_physics.h"

MORTISE_PLUGIN("mortise_physics_kinematic", "0.1.0") {
  plugin.physics<mortise::kinematic::KinematicPhysics>("mortise.KinematicPhysics")
      .alias("kinematic")
      .summary("No physics: robots follow their commands exactly, objects stay where they are.")
      .documentation(documentation::kinematic_physics)
      .settings<mortise::kinematic::KinematicSettings>();
}
