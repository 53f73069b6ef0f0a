#include "world/world_writer.h"

#include <algorithm>
#include <filesystem>

#include "common/component_xml.h"
#include "common/pose_xml.h"
#include "common/references.h"
#include "mesh/shape_reference.h"
#include "mortise/base/files.h"
#include "mortise/base/value_text.h"
#include "rob/rob_writer.h"
#include "world/world_simulation_writer.h"
#include "world/world_xml.h"

namespace mortise::io {

namespace {

class WorldWriter {
 public:
  WorldWriter(const WorldDescription& world, WriteContext& context)
      : world_(world), context_(context), out_(context.diagnostics) {
    where_.file = context.path;
  }

  void write() {
    collectFiles();
    document_.InsertEndChild(document_.NewDeclaration());
    FileNotes inside = world_.notes;
    std::stable_sort(inside.extras.begin(), inside.extras.end(),
                     [](const FileNotes::Extra& a, const FileNotes::Extra& b) { return a.order < b.order; });
    for (const FileNotes::Extra& extra : inside.extras)
      if (extra.order < 0) appendXml(extra.text, document_);
    std::erase_if(inside.extras, [](const FileNotes::Extra& extra) { return extra.order < 0; });
    auto* root = document_.NewElement("world");
    document_.InsertEndChild(root);
    setAttributes(*root, world_.notes.attributes);
    OrderedChildren children(*root);
    writeBackground(children);
    for (int i = 0; i < std::ssize(world_.terrains); ++i) writeTerrain(i, children);
    for (int i = 0; i < std::ssize(world_.objects); ++i) writeObject(i, children);
    for (int i = 0; i < std::ssize(world_.robots); ++i) writeRobot(i, children);
    const bool simulated = world_.simulation.present || !added_.entities.empty() || speaksOfSimulation();
    if (simulated) {
      auto& element = children.add("simulation", world_.simulation.notes.order);
      writeSimulation(world_, added_, references(), element);
    }
    children.finish(inside);
    tinyxml2::XMLPrinter printer;
    document_.Print(&printer);
    writeFile(context_.path, printer.CStr());
  }

 private:
  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

  ReferenceWriter references() {
    return [this](const std::string& reference) { return rewritten(reference); };
  }

  /// A reference as it must stand in the new file.
  std::string rewritten(const std::string& reference) {
    if (reference.empty() || reference.find("://") != std::string::npos || reference[0] == '/') return reference;
    namespace fs = std::filesystem;
    const fs::path oldFolder = fs::path(resolvedPath(world_.file)).parent_path();
    const fs::path newFolder = fs::path(resolvedPath(context_.path)).parent_path();
    if (!world_.file.empty() && oldFolder == newFolder) return reference;
    return referenceFrom(context_.path, context_.loader.find(reference, world_.file));
  }

  /// Files that must not be written over, because the world refers to them.
  void collectFiles() {
    const auto take = [this](const std::string& file) {
      if (!file.empty()) taken_.insert(resolvedPath(file));
    };
    for (const TerrainEntry& entry : world_.terrains) take(entry.base.geometryFile);
    for (const ObjectEntry& entry : world_.objects) {
      if (entry.base) take(entry.base->geometryFile);
      for (const ObjectGeometry& geometry : entry.geometry) take(geometry.path);
    }
    for (const RobotEntry& entry : world_.robots) {
      if (!entry.robot) continue;
      take(entry.robot->file);
      for (const Link& link : entry.robot->links)
        if (link.geometry) take(link.geometry->file());
    }
  }

  bool speaksOfSimulation() const {
    const SimulationDescription& s = world_.simulation;
    return !s.backend.empty() || s.gravity || s.timeStep || s.errorReduction || s.constraintForceMixing ||
           s.maxContacts || s.boundaryLayerContacts || s.adaptiveTimeStepping || s.onUnstable || s.objectCollisions ||
           s.robotSelfCollisions || s.robotRobotCollisions || !s.entities.empty() || !s.joints.empty() ||
           !s.commands.empty() || !s.stateData.empty();
  }

