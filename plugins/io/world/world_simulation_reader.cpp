#include "world/world_simulation_reader.h"

#include <algorithm>
#include <cmath>

#include "common/component_xml.h"
#include "common/pose_xml.h"
#include "common/references.h"
#include "mortise/base/value_text.h"
#include "mortise/contacts/contact_generator.h"
#include "mortise/model/on_unstable.h"
#include "mortise/modeling/joint_names.h"
#include "mortise/text/suggest.h"
#include "world/world_reader.h"

namespace mortise::io {

namespace {

class SimulationReader {
 public:
  SimulationReader(const XmlFile& file, ReadContext& context, WorldDescription& world)
      : file_(file), context_(context), out_(context.diagnostics), world_(world), settings_(world.simulation) {}

  void read(const tinyxml2::XMLElement& simulation) {
    XmlElement element(file_, simulation, out_);
    settings_.present = true;
    settings_.backend = element.text("backend").value_or("");
    settings_.backendSettings = element.attributes({"backend", "on_unstable"});
    readOnUnstable(element);
    visitChildren(simulation, settings_.notes, [this](const tinyxml2::XMLElement& child, int order) {
      const std::string_view name = child.Name();
      if (name == "globals") {
        readGlobals(child, order);
      } else if (name == "terrain" || name == "env" || name == "object" || name == "rigidObject" || name == "robot") {
        readEntity(child, order);
      } else if (name == "joint") {
        readJoint(child, order);
      } else if (name == "command") {
        readCommand(child, order);
      } else if (name == "state") {
        readState(child, order);
      } else {
        warnAboutElement(file_, child,
                         {"globals", "terrain", "object", "rigidObject", "robot", "joint", "command", "state"}, out_);
        keepExtra(child, order, settings_.notes);
      }
    });
  }

  void readState(const tinyxml2::XMLElement& xml, int order) {
    XmlElement element(file_, xml, out_);
    const auto data = element.text("data");
    if (!data) out_.error("<state> needs an attribute 'data'", element.position());
    settings_.stateData = data.value_or("");
    settings_.stateNotes.attributes = element.warnAboutOthers();
    settings_.stateNotes.order = order;
  }

 private:
  void readOnUnstable(XmlElement& element) {
    const auto word = element.text("on_unstable");
    if (!word) return;
    try {
      settings_.onUnstable = onUnstableFrom(*word, "on_unstable", element.position("on_unstable"));
    } catch (const Error& error) {
      out_.error(error);
    }
  }

  void readGlobals(const tinyxml2::XMLElement& xml, int order) {
    XmlElement element(file_, xml, out_);
    const auto take = [](auto value, auto& target) {
      if (value) target = *value;
    };
    take(element.vector3("gravity"), settings_.gravity);
    const auto step = element.finite("timestep");
    if (step && *step <= 0) element.error("timestep", "must be greater than 0");
    take(step, settings_.timeStep);
    const auto reduction = element.nonNegative("ERP", false);
    if (reduction && *reduction > 1) element.error("ERP", "must be at most 1: it is a share of the error");
    take(reduction, settings_.errorReduction);
    take(element.nonNegative("CFM", false), settings_.constraintForceMixing);
    const auto count = element.integer("maxContacts");
    if (count && *count < 1) element.error("maxContacts", "must be at least 1");
    take(count, settings_.maxContacts);
    take(element.flag("boundaryLayer"), settings_.boundaryLayerContacts);
    take(element.flag("adaptiveTimeStepping"), settings_.adaptiveTimeStepping);
    take(element.flag("rigidObjectCollisions"), settings_.objectCollisions);
    take(element.flag("robotSelfCollisions"), settings_.robotSelfCollisions);
    take(element.flag("robotRobotCollisions"), settings_.robotRobotCollisions);
    settings_.globalNotes.attributes = element.warnAboutOthers();
    settings_.globalNotes.order = order;
  }

