#include "bullet_physics.h"

#include "bullet_scene.h"

namespace mortise::bullet {

namespace {

MovingMeshes movingMeshes(const std::string& name) {
  return name == "hull" ? MovingMeshes::hull : MovingMeshes::gimpact;
}

}  // namespace

BulletPhysics::BulletPhysics(const ComponentContext& context) {
  const Value& given = context.settings;
  settings_.maximal = given.at("articulation").asString() == "maximal";
  settings_.iterations = static_cast<int>(given.at("iterations").asInteger());
  settings_.erp = given.at("erp").asReal();
  settings_.contactErp = given.at("contactErp").asReal();
  worldCfm_ = given.at("cfm").isNull();
  if (!worldCfm_) settings_.cfm = given.at("cfm").asReal();
  settings_.tolerance = given.at("tolerance").asReal();
  settings_.warmStart = given.at("warmStart").asReal();
  settings_.bounceSpeed = given.at("bounceSpeed").asReal();
  settings_.maxCorrectionSpeed = given.at("maxCorrectionSpeed").asReal();
  settings_.margin = given.at("margin").asReal();
  settings_.objectMeshes = movingMeshes(given.at("movingMeshes").asString());
  settings_.robotMeshes = movingMeshes(given.at("robotMeshes").asString());
}

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
  Settings settings = settings_;
  if (worldCfm_) settings.cfm = description.constraintForceMixing;
  return std::make_unique<BulletScene>(description, settings);
}

}  // namespace mortise::bullet
