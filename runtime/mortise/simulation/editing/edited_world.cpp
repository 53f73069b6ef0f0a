#include <algorithm>
#include <utility>

#include "mortise/configuration/configuration_reader.h"
#include "mortise/geometry/solid_mass.h"
#include "mortise/loading/body_reference.h"
#include "mortise/math/rotation.h"
#include "mortise/modeling/robot_edit.h"
#include "mortise/simulation/editing/world_edit.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

int bodyOf(const World& world, const Value& reference) {
  try {
    return findBody(world, reference);
  } catch (const Error& error) {
    throw Error(error.message(), reference.position(), error.hint());
  }
}

std::string quoted(const World& world, int id) { return "'" + world.nameOf(id) + "'"; }

/// Renumbers what the world's settings say of ids from `first` on, which become `by` more.
void shiftIds(World& world, int first, int by) {
  for (auto& [id, surface] : world.simulation.surfaces)
    if (id >= first) id += by;
  for (WorldJoint& joint : world.simulation.joints)
    for (int* id : {&joint.idA, &joint.idB})
      if (*id >= first) *id += by;
}

BodyInertia withMass(const BodyInertia& before, double mass, const GeometryPtr& shape) {
  if (!(before.mass > 0)) return solidInertia(*shape, mass);
  BodyInertia inertia = before;
  inertia.inertia *= mass / before.mass;
  inertia.mass = mass;
  return inertia;
}

GeometryPtr shapeOf(const WorldEdit& edit) {
  if (edit.box)
    return std::make_shared<Geometry>(BoxShape{RigidTransform(Matrix3d::Identity(), -0.5 * *edit.box), *edit.box});
  if (edit.sphere) return std::make_shared<Geometry>(SphereShape{Vector3d::Zero(), *edit.sphere});
  const auto [radius, height] = *edit.cylinder;
  return std::make_shared<Geometry>(CylinderShape{Vector3d(0, 0, -0.5 * height), Vector3d::UnitZ(), radius, height});
}

/// Reads an object, or a shape that becomes one, from its file.
RigidObject objectFromFile(const WorldEdit& edit, ResourceLoader* loader, const std::string& referringFile) {
  if (loader == nullptr)
    throw Error("'" + *edit.file + "' cannot be read: this simulation reads no files", {},
                "add a 'box', a 'sphere' or a 'cylinder'");
  Diagnostics diagnostics;
  const std::string path = loader->find(*edit.file, referringFile);
  RigidObject object;
  if (loader->contentOf(path) == FileContent::rigidObject)
    object = loader->load<RigidObject>(path, {}, diagnostics);
  else
    object.geometry = loader->load<GeometryPtr>(path, {}, diagnostics);
  diagnostics.throwIfErrors();
  object.file = object.geometryFile.empty() ? path : object.file;
  if (object.geometryFile.empty()) object.geometryFile = path;
  return object;
}

void setSurface(const WorldEdit& edit, World& world, int id) {
  SurfaceOverride surface;
  surface.friction = edit.friction;
  surface.restitution = edit.restitution;
  surface.stiffness = edit.stiffness;
  surface.damping = edit.damping;
  world.simulation.surfaces.emplace_back(id, surface);
}

void addObject(EditedWorld& edited, const WorldEdit& edit, ResourceLoader* loader, const std::string& referringFile) {
  World& world = edited.world;
  for (int id = 0; id < world.numIds(); ++id)
    if (world.nameOf(id) == *edit.add)
      throw Error("there is a '" + *edit.add + "' already", {}, "give the object that comes another name");
  RigidObject object;
  if (edit.file)
    object = objectFromFile(edit, loader, referringFile);
  else
    object.geometry = shapeOf(edit);
  object.name = *edit.add;
  if (!edit.mass && !(object.inertia.mass > 0))
    throw Error("nothing says what '" + *edit.file + "' weighs", {}, "give the object that comes a 'mass'");
  if (edit.mass) object.inertia = withMass(object.inertia, *edit.mass, object.geometry);
  object.X_WO.p = edit.position.value_or(Vector3d::Zero());
  object.X_WO.R = rotationFromRollPitchYaw(edit.rotation.value_or(Vector3d::Zero()));
  object.v_WO = edit.velocity.value_or(Vector3d::Zero());
  object.w_WO = edit.angularVelocity.value_or(Vector3d::Zero());
  const int id = world.objectId(static_cast<int>(world.objects.size()));
  shiftIds(world, id, 1);
  world.objects.push_back(std::move(object));
  if (edit.changesSurface()) setSurface(edit, world, id);
  edited.objects.push_back(edited.nextObject++);
}

