#include "ode_settings.h"

namespace mortise::ode {

void OdeSettings::bind(SettingBinder& b) {
  b.choice(
      "solver", solver,
      {{"auto", Solver::automatic}, {"direct", Solver::direct}, {"exact", Solver::exact}, {"quick", Solver::quick}},
      "direct: joints by elimination along their trees, contacts iteratively; exact: ODE's own (Dantzig's method, "
      "cubic in the number of rows); quick: ODE's own iterative one; auto: direct, and where joints form closed "
      "loops exact while no group of connected bodies has more than `exact_limit` rows.");
  b.add("exact_limit", exactLimit,
        "Constraint rows of connected bodies up to which `solver: auto` prefers exact to quick.",
        {.min = 0, .aliases = {"exactLimit"}});
  b.choice("friction_model", friction, {{"coulomb", Friction::coulomb}, {"klampt", Friction::klampt}},
           "coulomb: the friction coefficient as given, in all directions of sliding; klampt: as Klamp't sets ODE up, "
           "0.707 of it on a pyramid along ODE's own directions.",
           {.aliases = {"frictionModel"}});
  b.add("iterations", iterations,
        "Maximum sweeps over the contacts of the direct solver, and iterations of the quick one.",
        {.min = 1, .max = 100000});
  b.add("erp", errorReduction, "Error reduction of joints and rigid contacts, in place of the world's.",
        {.min = 0, .max = 1});
  b.add("cfm", constraintForceMixing,
        "Constraint force mixing of joints and rigid contacts, in place of the world's; at least 1e-8 is used.",
        {.min = 0});
}

}  // namespace mortise::ode
