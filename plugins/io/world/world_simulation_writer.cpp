#include "world/world_simulation_writer.h"

#include "common/component_xml.h"
#include "common/pose_xml.h"
#include "mortise/base/value_text.h"
#include "mortise/model/on_unstable.h"

namespace mortise::io {

namespace {

class SimulationWriter {
 public:
  SimulationWriter(const WorldDescription& world, const ReferenceWriter& reference)
      : world_(world), from_(world.simulation), reference_(reference) {}

  void write(const SimulationDescription& added, tinyxml2::XMLElement& simulation) {
    if (!from_.backend.empty()) simulation.SetAttribute("backend", from_.backend.c_str());
    if (from_.onUnstable) simulation.SetAttribute("on_unstable", onUnstableText(*from_.onUnstable).c_str());
    setAttributes(simulation, from_.backendSettings);
    OrderedChildren children(simulation);
    writeGlobals(children);
    for (const EntitySettings& settings : added.entities) writeEntity(settings, children);
    for (const EntitySettings& settings : from_.entities) writeEntity(settings, children);
    for (const JointEntry& joint : from_.joints) writeJoint(joint, children);
    for (const CommandEntry& command : from_.commands) {
      auto& element = children.add("command", command.notes.order);
      setAttributes(element, command.entry);
      OrderedChildren(element).finish(command.notes);
    }
    if (!from_.stateData.empty()) {
      auto& state = children.add("state", from_.stateNotes.order);
      state.SetAttribute("data", from_.stateData.c_str());
      setAttributes(state, from_.stateNotes.attributes);
    }
    children.finish(from_.notes);
  }

 private:
  static void real(tinyxml2::XMLElement& element, const char* name, const std::optional<double>& value) {
    if (value) element.SetAttribute(name, formatReal(*value).c_str());
  }
  static void vector(tinyxml2::XMLElement& element, const char* name, const std::optional<Vector3d>& value) {
    if (value) element.SetAttribute(name, vectorText(*value).c_str());
  }
  static void flag(tinyxml2::XMLElement& element, const char* name, const std::optional<bool>& value) {
    if (value) element.SetAttribute(name, *value ? "1" : "0");
  }

  void writeGlobals(OrderedChildren& children) {
    const FileNotes& notes = from_.globalNotes;
    const bool any = from_.gravity || from_.timeStep || from_.errorReduction || from_.constraintForceMixing ||
                     from_.maxContacts || from_.boundaryLayerContacts || from_.adaptiveTimeStepping ||
                     from_.objectCollisions || from_.robotSelfCollisions || from_.robotRobotCollisions ||
                     notes.attributes.size() > 0 || notes.order != FileNotes::kLast;
    if (!any) return;
    auto& element = children.add("globals", notes.order == FileNotes::kLast ? -1 : notes.order);
    vector(element, "gravity", from_.gravity);
    real(element, "timestep", from_.timeStep);
    real(element, "ERP", from_.errorReduction);
    real(element, "CFM", from_.constraintForceMixing);
    if (from_.maxContacts) element.SetAttribute("maxContacts", *from_.maxContacts);
    flag(element, "boundaryLayer", from_.boundaryLayerContacts);
    flag(element, "adaptiveTimeStepping", from_.adaptiveTimeStepping);
    flag(element, "rigidObjectCollisions", from_.objectCollisions);
    flag(element, "robotSelfCollisions", from_.robotSelfCollisions);
    flag(element, "robotRobotCollisions", from_.robotRobotCollisions);
    setAttributes(element, notes.attributes);
  }

  static const char* elementName(const EntityReference& entity) {
    if (entity.kind == World::Kind::terrain) return "terrain";
    return entity.kind == World::Kind::object ? "object" : "robot";
  }

  std::string nameOf(World::Kind kind, int i) const {
    if (kind == World::Kind::terrain) return world_.terrainName(i);
    return kind == World::Kind::object ? world_.objectName(i) : world_.robotName(i);
  }

