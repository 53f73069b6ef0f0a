#pragma once

/// What a contact asks of a solver in one step: the rules for bounces, gaps, penetration and soft surfaces, the same
/// for each solver.

#include "mortise/component/physics.h"

namespace mortise::ode {

/// The step that a contact is asked for.
struct ContactStep {
  double h = 0;               ///< Length, s.
  double gravity = 0;         ///< Size, m/s^2.
  double errorReduction = 0;  ///< Of rigid contacts.
  double mixing = 0;          ///< Of rigid contacts, m/s for each N.
  double layer = 0;           ///< Penetration that is left alone, m.
};

/// For the speed v of A against B along the normal at the end of the step and the force f: v + mixing f >= speed, f >=
/// 0, and one of both an equation.
struct ContactTerms {
  bool used = true;  ///< False: the contact does not act in this step.
  double speed = 0;  ///< m/s.
  double mixing = 0;
};

/// `approach` is the speed along the normal at the start of the step (negative: surfaces close); `lightest` the mass of
/// the lighter body that moves.
ContactTerms contactTerms(const SceneContact& contact, double approach, double lightest, const ContactStep& step);

/// Penetration of the engine's own contacts that is left alone, so that a resting contact does not come and go: more
/// than gravity makes in a step. Contacts from outside come before surfaces touch and need none.
double contactLayer(double gravity, double h);
/// Slower approach is rest: faster than gravity makes a resting body in a step.
double bounceSpeed(double gravity, double h);

// Below this the exact solver fails on redundant contacts ("LCP internal error").
constexpr double kLeastMixing = 1e-8;
// Rigid contacts are pushed out no faster than this.
constexpr double kPushOutSpeed = 0.1;  // m/s

}  // namespace mortise::ode
