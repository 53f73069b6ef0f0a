#include "native_physics.h"

#include <algorithm>
#include <cmath>

#include "mortise/contacts/stated_softness.h"
#include "native_scene.h"

namespace mortise::native {

namespace {

constexpr double kUsualErp = 0.2;

}  // namespace

PhysicsCapabilities NativePhysics::capabilities() const {
  PhysicsCapabilities capabilities;
  capabilities.externalContacts = true;
  capabilities.implicitDrives = true;
  capabilities.kinematicBodies = true;
  capabilities.motionChanges = true;
  capabilities.worldJoints = true;
  capabilities.contactSoftness = true;
  capabilities.restore = PhysicsCapabilities::Restore::bitwise;
  capabilities.friction = PhysicsCapabilities::Friction::cone;
  return capabilities;
}

namespace {

/// Settings that were given and that only rigid contacts, joints between bodies and stops of robots have a use for.
std::vector<std::string> idleSettings(const NativeSettings& settings, const SceneDescription& description) {
  std::vector<std::string> idle;
  if (hasRigidContacts(description)) return idle;
  const bool jointless = description.constraints.empty() && description.joints.empty();
  if (settings.erp && jointless) idle.emplace_back("erp");
  if (settings.contactErp) idle.emplace_back("contact_erp");
  // Contacts of finite stiffness whose damping has no bound have the mixing of rigid ones.
  const bool mixes = std::any_of(description.surfaces.begin(), description.surfaces.end(), [](const Surface& surface) {
    return std::isfinite(surface.stiffness) && std::isinf(surface.damping);
  });
  if (settings.cfm && !mixes) idle.emplace_back("cfm");
  if (settings.maxCorrectionSpeed != NativeSettings().maxCorrectionSpeed && jointless)
    idle.emplace_back("max_correction_speed");
  return idle;
}

}  // namespace

std::unique_ptr<Scene> NativePhysics::build(const SceneDescription& description) {
  NativeSettings settings = *settings_;
  warnOfIdleSettings(host_, "mortise", idleSettings(settings, description), "joints between bodies or robots");
  const double erp = StatedSoftness(description).errorReduction.value_or(kUsualErp);
  settings.erp = settings.erp.value_or(erp);
  settings.contactErp = settings.contactErp.value_or(erp);
  warnOfIdleSoftness(host_, description, "mortise");
  settings.cfm = settings.cfm.value_or(description.constraintForceMixing);
  return std::make_unique<NativeScene>(description, settings);
}

}  // namespace mortise::native
