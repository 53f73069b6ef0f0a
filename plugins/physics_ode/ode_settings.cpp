#include "ode_settings.h"

#include "mortise/base/error.h"
#include "mortise/settings/settings.h"

namespace mortise::ode {

void OdeSettings::bind(SettingBinder& b) {
  b.choice("profile", profile, {{"recommended", Profile::recommended}, {"normalized", Profile::normalized}},
           "recommended: `erp` and `cfm` as ODE's manual has them; normalized: the world's, for comparisons with other "
           "engines, and neither damping nor auto-disable.");
  b.choice("solver", solver, {{"auto", Solver::automatic}, {"exact", Solver::exact}, {"quick", Solver::quick}},
           "exact: `dWorldStep` (Dantzig's method, accurate, cubic in the number of rows); quick: `dWorldQuickStep` "
           "(iterative, for large systems); auto: exact while no group of connected bodies has more than `exact_limit` "
           "rows.");
  b.add("exact_limit", exactLimit,
        "Constraint rows of connected bodies up to which `solver: auto` prefers exact to quick. Absent: 600, and in "
        "scenes without joints, which quick holds well, 60 independent ones: a stack of ten boxes.",
        {.min = 0, .aliases = {"exactLimit"}});
  b.add("quick_step_num_iterations", quickStepNumIterations, "Iterations of the quick solver.",
        {.min = 1, .max = 100000, .aliases = {"iterations", "quickStepNumIterations"}});
  b.add("quick_step_w", quickStepW, "Over-relaxation of the quick solver.",
        {.min = 0.01, .max = 1.99, .aliases = {"quickStepW"}});
  b.add("erp", erp, "Error reduction parameter of joints and rigid contacts; when absent, as `profile` says.",
        {.min = 0, .max = 1});
  b.add("cfm", cfm,
        "Constraint force mixing of joints and rigid contacts, m/s for each N; when absent, as `profile` says. "
        "`dWorldStep` gets at least 1e-8.",
        {.min = 0});
  b.add("stop_erp", stopErp, "Error reduction parameter of joint stops; when absent, that of joints.",
        {.min = 0, .max = 1});
  b.add("stop_cfm", stopCfm, "Constraint force mixing of joint stops; when absent, that of joints.", {.min = 0});
  b.add("contact_max_correcting_vel", contactMaxCorrectingVel,
        "Fastest at which contacts push bodies out of each other; when absent, 0.1 with profile: recommended where all "
        "surfaces are rigid, else infinite (it would cut the force of springs).",
        {.min = 0, .unit = "m/s", .infinite = true});
  b.add("contact_surface_layer", contactSurfaceLayer,
        "Penetration that contacts leave alone; when absent, 0.001 for contacts that ODE finds and 0 for contacts from "
        "outside.",
        {.min = 0, .unit = "m"});
  b.add("bounce_vel", bounceVel, "Approach below which contacts do not bounce.", {.min = 0, .unit = "m/s"});
  b.choice("friction_model", friction, {{"coulomb", Friction::coulomb}, {"klampt", Friction::klampt}},
           "coulomb: the friction coefficient as given, on a pyramid whose first direction is that of sliding; klampt: "
           "as Klamp't sets ODE up, 0.707 of it on a pyramid along ODE's own directions.",
           {.aliases = {"frictionModel"}});
  b.add("linear_damping", linearDamping, "Share of linear velocity that a body loses in each step.",
        {.min = 0, .max = 1});
  b.add("angular_damping", angularDamping, "Share of angular velocity that a body loses in each step.",
        {.min = 0, .max = 1});
  b.add("linear_damping_threshold", linearDampingThreshold, "Speed below which there is no linear damping.",
        {.min = 0, .unit = "m/s"});
  b.add("angular_damping_threshold", angularDampingThreshold, "Speed below which there is no angular damping.",
        {.min = 0, .unit = "rad/s"});
  b.add("max_angular_speed", maxAngularSpeed, "Fastest that bodies spin.",
        {.min = 0, .unit = "rad/s", .infinite = true});
  b.add("auto_disable", autoDisable,
        "Bodies at rest fall asleep. Snapshots then continue only approximately, because ODE does not show how long a "
        "body has been at rest.");
  b.add("auto_disable_linear_threshold", autoDisableLinearThreshold, "Speed below which a body counts as at rest.",
        {.min = 0, .unit = "m/s"});
  b.add("auto_disable_angular_threshold", autoDisableAngularThreshold, "Speed below which a body counts as at rest.",
        {.min = 0, .unit = "rad/s"});
  b.add("auto_disable_steps", autoDisableSteps, "Steps at rest before a body falls asleep.", {.min = 0});
  b.add("auto_disable_time", autoDisableTime, "Time at rest before a body falls asleep.", {.min = 0, .unit = "s"});
  b.add("auto_disable_average_samples_count", autoDisableAverageSamplesCount,
        "Steps over which speeds are averaged for `auto_disable`.", {.min = 1, .max = 10000});
}

void OdeSettings::check() const {
  if (profile != Profile::normalized) return;
  const auto refuse = [](const char* name) {
    throw Error(std::string("'") + name + "' does not go with profile: normalized, which has neither damping nor sleep",
                settingPosition(name), "leave it out, or use profile: recommended");
  };
  if (linearDamping > 0) refuse("linear_damping");
  if (angularDamping > 0) refuse("angular_damping");
  if (autoDisable) refuse("auto_disable");
}

}  // namespace mortise::ode
