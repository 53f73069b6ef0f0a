#include "mortise/modeling/world_compiler.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "mortise/base/error.h"
#include "mortise/geometry/klampt_automass.h"
#include "mortise/geometry/mass_assumptions.h"
#include "mortise/geometry/transform_geometry.h"
#include "mortise/model/world_description.h"

namespace mortise {

namespace {

/// The origin of a shape. Sources are alive as long as the cache, so their addresses stand for them.
struct ShapeKey {
  const Geometry* source = nullptr;
  std::array<double, 12> map{};
  bool hasMargin = false;
  double margin = 0;
  bool operator<(const ShapeKey& other) const {
    return std::tie(source, map, hasMargin, margin) < std::tie(other.source, other.map, other.hasMargin, other.margin);
  }
};

struct ShapeEntry {
  GeometryPtr source, shape;
  bool used = false;
};

struct RobotCacheEntry {
  RobotDescriptionPtr description;
  bool placed = false;
  RigidTransform X_WR;
  std::optional<Value> sensors;
  RobotPtr robot;
  bool used = false;
};

struct MassEntry {
  GeometryPtr shape;
  double mass = 0, surfaceFraction = 1;
  BodyInertia body;
  std::vector<std::string> assumptions;
  bool used = false;
};

/// Runs `work`; an `Error` goes to the diagnostics, with `where` when it has no place of its own.
template <typename Work>
bool guarded(Diagnostics& out, const SourcePosition& where, Work work) {
  try {
    work();
    return true;
  } catch (const Error& error) {
    out.error(error.message(), error.where().known() ? error.where() : where, error.hint());
    return false;
  }
}

}  // namespace

struct WorldCompiler::Cache {
  std::map<ShapeKey, ShapeEntry> shapes;
  std::vector<RobotCacheEntry> robots;
  std::vector<MassEntry> masses;

  GeometryPtr shape(const GeometryPtr& source, const AffineMap& map, const std::optional<double>& margin) {
    const bool unchanged = map.isIdentity() && (!margin || *margin == source->margin());
    if (unchanged) return source;
    ShapeKey key;
    key.source = source.get();
    for (int i = 0; i < 9; ++i) key.map[static_cast<std::size_t>(i)] = map.A(i / 3, i % 3);
    for (int i = 0; i < 3; ++i) key.map[static_cast<std::size_t>(9 + i)] = map.t[i];
    key.hasMargin = margin.has_value();
    key.margin = margin.value_or(0);
    ShapeEntry& entry = shapes[key];
    if (!entry.shape) {
      GeometryPtr made = map.isIdentity() ? source : transformed(*source, map);
      if (margin) made = made->withMargin(*margin);
      entry.source = source;
      entry.shape = std::move(made);
    }
    entry.used = true;
    return entry.shape;
  }

  const MassEntry& massProperties(const GeometryPtr& shape, double mass, double surfaceFraction) {
    for (MassEntry& entry : masses)
      if (entry.shape == shape && entry.mass == mass && entry.surfaceFraction == surfaceFraction) {
        entry.used = true;
        return entry;
      }
    masses.push_back({shape, mass, surfaceFraction, klamptMassProperties(*shape, mass, surfaceFraction),
                      massAssumptions(*shape, surfaceFraction), true});
    return masses.back();
  }

  RobotPtr robot(const RobotEntry& entry) {
    const bool placed = entry.placement.moves();
    const RigidTransform X_WR = entry.placement.pose();
    for (RobotCacheEntry& old : robots)
      if (old.description == entry.robot && old.placed == placed && (!placed || old.X_WR == X_WR) &&
          old.sensors == entry.sensors) {
        old.used = true;
        return old.robot;
      }
    RobotDescription description = *entry.robot;
    if (entry.sensors) description.sensors = *entry.sensors;
    if (placed)
      for (Link& link : description.links)
        if (link.parent < 0) link.X_PL0 = X_WR * link.X_PL0;
    robots.push_back({entry.robot, placed, X_WR, entry.sensors, Robot::compile(std::move(description)), true});
    return robots.back().robot;
  }

  /// Keeps what this compilation used.
  void forgetUnused() {
    for (auto at = shapes.begin(); at != shapes.end();) at = at->second.used ? std::next(at) : shapes.erase(at);
    std::erase_if(robots, [](const RobotCacheEntry& entry) { return !entry.used; });
    std::erase_if(masses, [](const MassEntry& entry) { return !entry.used; });
  }
  void startOver() {
    for (auto& [key, entry] : shapes) entry.used = false;
    for (RobotCacheEntry& entry : robots) entry.used = false;
    for (MassEntry& entry : masses) entry.used = false;
  }
};

namespace {

template <typename Cache>
class Compilation {
 public:
  Compilation(const WorldDescription& description, Cache& cache, Diagnostics& diagnostics)
      : from_(description), cache_(cache), out_(diagnostics) {}