void removeObject(EditedWorld& edited, const WorldEdit& edit) {
  World& world = edited.world;
  const int id = bodyOf(world, edit.remove);
  const World::Entity entity = world.entity(id);
  if (entity.kind != World::Kind::object) {
    const char* hint = entity.kind == World::Kind::terrain ? "set its 'friction', or leave it out of the world's file"
                       : entity.kind == World::Kind::link
                           ? "remove links of a robot before the run: `mortise robot edit`"
                           : "leave the robot out of the world's file, or move it away by 'position'";
    throw Error(quoted(world, id) + " cannot go while the simulation runs: only rigid objects can",
                edit.remove.position(), hint);
  }
  for (const WorldJoint& joint : world.simulation.joints)
    if (joint.idA == id || joint.idB == id)
      throw Error(quoted(world, id) + " cannot go: a joint of the world holds it", edit.remove.position(),
                  "move it away by 'position', or leave the joint out of the world's file");
  std::erase_if(world.simulation.surfaces, [id](const auto& entry) { return entry.first == id; });
  shiftIds(world, id + 1, -1);
  world.objects.erase(world.objects.begin() + entity.index);
  edited.objects.erase(edited.objects.begin() + entity.index);
}

void setMass(World& world, int id, double mass, const SourcePosition& where) {
  const World::Entity entity = world.entity(id);
  if (entity.kind == World::Kind::object) {
    RigidObject& object = world.objects[static_cast<std::size_t>(entity.index)];
    object.inertia = withMass(object.inertia, mass, object.geometry);
    return;
  }
  if (entity.kind != World::Kind::link)
    throw Error(quoted(world, id) + " has no mass of its own", where,
                entity.kind == World::Kind::robot ? "name one of its links: " + world.nameOf(id + 1)
                                                  : "masses are of objects and links");
  RobotPtr& robot = world.robots[static_cast<std::size_t>(entity.index)].robot;
  RobotDescription description = robot->description();
  setLinkMass(description, entity.link, mass);
  robot = Robot::compile(std::move(description));
}

void setGains(World& world, int id, const WorldEdit& edit) {
  const World::Entity entity = world.entity(id);
  if (entity.kind != World::Kind::robot)
    throw Error(quoted(world, id) + " has no drivers", edit.driver.position(), "name a robot as the 'body'");
  RobotPtr& robot = world.robots[static_cast<std::size_t>(entity.index)].robot;
  RobotDescription description = robot->description();
  const std::string wanted = edit.driver.text();
  std::vector<std::string> names;
  for (const Driver& driver : description.drivers) names.push_back(driver.name);
  auto index = static_cast<std::size_t>(std::find(names.begin(), names.end(), wanted) - names.begin());
  if (index == names.size() && edit.driver.isInteger() && edit.driver.asInteger() >= 0)
    index = static_cast<std::size_t>(edit.driver.asInteger());
  if (index >= names.size())
    throw Error("robot " + quoted(world, id) + " has no driver '" + wanted + "'", edit.driver.position(),
                suggestAndList(wanted, names));
  Driver& driver = description.drivers[index];
  driver.servoP = edit.servoP.value_or(driver.servoP);
  driver.servoI = edit.servoI.value_or(driver.servoI);
  driver.servoD = edit.servoD.value_or(driver.servoD);
  robot = Robot::compile(std::move(description));
}

/// Throws `Error` for what cannot be put elsewhere as the edit says.
void requirePlaceable(const World& world, int id, const WorldEdit& edit) {
  const World::Entity entity = world.entity(id);
  const SourcePosition& where = edit.body.position();
  if (entity.kind == World::Kind::terrain)
    throw Error(quoted(world, id) + " is a terrain, which never moves", where, "make it a rigid object of the world");
  if (entity.kind == World::Kind::link)
    throw Error("the link " + quoted(world, id) + " moves as the joints below it do", where,
                "give its robot a 'configuration'");
  if (entity.kind == World::Kind::object) {
    if (!edit.configuration.isNull())
      throw Error(quoted(world, id) + " has no configuration", edit.configuration.position(), "name a robot");
    return;
  }
  const WorldRobot& placed = world.robots[static_cast<std::size_t>(entity.index)];
  if (!edit.configuration.isNull())
    (void)ConfigurationReader(*placed.robot).read(edit.configuration, placed.q);
  else if (placed.robot->floatingBaseLink() < 0)
    throw Error("robot " + quoted(world, id) + " is fixed to the world", where,
                "give it a 'configuration' in place of a position");
}

}  // namespace

EditedWorld editedWorld(EditedWorld before, const WorldEdit& edit, ResourceLoader* loader,
                        const std::string& referringFile) {
  EditedWorld edited = std::move(before);
  if (edit.add) {
    addObject(edited, edit, loader, referringFile);
  } else if (!edit.remove.isNull()) {
    removeObject(edited, edit);
  } else {
    const int id = bodyOf(edited.world, edit.body);
    if (edit.changesSurface() && edited.world.entity(id).kind == World::Kind::robot)
      throw Error(quoted(edited.world, id) + " has no surface of its own", edit.body.position(),
                  "name one of its links: " + edited.world.nameOf(id + 1));
    if (edit.places()) requirePlaceable(edited.world, id, edit);
    if (edit.mass) setMass(edited.world, id, *edit.mass, edit.body.position());
    if (edit.changesSurface()) setSurface(edit, edited.world, id);
    if (edit.changesGains()) setGains(edited.world, id, edit);
  }
  return edited;
}

}  // namespace mortise