  /// Says whether the first entity with this name is the one that is meant.
  bool nameIsEnough(const EntityReference& entity) const {
    const std::string name = nameOf(entity.kind, entity.index);
    for (int i = 0; i < entity.index; ++i)
      if (nameOf(entity.kind, i) == name) return false;
    return true;
  }

  void writeReference(const EntityReference& entity, tinyxml2::XMLElement& element) const {
    if (entity.byName && nameIsEnough(entity))
      element.SetAttribute("name", nameOf(entity.kind, entity.index).c_str());
    else
      element.SetAttribute("index", entity.index);
    if (entity.kind != World::Kind::link) return;
    const RobotDescriptionPtr& robot = world_.robots[static_cast<std::size_t>(entity.index)].robot;
    const bool known = robot && entity.link >= 0 && entity.link < std::ssize(robot->links);
    const std::string name = known ? robot->links[static_cast<std::size_t>(entity.link)].name : std::string();
    if (entity.linkByName && known && robot->findLink(name) == entity.link)
      element.SetAttribute("body", name.c_str());
    else
      element.SetAttribute("body", entity.link);
  }

  void writeEntity(const EntitySettings& settings, OrderedChildren& children) {
    auto& element = children.add(elementName(settings.entity), settings.notes.order);
    writeReference(settings.entity, element);
    setAttributes(element, settings.notes.attributes);
    OrderedChildren inside(element);
    for (const SurfaceSettings& surface : settings.surfaces) {
      const SurfaceOverride& change = surface.change;
      auto& geometry = inside.add("geometry", surface.notes.order);
      real(geometry, "padding", change.padding);
      if (change.preshrink) geometry.SetAttribute("preshrink", *change.preshrink);
      real(geometry, "kFriction", change.friction);
      real(geometry, "kRestitution", change.restitution);
      real(geometry, "kStiffness", change.stiffness);
      real(geometry, "kDamping", change.damping);
      real(geometry, "kRolling", change.rolling);
      setAttributes(geometry, surface.notes.attributes);
    }
    if (settings.hasVelocity) {
      auto& velocity = inside.add("velocity", FileNotes::kLast);
      vector(velocity, "linear", settings.linearVelocity);
      vector(velocity, "angular", settings.angularVelocity);
    }
    for (const ComponentRequest& controller : settings.controllers) {
      auto& child = inside.add("controller", FileNotes::kLast);
      child.SetAttribute("type", controller.type.c_str());
      setAttributes(child, controller.settings);
    }
    for (const SensorSet& set : settings.sensors) {
      auto& child = inside.add("sensors", FileNotes::kLast);
      if (!set.file.empty()) {
        child.SetAttribute("file", reference_(set.file).c_str());
        continue;
      }
      for (const ComponentRequest& sensor : set.sensors)
        setAttributes(*child.InsertNewChildElement(sensor.type.c_str()), sensor.settings);
    }
    inside.finish(settings.notes);
  }

  void writeJoint(const JointEntry& joint, OrderedChildren& children) {
    static constexpr const char* kTypes[] = {"hinge", "slider", "fixed"};
    auto& element = children.add("joint", joint.notes.order);
    element.SetAttribute("type", kTypes[static_cast<int>(joint.type)]);
    vector(element, "point", joint.point);
    vector(element, "axis", joint.axis);
    // "maximum" is what the manual says and "minimax" what Klamp't reads; both read "min" and "max".
    real(element, "min", joint.min);
    real(element, "max", joint.max);
    real(element, "friction", joint.friction);
    setAttributes(element, joint.notes.attributes);
    OrderedChildren inside(element);
    for (const EntityReference& body : joint.bodies) writeReference(body, inside.add(elementName(body), -1));
    inside.finish(joint.notes);
  }

  const WorldDescription& world_;
  const SimulationDescription& from_;
  const ReferenceWriter& reference_;
};

}  // namespace

void writeSimulation(const WorldDescription& world, const SimulationDescription& added,
                     const ReferenceWriter& reference, tinyxml2::XMLElement& simulation) {
  SimulationWriter(world, reference).write(added, simulation);
}

}  // namespace mortise::io
