#include "world_simulation.h"

#include <algorithm>

#include "component_xml.h"
#include "mortise/base/suggest.h"
#include "references.h"

namespace mortise::io {

namespace {

class SimulationReader {
 public:
  SimulationReader(const XmlFile& file, bool resolve, ReadContext& context, World& world)
      : file_(file),
        resolve_(resolve),
        context_(context),
        out_(context.diagnostics),
        world_(world),
        settings_(world.simulation) {}

  void read(const tinyxml2::XMLElement& simulation) {
    XmlElement element(file_, simulation, out_);
    settings_.backend = element.text("backend").value_or("");
    settings_.backendSettings = element.attributes({"backend"});
    for (const auto* child = simulation.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
      const std::string_view name = child->Name();
      if (name == "globals")
        readGlobals(*child);
      else if (name == "terrain" || name == "object" || name == "rigidObject" || name == "robot")
        readEntity(*child);
      else if (name == "joint")
        readJoint(*child);
      else if (name == "state")
        readState(*child);
      else
        warnAboutElement(file_, *child, {"globals", "terrain", "object", "rigidObject", "robot", "joint", "state"},
                         out_);
    }
  }

 private:
  void readGlobals(const tinyxml2::XMLElement& xml) {
    XmlElement element(file_, xml, out_);
    settings_.gravity = element.vector3("gravity").value_or(settings_.gravity);
    if (const auto step = element.finite("timestep")) {
      if (*step > 0)
        settings_.timeStep = *step;
      else
        element.error("timestep", "must be greater than 0");
    }
    settings_.errorReduction = element.nonNegative("ERP", false).value_or(settings_.errorReduction);
    settings_.constraintForceMixing = element.nonNegative("CFM", false).value_or(settings_.constraintForceMixing);
    if (const auto count = element.integer("maxContacts")) {
      if (*count >= 1)
        settings_.maxContacts = *count;
      else
        element.error("maxContacts", "must be at least 1");
    }
    const auto flag = [&element](const char* attribute, bool& target) {
      target = element.flag(attribute).value_or(target);
    };
    flag("boundaryLayer", settings_.boundaryLayerContacts);
    flag("adaptiveTimeStepping", settings_.adaptiveTimeStepping);
    flag("rigidObjectCollisions", settings_.objectCollisions);
    flag("robotSelfCollisions", settings_.robotSelfCollisions);
    flag("robotRobotCollisions", settings_.robotRobotCollisions);
    element.warnAboutOthers();
  }

  struct Reference {
    World::Kind kind = World::Kind::terrain;
    int index = -1;
    std::optional<int> link;
  };

  template <typename Entities>
  std::optional<int> findEntity(XmlElement& element, const Entities& entities, const char* what) {
    const auto index = element.integer("index");
    const auto name = element.text("name");
    const int count = static_cast<int>(entities.size());
    if (element.raw().Attribute("index") != nullptr) {
      if (!index) return std::nullopt;
      if (*index >= 0 && *index < count) return index;
      out_.warning("there is no " + std::string(what) + " with index " + std::to_string(*index) + " (the world has " +
                       std::to_string(count) + "); the entry is ignored",
                   element.position("index"));
      return std::nullopt;
    }
    if (!name) {
      out_.error("<" + std::string(element.name()) + "> needs 'name' or 'index'", element.position());
      return std::nullopt;
    }
    std::vector<std::string> names;
    std::optional<int> found;
    int matches = 0;
    for (int i = 0; i < count; ++i) {
      names.push_back(entities[static_cast<std::size_t>(i)].name);
      if (names.back() == *name && ++matches == 1) found = i;
    }
    if (matches > 1)
      out_.warning(std::to_string(matches) + " of the " + what + "s are called '" + *name + "'; the first is meant",
                   element.position("name"), "use 'index' to say which");
    if (!found) {
      std::string hint = didYouMean(*name, names);
      if (hint.empty()) hint = listNames(names);
      out_.warning("there is no " + std::string(what) + " called '" + *name + "'; the entry is ignored",
                   element.position("name"), hint);
    }
    return found;
  }

