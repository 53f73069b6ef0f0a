#include "world_format.h"

#include <cmath>

#include "component_xml.h"
#include "mortise/geometry/mass_properties.h"
#include "pose_xml.h"
#include "references.h"
#include "world_simulation.h"
#include "xml_file.h"

namespace mortise::io {

namespace {

class WorldReader {
 public:
  WorldReader(const XmlFile& file, ReadContext& context) : file_(file), context_(context), out_(context.diagnostics) {}

  World read() {
    const int errorsBefore = out_.errorCount();
    world_.file = context_.path;
    XmlElement(file_, file_.root(), out_).warnAboutOthers();
    std::vector<const tinyxml2::XMLElement*> simulations;
    for (const auto* child = file_.root().FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
      const std::string_view name = child->Name();
      if (name == "robot")
        readRobot(*child);
      else if (name == "rigidObject")
        readObject(*child);
      else if (name == "terrain")
        readTerrain(*child);
      else if (name == "simulation")
        simulations.push_back(child);
      else if (name == "display" || name == "appearance")
        readBackground(*child);
      else if (name == "goal")
        XmlElement(file_, *child, out_).vector3("position");  // Shown only.
      else
        warnAboutElement(file_, *child,
                         {"robot", "rigidObject", "terrain", "simulation", "display", "appearance", "goal"}, out_);
    }
    const bool complete = out_.errorCount() == errorsBefore;
    for (std::size_t i = 0; i < simulations.size(); ++i) {
      if (i > 0) {
        out_.warning("only the first <simulation> counts", file_.position(*simulations[i]));
        break;
      }
      readSimulation(file_, *simulations[i], complete, context_, world_);
    }
    return std::move(world_);
  }

 private:
  /// Colours and textures, which only viewers need; here their names are checked.
  void checkDisplay(const tinyxml2::XMLElement& display) {
    XmlElement element(file_, display, out_);
    element.expect({"color", "faceColor", "edgeColor", "vertexColor", "emissiveColor", "specularColor", "shininess",
                    "vertexSize", "pointSize", "edgeSize", "silhouette", "texture", "texture_projection", "link"});
    element.warnAboutOthers();
  }

  void readBackground(const tinyxml2::XMLElement& display) {
    XmlElement element(file_, display, out_);
    if (auto colour = element.reals("background")) {
      if (colour->size() == 3) colour->push_back(1);
      if (colour->size() == 4)
        world_.background = *colour;
      else
        element.error("background", "expected red, green, blue and perhaps opacity");
    }
    element.warnAboutOthers();
  }

  /// Attributes that every kind of entity has, asked for so that they count as known.
  std::string requireFile(XmlElement& element) {
    auto reference = element.text("file");
    if (!reference || reference->empty())
      out_.error("<" + std::string(element.name()) + "> needs an attribute 'file'", element.position());
    return reference.value_or("");
  }

  void readRobot(const tinyxml2::XMLElement& xml) {
    XmlElement element(file_, xml, out_);
    WorldRobot entry;
    entry.position = element.position();
    entry.name = element.text("name").value_or("Robot");
    entry.file = requireFile(element);
    const auto X_WR = readPose(element);
    const auto configuration = element.countedReals("config");
    const auto configurationFile = element.text("configfile");
    element.warnAboutOthers();

    std::optional<Value> sensors;
    for (const auto* child = xml.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
      const std::string_view name = child->Name();
      if (name == "sensors")
        sensors = readSensorsOf(*child);
      else if (name == "display" || name == "appearance")
        checkDisplay(*child);
      else
        warnAboutElement(file_, *child, {"sensors", "display", "appearance"}, out_);
    }
    if (entry.file.empty()) return;
    auto description = loadReference(out_, element.position("file"),
                                     [&] { return context_.loader.robot(entry.file, context_.path, out_); });
    if (!description) return;
    if (sensors) description->sensors = std::move(*sensors);
    if (X_WR)
      for (Link& link : description->links)
        if (link.parent < 0) link.X_PL0 = *X_WR * link.X_PL0;
    const auto compiled =
        loadReference(out_, element.position("file"), [&] { return Robot::compile(std::move(*description)); });
    if (!compiled) return;
    entry.robot = *compiled;
    entry.q = entry.robot->initialConfiguration();
    entry.dq = VectorXd::Zero(entry.robot->numLinks());
    if (configuration)
      setConfiguration(entry, Eigen::Map<const VectorXd>(configuration->data(), std::ssize(*configuration)),
                       element.position("config"));
    if (configurationFile) {
      const SourcePosition where = element.position("configfile");
      const auto q = loadReference(
          out_, where, [&] { return context_.loader.configuration(*configurationFile, context_.path, out_); });
      if (q) setConfiguration(entry, *q, where);
    }
    world_.robots.push_back(std::move(entry));
  }

