#include <filesystem>

#include "common/environment.h"
#include "robotsim/model/sensor.h"
#include "robotsim/model/world.h"

namespace mortise::robotsim {

namespace {

/// A reference that a world file elsewhere can use.
std::string reference(const std::string& file) {
  return file.empty() || file.find("://") != std::string::npos
             ? file
             : std::filesystem::absolute(file).lexically_normal().string();
}

SimulationDescription simulationOf(const SimulationSettings& settings) {
  SimulationDescription d;
  d.present = true;
  d.backend = settings.backend;
  d.backendSettings = settings.backendSettings.isNull() ? Value::map() : settings.backendSettings;
  d.gravity = settings.gravity;
  d.timeStep = settings.timeStep;
  d.errorReduction = settings.errorReduction;
  d.constraintForceMixing = settings.constraintForceMixing;
  d.maxContacts = settings.maxContacts;
  d.boundaryLayerContacts = settings.boundaryLayerContacts;
  d.adaptiveTimeStepping = settings.adaptiveTimeStepping;
  d.onUnstable = settings.onUnstable;
  d.objectCollisions = settings.objectCollisions;
  d.robotSelfCollisions = settings.robotSelfCollisions;
  d.robotRobotCollisions = settings.robotRobotCollisions;
  for (const Value& entry : settings.commands) d.commands.push_back({entry, {}});
  return d;
}

/// Surfaces that a file set apart, by the entities of this world.
void addSurfaces(const World& world, SimulationDescription& d) {
  for (const auto& [id, change] : world.simulation.surfaces) {
    const World::Entity entity = world.entity(id);
    EntitySettings settings;
    settings.entity.kind = entity.kind;
    settings.entity.index = entity.index;
    settings.entity.link = entity.link;
    settings.surfaces.push_back({change, {}});
    d.entities.push_back(std::move(settings));
  }
}

}  // namespace

void WorldModel::save(const std::string& path) const {
  const World world = assembled();
  WorldDescription description;
  for (const Terrain& terrain : world.terrains) description.addTerrain(terrain, reference(terrain.file));
  for (std::size_t i = 0; i < world.objects.size(); ++i) {
    const RigidObject& object = world.objects[i];
    const int index = description.addObject(object, reference(object.file));
    description.objects[static_cast<std::size_t>(index)].setPose(object.X_WO);
  }
  for (std::size_t i = 0; i < world.robots.size(); ++i) {
    const int index = description.addRobot(robots[i]->complete(), world.robots[i].name);
    description.robots[static_cast<std::size_t>(index)].configuration = world.robots[i].q;
  }
  description.simulation = simulationOf(world.simulation);
  addSurfaces(world, description.simulation);
  if (!background.empty()) description.background = background;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder);
  python::withLoader("'" + path + "' cannot be written", [&](FormatLoader& loader, Diagnostics& diagnostics) {
    loader.write(description, path, diagnostics);
  });
}

}  // namespace mortise::robotsim