  std::optional<Reference> resolve(XmlElement& element) {
    Reference reference;
    std::optional<int> index;
    if (element.name() == "terrain") {
      index = findEntity(element, world_.terrains, "terrain");
    } else if (element.name() == "robot") {
      reference.kind = World::Kind::robot;
      index = findEntity(element, world_.robots, "robot");
      if (index && !readBody(element, *index, reference)) return std::nullopt;
    } else if (element.name() == "object" || element.name() == "rigidObject") {
      reference.kind = World::Kind::object;
      index = findEntity(element, world_.objects, "rigid object");
    } else {
      warnAboutElement(file_, element.raw(), {"terrain", "object", "rigidObject", "robot"}, out_);
    }
    if (!index) return std::nullopt;
    reference.index = *index;
    return reference;
  }

  bool readBody(XmlElement& element, int robot, Reference& reference) {
    const auto body = element.text("body");
    if (!body) return true;
    const Robot& model = *world_.robots[static_cast<std::size_t>(robot)].robot;
    const auto number = parseInteger(*body);
    const int link = number ? *number : model.description().findLink(*body);
    if (link == -1 && number) return true;  // The robot as a whole.
    if (link < 0 || link >= model.numLinks()) {
      out_.warning("robot '" + world_.robots[static_cast<std::size_t>(robot)].name + "' has no link '" + *body + "' (" +
                       std::to_string(model.numLinks()) + " links); the entry is ignored",
                   element.position("body"));
      return false;
    }
    reference.kind = World::Kind::link;
    reference.link = link;
    return true;
  }

  int idOf(const Reference& reference) const {
    switch (reference.kind) {
      case World::Kind::terrain:
        return world_.terrainId(reference.index);
      case World::Kind::object:
        return world_.objectId(reference.index);
      case World::Kind::robot:
        return world_.robotId(reference.index);
      case World::Kind::link:
        return world_.linkId(reference.index, *reference.link);
    }
    return -1;
  }

  void readEntity(const tinyxml2::XMLElement& xml) {
    if (!resolve_) return;
    XmlElement element(file_, xml, out_);
    element.expect({"name", "index"});
    if (element.name() == "robot") element.expect({"body"});
    const auto reference = resolve(element);
    element.warnAboutOthers();
    if (!reference) return;
    const bool isRobot = reference->kind == World::Kind::robot || reference->kind == World::Kind::link;
    for (const auto* child = xml.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
      const std::string_view name = child->Name();
      if (name == "geometry") {
        readSurface(*child, *reference);
      } else if (name == "velocity" && reference->kind == World::Kind::object) {
        readVelocity(*child, world_.objects[static_cast<std::size_t>(reference->index)]);
      } else if (name == "controller" && isRobot) {
        settings_.controllers.emplace_back(reference->index, request(controllerMap(file_, *child, out_)));
      } else if (name == "sensors" && isRobot) {
        readSensorsOf(*child, reference->index);
      } else {
        std::vector<std::string> known = {"geometry"};
        if (isRobot) known.insert(known.end(), {"controller", "sensors"});
        if (reference->kind == World::Kind::object) known.emplace_back("velocity");
        warnAboutElement(file_, *child, known, out_);
      }
    }
  }

  void readSurface(const tinyxml2::XMLElement& xml, const Reference& reference) {
    XmlElement element(file_, xml, out_);
    SurfaceOverride change;
    change.friction = element.nonNegative("kFriction");
    change.restitution = element.nonNegative("kRestitution");
    change.stiffness = element.nonNegative("kStiffness");
    change.damping = element.nonNegative("kDamping");
    change.padding = element.nonNegative("padding", false);
    const auto preshrink = element.integer("preshrink");
    if (preshrink && (*preshrink < 0 || *preshrink > 2))
      element.error("preshrink", "expected 0, 1 or 2");
    else if (change.padding)
      change.preshrink = preshrink;  // Shrinking goes by the padding that is given with it.
    element.warnAboutOthers();
    if (reference.kind != World::Kind::robot) {
      settings_.surfaces.emplace_back(idOf(reference), change);
      return;
    }
    const int numLinks = world_.robots[static_cast<std::size_t>(reference.index)].robot->numLinks();
    for (int link = 0; link < numLinks; ++link)
      settings_.surfaces.emplace_back(world_.linkId(reference.index, link), change);
  }

