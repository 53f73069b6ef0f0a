#include "ode_scene.h"

// What is in force in a scene, for the record of a run.

namespace mortise::ode {

Value OdeScene::effectiveSettings() const {
  Value out = Value::map();
  const char* names[] = {"auto", "exact", "quick", "direct"};
  out.set("engine", "ODE 0.16, double precision");
  out.set("solver", direct_ ? "direct" : names[static_cast<int>(settings_.solver)]);
  out.set("exactLimit", settings_.exactLimit);
  out.set("iterations", settings_.iterations);
  out.set("erp", errorReduction_);
  out.set("cfm", mixing_);
  out.set("frictionModel", settings_.klamptFriction ? "klampt: 0.707 of the coefficient, pyramid"
                           : direct_                ? "cone"
                                                    : "pyramid, first direction along the predicted slip");
  out.set("frictionCfm", frictionMixing());
  out.set("pushOutSpeed", kPushOutSpeed);
  out.set("bounceSpeed", bounceSpeed(gravity_.norm(), description_.timeStep));
  const bool external = description_.contactSource == ContactSource::external;
  out.set("contactSource", external ? "external" : "engine");
  out.set("contactLayer", external ? 0.0 : contactLayer(gravity_.norm(), description_.timeStep));
  out.set("maxContacts", description_.maxContacts);
  Value shapes = Value::map();
  using Kind = Collider::Kind;
  const std::pair<const char*, Kind> kinds[] = {{"spheres", Kind::sphere},   {"boxes", Kind::box},
                                                {"capsules", Kind::capsule}, {"cylinders", Kind::cylinder},
                                                {"meshes", Kind::mesh},      {"flatPatches", Kind::patch}};
  for (const auto& [name, kind] : kinds) shapes.set(name, colliders_.count(kind));
  out.set("shapes", shapes);
  out.set("substitutions", Value(colliders_.substitutions()));
  out.set("directSteps", static_cast<std::int64_t>(directSteps_));
  out.set("contactPasses", static_cast<std::int64_t>(passes_));
  out.set("unsettledIslands", static_cast<std::int64_t>(unsettled_));
  out.set("exactSteps", static_cast<std::int64_t>(exactSteps_));
  out.set("quickSteps", static_cast<std::int64_t>(quickSteps_));
  out.set("repeatedSteps", static_cast<std::int64_t>(repeatedSteps_));
  out.set("failedExactSteps", static_cast<std::int64_t>(failedExactSteps_));
  out.set("lcpErrors", static_cast<std::int64_t>(messages_.lcpErrors));
  out.set("otherMessages", static_cast<std::int64_t>(messages_.others));
  if (!messages_.last.empty()) out.set("lastMessage", messages_.last);
  out.set("rejectedContacts", static_cast<std::int64_t>(finder_->rejected()));
  return out;
}

}  // namespace mortise::ode
