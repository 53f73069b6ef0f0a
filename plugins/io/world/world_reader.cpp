#include "world/world_reader.h"

#include <algorithm>
#include <map>

#include "common/component_xml.h"
#include "common/pose_xml.h"
#include "common/references.h"
#include "mortise/modeling/joint_names.h"
#include "world/world_simulation_reader.h"

namespace mortise::io {

namespace {

class WorldReader {
 public:
  WorldReader(const XmlFile& file, ReadContext& context) : file_(file), context_(context), out_(context.diagnostics) {}

  WorldDescription read() {
    world_.file = context_.path;
    XmlElement root(file_, file_.root(), out_);
    // Where the manual has it. Klamp't's reader knows `<display>` alone, which wins, and is what is written.
    readColor(root);
    world_.notes.attributes = root.warnAboutOthers();
    // Comments around <world>: before everything, and behind it.
    int before = 0;
    for (const auto* node = file_.root().PreviousSibling(); node != nullptr; node = node->PreviousSibling())
      if (node->ToComment() != nullptr) keepExtra(*node, --before, world_.notes);
    const tinyxml2::XMLElement* simulation = nullptr;
    std::vector<const tinyxml2::XMLElement*> states;
    visitChildren(file_.root(), world_.notes, [&](const tinyxml2::XMLElement& child, int order) {
      const std::string_view name = child.Name();
      if (name == "robot") {
        readRobot(child, order);
      } else if (name == "rigidObject" || name == "object") {
        if (name == "object")
          out_.warning("<object> is read as <rigidObject>; Klamp't passes over it here", file_.position(child));
        readObject(child, order);
      } else if (name == "terrain") {
        readTerrain(child, order);
      } else if (name == "simulation") {
        if (simulation != nullptr) {
          out_.warning("only the first <simulation> counts", file_.position(child));
          keepExtra(child, order, world_.notes);
          return;
        }
        simulation = &child;
        world_.simulation.notes.order = order;
      } else if (name == "display" || name == "appearance") {
        readBackground(child);
      } else if (name == "state") {
        states.push_back(&child);
      } else {
        if (name == "goal")
          XmlElement(file_, child, out_).vector3("position");  // Shown only.
        else
          warnAboutElement(file_, child,
                           {"robot", "rigidObject", "terrain", "simulation", "state", "display", "appearance", "goal"},
                           out_);
        keepExtra(child, order, world_.notes);
      }
    });
    for (const auto* node = file_.root().NextSibling(); node != nullptr; node = node->NextSibling())
      if (node->ToComment() != nullptr) keepExtra(*node, FileNotes::kLast, world_.notes);
    if (simulation != nullptr) readSimulation(file_, *simulation, context_, world_);
    for (const tinyxml2::XMLElement* state : states) readStateBeside(file_, *state, context_, world_);
    return std::move(world_);
  }

 private:
  /// Colors and textures, which only viewers need; here their names are checked.
  Value readDisplay(const tinyxml2::XMLElement& display, bool ofRobot, const RobotDescription* robot = nullptr) {
    XmlElement element(file_, display, out_);
    element.expect({"color", "faceColor", "edgeColor", "vertexColor", "emissiveColor", "specularColor", "shininess",
                    "vertexSize", "pointSize", "edgeSize", "silhouette", "texture", "texture_projection"});
    if (ofRobot) {
      const auto link = element.text("link");
      if (link && robot != nullptr && findLinkOrJoint(*robot, *link) < 0) {
        const auto number = parseInteger(*link);
        if (!number || *number < 0 || *number >= std::ssize(robot->links))
          out_.warning("the robot has no link '" + *link + "'; nothing is colored", element.position("link"));
      }
    }
    if (const auto texture = element.text("texture_projection"))
      if (*texture != "z" && *texture != "xy" && *texture != "conformal")
        out_.warning("'" + *texture + "' is no texture projection; xy is taken", element.position("texture_projection"),
                     "available: z, xy, conformal");
    element.warnAboutOthers();
    return element.attributes();
  }

  void readBackground(const tinyxml2::XMLElement& display) {
    XmlElement element(file_, display, out_);
    readColor(element);
    element.warnAboutOthers();
    Value others = element.attributes({"background"});
    if (others.size() > 0) world_.display.push_back(std::move(others));
  }

  void readColor(XmlElement& element) {
    auto color = element.reals("background");
    if (!color) return;
    if (color->size() == 3) color->push_back(1);
    if (color->size() == 4)
      world_.background = *color;
    else
      element.error("background", "expected red, green, blue and perhaps opacity");
  }

  /// Every entity of the world has a file, except objects.
  std::string requireFile(XmlElement& element) {
    auto reference = element.text("file");
    if (!reference || reference->empty())
      out_.error("<" + std::string(element.name()) + "> needs an attribute 'file'", element.position());
    return reference.value_or("");
  }

