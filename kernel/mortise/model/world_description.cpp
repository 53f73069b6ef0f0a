#include "mortise/model/world_description.h"

#include <algorithm>

#include "mortise/base/error.h"

namespace mortise {

namespace {

template <typename Entities>
void requireIndex(const Entities& entities, int i, const char* what) {
  const int count = static_cast<int>(entities.size());
  if (i < 0 || i >= count)
    throw Error("there is no " + std::string(what) + " with index " + std::to_string(i) + "; the world has " +
                std::to_string(count));
}

bool sameKind(World::Kind a, World::Kind b) {
  const auto plain = [](World::Kind kind) { return kind == World::Kind::link ? World::Kind::robot : kind; };
  return plain(a) == plain(b);
}

/// Forgets what the simulation says of an entity that is gone, and renumbers those after it.
void dropReferences(SimulationDescription& simulation, World::Kind kind, int index) {
  const auto isGone = [&](const EntityReference& entity) {
    return sameKind(entity.kind, kind) && entity.index == index;
  };
  const auto move = [&](EntityReference& entity) {
    if (sameKind(entity.kind, kind) && entity.index > index) --entity.index;
  };
  std::erase_if(simulation.entities, [&](const EntitySettings& settings) { return isGone(settings.entity); });
  for (EntitySettings& settings : simulation.entities) move(settings.entity);
  std::erase_if(simulation.joints,
                [&](const JointEntry& joint) { return std::any_of(joint.bodies.begin(), joint.bodies.end(), isGone); });
  for (JointEntry& joint : simulation.joints) std::for_each(joint.bodies.begin(), joint.bodies.end(), move);
}

}  // namespace

void ObjectEntry::setMass(double mass) {
  // The last word on the mass is changed where there is one, so that its automass goes by the new mass.
  for (std::size_t i = physics.size(); i-- > 0;)
    if (physics[i].mass || physics[i].automass.value_or(false)) {
      physics[i].mass = mass;
      return;
    }
  if (physics.empty()) physics.emplace_back();
  physics.back().mass = mass;
}

void ObjectEntry::setInertia(const BodyInertia& inertia) {
  for (ObjectPhysics& entry : physics) entry.automass.reset();
  if (physics.empty()) physics.emplace_back();
  ObjectPhysics& last = physics.back();
  last.mass = inertia.mass;
  last.com = inertia.com;
  last.inertia = inertia.inertia;
  last.surfaceFraction.reset();
}

std::string WorldDescription::terrainName(int i) const {
  return terrains[static_cast<std::size_t>(i)].name.value_or("Terrain" + std::to_string(i));
}

int WorldDescription::addTerrain(Terrain terrain, const std::string& fileName) {
  TerrainEntry entry;
  entry.name = terrain.name;
  entry.file = fileName;
  entry.base = std::move(terrain);
  terrains.push_back(std::move(entry));
  return static_cast<int>(terrains.size()) - 1;
}

int WorldDescription::addObject(RigidObject object, const std::string& fileName) {
  ObjectEntry entry;
  entry.name = object.name;
  entry.file = fileName;
  entry.base = std::move(object);
  objects.push_back(std::move(entry));
  return static_cast<int>(objects.size()) - 1;
}

int WorldDescription::addRobot(RobotDescription robot, const std::string& name, const std::string& fileName) {
  RobotEntry entry;
  entry.name = name;
  entry.file = fileName;
  entry.robot = std::make_shared<const RobotDescription>(std::move(robot));
  robots.push_back(std::move(entry));
  return static_cast<int>(robots.size()) - 1;
}

void WorldDescription::removeTerrain(int i) {
  requireIndex(terrains, i, "terrain");
  terrains.erase(terrains.begin() + i);
  dropReferences(simulation, World::Kind::terrain, i);
}

void WorldDescription::removeObject(int i) {
  requireIndex(objects, i, "rigid object");
  objects.erase(objects.begin() + i);
  dropReferences(simulation, World::Kind::object, i);
}

void WorldDescription::removeRobot(int i) {
  requireIndex(robots, i, "robot");
  robots.erase(robots.begin() + i);
  dropReferences(simulation, World::Kind::robot, i);
}

void WorldDescription::editRobot(int i, const std::function<void(RobotDescription&)>& edit) {
  requireIndex(robots, i, "robot");
  RobotEntry& entry = robots[static_cast<std::size_t>(i)];
  auto changed = entry.robot ? std::make_shared<RobotDescription>(*entry.robot) : std::make_shared<RobotDescription>();
  edit(*changed);
  entry.robot = std::move(changed);
  entry.file.clear();
}

}  // namespace mortise