  /// STEM_NAME beside the new file, without an extension.
  std::string beside(const std::string& name) const {
    const std::filesystem::path folder = std::filesystem::path(context_.path).parent_path();
    return (folder / (plainFileName(stemOf(context_.path)) + "_" + plainFileName(name))).string();
  }

  std::string writtenShape(const Geometry& geometry, const std::string& name) {
    return std::filesystem::path(writeShape(geometry, beside(name), taken_)).filename().string();
  }

  void writeBackground(OrderedChildren& children) {
    if (!world_.background && world_.display.empty()) return;
    auto& element = children.add("display", -1);
    if (world_.background)
      element.SetAttribute("background",
                           realsText(world_.background->data(), static_cast<int>(world_.background->size())).c_str());
    for (const Value& others : world_.display) setAttributes(element, others);
  }

  void writeDisplay(const std::vector<Value>& display, tinyxml2::XMLElement& parent) {
    static const std::vector<std::string> kKnownTextures = {"checker", "noise", "gradient", "colorgradient"};
    for (Value attributes : display) {
      const Value* given = attributes.find("texture");
      const std::string texture = given == nullptr ? std::string() : given->text();
      if (!texture.empty() &&
          std::find(kKnownTextures.begin(), kKnownTextures.end(), texture) == kKnownTextures.end()) {
        try {
          attributes.set("texture", Value(rewritten(texture)));
        } catch (const Error&) {
          // A picture that is not there was no error when the world was read.
        }
      }
      setAttributes(*parent.InsertNewChildElement("display"), attributes);
    }
  }

  void writeTerrain(int i, OrderedChildren& children) {
    const TerrainEntry& entry = world_.terrains[at(i)];
    auto& element = children.add("terrain", entry.notes.order);
    if (entry.name) element.SetAttribute("name", entry.name->c_str());
    std::optional<double> friction = entry.friction, margin = entry.margin;
    Placement placement = entry.placement;
    if (!entry.file.empty()) {
      element.SetAttribute("file", rewritten(entry.file).c_str());
    } else {
      const Terrain& base = entry.base;
      if (!base.geometry || base.geometry->empty())
        throw Error("terrain '" + world_.terrainName(i) + "' has no shape, which a world file cannot hold", where_);
      const bool held = fileHolds(context_.loader, base.geometryFile, 1, AffineMap(), *base.geometry);
      element.SetAttribute("file", (held ? referenceFrom(context_.path, base.geometryFile)
                                         : writtenShape(*base.geometry, world_.terrainName(i)))
                                       .c_str());
      if (!margin && base.geometry->margin() != 0) margin = base.geometry->margin();
      if (!friction) friction = base.surface.friction;
      surfaceOfAdded(World::Kind::terrain, i, terrainSurface(), base.surface, friction);
    }
    writePlacement(placement, element);
    if (friction) element.SetAttribute("kFriction", formatReal(*friction).c_str());
    if (margin) element.SetAttribute("margin", formatReal(*margin).c_str());
    setAttributes(element, entry.notes.attributes);
    OrderedChildren inside(element);
    inside.finish(entry.notes);
    writeDisplay(entry.display, element);
  }

