#include "contact_friction.h"
#include "ode_scene.h"

// What is in force in a scene, for the record of a run.

namespace mortise::ode {

Value OdeScene::effectiveSettings() const {
  Value out = Value::map();
  const char* names[] = {"auto", "exact", "quick", "direct"};
  out.set("engine", "ODE 0.16, double precision");
  out.set("solver", direct_ ? "direct" : names[static_cast<int>(settings_.solver)]);
  out.set("exact_limit", settings_.exactLimit);
  out.set("iterations", settings_.iterations);
  out.set("erp", errorReduction_);
  out.set("cfm", mixing_);
  out.set("friction_model", settings_.klamptFriction() ? "klampt: 0.707 of the coefficient, pyramid"
                            : direct_                  ? "cone"
                                                       : "pyramid, first direction along the predicted slip");
  out.set("friction_cfm", frictionMixing(mixing_));
  out.set("push_out_speed", kPushOutSpeed);
  out.set("bounce_speed", bounceSpeed(gravity_.norm(), description_.timeStep));
  const bool external = description_.contactSource == ContactSource::external;
  out.set("contact_source", external ? "external" : "engine");
  out.set("contact_layer", external ? 0.0 : contactLayer(gravity_.norm(), description_.timeStep));
  out.set("max_contacts", description_.maxContacts);
  Value shapes = Value::map();
  using Kind = Collider::Kind;
  const std::pair<const char*, Kind> kinds[] = {{"spheres", Kind::sphere},   {"boxes", Kind::box},
                                                {"capsules", Kind::capsule}, {"cylinders", Kind::cylinder},
                                                {"meshes", Kind::mesh},      {"flat_patches", Kind::patch}};
  for (const auto& [name, kind] : kinds) shapes.set(name, colliders_.count(kind));
  out.set("shapes", shapes);
  out.set("substitutions", Value(colliders_.substitutions()));
  out.set("direct_steps", static_cast<std::int64_t>(directSteps_));
  out.set("contact_passes", static_cast<std::int64_t>(passes_));
  out.set("unsettled_islands", static_cast<std::int64_t>(unsettled_));
  out.set("exact_steps", static_cast<std::int64_t>(exactSteps_));
  out.set("quick_steps", static_cast<std::int64_t>(quickSteps_));
  out.set("repeated_steps", static_cast<std::int64_t>(repeatedSteps_));
  out.set("failed_exact_steps", static_cast<std::int64_t>(failedExactSteps_));
  out.set("lcp_errors", static_cast<std::int64_t>(messages_.lcpErrors));
  out.set("other_messages", static_cast<std::int64_t>(messages_.others));
  if (!messages_.last.empty()) out.set("last_message", messages_.last);
  out.set("rejected_contacts", static_cast<std::int64_t>(finder_->rejected()));
  return out;
}

}  // namespace mortise::ode
