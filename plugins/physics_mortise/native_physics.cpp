#include "native_physics.h"

#include "native_scene.h"

namespace mortise::native {

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
  settings.cfm = settings.cfm.value_or(description.constraintForceMixing);
  return std::make_unique<NativeScene>(description, settings);
}

}  // namespace mortise::native
