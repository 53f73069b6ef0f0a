#include "ode_physics.h"

namespace mortise::ode {

OdePhysics::OdePhysics(const ComponentContext& context) {
  const Value& settings = context.settings;
  const std::string solver = settings.string("solver", "auto");
  settings_.solver = solver == "exact"    ? Settings::Solver::exact
                     : solver == "quick"  ? Settings::Solver::quick
                     : solver == "direct" ? Settings::Solver::direct
                                          : Settings::Solver::automatic;
  settings_.exactLimit = static_cast<int>(settings.integer("exactLimit", settings_.exactLimit));
  settings_.iterations = static_cast<int>(settings.integer("iterations", settings_.iterations));
  settings_.klamptFriction = settings.string("frictionModel", "coulomb") == "klampt";
  const auto optional = [&](const char* key, double& target) {
    const Value* value = settings.find(key);
    if (value != nullptr && !value->isNull()) target = value->asReal();
  };
  optional("erp", settings_.errorReduction);
  optional("cfm", settings_.constraintForceMixing);
}

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
  const bool ours = settings_.solver == Settings::Solver::automatic || settings_.solver == Settings::Solver::direct;
  using Friction = PhysicsCapabilities::Friction;
  can.friction = ours && !settings_.klamptFriction ? Friction::cone : Friction::pyramid;
  return can;
}

std::unique_ptr<Scene> OdePhysics::build(const SceneDescription& description) {
  return std::make_unique<OdeScene>(description, settings_);
}

}  // namespace mortise::ode
