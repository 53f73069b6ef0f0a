#include "contact_friction.h"

#include <algorithm>

namespace mortise::ode {

namespace {

// Contact friction that holds may creep by this much for each N.
constexpr double kContactFrictionMixing = 1e-7;
// Beyond this a friction coefficient changes nothing but the numbers' range.
constexpr double kMaximumFriction = 1e3;
// Klamp't lays ODE's pyramid along ODE's own directions and lowers friction to stay within the cone.
constexpr double kKlamptFriction = 0.707;

}  // namespace

double frictionCoefficient(const ContactMaterial& material, OdeSettings::Friction model) {
  const double friction = std::min(material.friction, kMaximumFriction);
  return model == OdeSettings::Friction::klampt ? kKlamptFriction * friction : friction;
}

double frictionMixing(double mixing) { return std::min(mixing, kContactFrictionMixing); }

}  // namespace mortise::ode
