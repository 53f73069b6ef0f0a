#include "mortise/plugin/plugin.h"

#include "documentation.h"
#include "ode_physics.h"

MORTISE_PLUGIN("mortise_physics_ode", "0.1.0") {
  plugin.physics<mortise::ode::OdePhysics>("mortise.OdePhysics")
      .alias("ode")
      .summary("Open Dynamics Engine, double precision: maximal coordinates, implicit joint drives, any contacts.")
      .documentation(documentation::ode_physics)
      .settings<mortise::ode::OdeSettings>();
}
