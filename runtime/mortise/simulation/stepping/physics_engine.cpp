#include "mortise/simulation/stepping/physics_engine.h"

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/plugin/guard.h"
#include "mortise/simulation/context/default_backend.h"
#include "mortise/simulation/scene/material_check.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

/// The surfaces that are softer than Klamp't's grounds, where all of them will be rigid. The others are hard enough.
void reportSoftness(const World& world, const std::string& backend, const SourcePosition& where,
                    Diagnostics& diagnostics) {
  const double hard = Terrain().surface.stiffness;
  std::vector<std::string> names;
  for (int id = 0; id < world.numIds(); ++id)
    if (world.entity(id).kind != World::Kind::robot && world.simulationSurface(id).stiffness < hard)
      names.push_back(world.nameOf(id));
  if (names.empty()) return;
  diagnostics.warning(
      "backend '" + backend + "' has rigid contacts only: the stiffness and damping of " +
          (names.size() == 1 ? "'" + names.front() + "' have"
                             : std::to_string(names.size()) + " surfaces, such as '" + names.front() + "', have") +
          " no effect",
      where, "choose a backend with the capability contactSoftness where bodies sink in or give way");
}

/// Materials that a backend without restitution does not do justice to.
void reportRestitution(const World& world, const std::string& backend, const SourcePosition& where,
                       Diagnostics& diagnostics) {
  double largest = 0;
  int owner = -1;
  for (int id = 0; id < world.numIds(); ++id) {
    if (world.entity(id).kind == World::Kind::robot) continue;  // Only its links have surfaces.
    const double restitution = world.simulationSurface(id).restitution;
    if (!(restitution > largest)) continue;
    largest = restitution;
    owner = id;
  }
  if (owner >= 0)
    diagnostics.warning("backend '" + backend + "' has no restitution: nothing bounces as its material says (up to " +
                            formatReal(largest) + ", of '" + world.nameOf(owner) + "')",
                        where, "choose a backend with the capability restitution where bounces matter");
}

/// Warns of surfaces with rolling friction that a backend does not have.
void reportRolling(const World& world, const std::string& backend, const SourcePosition& where,
                   Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (int id = 0; id < world.numIds(); ++id)
    if (world.entity(id).kind != World::Kind::robot && world.simulationSurface(id).rolling > 0)
      names.push_back(world.nameOf(id));
  if (names.empty()) return;
  diagnostics.warning(
      "backend '" + backend + "' has no rolling friction: that of " +
          (names.size() == 1 ? "'" + names.front() + "' has"
                             : std::to_string(names.size()) + " surfaces, such as '" + names.front() + "', has") +
          " no effect",
      where, "choose a backend with the capability rollingFriction where bodies roll to a stop");
}

}  // namespace

PhysicsEngine::PhysicsEngine(SimulationContext& context, Diagnostics& diagnostics) {
  const SimulationOptions& options = context.options;
  const World& world = *context.world;
  const std::string name = options.backend.empty() ? backendOf(world) : options.backend;
  try {
    const ComponentInfo& info = context.registry.require(Kind::physics, name, options.backendPosition);
    name_ = info.name;
    const Value complete = context.registry.completeSettings(info, settings(context), diagnostics);
    if (diagnostics.hasErrors()) return;
    host_ = std::make_unique<ComponentHost>(info.name, options.seed, context.said, context.loader, context.channels,
                                            options.referringFile, options.runDirectory, &context.registry,
                                            options.stopRequested);
    physics_ = context.registry.create<Physics>(info, complete, *host_);
    capabilities_ = physics_->capabilities();
    exactShapes_ = !options.contacts && !world.simulation.boundaryLayerContacts && capabilities_.externalContacts &&
                   !capabilities_.ownContacts && capabilities_.dynamics;
    const bool outside = exactShapes_ || (world.simulation.boundaryLayerContacts && capabilities_.externalContacts);
    contactSource_ = options.contacts.value_or(outside ? ContactSource::external : ContactSource::engine);
    noteSubstitutions(context);
    checkCapabilities(context, diagnostics);
  } catch (const Error& e) {
    diagnostics.error(e);
  }
}

/// Says whether this is the backend that the world names, or that simulates it when nothing else is chosen.
bool PhysicsEngine::isWorldsOwn(const SimulationContext& context) const {
  if (context.options.backend.empty()) return true;
  const ComponentInfo* ofWorld = context.registry.find(Kind::physics, backendOf(*context.world));
  return ofWorld != nullptr && ofWorld->name == name_;
}

