#include "mortise/loading/assemble_world.h"

#include <algorithm>
#include <optional>

#include "mortise/base/error.h"
#include "mortise/loading/foreign_model.h"
#include "mortise/text/article.h"

namespace mortise {

namespace {

/// Every id at or above `first` grew by one.
void shiftIds(SimulationSettings& settings, int first) {
  for (auto& [id, surface] : settings.surfaces)
    if (id >= first) ++id;
  for (WorldJoint& joint : settings.joints) {
    if (joint.idA >= first) ++joint.idA;
    if (joint.idB >= first) ++joint.idB;
  }
}

void addRobot(World& world, RobotDescription description, const std::string& file) {
  WorldRobot robot;
  robot.name = ownName(world.robots, description.name);
  robot.file = file;
  robot.robot = Robot::compile(std::move(description));
  robot.q = robot.robot->initialConfiguration();
  robot.dq = VectorXd::Zero(robot.q.size());
  robot.position.file = file;
  world.robots.push_back(std::move(robot));
}

}  // namespace

World assembleWorld(FormatLoader& loader, const std::vector<std::string>& files, Diagnostics& diagnostics) {
  std::vector<std::pair<std::string, std::optional<FileContent>>> found;  // Path, content.
  for (const std::string& file : files) {
    const std::string path = loader.find(file, {});
    found.emplace_back(path, loader.contentOf(path));
  }
  World world;
  const auto isWorld = [](const auto& entry) { return entry.second == FileContent::world; };
  if (std::count_if(found.begin(), found.end(), isWorld) > 1)
    throw Error("several of the files are worlds", {}, "name one world; robots, objects and terrains may follow");
  const auto main = std::find_if(found.begin(), found.end(), isWorld);
  if (main != found.end()) world = loader.world(main->first, {}, diagnostics);

  for (const auto& [path, content] : found) {
    if (content == FileContent::world) continue;
    if (content == FileContent::robot) {
      const int errorsBefore = diagnostics.errorCount();
      RobotDescription description = loader.load<RobotDescription>(path, {}, diagnostics);
      // What could not be read does not compile either, and that error would hide the reader's.
      if (diagnostics.errorCount() == errorsBefore) addRobot(world, std::move(description), path);
    } else if (content == FileContent::rigidObject) {
      shiftIds(world.simulation, world.objectId(static_cast<int>(world.objects.size())));
      auto object = loader.load<RigidObject>(path, {}, diagnostics);
      object.name = ownName(world.objects, object.name);
      world.objects.push_back(std::move(object));
    } else if (content == FileContent::terrain || content == FileContent::geometry) {
      shiftIds(world.simulation, world.terrainId(static_cast<int>(world.terrains.size())));
      auto terrain = loader.load<Terrain>(path, {}, diagnostics);
      terrain.name = ownName(world.terrains, terrain.name);
      world.terrains.push_back(std::move(terrain));
    } else {
      refuseForeignModel(path);
      if (path.ends_with(".yaml") || path.ends_with(".yml"))
        throw Error("'" + path + "' is no world, robot, rigid object or terrain", {},
                    "`mortise run " + path + "` runs a pipeline");
      throw Error("'" + path + "' holds " +
                      (!content ? "nothing that any format knows" : withArticle(contentName(*content))) +
                      ", not a world, robot, rigid object or terrain",
                  {}, "`mortise plugins list --kind format` shows what can be read");
    }
  }
  diagnostics.throwIfErrors();
  return world;
}

}  // namespace mortise