  /// Writes to `<simulation>` what `<terrain>` cannot say of a surface.
  void surfaceOfAdded(World::Kind kind, int index, const Surface& usual, const Surface& wanted,
                      const std::optional<double>& friction) {
    EntitySettings settings;
    settings.entity.kind = kind;
    settings.entity.index = index;
    SurfaceOverride change;
    const auto differ = [](double a, double b, std::optional<double>& target) {
      if (a != b) target = b;
      return a != b;
    };
    bool any = differ(usual.restitution, wanted.restitution, change.restitution);
    any = differ(usual.stiffness, wanted.stiffness, change.stiffness) || any;
    any = differ(usual.damping, wanted.damping, change.damping) || any;
    any = differ(usual.rolling, wanted.rolling, change.rolling) || any;
    if (wanted.padding != usual.padding) {
      change.padding = wanted.thickness();
      any = true;
    }
    any = differ(friction.value_or(usual.friction), wanted.friction, change.friction) || any;
    if (wanted.preshrink != usual.preshrink) {
      change.preshrink = wanted.preshrink;
      change.padding = wanted.thickness();
      any = true;
    }
    if (!any) return;
    settings.surfaces.push_back({change, {}});
    added_.entities.push_back(std::move(settings));
  }

  void writeObject(int i, OrderedChildren& children) {
    const ObjectEntry& entry = world_.objects[at(i)];
    auto& element = children.add("rigidObject", entry.notes.order);
    if (entry.name) element.SetAttribute("name", entry.name->c_str());
    Placement placement = entry.placement;
    const bool inPlace = entry.file.empty() && entry.base;
    if (!entry.file.empty()) element.SetAttribute("file", rewritten(entry.file).c_str());
    if (inPlace && !placement.moves()) placement = Placement::of(entry.base->X_WO);
    writePlacement(placement, element);
    setAttributes(element, entry.notes.attributes);
    OrderedChildren inside(element);
    if (inPlace) writeBase(*entry.base, i, inside);
    for (const ObjectGeometry& geometry : entry.geometry) writeObjectGeometry(geometry, i, inside);
    for (const ObjectPhysics& physics : entry.physics) writePhysics(physics, inside);
    inside.finish(entry.notes);
    writeDisplay(entry.display, element);
  }

  /// An object that no file holds: its shape and its mass as children of the element.
  void writeBase(const RigidObject& base, int i, OrderedChildren& inside) {
    if (base.geometry && !base.geometry->empty()) {
      auto& geometry = inside.add("geometry", -2);
      const AffineMap& map = base.geometryTransform;
      const bool diagonal = Matrix3d(map.A.diagonal().asDiagonal()) == map.A;
      const bool held = diagonal && fileHolds(context_.loader, base.geometryFile, 1, map, *base.geometry);
      geometry.SetAttribute("file", (held ? referenceFrom(context_.path, base.geometryFile)
                                          : writtenShape(*base.geometry, world_.objectName(i)))
                                        .c_str());
      if (held && !map.isIdentity()) {
        Placement placement;
        placement.scale = map.A.diagonal();
        placement.translation = map.t;
        writePlacement(placement, geometry);
      }
      if (base.geometry->margin() != 0) geometry.SetAttribute("margin", formatReal(base.geometry->margin()).c_str());
    }
    ObjectPhysics physics;
    physics.mass = base.inertia.mass;
    physics.com = base.inertia.com;
    physics.inertia = base.inertia.inertia;
    physics.friction = base.surface.friction;
    physics.restitution = base.surface.restitution;
    physics.stiffness = base.surface.stiffness;
    physics.damping = base.surface.damping;
    if (base.surface.rolling != 0) physics.rolling = base.surface.rolling;
    physics.notes.order = -1;
    writePhysics(physics, inside);
    Surface usual = base.surface;
    usual.padding.reset();
    usual.preshrink = 0;
    surfaceOfAdded(World::Kind::object, i, usual, base.surface, base.surface.friction);
    if (base.v_WO.isZero(0) && base.w_WO.isZero(0)) return;
    EntitySettings settings;
    settings.entity.kind = World::Kind::object;
    settings.entity.index = i;
    settings.hasVelocity = true;
    settings.linearVelocity = base.v_WO;
    settings.angularVelocity = base.w_WO;
    added_.entities.push_back(std::move(settings));
  }