  /// The index that an element's `index` or `name` stands for; `byName` says which of them it was.
  template <typename NameOf>
  std::optional<int> findEntity(XmlElement& element, std::size_t size, NameOf nameOf, const char* what, bool& byName) {
    const auto index = element.integer("index");
    const auto name = element.text("name");
    const int count = static_cast<int>(size);
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
    byName = true;
    std::vector<std::string> names;
    std::optional<int> found;
    int matches = 0;
    for (int i = 0; i < count; ++i) {
      names.push_back(nameOf(i));
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

  std::optional<EntityReference> resolve(XmlElement& element) {
    EntityReference reference;
    std::optional<int> index;
    if (element.name() == "terrain" || element.name() == "env") {
      index = findEntity(
          element, world_.terrains.size(), [this](int i) { return world_.terrainName(i); }, "terrain",
          reference.byName);
    } else if (element.name() == "robot") {
      reference.kind = World::Kind::robot;
      index = findEntity(
          element, world_.robots.size(), [this](int i) { return world_.robotName(i); }, "robot", reference.byName);
      if (index && !readBody(element, *index, reference)) return std::nullopt;
    } else if (element.name() == "object" || element.name() == "rigidObject") {
      reference.kind = World::Kind::object;
      index = findEntity(
          element, world_.objects.size(), [this](int i) { return world_.objectName(i); }, "rigid object",
          reference.byName);
    } else {
      warnAboutElement(file_, element.raw(), {"terrain", "object", "rigidObject", "robot"}, out_);
    }
    if (!index) return std::nullopt;
    reference.index = *index;
    return reference;
  }

  bool readBody(XmlElement& element, int robot, EntityReference& reference) {
    const auto body = element.text("body");
    if (!body) return true;
    const RobotDescriptionPtr& description = world_.robots[static_cast<std::size_t>(robot)].robot;
    if (!description) return false;  // It could not be read, which is an error of its own.
    const RobotDescription& model = *description;
    const auto number = parseInteger(*body);
    const int link = number ? *number : findLinkOrJoint(model, *body);
    if (link == -1 && number) return true;  // The robot as a whole.
    if (link < 0 || link >= std::ssize(model.links)) {
      out_.warning("robot '" + world_.robotName(robot) + "' has no link '" + *body + "' (" +
                       std::to_string(model.links.size()) + " links); the entry is ignored",
                   element.position("body"));
      return false;
    }
    reference.kind = World::Kind::link;
    reference.link = link;
    reference.linkByName = !number;
    return true;
  }

  void readEntity(const tinyxml2::XMLElement& xml, int order) {
    XmlElement element(file_, xml, out_);
    element.expect({"name", "index"});
    if (element.name() == "robot") element.expect({"body"});
    const auto reference = resolve(element);
    EntitySettings settings;
    settings.notes.attributes = element.warnAboutOthers();
    settings.notes.order = order;
    settings.position = element.position();
    if (!reference) {
      keepExtra(xml, order, settings_.notes);
      return;
    }
    settings.entity = *reference;
    const bool isRobot = reference->kind == World::Kind::robot || reference->kind == World::Kind::link;
    visitChildren(xml, settings.notes, [&](const tinyxml2::XMLElement& child, int childOrder) {
      const std::string_view name = child.Name();
      if (name == "geometry") {
        readSurface(child, childOrder, settings);
      } else if (name == "velocity" && reference->kind == World::Kind::object) {
        readVelocity(child, settings);
      } else if (name == "controller" && isRobot) {
        settings.controllers.push_back(request(controllerMap(file_, child, out_)));
      } else if (name == "sensors" && isRobot) {
        readSensorsOf(child, settings);
      } else if (name == "sensor" && isRobot) {
        settings.sensors.push_back({{}, {request(sensorMap(file_, child, out_))}});
      } else {
        std::vector<std::string> known = {"geometry"};
        if (isRobot) known.insert(known.end(), {"controller", "sensors", "sensor"});
        if (reference->kind == World::Kind::object) known.emplace_back("velocity");
        warnAboutElement(file_, child, known, out_);
        keepExtra(child, childOrder, settings.notes);
      }
    });
    settings_.entities.push_back(std::move(settings));
  }

  void readSurface(const tinyxml2::XMLElement& xml, int order, EntitySettings& settings) {
    XmlElement element(file_, xml, out_);
    SurfaceSettings surface;
    SurfaceOverride& change = surface.change;
    change.friction = element.nonNegative("kFriction");
    change.restitution = element.nonNegative("kRestitution");
    change.stiffness = element.nonNegative("kStiffness");
    change.damping = element.nonNegative("kDamping");
    change.rolling = element.nonNegative("kRolling", false);
    change.padding = element.nonNegative("padding", false);
    if (change.padding.value_or(0) > kLargestPadding)
      element.error("padding", formatReal(*change.padding) + " m is more than " + formatReal(kLargestPadding) + " m",
                    "a padding is a thin layer, a few millimeters, in which contacts begin");
    change.preshrink = element.integer("preshrink");
    if (change.preshrink && (*change.preshrink < 0 || *change.preshrink > 2))
      element.error("preshrink", "expected 0, 1 or 2");
    else if (change.preshrink.value_or(0) != 0 && !change.padding)
      out_.warning("<geometry> preshrink: has no effect without 'padding'", element.position("preshrink"));
    else if (change.preshrink == 2)
      out_.warning(
          "<geometry> preshrink: 2 shrinks the shape in simulation alone, as 1 does; planning and pictures "
          "keep the whole shape",
          element.position("preshrink"), "write 1");
    surface.notes.attributes = element.warnAboutOthers();
    surface.notes.order = order;
    settings.surfaces.push_back(std::move(surface));
  }

  void readVelocity(const tinyxml2::XMLElement& xml, EntitySettings& settings) {
    XmlElement element(file_, xml, out_);
    settings.hasVelocity = true;
    settings.linearVelocity = element.vector3("linear");
    settings.angularVelocity = element.vector3("angular");
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

  void readSensorsOf(const tinyxml2::XMLElement& xml, EntitySettings& settings) {
    XmlElement element(file_, xml, out_);
    const auto reference = element.text("file");
    element.warnAboutOthers();
    const auto list = loadReference(out_, element.position(), [&] {
      return reference ? readSensors(XmlFile(context_.loader.find(*reference, context_.path)), out_)
                       : sensorList(file_, xml, out_);
    });
    SensorSet set;
    set.file = reference.value_or("");
    if (list)
      for (const Value& sensor : list->items()) set.sensors.push_back(request(sensor));
    settings.sensors.push_back(std::move(set));
  }

  void readJoint(const tinyxml2::XMLElement& xml, int order) {
    static const std::vector<std::string> kTypes = {"hinge", "slider", "fixed"};
    XmlElement element(file_, xml, out_);
    JointEntry joint;
    joint.position = element.position();
    const std::string type = element.text("type").value_or("");
    const auto kind = std::find(kTypes.begin(), kTypes.end(), type);
    if (kind == kTypes.end())
      element.error("type", type.empty() ? "expected hinge, slider or fixed" : "'" + type + "' is not a joint type",
                    suggestAndList(type, kTypes));
    else
      joint.type = static_cast<WorldJoint::Type>(kind - kTypes.begin());
    joint.point = element.vector3("point");
    joint.axis = element.vector3("axis");
    if (type == "hinge" && !joint.point) element.error("point", "a hinge needs a point");
    if ((type == "hinge" || type == "slider") && !joint.axis) element.error("axis", "a " + type + " needs an axis");
    if (joint.axis && joint.axis->norm() == 0) element.error("axis", "must not be zero");
    const auto last = [&element](std::initializer_list<const char*> attributes, std::optional<double>& target) {
      for (const char* attribute : attributes)
        if (const auto value = element.real(attribute)) target = value;
    };
    last({"minimum", "min"}, joint.min);
    // "minimax" is what Klamp't reads where "maximum" is meant.
    last({"minimax", "maximum", "max"}, joint.max);
    if (joint.min && joint.max && *joint.min > *joint.max) element.error("min", "lies above the maximum");
    if (type == "hinge") {
      const auto doubt = [&](std::initializer_list<const char*> attributes, const std::optional<double>& angle) {
        for (const char* attribute : attributes)
          if (angle && std::isfinite(*angle) && element.raw().Attribute(attribute) != nullptr)
            doubtAngle(element, attribute, *angle);
      };
      doubt({"minimum", "min"}, joint.min);
      doubt({"minimax", "maximum", "max"}, joint.max);
    }
    joint.friction = element.nonNegative("friction");
    joint.notes.attributes = element.warnAboutOthers();
    joint.notes.order = order;

    if (!readBodies(xml, joint)) {
      keepExtra(xml, order, settings_.notes);
      return;
    }
    if (holdsBodies(joint)) settings_.joints.push_back(std::move(joint));
  }

  /// Reads whom the joint joins; false where that is not clear.
  bool readBodies(const tinyxml2::XMLElement& xml, JointEntry& joint) {
    bool complete = true;
    visitChildren(xml, joint.notes, [&](const tinyxml2::XMLElement& child, int) {
      XmlElement bodyElement(file_, child, out_);
      bodyElement.expect({"name", "index", "body"});
      const auto reference = resolve(bodyElement);
      bodyElement.warnAboutOthers();
      complete = complete && reference;
      if (!reference) return;
      if (reference->kind == World::Kind::robot) {
        out_.error("a joint needs one link of the robot: add 'body'", bodyElement.position());
        complete = false;
        return;
      }
      joint.bodies.push_back(*reference);
    });
    return complete;
  }

  /// Says what is wrong with the bodies of a joint; true where it can be made.
  bool holdsBodies(const JointEntry& joint) {
    if (joint.bodies.empty() || joint.bodies.size() > 2) {
      out_.error("a joint needs one body (and the world) or two; found " + std::to_string(joint.bodies.size()),
                 joint.position);
      return false;
    }
    const EntityReference &first = joint.bodies.front(), &second = joint.bodies.back();
    if (joint.bodies.size() == 2 && first.kind == second.kind && first.index == second.index &&
        first.link == second.link) {
      out_.error("a joint cannot hold a body to itself", joint.position,
                 "name another body, or one body only to hold it to the world");
      return false;
    }
    if (std::all_of(joint.bodies.begin(), joint.bodies.end(),
                    [](const EntityReference& body) { return body.kind == World::Kind::terrain; }))
      out_.warning("the joint holds nothing: terrains do not move", joint.position, "name an object or a robot's link");
    return true;
  }

  /// Reads a command; whoever carries it out checks what it says.
  void readCommand(const tinyxml2::XMLElement& xml, int order) {
    CommandEntry command;
    command.entry = XmlElement(file_, xml, out_).attributes();
    command.notes.order = order;
    visitChildren(xml, command.notes, [&](const tinyxml2::XMLElement& child, int childOrder) {
      warnAboutElement(file_, child, {}, out_);
      keepExtra(child, childOrder, command.notes);
    });
    settings_.commands.push_back(std::move(command));
  }

  const XmlFile& file_;
  ReadContext& context_;
  Diagnostics& out_;
  WorldDescription& world_;
  SimulationDescription& settings_;
};

}  // namespace

void readSimulation(const XmlFile& file, const tinyxml2::XMLElement& simulation, ReadContext& context,
                    WorldDescription& world) {
  SimulationReader(file, context, world).read(simulation);
}

void readStateBeside(const XmlFile& file, const tinyxml2::XMLElement& state, ReadContext& context,
                     WorldDescription& world) {
  if (!world.simulation.stateData.empty()) {
    context.diagnostics.warning("only one <state> counts: the first, or that of <simulation>", file.position(state),
                                "leave out the others");
    return;
  }
  SimulationReader(file, context, world).readState(state, FileNotes::kLast);
}

}  // namespace mortise::io
