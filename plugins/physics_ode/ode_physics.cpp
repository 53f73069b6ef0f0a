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
  can.rollingFriction = true;
  using Restore = PhysicsCapabilities::Restore;
  can.restore = settings_->autoDisable ? Restore::approximate : Restore::bitwise;
  can.friction = PhysicsCapabilities::Friction::pyramid;
  can.limits = {
      {"energy of bodies that tumble",
       "ODE takes gyroscopic torque from the end of a step: a body with three different moments of inertia that turns "
       "about the middle one at 50 rad/s turns steadily about the largest one after 10 s at a step of 1 ms, with 0.8 "
       "of "
       "its energy and 1.09 times its angular momentum."}};
  return can;
}

std::unique_ptr<Scene> OdePhysics::build(const SceneDescription& description) {
  return std::make_unique<OdeScene>(description, *settings_);
}

}  // namespace mortise::ode
