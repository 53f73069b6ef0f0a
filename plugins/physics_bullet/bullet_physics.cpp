#include "bullet_physics.h"

#include "bullet_scene.h"

namespace mortise::bullet {

BulletPhysics::BulletPhysics(const ComponentContext& context) : settings_(context.settings) {}

BulletPhysics::~BulletPhysics() = default;

PhysicsCapabilities BulletPhysics::capabilities() const {
  PhysicsCapabilities capabilities;
  capabilities.externalContacts = true;
  capabilities.ownContacts = true;
  capabilities.movingMeshes = true;
  capabilities.implicitDrives = true;
  capabilities.kinematicBodies = true;
  capabilities.motionChanges = true;
  capabilities.collisionChanges = true;
  capabilities.worldJoints = true;
  capabilities.contactSoftness = true;
  // With contacts from outside. Those that Bullet finds live in its caches: `effectiveSettings` says `approximate`.
  capabilities.restore = PhysicsCapabilities::Restore::bitwise;
  capabilities.friction = PhysicsCapabilities::Friction::cone;
  return capabilities;
}

std::unique_ptr<Scene> BulletPhysics::build(const SceneDescription& description) {
  BulletSettings settings = *settings_;
  settings.cfm = settings.cfm.value_or(description.constraintForceMixing);
  return std::make_unique<BulletScene>(description, settings);
}

}  // namespace mortise::bullet
