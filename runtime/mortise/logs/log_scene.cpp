#include "mortise/logs/log_scene.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>

namespace mortise::logs {

std::vector<std::string> frameNames(const World& world) {
  std::vector<std::string> names;
  std::map<std::string, int> count;
  for (int id = 0; id < world.numIds(); ++id) {
    const World::Entity entity = world.entity(id);
    names.push_back(entity.kind == World::Kind::link ? world.robots[entity.index].name + "/" +
                                                           world.robots[entity.index].robot->link(entity.link).name
                                                     : world.nameOf(id));
    ++count[names.back()];
  }
  for (int id = 0; id < world.numIds(); ++id)
    if (count[names[id]] > 1 || names[id].empty()) names[id] += "#" + std::to_string(id);
  return names;
}

std::vector<GlbNode> sceneNodes(const World& world) {
  std::vector<GlbNode> nodes;
  const std::vector<std::string> names = frameNames(world);
  for (std::size_t i = 0; i < world.terrains.size(); ++i) {
    const int id = world.terrainId(static_cast<int>(i));
    nodes.push_back({names[id], id, world.terrains[i].geometry,
                     displayColor(world.terrains[i].display, kTerrainColor, {}), RigidTransform()});
  }
  for (std::size_t i = 0; i < world.objects.size(); ++i) {
    const int id = world.objectId(static_cast<int>(i));
    nodes.push_back({names[id], id, world.objects[i].geometry, displayColor(world.objects[i].display, kObjectColor, {}),
                     world.objects[i].X_WO});
  }
  for (std::size_t i = 0; i < world.robots.size(); ++i) {
    const Robot& robot = *world.robots[i].robot;
    RobotState state(robot);
    state.q = world.robots[i].q;
    updateFrames(robot, state);
    for (int l = 0; l < robot.numLinks(); ++l) {
      const int id = world.linkId(static_cast<int>(i), l);
      nodes.push_back({names[id], id, robot.link(l).geometry,
                       displayColor(world.robots[i].display, kRobotColor, {}, &robot, l), state.X_WL[l]});
    }
  }
  return nodes;
}

namespace {

Value numbersOf(const Vector3d& v) { return std::vector<double>{v.x(), v.y(), v.z()}; }

/// R row-major, then t.
Value rowsOf(const RigidTransform& X) {
  std::vector<double> rows(12);
  X.toRows(rows.data());
  return rows;
}

/// A box of uniform density with this mass and inertia: {size, T (R row-major, then t)}; null where there is none.
Value inertiaBox(const BodyInertia& body) {
  if (!(body.mass > 0) || !body.inertia.allFinite()) return {};
  const Eigen::SelfAdjointEigenSolver<Matrix3d> axes(body.inertia);
  const Vector3d I = axes.eigenvalues();
  Vector3d size;
  for (int i = 0; i < 3; ++i)
    size[i] = std::sqrt(std::max(0.0, 6 / body.mass * (I[(i + 1) % 3] + I[(i + 2) % 3] - I[i])));
  Matrix3d R = axes.eigenvectors();
  if (R.determinant() < 0) R.col(0) = -R.col(0);
  Value out = Value::map();
  out.set("size", numbersOf(size));
  out.set("T", rowsOf(RigidTransform(R, body.com)));
  return out;
}

Value linkDescription(const Link& link, int id) {
  Value out = Value::map();
  out.set("id", id);
  out.set("name", link.name);
  out.set("parent", link.parent);
  out.set("motion", link.motion == LinkMotion::revolute ? "revolute" : "prismatic");
  out.set("axis", numbersOf(link.axis));
  out.set("T", rowsOf(link.X_PL0));
  out.set("mass", link.inertia.mass);
  out.set("com", numbersOf(link.inertia.com));
  out.set("inertia", inertiaBox(link.inertia));
  out.set("limits", std::vector<double>{link.qMin, link.qMax});
  return out;
}

/// {links, scale, offset}: link i has the coordinate scale[i] * value + offset[i]. Null for drivers that do more than
/// that (they push a floating base).
Value driverDescription(const Driver& driver) {
  if (driver.type != DriverType::normal && driver.type != DriverType::affine) return {};
  Value out = Value::map(), links = Value::list();
  for (const int link : driver.links) links.push_back(link);
  const bool affine = driver.type == DriverType::affine;
  out.set("links", std::move(links));
  out.set("scale", affine ? driver.scale : std::vector<double>(driver.links.size(), 1.0));
  out.set("offset", affine ? driver.offset : std::vector<double>(driver.links.size(), 0.0));
  return out;
}

const char* kindWord(World::Kind kind) {
  switch (kind) {
    case World::Kind::terrain:
      return "terrain";
    case World::Kind::object:
      return "object";
    case World::Kind::robot:
      return "robot";
    default:
      return "link";
  }
}

}  // namespace

Value sceneDescription(const World& world) {
  const std::vector<std::string> names = frameNames(world);
  Value out = Value::map(), entities = Value::list(), robots = Value::list();
  for (int id = 0; id < world.numIds(); ++id) {
    const World::Entity entity = world.entity(id);
    Value item = Value::map();
    item.set("id", id);
    item.set("kind", kindWord(entity.kind));
    item.set("name", world.nameOf(id));
    item.set("frame", names[id]);
    if (entity.kind != World::Kind::robot) item.set("padding", world.simulationSurface(id).thickness());
    if (entity.kind == World::Kind::object) {
      const BodyInertia& inertia = world.objects[static_cast<std::size_t>(entity.index)].inertia;
      item.set("mass", inertia.mass);
      item.set("com", numbersOf(inertia.com));
      item.set("inertia", inertiaBox(inertia));
    }
    entities.push_back(std::move(item));
  }
  for (std::size_t r = 0; r < world.robots.size(); ++r) {
    const Robot& robot = *world.robots[r].robot;
    Value item = Value::map(), links = Value::list();
    item.set("id", world.robotId(static_cast<int>(r)));
    item.set("name", world.robots[r].name);
    for (int l = 0; l < robot.numLinks(); ++l)
      links.push_back(linkDescription(robot.link(l), world.linkId(static_cast<int>(r), l)));
    Value drivers = Value::list();
    for (int d = 0; d < robot.numDrivers(); ++d) drivers.push_back(driverDescription(robot.driver(d)));
    item.set("links", std::move(links));
    item.set("drivers", std::move(drivers));
    robots.push_back(std::move(item));
  }
  out.set("version", 1);
  out.set("world", world.file);
  out.set("background", world.background);
  out.set("gravity", numbersOf(world.simulation.gravity));
  out.set("entities", std::move(entities));
  out.set("robots", std::move(robots));
  return out;
}

std::vector<std::string> stateColumns(const World& world) {
  const std::vector<std::string> names = frameNames(world);
  std::vector<std::string> columns;
  for (std::size_t r = 0; r < world.robots.size(); ++r)
    for (int l = 0; l < world.robots[r].robot->numLinks(); ++l)
      columns.push_back(names[world.linkId(static_cast<int>(r), l)]);
  for (std::size_t i = 0; i < world.objects.size(); ++i)
    for (const char* part : {".x", ".y", ".z", ".qx", ".qy", ".qz", ".qw"})
      columns.push_back(names[world.objectId(static_cast<int>(i))] + part);
  return columns;
}

}  // namespace mortise::logs
