#include "contact_terms.h"

#include <algorithm>
#include <cmath>

namespace mortise::ode {

namespace {

constexpr double kLeastBounceSpeed = 0.01;  // m/s
// Up to this mixing, m/s for each N, a contact counts as rigid.
constexpr double kMostRigidMixing = 1e-5;
// Surfaces without stiffness and damping give way at this much for each N, which is all the same to any body.
constexpr double kMostMixing = 1e9;
// Where spring and damper change the speed of the lighter body in one step by less than this fraction of it,
// they are what there is, and a bounce is no more than they can do.
constexpr double kHard = 0.3;

/// Stiffness and damping as an implicit spring and damper, with penetration and speed at the end of the step:
///   f = -k (gap + h v) - c v.
/// Damping acts for the part of the step in which surfaces touch.
ContactTerms softTerms(const SceneContact& contact, double approach, const ContactStep& step) {
  const ContactMaterial& material = contact.material;
  ContactTerms terms;
  if (!std::isfinite(material.damping)) {
    // Klamp't's rule: penetration stays as it is.
    terms.speed = -std::max(0.0, contact.gap) / step.h;
    terms.mixing = kLeastMixing;
    return terms;
  }
  double fraction = 1;
  if (contact.gap > 0) fraction = approach < 0 ? std::clamp(1 + contact.gap / (step.h * approach), 0.0, 1.0) : 0.0;
  const double k = step.h * material.stiffness, c = fraction * material.damping;
  terms.speed = k + c > 0 ? -k / (k + c) * contact.gap / step.h : 0;
  terms.mixing = std::clamp(1 / (k + c), kLeastMixing, kMostMixing);
  return terms;
}

}  // namespace

double contactLayer(double gravity, double h) { return std::clamp(4 * gravity * h * h, 1e-4, 1e-3); }

double bounceSpeed(double gravity, double h) { return std::max(kLeastBounceSpeed, 5 * gravity * h); }

ContactTerms contactTerms(const SceneContact& contact, double approach, double lightest, const ContactStep& step) {
  const ContactMaterial& material = contact.material;
  ContactTerms terms;
  const bool soft = std::isfinite(material.stiffness) && std::isfinite(material.damping) &&
                    step.h * (step.h * material.stiffness + material.damping) < kHard * lightest;
  if (!soft && material.restitution > 0 && approach < -bounceSpeed(step.gravity, step.h)) {
    // A bounce happens in the first step that begins with surfaces touching. Nothing holds them back before, and
    // pushing out what they penetrate would add energy.
    terms.used = contact.gap <= 0;
    terms.speed = -material.restitution * approach;
    terms.mixing = step.mixing <= kMostRigidMixing ? kLeastMixing : step.mixing;
    return terms;
  }
  if (std::isfinite(material.stiffness)) {
    terms = softTerms(contact, approach, step);
    // Klamp't's rule: the speed of the bounce is aimed at, through the material's give.
    if (soft && contact.gap <= 0 && approach < -bounceSpeed(step.gravity, step.h))
      terms.speed = std::max(terms.speed, -material.restitution * approach);
    return terms;
  }
  terms.mixing = step.mixing;
  if (contact.gap > 0) {
    terms.speed = -contact.gap / step.h;
    return terms;
  }
  const double excess = std::max(0.0, -contact.gap - step.layer);
  // Bodies that fall onto each other are stopped first and pushed out later. (Not so with a large mixing: there a load
  // may press bodies together without end unless penetration is answered.)
  const bool approaching = approach < -bounceSpeed(step.gravity, step.h);
  if (approaching && step.mixing <= kMostRigidMixing) return terms;
  // Push out no faster than a creep, unless the weight above needs more through a large mixing.
  const double fastest = std::max(kPushOutSpeed, 100 * step.mixing * lightest * step.gravity);
  terms.speed = std::min(step.errorReduction * excess / step.h, fastest);
  return terms;
}

}  // namespace mortise::ode
