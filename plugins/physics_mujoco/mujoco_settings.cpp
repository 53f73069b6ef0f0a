#include "mujoco_settings.h"

#include <string>

#include "engine_versions.h"
#include "mortise/base/error.h"
#include "mortise/settings/settings.h"

namespace mortise::mujoco {

void MujocoSettings::bind(SettingBinder& b) {
  b.choice("profile", profile, {{"recommended", Profile::recommended}, {"normalized", Profile::normalized}},
           "recommended: MuJoCo's own softness, a time constant of 20 ms; normalized: constraints as hard as MuJoCo "
           "allows, and "
           "contacts act before they touch, so that rigid worlds are rigid.");
  b.choice("solver", solver, {{"Newton", Solver::newton}, {"CG", Solver::cg}, {"PGS", Solver::pgs}},
           "The constraint solver: Newton's method, conjugate gradients, or projected Gauss-Seidel.");
  b.choice("cone", cone, {{"elliptic", Cone::elliptic}, {"pyramidal", Cone::pyramidal}},
           "The friction cone; pyramidal is MuJoCo's default, elliptic what its manual calls the better model.");
  b.choice("integrator", integrator,
           {{"Euler", Integrator::euler},
            {"implicit", Integrator::implicit},
            {"implicitfast", Integrator::implicitFast},
            {"RK4", Integrator::rk4}},
           "Drives are implicit with each of them. Euler: semi-implicit, MuJoCo's default; implicit: implicit in "
           "velocity, also in the forces of rotation, for fast spinning bodies, and slow with many joints; "
           "implicitfast: the same without the latter, in MuJoCo 2.3.2 and later; RK4: fourth order, for contacts that "
           "the engine finds.");
  b.choice("jacobian", jacobian,
           {{"auto", Jacobian::automatic}, {"dense", Jacobian::dense}, {"sparse", Jacobian::sparse}},
           "How the rows of constraints are kept; auto: sparse from 60 degrees of freedom on.");
  b.add("iterations", iterations, "Maximum iterations of the constraint solver.", {.min = 1, .max = 100000});
  b.add("tolerance", tolerance, "Tolerance at which the constraint solver stops.", {.min = 0});
  b.add("impratio", impratio,
        "Impedance of friction in proportion to that of normal forces; more lets contacts creep less. MuJoCo's manual "
        "advises 10 for grasping, with the elliptic cone and noslip_iterations.",
        {.min = 1e-6});
  b.add("noslip_iterations", noslipIterations,
        "Iterations of the solver that removes the slip that soft friction leaves, after the constraint solver; 10 "
        "where grasped objects must not creep.",
        {.min = 0, .max = 100000});
  b.add("noslip_tolerance", noslipTolerance, "Tolerance at which the solver that removes slip stops.", {.min = 0});
  b.add("solref", solref,
        "Reference of rigid contacts: time constant in seconds and damping ratio, or negative stiffness and damping; "
        "absent: "
        "the profile's.");
  b.add("solimp", solimp, "Impedance of rigid contacts: dmin, dmax, width, midpoint, power; absent: the profile's.");
  b.add("solreflimit", solrefLimit, "Reference of joint stops; absent: the profile's.");
  b.add("solimplimit", solimpLimit, "Impedance of joint stops; absent: the profile's.");
  b.add("solreffriction", solrefFriction, "Reference of dry friction in joints; absent: the profile's.");
  b.add("solimpfriction", solimpFriction, "Impedance of dry friction in joints; absent: the profile's.");
  b.add("solref_equality", solrefEquality, "Reference of joints that close loops; absent: the profile's.");
  b.add("solimp_equality", solimpEquality, "Impedance of joints that close loops; absent: the profile's.");
  b.add("multiccd", multiccd,
        "Several contact points for each pair of convex meshes, of contacts that the engine finds.");
  b.choice("fixed_meshes", fixedMeshes, {{"refuse", FixedMeshes::refuse}, {"hull", FixedMeshes::hull}},
           "What becomes of fixed meshes that are not convex when the engine finds contacts: MuJoCo collides convex "
           "hulls only.");
}

namespace {

void checkReference(const char* name, const std::optional<std::array<double, 2>>& solref) {
  if (!solref || ((*solref)[0] > 0 && (*solref)[1] > 0) || ((*solref)[0] <= 0 && (*solref)[1] <= 0)) return;
  throw Error("'" + std::string(name) + "' mixes the two ways of giving it", settingPosition(name),
              "give a time constant and a damping ratio, both positive, or stiffness and damping, both negative");
}

}  // namespace

void MujocoSettings::check() const {
  if (integrator == Integrator::implicitFast && kImplicitFast < 0)
    throw Error("MuJoCo " + std::string(mj_versionString()) + " has no integrator 'implicitfast'",
                settingPosition("integrator"), "use Euler or implicit, or build with MuJoCo 2.3.2 or later");
  checkReference("solref", solref);
  checkReference("solreflimit", solrefLimit);
  checkReference("solreffriction", solrefFriction);
  checkReference("solref_equality", solrefEquality);
}

ConstraintParameters::ConstraintParameters(const MujocoSettings& settings, double dt) {
  SolverParameters base;
  mj_defaultSolRefImp(base.solref.data(), base.solimp.data());
  if (settings.normalized()) {
    // MuJoCo takes no shorter time constant than two steps, and no impedance above this.
    base.solref = {2 * dt, 1};
    base.solimp = {mjMAXIMP, mjMAXIMP, 0.001, 0.5, 2};
  }
  const auto choose = [&](const auto& solref, const auto& solimp) {
    return SolverParameters{solref.value_or(base.solref), solimp.value_or(base.solimp)};
  };
  contact = choose(settings.solref, settings.solimp);
  limit = choose(settings.solrefLimit, settings.solimpLimit);
  friction = choose(settings.solrefFriction, settings.solimpFriction);
  equality = choose(settings.solrefEquality, settings.solimpEquality);
}

}  // namespace mortise::mujoco
