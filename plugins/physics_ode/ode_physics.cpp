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
  can.restore = PhysicsCapabilities::Restore::bitwise;
  // ODE's own solvers have a pyramid, and so has Klamp't's friction.
  using Solver = OdeSettings::Solver;
  const bool ours = settings_->solver == Solver::automatic || settings_->solver == Solver::direct;
  using Friction = PhysicsCapabilities::Friction;
  can.friction = ours && !settings_->klamptFriction() ? Friction::cone : Friction::pyramid;
  return can;
}

std::unique_ptr<Scene> OdePhysics::build(const SceneDescription& description) {
  return std::make_unique<OdeScene>(description, *settings_);
}

}  // namespace mortise::ode