  World run() {
    world_.file = from_.file;
    if (from_.background) world_.background = *from_.background;
    for (std::size_t i = 0; i < from_.terrains.size(); ++i) addTerrain(static_cast<int>(i));
    for (std::size_t i = 0; i < from_.objects.size(); ++i) addObject(static_cast<int>(i));
    for (std::size_t i = 0; i < from_.robots.size(); ++i) addRobot(static_cast<int>(i));
    // Ids make sense only when every entity is there.
    if (world_.terrains.size() == from_.terrains.size() && world_.objects.size() == from_.objects.size() &&
        world_.robots.size() == from_.robots.size())
      addSimulation();
    return std::move(world_);
  }

 private:
  void addTerrain(int i) {
    const TerrainEntry& entry = from_.terrains[static_cast<std::size_t>(i)];
    Terrain terrain = entry.base;
    terrain.name = from_.terrainName(i);
    terrain.file = entry.file;
    terrain.position = entry.position;
    terrain.display = entry.display;
    if (entry.friction) terrain.surface.friction = *entry.friction;
    const AffineMap map = entry.placement.map();
    const bool good = guarded(out_, entry.position, [&] {
      if (terrain.geometry) terrain.geometry = cache_.shape(terrain.geometry, map, entry.margin);
    });
    if (!map.isIdentity()) terrain.geometryTransform = map * terrain.geometryTransform;
    if (good) world_.terrains.push_back(std::move(terrain));
  }

  void addObject(int i) {
    const ObjectEntry& entry = from_.objects[static_cast<std::size_t>(i)];
    RigidObject object;
    object.inertia.mass = 1;
    if (entry.base) object = *entry.base;
    object.name = from_.objectName(i);
    object.file = entry.file;
    object.position = entry.position;
    object.display = entry.display;
    if (entry.placement.moves()) object.X_WO = entry.placement.pose();
    bool good = true;
    for (const ObjectGeometry& geometry : entry.geometry) {
      if (geometry.geometry) {
        object.geometry = geometry.geometry;
        object.geometryFile = geometry.path;
        object.geometryTransform = AffineMap();
      }
      if (!object.geometry) continue;
      const AffineMap map = geometry.placement.map();
      good = guarded(out_, geometry.position,
                     [&] { object.geometry = cache_.shape(object.geometry, map, geometry.margin); }) &&
             good;
      if (!map.isIdentity()) object.geometryTransform = map * object.geometryTransform;
    }
    if (!object.geometry || object.geometry->empty()) {
      out_.error("rigid object '" + object.name + "' has no geometry", entry.position,
                 "give it file=\"...\" or a child <geometry file=\"...\">");
      return;
    }
    for (const ObjectPhysics& physics : entry.physics) good = addPhysics(physics, object) && good;
    if (good) world_.objects.push_back(std::move(object));
  }

  bool addPhysics(const ObjectPhysics& physics, RigidObject& object) {
    BodyInertia& body = object.inertia;
    body.mass = physics.mass.value_or(body.mass);
    body.com = physics.com.value_or(body.com);
    body.inertia = physics.inertia.value_or(body.inertia);
    Surface& surface = object.surface;
    surface.friction = physics.friction.value_or(surface.friction);
    surface.restitution = physics.restitution.value_or(surface.restitution);
    surface.stiffness = physics.stiffness.value_or(surface.stiffness);
    surface.damping = physics.damping.value_or(surface.damping);
    surface.rolling = physics.rolling.value_or(surface.rolling);
    if (!physics.automass.value_or(false)) return true;
    return guarded(out_, physics.position, [&] {
      const auto& found = cache_.massProperties(object.geometry, body.mass, physics.surfaceFraction.value_or(1));
      body = found.body;
      warnOfMassAssumptions(found.assumptions, physics.position, out_);
    });
  }

  void addRobot(int i) {
    const RobotEntry& entry = from_.robots[static_cast<std::size_t>(i)];
    WorldRobot robot;
    robot.name = from_.robotName(i);
    robot.file = entry.file;
    robot.position = entry.position;
    robot.display = entry.display;
    if (!entry.robot) {
      out_.error("robot '" + robot.name + "' has no description", entry.position);
      return;
    }
    if (!guarded(out_, entry.position, [&] { robot.robot = cache_.robot(entry); })) return;
    robot.q = robot.robot->initialConfiguration();
    robot.dq = VectorXd::Zero(robot.robot->numLinks());
    for (const std::optional<VectorXd>& q : {entry.configuration, entry.fileConfiguration}) {
      if (!q) continue;
      if (q->size() != robot.robot->numLinks())
        out_.error("the configuration has " + std::to_string(q->size()) + " numbers; robot '" + robot.name + "' has " +
                       std::to_string(robot.robot->numLinks()) + " links",
                   entry.position);
      else
        robot.q = *q;
    }
    world_.robots.push_back(std::move(robot));
  }

  /// The world id, or -1 with an error.
  int idOf(const EntityReference& entity, const SourcePosition& where) {
    const auto within = [&](const auto& list) { return entity.index >= 0 && entity.index < std::ssize(list); };
    switch (entity.kind) {
      case World::Kind::terrain:
        if (within(world_.terrains)) return world_.terrainId(entity.index);
        break;
      case World::Kind::object:
        if (within(world_.objects)) return world_.objectId(entity.index);
        break;
      case World::Kind::robot:
        if (within(world_.robots)) return world_.robotId(entity.index);
        break;
      case World::Kind::link:
        if (within(world_.robots) && entity.link >= 0 &&
            entity.link < world_.robots[static_cast<std::size_t>(entity.index)].robot->numLinks())
          return world_.linkId(entity.index, entity.link);
        break;
    }
    out_.error("the simulation speaks of something that the world does not have", where);
    return -1;
  }