  void writeObjectGeometry(const ObjectGeometry& geometry, int i, OrderedChildren& inside) {
    auto& element = inside.add("geometry", geometry.notes.order);
    if (!geometry.file.empty())
      element.SetAttribute("file", rewritten(geometry.file).c_str());
    else if (geometry.geometry)
      element.SetAttribute("file", writtenShape(*geometry.geometry, world_.objectName(i)).c_str());
    writePlacement(geometry.placement, element);
    if (geometry.margin) element.SetAttribute("margin", formatReal(*geometry.margin).c_str());
    setAttributes(element, geometry.notes.attributes);
    OrderedChildren(element).finish(geometry.notes);
  }

  static void writePhysics(const ObjectPhysics& physics, OrderedChildren& inside) {
    auto& element = inside.add("physics", physics.notes.order);
    const auto real = [&element](const char* name, const std::optional<double>& value) {
      if (value) element.SetAttribute(name, formatReal(*value).c_str());
    };
    real("mass", physics.mass);
    if (physics.com) element.SetAttribute("com", vectorText(*physics.com).c_str());
    if (physics.inertia) {
      const Matrix3d rows = physics.inertia->transpose();
      element.SetAttribute("inertia", realsText(rows.data(), 9).c_str());
    }
    if (physics.automass) element.SetAttribute("automass", *physics.automass ? "1" : "0");
    real("automassSurfaceFraction", physics.surfaceFraction);
    real("kFriction", physics.friction);
    real("kRestitution", physics.restitution);
    real("kStiffness", physics.stiffness);
    real("kDamping", physics.damping);
    real("kRolling", physics.rolling);
    setAttributes(element, physics.notes.attributes);
    OrderedChildren(element).finish(physics.notes);
  }

  void writeRobot(int i, OrderedChildren& children) {
    const RobotEntry& entry = world_.robots[at(i)];
    auto& element = children.add("robot", entry.notes.order);
    if (entry.name) element.SetAttribute("name", entry.name->c_str());
    element.SetAttribute(
        "file", (entry.file.empty() ? writtenRobot(entry, world_.robotName(i)) : rewritten(entry.file)).c_str());
    Placement placement = entry.placement;
    placement.scale.reset();
    writePlacement(placement, element);
    if (entry.configuration)
      element.SetAttribute("config",
                           (std::to_string(entry.configuration->size()) + " " +
                            realsText(entry.configuration->data(), static_cast<int>(entry.configuration->size())))
                               .c_str());
    if (!entry.configurationFile.empty())
      element.SetAttribute("configfile", rewritten(entry.configurationFile).c_str());
    setAttributes(element, entry.notes.attributes);
    OrderedChildren(element).finish(entry.notes);
    if (!entry.sensorsFile.empty())
      element.InsertNewChildElement("sensors")->SetAttribute("file", rewritten(entry.sensorsFile).c_str());
    else if (entry.sensors)
      appendXml(sensorsXml(*entry.sensors), element);
    writeDisplay(entry.display, element);
  }

  std::string writtenRobot(const RobotEntry& entry, const std::string& name) {
    if (!entry.robot) throw Error("robot '" + name + "' has no description to write", where_);
    const std::string base = beside(name);
    std::string path = base + ".rob";
    for (int number = 2; taken_.count(resolvedPath(path)) > 0; ++number)
      path = base + "_" + std::to_string(number) + ".rob";
    taken_.insert(resolvedPath(path));
    WriteContext context{path, context_.loader, context_.diagnostics};
    writeRob(*entry.robot, context);
    return std::filesystem::path(path).filename().string();
  }

  const WorldDescription& world_;
  WriteContext& context_;
  Diagnostics& out_;
  SourcePosition where_;
  tinyxml2::XMLDocument document_;
  std::set<std::string> taken_;  ///< Canonical paths that must not be written.
  SimulationDescription added_;  ///< Statements of entities that have their place in `<simulation>` only.
};

}  // namespace

void writeWorldFile(const WorldDescription& world, WriteContext& context) { WorldWriter(world, context).write(); }

}  // namespace mortise::io
