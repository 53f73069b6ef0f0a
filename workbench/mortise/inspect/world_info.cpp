#include "mortise/inspect/world_info.h"

#include <algorithm>

#include "mortise/inspect/collisions.h"
#include "mortise/inspect/values.h"
#include "mortise/model/on_unstable.h"

namespace mortise {

namespace {

using inspect::collisionsAtLoad;
using inspect::geometryInfo;
using inspect::list;
using inspect::numElements;
using inspect::pairList;

Value surfaceInfo(const Surface& surface) {
  Value info = Value::map();
  info.set("padding", surface.thickness());
  info.set("preshrink", surface.preshrink);
  info.set("kFriction", surface.friction);
  info.set("kRestitution", surface.restitution);
  info.set("kStiffness", surface.stiffness);
  info.set("kDamping", surface.damping);
  if (surface.rolling != 0) info.set("kRolling", surface.rolling);
  return info;
}

Value displayInfo(const std::vector<Value>& display) {
  Value info = Value::list();
  for (const Value& attributes : display) info.push_back(attributes);
  return info;
}

Vector3d centerOfMass(const Robot& robot, const RobotState& state) {
  Vector3d moment = Vector3d::Zero();
  for (int i = 0; i < robot.numLinks(); ++i)
    moment += robot.link(i).inertia.mass * (state.X_WL[i] * robot.link(i).inertia.com);
  return robot.totalMass() > 0 ? Vector3d(moment / robot.totalMass()) : moment;
}

Value robotInfo(const World& world, int index) {
  const WorldRobot& entry = world.robots[index];
  RobotState state(*entry.robot);
  state.q = entry.q;
  updateFrames(*entry.robot, state);
  Value frames = Value::list();
  for (const RigidTransform& X : state.X_WL) frames.push_back(list(X));
  Value info = Value::map();
  info.set("name", entry.name);
  info.set("id", world.robotId(index));
  info.set("num_links", entry.robot->numLinks());
  info.set("num_drivers", entry.robot->numDrivers());
  info.set("q", list(entry.q));
  info.set("dq", list(entry.dq));
  info.set("link_ids_first", world.linkId(index, 0));
  info.set("link_T", std::move(frames));
  info.set("com", list(centerOfMass(*entry.robot, state)));
  info.set("file", entry.file);
  info.set("total_mass", entry.robot->totalMass());
  Value surfaces = Value::map();
  for (int i = 0; i < entry.robot->numLinks(); ++i) {
    const GeometryPtr& geometry = entry.robot->link(i).geometry;
    if (geometry && !geometry->empty())
      surfaces.set(std::to_string(i), surfaceInfo(world.simulationSurface(world.linkId(index, i))));
  }
  info.set("surfaces", std::move(surfaces));
  info.set("display", displayInfo(entry.display));
  return info;
}

Value objectInfo(const World& world, int index) {
  const RigidObject& object = world.objects[index];
  Value info = Value::map();
  info.set("name", object.name);
  info.set("id", world.objectId(index));
  info.set("T", list(object.X_WO));
  info.set("v", list(object.v_WO));
  info.set("w", list(object.w_WO));
  info.set("mass", object.inertia.mass);
  info.set("com", list(object.inertia.com));
  info.set("inertia", list(object.inertia.inertia));
  info.set("kFriction", object.surface.friction);
  info.set("kRestitution", object.surface.restitution);
  info.set("kStiffness", object.surface.stiffness);
  info.set("kDamping", object.surface.damping);
  info.set("geom_file", object.geometryFile);
  info.set("geometry", geometryInfo(object.geometry));
  info.set("file", object.file);
  info.set("surface", surfaceInfo(world.simulationSurface(world.objectId(index))));
  info.set("display", displayInfo(object.display));
  return info;
}

Value terrainInfo(const World& world, int index) {
  const Terrain& terrain = world.terrains[index];
  Value info = Value::map();
  info.set("name", terrain.name);
  info.set("id", world.terrainId(index));
  // Klamp't counts a friction for each element; all have the terrain's.
  info.set("num_kFriction", terrain.geometry ? numElements(*terrain.geometry) : 0);
  info.set("kFriction0", terrain.surface.friction);
  info.set("geom_file", terrain.geometryFile);
  info.set("geometry", geometryInfo(terrain.geometry));
  info.set("file", terrain.file);
  info.set("surface", surfaceInfo(world.simulationSurface(world.terrainId(index))));
  info.set("display", displayInfo(terrain.display));
  return info;
}

Value jointInfo(const WorldJoint& joint) {
  static constexpr const char* kTypes[] = {"hinge", "slider", "fixed"};
  Value info = Value::map();
  info.set("type", kTypes[static_cast<int>(joint.type)]);
  info.set("a", joint.idA);
  info.set("b", joint.idB);
  info.set("point", list(joint.point));
  info.set("axis", list(joint.axis));
  info.set("min", joint.min);
  info.set("max", joint.max);
  info.set("friction", joint.friction);
  return info;
}

Value requestInfo(const std::vector<std::pair<int, ComponentRequest>>& requests) {
  Value info = Value::list();
  for (const auto& [robot, request] : requests) {
    Value entry = Value::map();
    entry.set("robot", robot);
    entry.set("type", request.type);
    entry.set("settings", request.settings);
    info.push_back(std::move(entry));
  }
  return info;
}

Value simulationInfo(const SimulationSettings& settings) {
  Value info = Value::map();
  info.set("backend", settings.backend);
  info.set("backend_settings", settings.backendSettings);
  info.set("gravity", list(settings.gravity));
  info.set("timestep", settings.timeStep);
  info.set("ERP", settings.errorReduction);
  info.set("CFM", settings.constraintForceMixing);
  info.set("maxContacts", settings.maxContacts);
  info.set("boundaryLayer", settings.boundaryLayerContacts);
  info.set("adaptiveTimeStepping", settings.adaptiveTimeStepping);
  info.set("on_unstable", onUnstableText(settings.onUnstable));
  info.set("rigidObjectCollisions", settings.objectCollisions);
  info.set("robotSelfCollisions", settings.robotSelfCollisions);
  info.set("robotRobotCollisions", settings.robotRobotCollisions);
  Value joints = Value::list();
  for (const WorldJoint& joint : settings.joints) joints.push_back(jointInfo(joint));
  info.set("joints", std::move(joints));
  info.set("controllers", requestInfo(settings.controllers));
  info.set("sensors", requestInfo(settings.sensors));
  info.set("has_state", !settings.stateData.empty());
  return info;
}

}  // namespace

Value worldInfo(const World& world, const std::string& file) {
  Value robots = Value::list(), objects = Value::list(), terrains = Value::list();
  for (std::size_t i = 0; i < world.robots.size(); ++i) robots.push_back(robotInfo(world, static_cast<int>(i)));
  for (std::size_t i = 0; i < world.objects.size(); ++i) objects.push_back(objectInfo(world, static_cast<int>(i)));
  for (std::size_t i = 0; i < world.terrains.size(); ++i) terrains.push_back(terrainInfo(world, static_cast<int>(i)));
  // Of the world as a whole what is not within one robot; the rest stands with the robots.
  std::vector<IdPair> otherCollisions;
  std::vector<std::vector<IdPair>> selfCollisions(world.robots.size());
  for (const IdPair& pair : collisionsAtLoad(world)) {
    const World::Entity a = world.entity(pair.a), b = world.entity(pair.b);
    if (a.kind == World::Kind::link && b.kind == World::Kind::link && a.index == b.index)
      selfCollisions[a.index].push_back({a.link, b.link});
    else
      otherCollisions.push_back(pair);
  }
  for (std::size_t i = 0; i < world.robots.size(); ++i)
    robots.items()[i].set("self_collisions", pairList(selfCollisions[i]));
  Value info = Value::map();
  info.set("file", file);
  info.set("num_ids", world.numIds());
  info.set("num_robots", static_cast<int>(world.robots.size()));
  info.set("num_rigid_objects", static_cast<int>(world.objects.size()));
  info.set("num_terrains", static_cast<int>(world.terrains.size()));
  info.set("background", world.background);
  info.set("robots", std::move(robots));
  info.set("rigid_objects", std::move(objects));
  info.set("terrains", std::move(terrains));
  info.set("simulation", simulationInfo(world.simulation));
  info.set("num_collisions_at_load", static_cast<std::int64_t>(otherCollisions.size()));
  otherCollisions.resize(std::min(otherCollisions.size(), inspect::kMaxListedCollisions));
  info.set("collisions_at_load", pairList(otherCollisions));
  return info;
}

}  // namespace mortise