  void addSimulation() {
    const SimulationDescription& from = from_.simulation;
    SimulationSettings& to = world_.simulation;
    to.backend = from.backend;
    to.backendSettings = from.backendSettings;
    const auto take = [](const auto& value, auto& target) {
      if (value) target = *value;
    };
    take(from.gravity, to.gravity);
    take(from.timeStep, to.timeStep);
    take(from.errorReduction, to.errorReduction);
    take(from.constraintForceMixing, to.constraintForceMixing);
    take(from.maxContacts, to.maxContacts);
    take(from.boundaryLayerContacts, to.boundaryLayerContacts);
    take(from.adaptiveTimeStepping, to.adaptiveTimeStepping);
    take(from.onUnstable, to.onUnstable);
    take(from.objectCollisions, to.objectCollisions);
    take(from.robotSelfCollisions, to.robotSelfCollisions);
    take(from.robotRobotCollisions, to.robotRobotCollisions);
    to.stateData = from.stateData;
    for (const EntitySettings& settings : from.entities) addSettings(settings);
    for (const JointEntry& joint : from.joints) addJoint(joint);
    for (const CommandEntry& command : from.commands) to.commands.push_back(command.entry);
  }

  void addSettings(const EntitySettings& settings) {
    const EntityReference& entity = settings.entity;
    const int id = idOf(entity, settings.position);
    if (id < 0) return;
    SimulationSettings& to = world_.simulation;
    for (const SurfaceSettings& surface : settings.surfaces) {
      SurfaceOverride change = surface.change;
      if (!change.padding) change.preshrink.reset();  // Shrinking goes by the padding that is given with it.
      if (entity.kind != World::Kind::robot) {
        to.surfaces.emplace_back(id, change);
        continue;
      }
      const int numLinks = world_.robots[static_cast<std::size_t>(entity.index)].robot->numLinks();
      for (int link = 0; link < numLinks; ++link) to.surfaces.emplace_back(world_.linkId(entity.index, link), change);
    }
    if (entity.kind == World::Kind::object && settings.hasVelocity) {
      RigidObject& object = world_.objects[static_cast<std::size_t>(entity.index)];
      object.v_WO = settings.linearVelocity.value_or(Vector3d::Zero());
      object.w_WO = settings.angularVelocity.value_or(Vector3d::Zero());
    }
    for (const ComponentRequest& controller : settings.controllers)
      to.controllers.emplace_back(entity.index, controller);
    for (const SensorSet& set : settings.sensors)
      for (const ComponentRequest& sensor : set.sensors) to.sensors.emplace_back(entity.index, sensor);
  }

  void addJoint(const JointEntry& entry) {
    WorldJoint joint;
    joint.type = entry.type;
    joint.position = entry.position;
    joint.point = entry.point.value_or(joint.point);
    if (entry.axis && entry.axis->norm() > 0) joint.axis = entry.axis->normalized();
    joint.min = entry.min.value_or(joint.min);
    joint.max = entry.max.value_or(joint.max);
    joint.friction = entry.friction.value_or(0);
    if (entry.bodies.empty() || entry.bodies.size() > 2) {
      out_.error("a joint needs one body (and the world) or two; found " + std::to_string(entry.bodies.size()),
                 entry.position);
      return;
    }
    for (std::size_t k = 0; k < entry.bodies.size(); ++k) {
      if (entry.bodies[k].kind == World::Kind::robot) {
        out_.error("a joint needs one link of the robot, not the robot as a whole", entry.position);
        return;
      }
      const int id = idOf(entry.bodies[k], entry.position);
      if (id < 0) return;
      (k == 0 ? joint.idA : joint.idB) = id;
    }
    world_.simulation.joints.push_back(joint);
  }

  const WorldDescription& from_;
  Cache& cache_;
  Diagnostics& out_;
  World world_;
};

}  // namespace

WorldCompiler::WorldCompiler() : cache_(std::make_unique<Cache>()) {}
WorldCompiler::~WorldCompiler() = default;
WorldCompiler::WorldCompiler(WorldCompiler&&) noexcept = default;
WorldCompiler& WorldCompiler::operator=(WorldCompiler&&) noexcept = default;

World WorldCompiler::compile(const WorldDescription& description, Diagnostics& diagnostics) {
  const int errorsBefore = diagnostics.errorCount();
  cache_->startOver();
  World world = Compilation<Cache>(description, *cache_, diagnostics).run();
  if (diagnostics.errorCount() == errorsBefore) cache_->forgetUnused();
  return world;
}

World WorldCompiler::compile(const WorldDescription& description) {
  Diagnostics diagnostics;
  World world = compile(description, diagnostics);
  diagnostics.throwIfErrors("the world cannot be used");
  return world;
}

}  // namespace mortise
