#pragma once

/// A contact's material in MuJoCo's terms.

#include "mortise/model/material.h"
#include "mujoco_library.h"
#include "mujoco_settings.h"

namespace mortise::mujoco {

/// `rolling`: the arm of rolling friction (m), which needs friction as well; above 0 the contact has six dimensions.
/// Fills friction, dimension, solref and solimp of `contact`; its geoms are set. Rigid contacts get `rigid`. Finite
/// stiffness k and damping c make an implicit spring and damper in the normal direction, f = -k (gap + h v) - c v with
/// v of the end of the step: MuJoCo's constraint a + R f = -b v - k' gap with b = 1/h, R = 1/(h (h k + c)) and k' = k
/// R.
void setMaterial(const mjModel& model, mjContact& contact, const ContactMaterial& material, double rolling,
                 const SolverParameters& rigid, double dt);

/// Says whether `setMaterial` makes a spring and damper of it.
bool isSoft(const ContactMaterial& material);

/// Rows of constraints that a contact takes.
int rowsOf(const mjModel& model, const mjContact& contact);

}  // namespace mortise::mujoco
