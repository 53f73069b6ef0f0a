#include "mortise/plugin/plugin.h"

#include "documentation.h"
#include "ode_physics.h"

MORTISE_PLUGIN("mortise_physics_ode", "0.1.0") {
  plugin.physics<mortise::ode::OdePhysics>("mortise.OdePhysics")
      .alias("ode")
      .summary(
          "Open Dynamics Engine 0.16 as it is: maximal coordinates, dWorldStep and dWorldQuickStep, friction pyramids.")
      .documentation(documentation::ode_physics)
      .settings<mortise::ode::OdeSettings>();
}
