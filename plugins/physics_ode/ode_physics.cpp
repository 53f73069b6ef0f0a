#include "ode_physics.h"

namespace mortise::ode {

PhysicsCapabilities OdePhysics::capabilities() const {
  PhysicsCapabilities can;
  can.externalContacts = true;
  can.ownContacts = true;
  can.movingMeshes = true;
  can.implicitDrives = true;
  can.kinematicBodies = true;
  can.motionChanges = true;
  can.collisionChanges = true;
  can.worldJoints = true;
  can.contactSoftness = true;
  using Restore = PhysicsCapabilities::Restore;
  can.restore = settings_->autoDisable ? Restore::approximate : Restore::bitwise;
  can.friction = PhysicsCapabilities::Friction::pyramid;
  return can;
}

std::unique_ptr<Scene> OdePhysics::build(const SceneDescription& description) {
  return std::make_unique<OdeScene>(description, *settings_);
}

}  // namespace mortise::ode
