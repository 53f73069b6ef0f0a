#include "ode_scene.h"

// Settings in force in a scene, for the record of a run.

namespace mortise::ode {

Value OdeScene::effectiveSettings() const {
  using Solver = OdeSettings::Solver;
  const OdeSettings& s = settings_;
  const dWorldID world = worldId();
  const auto count = [](std::uint64_t number) { return static_cast<std::int64_t>(number); };
  Value out = Value::map();
  out.set("engine", "ODE 0.16, double precision");
  out.set("profile", s.profile == OdeSettings::Profile::recommended ? "recommended" : "normalized");
  out.set("solver", s.solver == Solver::automatic ? "auto" : s.solver == Solver::exact ? "exact" : "quick");
  if (contactsOnly())
    out.set("exact_limit", std::to_string(kExactContactRows) + " independent rows");
  else
    out.set("exact_limit", s.exactLimit.value_or(kExactRows));
  out.set("quick_step_num_iterations", dWorldGetQuickStepNumIterations(world));
  out.set("quick_step_w", dWorldGetQuickStepW(world));
  out.set("erp", dWorldGetERP(world));
  out.set("cfm", dWorldGetCFM(world));
  out.set("stop_erp", s.stopErp.value_or(erp_));
  out.set("stop_cfm", s.stopCfm.value_or(cfm_));
  out.set("contact_max_correcting_vel", dWorldGetContactMaxCorrectingVel(world));
  out.set("contact_surface_layer", dWorldGetContactSurfaceLayer(world));
  out.set("bounce_vel", s.bounceVel);
  out.set("friction_model", s.klamptFriction() ? "klampt: 0.707 of the coefficient, pyramid"
                                               : "pyramid, first direction along the predicted slip");
  out.set("linear_damping", dWorldGetLinearDamping(world));
  out.set("angular_damping", dWorldGetAngularDamping(world));
  out.set("max_angular_speed", dWorldGetMaxAngularSpeed(world));
  out.set("auto_disable", dWorldGetAutoDisableFlag(world) != 0);
  const bool external = description_.contactSource == ContactSource::external;
  out.set("contact_source", external ? "external" : "engine");
  out.set("max_contacts", description_.maxContacts);
  Value shapes = Value::map();
  using Kind = Collider::Kind;
  const std::pair<const char*, Kind> kinds[] = {{"spheres", Kind::sphere},
                                                {"boxes", Kind::box},
                                                {"capsules", Kind::capsule},
                                                {"cylinders", Kind::cylinder},
                                                {"meshes", Kind::mesh}};
  for (const auto& [name, kind] : kinds) shapes.set(name, colliders_.count(kind));
  out.set("shapes", shapes);
  out.set("substitutions", Value(colliders_.substitutions()));
  out.set("exact_steps", count(exactSteps_));
  out.set("quick_steps", count(quickSteps_));
  out.set("failed_exact_steps", count(failedExactSteps_));
  out.set("lcp_errors", count(messages_.lcpErrors));
  out.set("other_messages", count(messages_.others));
  if (!messages_.last.empty()) out.set("last_message", messages_.last);
  out.set("rejected_contacts", count(finder_->rejected()));
  return out;
}

}  // namespace mortise::ode
