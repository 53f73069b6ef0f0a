#include "robotsim/model/world.h"

#include <algorithm>
#include <filesystem>

#include "common/environment.h"
#include "mortise/base/error.h"
#include "mortise/loading/foreign_model.h"
#include "mortise/modeling/robot_edit.h"
#include "robotsim/model/colors.h"
#include "robotsim/model/sensor.h"

namespace mortise::robotsim {

namespace {

ShapePtr shapeOf(const GeometryPtr& geometry, const RigidTransform& X) {
  auto shape = std::make_shared<Shape>();
  shape->set(geometry);
  shape->X = X;
  return shape;
}

/// The shape and where it comes from; a shape that was exchanged comes from its own file or none.
template <typename T>
void giveShape(T& entity, const Shape& shape) {
  if (shape.geometry() == entity.geometry) return;
  entity.geometry = shape.empty() ? nullptr : shape.geometry();
  entity.geometryFile = entity.geometry ? entity.geometry->file() : std::string();
  entity.geometryTransform = AffineMap();
  entity.file.clear();
}

/// References of a world file as paths, so that the world can be saved anywhere.
void resolveFiles(World& world, FormatLoader& loader) {
  const auto resolve = [&](std::string& file) {
    if (!file.empty() && file.find("://") == std::string::npos) file = loader.find(file, world.file);
  };
  for (Terrain& terrain : world.terrains) resolve(terrain.file);
  for (RigidObject& object : world.objects) resolve(object.file);
  for (WorldRobot& robot : world.robots) resolve(robot.file);
}

std::string lowerExtension(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return extension;
}

}  // namespace

TerrainModel::TerrainModel(Terrain loaded) : terrain(std::move(loaded)), shape(shapeOf(terrain.geometry, {})) {}

Terrain TerrainModel::complete() const {
  Terrain full = terrain;
  giveShape(full, *shape);
  full.display = shown(terrain.display, appearance);
  return full;
}

ObjectModel::ObjectModel(RigidObject loaded)
    : object(std::move(loaded)), shape(shapeOf(object.geometry, object.X_WO)) {}

RigidObject ObjectModel::complete() const {
  RigidObject full = object;
  giveShape(full, *shape);
  full.X_WO = shape->X;
  full.display = shown(object.display, appearance);
  return full;
}

int WorldModel::robotId(int index) const {
  int id = static_cast<int>(terrains.size() + objects.size());
  for (int i = 0; i < index; ++i) id += 1 + robots.at(static_cast<std::size_t>(i))->numLinks();
  return id;
}

void WorldModel::shiftIds(int first, int by) {
  for (auto& [id, surface] : simulation.surfaces)
    if (id >= first) id += by;
  for (WorldJoint& joint : simulation.joints) {
    if (joint.idA >= first) joint.idA += by;
    if (joint.idB >= first) joint.idB += by;
  }
}

int WorldModel::addTerrain(Terrain terrain) {
  shiftIds(static_cast<int>(terrains.size()), 1);
  if (!loadGeometry) terrain.geometry = nullptr;
  terrains.push_back(std::make_shared<TerrainModel>(std::move(terrain)));
  return static_cast<int>(terrains.size()) - 1;
}

int WorldModel::addObject(RigidObject object) {
  shiftIds(objectId(static_cast<int>(objects.size())), 1);
  if (!loadGeometry) object.geometry = nullptr;
  objects.push_back(std::make_shared<ObjectModel>(std::move(object)));
  return static_cast<int>(objects.size()) - 1;
}

int WorldModel::addRobot(RobotDescription robot, const std::string& name) {
  if (!loadGeometry)
    for (Link& link : robot.links) link.geometry = nullptr;
  robots.push_back(std::make_shared<RobotModel>(std::move(robot), name));
  return static_cast<int>(robots.size()) - 1;
}

void WorldModel::addRobot(const RobotModelPtr& robot) { robots.push_back(robot); }

void WorldModel::removeTerrain(int index) {
  static_cast<void>(terrains.at(static_cast<std::size_t>(index)));  // Throws.
  std::erase_if(simulation.surfaces, [&](const auto& surface) { return surface.first == index; });
  std::erase_if(simulation.joints, [&](const WorldJoint& j) { return j.idA == index || j.idB == index; });
  terrains.erase(terrains.begin() + index);
  shiftIds(index + 1, -1);
}

void WorldModel::removeObject(int index) {
  static_cast<void>(objects.at(static_cast<std::size_t>(index)));
  const int id = objectId(index);
  std::erase_if(simulation.surfaces, [&](const auto& surface) { return surface.first == id; });
  std::erase_if(simulation.joints, [&](const WorldJoint& j) { return j.idA == id || j.idB == id; });
  objects.erase(objects.begin() + index);
  shiftIds(id + 1, -1);
}

void WorldModel::removeRobot(int index) {
  const int first = robotId(index), count = 1 + robots.at(static_cast<std::size_t>(index))->numLinks();
  const auto belongs = [&](int id) { return id >= first && id < first + count; };
  std::erase_if(simulation.surfaces, [&](const auto& surface) { return belongs(surface.first); });
  std::erase_if(simulation.joints, [&](const WorldJoint& j) { return belongs(j.idA) || belongs(j.idB); });
  std::erase_if(simulation.controllers, [&](const auto& entry) { return entry.first == index; });
  std::erase_if(simulation.sensors, [&](const auto& entry) { return entry.first == index; });
  for (auto& entry : simulation.controllers)
    if (entry.first > index) --entry.first;
  for (auto& entry : simulation.sensors)
    if (entry.first > index) --entry.first;
  robots.erase(robots.begin() + index);
  shiftIds(first + count, -count);
}

void WorldModel::add(World world) {
  const bool first = numIds() == 0;
  if (first) {
    simulation = std::move(world.simulation);
    background = world.background;
    file = world.file;
  }
  const SimulationSettings kept = simulation;  // Its ids are of the whole world already.
  const int robotsBefore = static_cast<int>(robots.size());
  for (Terrain& terrain : world.terrains) addTerrain(std::move(terrain));
  for (RigidObject& object : world.objects) addObject(std::move(object));
  for (const WorldRobot& robot : world.robots) {
    robots.push_back(std::make_shared<RobotModel>(robot));
    if (!loadGeometry)
      for (int i = 0; i < robots.back()->numLinks(); ++i) robots.back()->shape(i)->set(nullptr);
  }
  if (first) simulation = kept;
  const auto& sensors = first ? simulation.sensors : world.simulation.sensors;
  for (const auto& [robot, request] : sensors) {
    Value description = request.settings;
    description.set("type", request.type);
    Value list = Value::list();
    list.push_back(description);
    for (const SensorModelPtr& sensor : sensorsOf(list))
      robots[static_cast<std::size_t>(robotsBefore + robot)]->sensors.push_back(sensor);
  }
  simulation.sensors.clear();
}

LoadedElement WorldModel::load(const std::string& path) {
  std::optional<FileContent> content;
  std::string found;
  python::withLoader({}, [&](FormatLoader& loader, Diagnostics&) {
    found = loader.find(path, {});
    content = loader.contentOf(found);
  });
  if (content == FileContent::world) {
    World world;
    python::withLoader("'" + path + "' cannot be read", [&](FormatLoader& loader, Diagnostics& diagnostics) {
      world = loader.world(path, {}, diagnostics);
      resolveFiles(world, loader);
    });
    add(std::move(world));
    return {"world", -1};
  }
  if (content == FileContent::robot) return loadAs("robot", path);
  if (content == FileContent::rigidObject || lowerExtension(path) == ".obj") return loadAs("rigidObject", path);
  if (content == FileContent::terrain || content == FileContent::geometry) return loadAs("terrain", path);
  refuseForeignModel(found);
  throw Error("'" + path + "' is no world, robot, rigid object or terrain");
}

LoadedElement WorldModel::loadAs(const std::string& kind, const std::string& path) {
  const std::string summary = "'" + path + "' cannot be read";
  if (kind == "robot") {
    RobotDescription robot;
    python::withLoader(summary, [&](FormatLoader& loader, Diagnostics& diagnostics) {
      robot = loader.load<RobotDescription>(path, {}, diagnostics);
    });
    const std::string name = robot.name;
    return {kind, addRobot(std::move(robot), name)};
  }
  if (kind == "rigidObject") {
    RigidObject object;
    python::withLoader(summary, [&](FormatLoader& loader, Diagnostics& diagnostics) {
      object = loader.load<RigidObject>(path, {}, diagnostics);
    });
    return {kind, addObject(std::move(object))};
  }
  Terrain terrain;
  python::withLoader(summary, [&](FormatLoader& loader, Diagnostics& diagnostics) {
    terrain = loader.load<Terrain>(path, {}, diagnostics);
  });
  return {"terrain", addTerrain(std::move(terrain))};
}

std::shared_ptr<WorldModel> WorldModel::copy() const {
  auto result = std::make_shared<WorldModel>();
  result->simulation = simulation;
  result->background = background;
  result->file = file;
  for (const TerrainModelPtr& terrain : terrains)
    result->terrains.push_back(std::make_shared<TerrainModel>(terrain->complete()));
  for (const ObjectModelPtr& object : objects)
    result->objects.push_back(std::make_shared<ObjectModel>(object->complete()));
  for (const RobotModelPtr& robot : robots) {
    auto twin = std::make_shared<RobotModel>(robot->complete(), robot->name);
    twin->file = robot->file;
    twin->display = shownLinks(robot->display, robot->appearances);
    twin->setConfiguration(robot->q());
    twin->setVelocity(robot->dq());
    result->robots.push_back(std::move(twin));
  }
  return result;
}

World WorldModel::assembled() const {
  World world;
  world.file = file;
  if (!background.empty()) world.background = background;
  world.simulation = simulation;
  for (const TerrainModelPtr& terrain : terrains) world.terrains.push_back(terrain->complete());
  for (const ObjectModelPtr& object : objects) world.objects.push_back(object->complete());
  for (const RobotModelPtr& robot : robots) {
    WorldRobot entry;
    entry.name = robot->name;
    entry.file = robot->file;
    entry.robot = Robot::compile(robot->complete());
    entry.q = robot->q();
    entry.dq = robot->dq();
    entry.display = shownLinks(robot->display, robot->appearances);
    world.robots.push_back(std::move(entry));
  }
  return world;
}

std::shared_ptr<const World> WorldModel::compiled() {
  const auto current = [&] {
    if (!compiled_ || compiled_->terrains.size() != terrains.size() || compiled_->objects.size() != objects.size() ||
        compiled_->robots.size() != robots.size())
      return false;
    for (std::size_t i = 0; i < terrains.size(); ++i)
      if (compiled_->terrains[i].geometry != terrains[i]->shape->geometry()) return false;
    for (std::size_t i = 0; i < objects.size(); ++i)
      if (compiled_->objects[i].geometry != objects[i]->shape->geometry()) return false;
    for (std::size_t i = 0; i < robots.size(); ++i) {
      const Robot& robot = *compiled_->robots[i].robot;
      if (robot.numLinks() != robots[i]->numLinks()) return false;
      for (int k = 0; k < robot.numLinks(); ++k)
        if (robot.link(k).geometry != robots[i]->shape(k)->geometry()) return false;
    }
    return true;
  };
  if (!current()) {
    compiled_ = std::make_shared<World>(assembled());
    return compiled_;
  }
  // Colors may have changed, which needs nothing else anew.
  std::shared_ptr<World> repainted;
  const auto show = [&](std::vector<Value> display, const auto& member) {
    if (member(*compiled_) == display) return;
    if (!repainted) repainted = std::make_shared<World>(*compiled_);
    member(*repainted) = std::move(display);
  };
  for (std::size_t i = 0; i < terrains.size(); ++i)
    show(
        shown(terrains[i]->terrain.display, terrains[i]->appearance), [i](auto& world) -> auto& {
          return world.terrains[i].display;
        });
  for (std::size_t i = 0; i < objects.size(); ++i)
    show(
        shown(objects[i]->object.display, objects[i]->appearance), [i](auto& world) -> auto& {
          return world.objects[i].display;
        });
  for (std::size_t i = 0; i < robots.size(); ++i)
    show(
        shownLinks(robots[i]->display, robots[i]->appearances), [i](auto& world) -> auto& {
          return world.robots[i].display;
        });
  if (repainted) compiled_ = std::move(repainted);
  return compiled_;
}

}  // namespace mortise::robotsim
