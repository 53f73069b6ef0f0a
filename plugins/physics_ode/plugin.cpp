#include "mortise/plugin/plugin.h"

#include "ode_physics.h"

MORTISE_PLUGIN("mortise_physics_ode", "0.1.0") {
  plugin.physics<mortise::ode::OdePhysics>("mortise.OdePhysics")
      .alias("ode")
      .summary("Open Dynamics Engine, double precision: maximal coordinates, implicit joint drives, any contacts.")
      .documentation(
          "Robots are bodies joined by hinges and sliders; drives, friction and stops are solved with them, so stiff "
          "gains stay stable. Contacts come from outside or from ODE's colliders, with true friction cones. See "
          "docs/physics.md.")
      .parameter("solver", "auto",
                 "direct: joints by elimination along their trees, contacts iteratively; exact: ODE's own (Dantzig's "
                 "method, cubic in the number of rows); quick: ODE's own iterative one; auto: direct, and where joints "
                 "form closed loops exact while no group of connected bodies has more than `exactLimit` rows.",
                 {.choices = {"auto", "direct", "exact", "quick"}})
      .parameter("exactLimit", 600,
                 "Constraint rows of connected bodies up to which `solver: auto` prefers exact to quick.", {.min = 0})
      .parameter("frictionModel", "coulomb",
                 "coulomb: the friction coefficient as given, in all directions of sliding; klampt: as Klamp't sets "
                 "ODE up, 0.707 of it on a pyramid along ODE's own directions.",
                 {.choices = {"coulomb", "klampt"}})
      .parameter("iterations", 50,
                 "Sweeps over the contacts of the direct solver, and iterations of the quick one, at most.",
                 {.min = 1, .max = 100000})
      .parameter("erp", mortise::ParameterType::real,
                 "Error reduction of joints and rigid contacts, in place of the world's.", {.min = 0, .max = 1})
      .parameter(
          "cfm", mortise::ParameterType::real,
          "Constraint force mixing of joints and rigid contacts, in place of the world's; at least 1e-8 is used.",
          {.min = 0});
}