/// The world's settings, which belong to the world's backend, overridden by those of the options.
Value PhysicsEngine::settings(const SimulationContext& context) const {
  const SimulationOptions& options = context.options;
  const Value& ofWorld = context.world->simulation.backendSettings;
  Value settings = ofWorld.isMap() && isWorldsOwn(context) ? ofWorld : Value::map();
  if (options.backendSettings.isMap())
    for (const Value::Entry& entry : options.backendSettings.entries()) settings.set(entry.key, entry.value);
  return settings;
}

void PhysicsEngine::noteSubstitutions(const SimulationContext& context) {
  const SimulationOptions& options = context.options;
  const SimulationSettings& world = context.world->simulation;
  if (options.backend.empty() && world.backend.empty())
    substitutions_.push_back(
        {SubstitutionKind::backend, "", "no physics backend is named; '" + name_ + "' simulates the world"});
  if (world.backendSettings.isMap() && !world.backendSettings.entries().empty() && !isWorldsOwn(context)) {
    std::vector<std::string> names;
    for (const Value::Entry& entry : world.backendSettings.entries()) names.push_back(entry.key);
    substitutions_.push_back({SubstitutionKind::backendSettings, "",
                              "the world's settings of backend '" + backendOf(*context.world) + "' (" +
                                  nameList(names) + ") do not apply to '" + name_ + "'"});
  }
  if (!options.contacts && world.boundaryLayerContacts && !capabilities_.externalContacts && capabilities_.dynamics)
    substitutions_.push_back(
        {SubstitutionKind::contacts, "", "backend '" + name_ + "' takes no contacts from outside; it finds its own"});
  if (exactShapes_)
    substitutions_.push_back({SubstitutionKind::padding, "",
                              "boundaryLayer is 0, and backend '" + name_ +
                                  "' finds no contacts by itself; they are found between the exact shapes, without "
                                  "padding"});
  if (options.adaptiveTimeStepping == true && capabilities_.dynamics) {
    const std::string why = contactSource_ == ContactSource::engine ? "backend '" + name_ + "' finds contacts by itself"
                            : capabilities_.errorReductionPerStep
                                ? "backend '" + name_ + "' corrects penetration by a share a step, however short it is"
                            : capabilities_.restore != PhysicsCapabilities::Restore::bitwise
                                ? "backend '" + name_ + "' cannot take a step back"
                                : std::string();
    if (!why.empty()) substitutions_.push_back({SubstitutionKind::adaptiveSteps, "", "steps are not divided: " + why});
  }
}

void PhysicsEngine::checkCapabilities(const SimulationContext& context, Diagnostics& diagnostics) const {
  const World& world = *context.world;
  const SourcePosition& where = context.options.backendPosition;
  const PhysicsCapabilities& can = capabilities_;
  if (contactSource_ == ContactSource::external && !can.externalContacts)
    diagnostics.error("backend '" + name_ + "' takes no contacts from outside", where,
                      "write 'contacts: engine', or choose a backend with the capability externalContacts");
  if (contactSource_ == ContactSource::engine && !can.ownContacts && can.dynamics)
    diagnostics.error(
        "backend '" + name_ + "' finds no contacts by itself", where,
        "write 'contacts: boundary_layer', or choose a backend that detects collisions itself, such as ode or bullet");
  if (!can.dynamics && !world.objects.empty())
    diagnostics.note("backend '" + name_ + "' has no dynamics: robots follow their commands, objects stay", where);
  if (!world.simulation.joints.empty() && !can.worldJoints)
    diagnostics.error("the world has joints between bodies, which backend '" + name_ + "' does not have",
                      world.simulation.joints.front().position, "choose a backend with the capability worldJoints");
  if (can.dynamics) checkMaterials(world, diagnostics);
  if (!can.restitution && can.dynamics) reportRestitution(world, name_, where, diagnostics);
  if (!can.rollingFriction && can.dynamics) reportRolling(world, name_, where, diagnostics);
  if (!can.contactSoftness && can.dynamics) reportSoftness(world, name_, where, diagnostics);
  if (!can.implicitDrives && can.dynamics && !world.robots.empty())
    diagnostics.warning("backend '" + name_ + "' solves joint drives explicitly: stiff gains may be unstable", where);
}

std::unique_ptr<Scene> PhysicsEngine::build(const SceneDescription& description) {
  std::unique_ptr<Scene> scene;
  std::string message;
  if (guarded(name_, "building the scene", message, [&] { scene = physics_->build(description); }) !=
      ComponentStatus::ok)
    throw Error(message);
  return scene;
}

}  // namespace mortise
