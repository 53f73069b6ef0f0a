#include "mortise/plugin/plugin.h"

#include "dart_physics.h"
#include "documentation.h"

MORTISE_PLUGIN("mortise_physics_dart", "0.1.0") {
  plugin.physics<mortise::dart::DartPhysics>("mortise.DartPhysics")
      .alias("dart")
      .summary(
          "DART, the Dynamic Animation and Robotics Toolkit: robots in generalized coordinates, boxed LCP solvers.")
      .documentation(documentation::dart_physics)
      .settings<mortise::dart::DartSettings>();
}
