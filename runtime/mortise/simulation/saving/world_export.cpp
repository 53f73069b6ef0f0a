#include "mortise/simulation/saving/world_export.h"

#include <algorithm>
#include <filesystem>

#include "mortise/base/error.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/model/world_description.h"
#include "mortise/simulation/saving/saved_state.h"

namespace mortise {

namespace {

/// The same as `assembleWorld` does, to edit and save.
WorldDescription describe(const std::vector<std::string>& files, FormatLoader& loader, Diagnostics& diagnostics) {
  const auto absolute = [](const std::string& file) {
    return std::filesystem::absolute(file).lexically_normal().string();
  };
  WorldDescription world;
  std::vector<std::string> parts;
  for (const std::string& file : files) {
    const std::string path = loader.find(file, {});
    if (loader.contentOf(path) == FileContent::world)
      world = loader.load<WorldDescription>(path, {}, diagnostics);
    else
      parts.push_back(path);
  }
  for (const std::string& path : parts) {
    const auto content = loader.contentOf(path);
    if (content == FileContent::robot) {
      RobotDescription robot = loader.load<RobotDescription>(path, {}, diagnostics);
      const std::string name = ownName(world.robots, robot.name);
      world.addRobot(std::move(robot), name, absolute(path));
    } else if (content == FileContent::rigidObject) {
      RigidObject object = loader.load<RigidObject>(path, {}, diagnostics);
      object.name = ownName(world.objects, object.name);
      world.addObject(std::move(object), absolute(path));
    } else {
      Terrain terrain = loader.load<Terrain>(path, {}, diagnostics);
      terrain.name = ownName(world.terrains, terrain.name);
      world.addTerrain(std::move(terrain), absolute(path));
    }
  }
  return world;
}

/// Returns the settings of an object in `<simulation>`, added when there are none yet.
EntitySettings& settingsOf(WorldDescription& world, int object) {
  for (EntitySettings& settings : world.simulation.entities)
    if (settings.entity.kind == World::Kind::object && settings.entity.index == object) return settings;
  EntitySettings settings;
  settings.entity.kind = World::Kind::object;
  settings.entity.index = object;
  world.simulation.entities.push_back(std::move(settings));
  world.simulation.present = true;
  return world.simulation.entities.back();
}

void setVelocity(WorldDescription& world, int object, const BodyState& state, bool atRest) {
  const bool moves = !atRest && !(state.v_WB.isZero(0) && state.w_WB.isZero(0));
  bool said = false;
  for (EntitySettings& settings : world.simulation.entities) {
    if (settings.entity.kind != World::Kind::object || settings.entity.index != object) continue;
    said = said || settings.hasVelocity;
    settings.hasVelocity = false;
    settings.linearVelocity.reset();
    settings.angularVelocity.reset();
  }
  // An object's own file may hold velocities, too: those are overridden by zeros.
  const std::optional<RigidObject>& base = world.objects[static_cast<std::size_t>(object)].base;
  const bool own = base && !(base->v_WO.isZero(0) && base->w_WO.isZero(0));
  if (!moves && !said && !own) return;
  EntitySettings& settings = settingsOf(world, object);
  settings.hasVelocity = true;
  settings.linearVelocity = moves ? state.v_WB : Vector3d(Vector3d::Zero());
  settings.angularVelocity = moves ? state.w_WB : Vector3d(Vector3d::Zero());
}

RigidTransform poseOf(const World& world, int id) {
  const World::Entity entity = world.entity(id);
  if (entity.kind == World::Kind::object) return world.objects[entity.index].X_WO;
  if (entity.kind != World::Kind::link) return {};
  const WorldRobot& robot = world.robots[entity.index];
  RobotState state(*robot.robot);
  state.q = robot.q;
  updateFrames(*robot.robot, state);
  return state.X_WL[entity.link];
}

/// Joints go where their bodies took them, and limits count from there.
void moveJoints(WorldDescription& description, const Simulation& simulation) {
  const World& before = simulation.world();
  const std::vector<WorldJoint>& joints = before.simulation.joints;
  if (description.simulation.joints.size() != joints.size() || joints.empty()) return;
  World after = before;
  for (std::size_t i = 0; i < after.objects.size(); ++i)
    after.objects[i].X_WO = simulation.objectState(static_cast<int>(i)).X_WB;
  for (std::size_t r = 0; r < after.robots.size(); ++r)
    after.robots[r].q = simulation.configuration(static_cast<int>(r));
  const std::vector<JointState> states = simulation.worldJointStates();
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const RigidTransform moved = jointMotion(before, after, joints[j]);
    JointEntry& entry = description.simulation.joints[j];
    if (entry.point) entry.point = moved * *entry.point;
    if (entry.axis) entry.axis = moved.R * *entry.axis;
    if (entry.min) *entry.min -= states[j].position;
    if (entry.max) *entry.max -= states[j].position;
  }
}

}  // namespace

RigidTransform jointMotion(const World& before, const World& after, const WorldJoint& joint) {
  const int id = joint.idA >= 0 ? joint.idA : joint.idB;
  return id < 0 ? RigidTransform() : poseOf(after, id) * poseOf(before, id).inverse();
}

void exportWorld(const Simulation& simulation, const std::vector<std::string>& files, const std::string& out,
                 FormatLoader& loader, bool atRest, Diagnostics& diagnostics) {
  if (!simulation.edits().empty())
    throw Error(
        "the world was edited while it was simulated, which its files do not say, so it cannot be written to '" + out +
            "'",
        {}, "save the state, which holds the edits: a run that goes on from it has them");
  WorldDescription world = describe(files, loader, diagnostics);
  if (world.objects.size() != simulation.world().objects.size() ||
      world.robots.size() != simulation.world().robots.size())
    throw Error("the files of the world have changed since the simulation started, so it cannot be written to '" + out +
                "'");
  for (int i = 0; i < static_cast<int>(world.objects.size()); ++i) {
    const BodyState& state = simulation.objectState(i);
    world.objects[static_cast<std::size_t>(i)].setPose(state.X_WB);
    setVelocity(world, i, state, atRest);
  }
  for (int r = 0; r < static_cast<int>(world.robots.size()); ++r) {
    RobotEntry& robot = world.robots[static_cast<std::size_t>(r)];
    robot.configuration = simulation.configuration(r);
    robot.configurationFile.clear();
    robot.fileConfiguration.reset();
  }
  moveJoints(world, simulation);
  world.simulation.present = true;
  world.simulation.stateData = stateText(simulation, StateFormat::base64);
  loader.write(world, out, diagnostics);
}

}  // namespace mortise
