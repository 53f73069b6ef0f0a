#include "mortise/inspect/physics_capabilities.h"

#include "mortise/base/diagnostics.h"
#include "mortise/component/physics.h"
#include "mortise/simulation/context/component_host.h"

namespace mortise {

namespace {

const char* nameOf(PhysicsCapabilities::Restore restore) {
  using Restore = PhysicsCapabilities::Restore;
  return restore == Restore::bitwise ? "bitwise" : restore == Restore::approximate ? "approximate" : "none";
}

const char* nameOf(PhysicsCapabilities::Friction friction) {
  using Friction = PhysicsCapabilities::Friction;
  return friction == Friction::cone ? "cone" : friction == Friction::pyramid ? "pyramid" : "none";
}

}  // namespace

Value physicsCapabilities(Registry& registry, const ComponentInfo& info, LogSink& log) {
  Diagnostics diagnostics;
  const Value settings = registry.completeSettings(info, Value::map(), diagnostics);
  diagnostics.throwIfErrors();
  ChannelTable channels;
  ComponentHost host(info.name, 0, log, nullptr, channels, {}, {});
  const PhysicsCapabilities can = registry.create<Physics>(info, settings, host)->capabilities();
  Value value = Value::map();
  value.set("externalContacts", can.externalContacts);
  value.set("ownContacts", can.ownContacts);
  value.set("movingMeshes", can.movingMeshes);
  value.set("implicitDrives", can.implicitDrives);
  value.set("kinematicBodies", can.kinematicBodies);
  value.set("motionChanges", can.motionChanges);
  value.set("collisionChanges", can.collisionChanges);
  value.set("dynamics", can.dynamics);
  value.set("worldJoints", can.worldJoints);
  value.set("contactSoftness", can.contactSoftness);
  value.set("restitution", can.restitution);
  value.set("rollingFriction", can.rollingFriction);
  value.set("errorReductionPerStep", can.errorReductionPerStep);
  value.set("restore", nameOf(can.restore));
  value.set("friction", nameOf(can.friction));
  Value limits = Value::list();
  for (const EngineLimit& limit : can.limits) {
    Value entry = Value::map();
    entry.set("subject", limit.subject);
    entry.set("text", limit.text);
    limits.push_back(std::move(entry));
  }
  value.set("limits", std::move(limits));
  return value;
}

std::string capabilitiesText(const Value& capabilities) {
  constexpr std::size_t kColumn = 18;
  std::string text;
  for (const Value::Entry& entry : capabilities.entries()) {
    if (entry.value.isList()) continue;
    text += "  " + entry.key + std::string(entry.key.size() < kColumn ? kColumn - entry.key.size() : 1, ' ') +
            (entry.value.isBool() ? (entry.value.asBool() ? "yes" : "no") : entry.value.text()) + "\n";
  }
  if (const Value* limits = capabilities.find("limits"); limits != nullptr && limits->size() > 0) {
    text += "\nWhat the engine itself cannot do:\n";
    for (const Value& limit : limits->items())
      text += "  " + limit.string("subject", "") + ": " + limit.string("text", "") + "\n";
  }
  return text;
}

}  // namespace mortise