  void setConfiguration(WorldRobot& entry, const VectorXd& q, const SourcePosition& where) {
    if (q.size() != entry.robot->numLinks())
      out_.error("the configuration has " + std::to_string(q.size()) + " numbers; robot '" + entry.name + "' has " +
                     std::to_string(entry.robot->numLinks()) + " links",
                 where);
    else
      entry.q = q;
  }

  Value readSensorsOf(const tinyxml2::XMLElement& xml) {
    XmlElement element(file_, xml, out_);
    const auto reference = element.text("file");
    element.warnAboutOthers();
    if (!reference) return sensorList(file_, xml, out_);
    auto value = loadReference(out_, element.position("file"), [&] {
      return readSensors(XmlFile(context_.loader.find(*reference, context_.path)), out_);
    });
    return value ? std::move(*value) : Value::list();
  }

  void readObject(const tinyxml2::XMLElement& xml) {
    XmlElement element(file_, xml, out_);
    const int errorsBefore = out_.errorCount();
    const std::string name = element.text("name").value_or("RigidObject");
    const auto reference = element.text("file");
    const auto X_WO = readPose(element);
    element.warnAboutOthers();

    RigidObject object;
    object.inertia.mass = 1;
    if (reference) {
      auto loaded = loadReference(out_, element.position("file"),
                                  [&] { return context_.loader.rigidObject(*reference, context_.path, out_); });
      if (loaded) object = std::move(*loaded);
      object.file = *reference;
    }
    object.name = name;
    object.position = element.position();
    if (X_WO) object.X_WO = *X_WO;

    // Masses may follow from the geometry, so that comes first wherever it stands.
    for (const auto* child = xml.FirstChildElement("geometry"); child != nullptr;
         child = child->NextSiblingElement("geometry"))
      readObjectGeometry(*child, object);
    for (const auto* child = xml.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
      const std::string_view kind = child->Name();
      if (kind == "physics")
        readPhysics(*child, object);
      else if (kind == "display" || kind == "appearance")
        checkDisplay(*child);
      else if (kind != "geometry")
        warnAboutElement(file_, *child, {"geometry", "physics", "display", "appearance"}, out_);
    }
    if (out_.errorCount() > errorsBefore) return;
    if (!object.geometry || object.geometry->empty()) {
      out_.error("rigid object '" + name + "' has no geometry", object.position,
                 "give it file=\"...\" or a child <geometry file=\"...\">");
      return;
    }
    world_.objects.push_back(std::move(object));
  }

  void readObjectGeometry(const tinyxml2::XMLElement& xml, RigidObject& object) {
    XmlElement element(file_, xml, out_);
    const char* attribute = element.has("file") ? "file" : "mesh";
    auto reference = element.text("mesh");
    if (element.has("file")) reference = element.text("file");
    const auto map = readScaledPose(element);
    const auto margin = element.nonNegative("margin", false);
    element.warnAboutOthers();
    if (reference)
      loadReference(out_, element.position(attribute), [&] {
        object.geometryFile = context_.loader.find(*reference, context_.path);
        object.geometry = context_.loader.geometry(*reference, context_.path, out_);
        return true;
      });
    shape(object.geometry, map, margin, element.position());
  }

