#pragma once

/// Friction of contacts, the same for each solver.

#include "mortise/component/physics.h"
#include "ode_settings.h"

namespace mortise::ode {

/// The coefficient of friction that solvers get for a contact of this material.
double frictionCoefficient(const ContactMaterial& material, OdeSettings::Friction model);

/// How much contact friction that holds may creep, m/s for each N; `mixing` is that of rigid contacts.
double frictionMixing(double mixing);

}  // namespace mortise::ode