  /// Robots that use the same file share what it says.
  RobotDescriptionPtr loadRobot(const std::string& reference, const SourcePosition& where) {
    const auto found = loadReference(out_, where, [&] { return context_.loader.find(reference, context_.path); });
    if (!found) return nullptr;
    if (const auto known = robots_.find(*found); known != robots_.end()) return known->second;
    auto read = loadReference(out_, where, [&] {
      return context_.loader.load<RobotDescription>(reference, context_.path, context_.diagnostics);
    });
    if (!read) return nullptr;
    return robots_.emplace(*found, std::make_shared<const RobotDescription>(std::move(*read))).first->second;
  }

  void readRobot(const tinyxml2::XMLElement& xml, int order) {
    XmlElement element(file_, xml, out_);
    RobotEntry entry;
    entry.position = element.position();
    entry.name = element.text("name");
    entry.file = requireFile(element);
    entry.placement = readPlacement(element, false);
    if (const auto q = element.countedReals("config"))
      entry.configuration = Eigen::Map<const VectorXd>(q->data(), std::ssize(*q));
    const auto configurationFile = element.text("configfile");
    entry.notes.attributes = element.warnAboutOthers();
    entry.notes.order = order;
    if (!entry.file.empty()) entry.robot = loadRobot(entry.file, element.position("file"));
    if (entry.configuration) checkConfiguration(entry, *entry.configuration, element.position("config"));
    if (configurationFile && entry.robot) {
      entry.configurationFile = *configurationFile;
      const SourcePosition where = element.position("configfile");
      entry.fileConfiguration = loadReference(
          out_, where, [&] { return context_.loader.load<VectorXd>(*configurationFile, context_.path, out_); });
      if (entry.fileConfiguration) checkConfiguration(entry, *entry.fileConfiguration, where);
    }
    visitChildren(xml, entry.notes, [&](const tinyxml2::XMLElement& child, int childOrder) {
      const std::string_view name = child.Name();
      if (name == "sensors") {
        readSensorsOf(child, entry);
      } else if (name == "display" || name == "appearance") {
        entry.display.push_back(readDisplay(child, true, entry.robot.get()));
      } else {
        warnAboutElement(file_, child, {"sensors", "display", "appearance"}, out_);
        keepExtra(child, childOrder, entry.notes);
      }
    });
    world_.robots.push_back(std::move(entry));
  }

  void checkConfiguration(const RobotEntry& entry, const VectorXd& q, const SourcePosition& where) {
    if (entry.robot && q.size() != std::ssize(entry.robot->links))
      out_.error("the configuration has " + std::to_string(q.size()) + " numbers; robot '" +
                     entry.name.value_or("Robot") + "' has " + std::to_string(entry.robot->links.size()) + " links",
                 where);
  }

  void readSensorsOf(const tinyxml2::XMLElement& xml, RobotEntry& entry) {
    XmlElement element(file_, xml, out_);
    const auto reference = element.text("file");
    element.warnAboutOthers();
    if (!reference) {
      entry.sensors = sensorList(file_, xml, out_);
      entry.sensorsFile.clear();
      return;
    }
    entry.sensorsFile = *reference;
    auto value = loadReference(out_, element.position("file"), [&] {
      return readSensors(XmlFile(context_.loader.find(*reference, context_.path)), out_);
    });
    entry.sensors = value ? std::move(*value) : Value::list();
  }

  void readObject(const tinyxml2::XMLElement& xml, int order) {
    XmlElement element(file_, xml, out_);
    const int errorsBefore = out_.errorCount();
    ObjectEntry entry;
    entry.position = element.position();
    entry.name = element.text("name");
    entry.file = element.text("file").value_or("");
    entry.placement = readPlacement(element, false);
    entry.notes.attributes = element.warnAboutOthers();
    entry.notes.order = order;
    if (!entry.file.empty())
      entry.base = loadReference(out_, element.position("file"),
                                 [&] { return context_.loader.load<RigidObject>(entry.file, context_.path, out_); });
    visitChildren(xml, entry.notes, [&](const tinyxml2::XMLElement& child, int childOrder) {
      const std::string_view kind = child.Name();
      if (kind == "geometry") {
        entry.geometry.push_back(readObjectGeometry(child, childOrder));
      } else if (kind == "physics") {
        entry.physics.push_back(readPhysics(child, childOrder));
      } else if (kind == "display" || kind == "appearance") {
        entry.display.push_back(readDisplay(child, false));
      } else {
        warnAboutElement(file_, child, {"geometry", "physics", "display", "appearance"}, out_);
        keepExtra(child, childOrder, entry.notes);
      }
    });
    const bool shaped = (entry.base && entry.base->geometry) ||
                        std::any_of(entry.geometry.begin(), entry.geometry.end(),
                                    [](const ObjectGeometry& geometry) { return geometry.geometry != nullptr; });
    if (!shaped && out_.errorCount() == errorsBefore)
      out_.error("rigid object '" + entry.name.value_or("RigidObject") + "' has no geometry", entry.position,
                 "give it file=\"...\" or a child <geometry file=\"...\">");
    world_.objects.push_back(std::move(entry));
  }

