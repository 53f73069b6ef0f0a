#include "contact_terms.h"

#include <algorithm>
#include <cmath>

namespace mortise::mujoco {

namespace {

constexpr double kSpinFriction = 0.005, kRollFriction = 0.0001;  // Not used by contacts of three dimensions.

}  // namespace

bool isSoft(const ContactMaterial& material) { return std::isfinite(material.stiffness); }

void setMaterial(const mjModel& model, mjContact& contact, const ContactMaterial& material, double rolling,
                 const SolverParameters& rigid, double dt) {
  const double friction = std::clamp(material.friction, 0.0, kMaximumFriction);
  contact.dim = friction > mjMINMU ? 3 : 1;
  const double slide = std::max(friction, mjMINMU);
  const double all[] = {slide, slide, kSpinFriction, kRollFriction, kRollFriction};
  std::copy(std::begin(all), std::end(all), contact.friction);
  if (rolling > 0 && contact.dim > 1) {
    contact.dim = 6;
    contact.friction[2] = mjMINMU;  // Spinning has no friction of its own.
    contact.friction[3] = contact.friction[4] = std::max(rolling, mjMINMU);
  }
  std::copy(rigid.solref.begin(), rigid.solref.end(), contact.solref);
  std::copy(rigid.solimp.begin(), rigid.solimp.end(), contact.solimp);
  if (!isSoft(material)) return;

  // MuJoCo says R by the impedance d, as the share (1 - d) / d of the inverse inertia that it takes contacts to have.
  const double inverse = model.body_invweight0[2 * model.geom_bodyid[contact.geom1]] +
                         model.body_invweight0[2 * model.geom_bodyid[contact.geom2]];
  const double slope = dt * (dt * material.stiffness + material.damping);
  const double R = std::isfinite(slope) ? 1 / slope : 0;
  const double d = std::clamp(inverse / (inverse + R), mjMINIMP, mjMAXIMP);
  const double reference = std::isfinite(slope) ? material.stiffness / slope : 0;
  contact.solref[0] = -reference * d;
  contact.solref[1] = -d / dt;
  contact.solimp[0] = contact.solimp[1] = d;
}

int rowsOf(const mjModel& model, const mjContact& contact) {
  if (contact.dim == 1) return 1;
  return mj_isPyramidal(&model) ? 2 * (contact.dim - 1) : contact.dim;
}

}  // namespace mortise::mujoco
