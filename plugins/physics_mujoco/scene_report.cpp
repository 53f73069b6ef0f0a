#include "mujoco_scene.h"

// Settings in force in a scene, for the record of a run.

namespace mortise::mujoco {

namespace {

template <typename Numbers>
Value listOf(const Numbers& numbers) {
  Value list = Value::list();
  for (const double number : numbers) list.push_back(number);
  return list;
}

void describe(Value& out, const char* name, const SolverParameters& parameters) {
  Value entry = Value::map();
  entry.set("solref", listOf(parameters.solref));
  entry.set("solimp", listOf(parameters.solimp));
  out.set(name, std::move(entry));
}

}  // namespace

Value MujocoScene::effectiveSettings() const {
  const mjModel& m = model_.model();
  Value out = Value::map();
  const char *solvers[] = {"PGS", "CG", "Newton"}, *integrators[] = {"Euler", "RK4", "implicit", "implicitfast"};
  out.set("engine", "MuJoCo " + std::string(mj_versionString()) + ", double precision");
  out.set("profile", settings_.normalized() ? "normalized" : "recommended");
  out.set("solver", solvers[m.opt.solver]);
  out.set("cone", m.opt.cone == mjCONE_ELLIPTIC ? "elliptic" : "pyramidal");
  out.set("integrator", integrators[m.opt.integrator]);
  out.set("iterations", m.opt.iterations);
  out.set("tolerance", m.opt.tolerance);
  out.set("impratio", m.opt.impratio);
  out.set("noslip_iterations", m.opt.noslip_iterations);
  describe(out, "contact", parameters_.contact);
  describe(out, "limit", parameters_.limit);
  describe(out, "friction", parameters_.friction);
  describe(out, "equality", parameters_.equality);
  out.set("restitution", "none: MuJoCo has no setting for it");
  out.set("contacts", external() ? "external" : "engine");
  out.set("acts_before_touch", settings_.normalized());
  if (!external()) {
    out.set("multiccd", settings_.multiccd);
    Value shapes = Value::map();
    for (const auto& [kind, count] : model_.shapeCounts()) shapes.set(kind, count);
    out.set("shapes", std::move(shapes));
  }
  out.set("joints_in_tree", m.njnt);
  out.set("equality_constraints", m.neq);
  out.set("steps", static_cast<std::int64_t>(counts_.steps));
  out.set("solver_iterations", static_cast<std::int64_t>(counts_.solverIterations));
  out.set("max_iterations", static_cast<std::int64_t>(counts_.maxIterations));
  out.set("saturated_drives", static_cast<std::int64_t>(counts_.saturatedDrives));
  out.set("passes_of_drives", static_cast<std::int64_t>(counts_.passes));
  out.set("unsettled_drives", static_cast<std::int64_t>(counts_.unsettled));
  out.set("passes_of_sliding", static_cast<std::int64_t>(counts_.slidingPasses));
  out.set("unsettled_sliding", static_cast<std::int64_t>(counts_.unsettledSliding));
  out.set("times_grown", static_cast<std::int64_t>(counts_.grown));
  out.set("warnings", static_cast<std::int64_t>(messages_.warnings));
  if (!messages_.last.empty()) out.set("last_warning", messages_.last);
  return out;
}

}  // namespace mortise::mujoco