  ObjectGeometry readObjectGeometry(const tinyxml2::XMLElement& xml, int order) {
    XmlElement element(file_, xml, out_);
    ObjectGeometry geometry;
    geometry.position = element.position();
    const auto mesh = element.text("mesh"), file = element.text("file");
    const char* attribute = file ? "file" : "mesh";
    const std::string reference = file ? *file : mesh.value_or("");
    geometry.placement = readPlacement(element, true);
    readTranslate(element, geometry.placement);
    geometry.margin = element.nonNegative("margin", false);
    geometry.notes.attributes = element.warnAboutOthers();
    geometry.notes.order = order;
    visitChildren(xml, geometry.notes, [](const tinyxml2::XMLElement&, int) {});
    if (!file && !mesh) return geometry;
    geometry.file = reference;
    loadReference(out_, element.position(attribute), [&] {
      geometry.path = context_.loader.find(reference, context_.path);
      geometry.geometry = context_.loader.load<GeometryPtr>(reference, context_.path, out_);
      return true;
    });
    return geometry;
  }

  /// The manual's word for `translation`, which Klamp't's reader passes over.
  void readTranslate(XmlElement& element, Placement& placement) {
    const auto shift = element.vector3("translate");
    if (!shift) return;
    const SourcePosition where = element.position("translate");
    if (placement.translation)
      out_.warning("<geometry> has both 'translation' and 'translate'; the second is ignored", where);
    else
      out_.warning("<geometry> translate moves the shape, as the manual says; Klamp't passes over it", where,
                   "write 'translation', which both know");
    if (!placement.translation) placement.translation = *shift;
  }

  ObjectPhysics readPhysics(const tinyxml2::XMLElement& xml, int order) {
    XmlElement element(file_, xml, out_);
    ObjectPhysics physics;
    physics.position = element.position();
    physics.mass = element.nonNegative("mass", false);
    physics.com = element.vector3("com");
    if (const auto inertia = element.reals("inertia")) {
      const std::vector<double>& m = *inertia;
      Matrix3d matrix = Matrix3d::Zero();
      if (m.size() == 9)
        matrix << m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8];
      else if (m.size() == 3)
        matrix = Vector3d(m[0], m[1], m[2]).asDiagonal();
      else
        element.error("inertia", "expected 9 numbers, or 3 for the diagonal");
      if (!matrix.allFinite()) element.error("inertia", "expected finite numbers");
      physics.inertia = matrix;
    }
    physics.automass = element.flag("automass");
    physics.surfaceFraction = element.finite("automassSurfaceFraction");
    if (physics.surfaceFraction && (*physics.surfaceFraction < 0 || *physics.surfaceFraction > 1))
      element.error("automassSurfaceFraction", "expected a number from 0 to 1");
    if (physics.automass.value_or(false))
      for (const auto& [attribute, given] :
           {std::pair("com", physics.com.has_value()), std::pair("inertia", physics.inertia.has_value())})
        if (given)
          out_.warning("<physics> " + std::string(attribute) + ": has no effect, because automass=\"1\" computes it",
                       element.position(attribute), "leave out one of the two");
    physics.friction = element.nonNegative("kFriction");
    physics.restitution = element.nonNegative("kRestitution");
    physics.stiffness = element.nonNegative("kStiffness");
    physics.damping = element.nonNegative("kDamping");
    physics.rolling = element.nonNegative("kRolling", false);
    physics.notes.attributes = element.warnAboutOthers();
    physics.notes.order = order;
    visitChildren(xml, physics.notes, [](const tinyxml2::XMLElement&, int) {});
    return physics;
  }

  void readTerrain(const tinyxml2::XMLElement& xml, int order) {
    XmlElement element(file_, xml, out_);
    TerrainEntry entry;
    entry.position = element.position();
    entry.file = requireFile(element);
    entry.name = element.text("name");
    entry.placement = readPlacement(element, true);
    entry.friction = element.nonNegative("kFriction");
    entry.margin = element.nonNegative("margin", false);
    entry.notes.attributes = element.warnAboutOthers();
    entry.notes.order = order;
    visitChildren(xml, entry.notes, [&](const tinyxml2::XMLElement& child, int childOrder) {
      const std::string_view kind = child.Name();
      if (kind == "display" || kind == "appearance") {
        entry.display.push_back(readDisplay(child, false));
      } else {
        warnAboutElement(file_, child, {"display", "appearance"}, out_);
        keepExtra(child, childOrder, entry.notes);
      }
    });
    if (!entry.file.empty()) {
      auto terrain = loadReference(out_, element.position("file"),
                                   [&] { return context_.loader.load<Terrain>(entry.file, context_.path, out_); });
      if (terrain) entry.base = std::move(*terrain);
    }
    world_.terrains.push_back(std::move(entry));
  }

  const XmlFile& file_;
  ReadContext& context_;
  Diagnostics& out_;
  WorldDescription world_;
  std::map<std::string, RobotDescriptionPtr> robots_;  ///< By path.
};

}  // namespace

void keepExtra(const tinyxml2::XMLNode& node, int order, FileNotes& notes) {
  tinyxml2::XMLPrinter printer(nullptr, true);
  node.Accept(&printer);
  notes.extras.push_back({order, printer.CStr()});
}

WorldDescription readWorldFile(const XmlFile& file, ReadContext& context) { return WorldReader(file, context).read(); }

}  // namespace mortise::io