  void readVelocity(const tinyxml2::XMLElement& xml, RigidObject& object) {
    XmlElement element(file_, xml, out_);
    object.v_WO = element.vector3("linear").value_or(Vector3d::Zero());
    object.w_WO = element.vector3("angular").value_or(Vector3d::Zero());
    element.warnAboutOthers();
  }

  static ComponentRequest request(Value component) {
    ComponentRequest made;
    made.type = component.string("type", "");
    made.position = component.position();
    component.erase("type");
    made.settings = std::move(component);
    return made;
  }

  void readSensorsOf(const tinyxml2::XMLElement& xml, int robot) {
    XmlElement element(file_, xml, out_);
    const auto reference = element.text("file");
    element.warnAboutOthers();
    const auto list = loadReference(out_, element.position(), [&] {
      return reference ? readSensors(XmlFile(context_.loader.find(*reference, context_.path)), out_)
                       : sensorList(file_, xml, out_);
    });
    if (!list) return;
    for (const Value& sensor : list->items()) settings_.sensors.emplace_back(robot, request(sensor));
  }

  void readJoint(const tinyxml2::XMLElement& xml) {
    static const std::vector<std::string> kTypes = {"hinge", "slider", "fixed"};
    XmlElement element(file_, xml, out_);
    WorldJoint joint;
    joint.position = element.position();
    const std::string type = element.text("type").value_or("");
    const auto kind = std::find(kTypes.begin(), kTypes.end(), type);
    if (kind == kTypes.end())
      element.error("type", type.empty() ? "expected hinge, slider or fixed" : "'" + type + "' is not a joint type",
                    didYouMean(type, kTypes) + " available: " + listNames(kTypes));
    else
      joint.type = static_cast<WorldJoint::Type>(kind - kTypes.begin());
    const auto point = element.vector3("point"), axis = element.vector3("axis");
    if (type == "hinge" && !point) element.error("point", "a hinge needs a point");
    if ((type == "hinge" || type == "slider") && !axis) element.error("axis", "a " + type + " needs an axis");
    if (axis && axis->norm() == 0) element.error("axis", "must not be zero");
    joint.point = point.value_or(joint.point);
    if (axis && axis->norm() > 0) joint.axis = axis->normalized();
    for (const char* attribute : {"minimum", "min"}) joint.min = element.real(attribute).value_or(joint.min);
    // "minimax" is what Klamp't reads where "maximum" is meant.
    for (const char* attribute : {"minimax", "maximum", "max"}) joint.max = element.real(attribute).value_or(joint.max);
    if (joint.min > joint.max) element.error("min", "lies above the maximum");
    joint.friction = element.nonNegative("friction").value_or(0);
    element.warnAboutOthers();
    if (!resolve_) return;

    std::vector<int> ids;
    bool complete = true;
    for (const auto* child = xml.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
      XmlElement bodyElement(file_, *child, out_);
      bodyElement.expect({"name", "index", "body"});
      const auto reference = resolve(bodyElement);
      bodyElement.warnAboutOthers();
      complete = complete && reference;
      if (!reference) continue;
      if (reference->kind == World::Kind::robot) {
        out_.error("a joint needs one link of the robot: add 'body'", bodyElement.position());
        complete = false;
        continue;
      }
      ids.push_back(idOf(*reference));
    }
    if (!complete) return;
    if (ids.empty() || ids.size() > 2) {
      out_.error("a joint needs one body (and the world) or two; found " + std::to_string(ids.size()), joint.position);
      return;
    }
    joint.idA = ids[0];
    if (ids.size() == 2) joint.idB = ids[1];
    settings_.joints.push_back(joint);
  }

  void readState(const tinyxml2::XMLElement& xml) {
    XmlElement element(file_, xml, out_);
    const auto data = element.text("data");
    if (!data) out_.error("<state> needs an attribute 'data'", element.position());
    settings_.stateData = data.value_or("");
    element.warnAboutOthers();
  }

  const XmlFile& file_;
  bool resolve_;
  ReadContext& context_;
  Diagnostics& out_;
  World& world_;
  SimulationSettings& settings_;
};

}  // namespace

void readSimulation(const XmlFile& file, const tinyxml2::XMLElement& simulation, bool resolve, ReadContext& context,
                    World& world) {
  SimulationReader(file, resolve, context, world).read(simulation);
}

}  // namespace mortise::io