  void shape(GeometryPtr& geometry, const std::optional<AffineMap>& map, const std::optional<double>& margin,
             const SourcePosition& where) {
    if (!geometry) return;
    loadReference(out_, where, [&] {
      if (map && !map->isIdentity()) geometry = geometry->transformed(*map);
      if (margin) geometry = geometry->withMargin(*margin);
      return true;
    });
  }

  void readPhysics(const tinyxml2::XMLElement& xml, RigidObject& object) {
    XmlElement element(file_, xml, out_);
    BodyInertia& body = object.inertia;
    body.mass = element.nonNegative("mass", false).value_or(body.mass);
    body.com = element.vector3("com").value_or(body.com);
    if (const auto inertia = element.reals("inertia")) {
      const std::vector<double>& m = *inertia;
      if (m.size() == 9)
        body.inertia << m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8];
      else if (m.size() == 3)
        body.inertia = Vector3d(m[0], m[1], m[2]).asDiagonal();
      else
        element.error("inertia", "expected 9 numbers, or 3 for the diagonal");
      if (!body.inertia.allFinite()) element.error("inertia", "expected finite numbers");
    }
    const bool automass = element.flag("automass").value_or(false);
    const double fraction = element.finite("automassSurfaceFraction").value_or(1);
    Surface& surface = object.surface;
    surface.friction = element.nonNegative("kFriction").value_or(surface.friction);
    surface.restitution = element.nonNegative("kRestitution").value_or(surface.restitution);
    surface.stiffness = element.nonNegative("kStiffness").value_or(surface.stiffness);
    surface.damping = element.nonNegative("kDamping").value_or(surface.damping);
    element.warnAboutOthers();
    if (automass && object.geometry)
      loadReference(out_, element.position("automass"), [&] {
        body = klamptMassProperties(*object.geometry, body.mass, fraction);
        return true;
      });
  }

  void readTerrain(const tinyxml2::XMLElement& xml) {
    XmlElement element(file_, xml, out_);
    const std::string reference = requireFile(element);
    const std::string name = element.text("name").value_or("Terrain" + std::to_string(numTerrains_));
    ++numTerrains_;
    const auto map = readScaledPose(element);
    const auto friction = element.nonNegative("kFriction");
    const auto margin = element.nonNegative("margin", false);
    element.warnAboutOthers();
    for (const auto* child = xml.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
      const std::string_view kind = child->Name();
      if (kind == "display" || kind == "appearance")
        checkDisplay(*child);
      else
        warnAboutElement(file_, *child, {"display", "appearance"}, out_);
    }
    if (reference.empty()) return;
    auto terrain = loadReference(out_, element.position("file"),
                                 [&] { return context_.loader.terrain(reference, context_.path, out_); });
    if (!terrain) return;
    terrain->name = name;
    terrain->file = reference;
    terrain->position = element.position();
    if (friction) {
      terrain->surface.friction = *friction;
      terrain->friction = {*friction};
    }
    shape(terrain->geometry, map, margin, element.position());
    world_.terrains.push_back(std::move(*terrain));
  }

  const XmlFile& file_;
  ReadContext& context_;
  Diagnostics& out_;
  World world_;
  int numTerrains_ = 0;
};

}  // namespace

double WorldFormat::probe(std::string_view, std::string_view head) const {
  return head.find("<world") != std::string_view::npos ? 1 : 0;
}

World WorldFormat::readWorld(ReadContext& context) {
  const XmlFile file(context.path);
  if (std::string_view(file.root().Name()) != "world")
    throw Error("expected <world>, found <" + std::string(file.root().Name()) + ">", file.position(file.root()));
  return WorldReader(file, context).read();
}

}  // namespace mortise::io
