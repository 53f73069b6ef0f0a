#include "native_physics.h"

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

std::unique_ptr<Scene> NativePhysics::build(const SceneDescription& description) {
  NativeSettings settings = *settings_;
  const double erp = StatedSoftness(description).errorReduction.value_or(kUsualErp);
  settings.erp = settings.erp.value_or(erp);
  settings.contactErp = settings.contactErp.value_or(erp);
  warnOfIdleSoftness(host_, description, "mortise");
  settings.cfm = settings.cfm.value_or(description.constraintForceMixing);
  return std::make_unique<NativeScene>(description, settings);
}

}  // namespace mortise::native
