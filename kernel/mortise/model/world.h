#pragma once

/// A world: robots, rigid objects and terrains, with Klamp't's numbering: terrains first, then rigid objects, then for
/// each robot its own id followed by the ids of its links. Const after loading; what is edited and saved is a
/// `WorldDescription`, which compiles to this.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mortise/model/robot.h"
#include "mortise/model/robot_state.h"

namespace mortise {

struct RigidObject {
  std::string name;
  std::string file;          ///< Path in the file; empty when the world file describes the object itself.
  std::string geometryFile;  ///< Mesh file as found.
  GeometryPtr geometry;      ///< In the object's frame.
  RigidTransform X_WO;
  Vector3d v_WO = Vector3d::Zero();  ///< Velocity of the object's origin.
  Vector3d w_WO = Vector3d::Zero();
  BodyInertia inertia;
  Surface surface;
  SourcePosition position;      ///< Place in the world file.
  AffineMap geometryTransform;  ///< Transform of the shape in `geometryFile`, for formats that write the object.
  std::vector<Value> display;   ///< Colors and textures for viewers: maps of attributes; later ones win.
};

struct Terrain {
  std::string name;
  std::string file;
  std::string geometryFile;
  GeometryPtr geometry;  ///< In the world frame.
  Surface surface = terrainSurface();
  SourcePosition position;
  AffineMap geometryTransform;  ///< The same as of `RigidObject`.
  std::vector<Value> display;
};

struct WorldRobot {
  std::string name;
  std::string file;
  RobotPtr robot;  ///< With the placement in the world already in its root links.
  VectorXd q, dq;
  SourcePosition position;
  std::vector<Value> display;  ///< The same as of `RigidObject`; `link` says to which link each applies.
};

/// Changes that `<simulation>` makes to one surface; what is absent keeps the entity's own value.
struct SurfaceOverride {
  std::optional<double> friction, restitution, stiffness, damping, padding;
  std::optional<int> preshrink;
  std::optional<double> rolling;
};

/// A joint between two bodies, or a body and the world, in world coordinates at load.
struct WorldJoint {
  enum class Type { hinge, slider, fixed } type = Type::fixed;
  int idA = -1, idB = -1;  ///< World ids; -1: the world.
  Vector3d point = Vector3d::Zero(), axis = Vector3d::UnitZ();
  double min = -kInfinity, max = kInfinity, friction = 0;
  SourcePosition position;
};

/// A component that a world or a robot file names: {type, attributes}.
struct ComponentRequest {
  std::string type;
  Value settings;  ///< Map of the attributes, not yet checked against a schema.
  SourcePosition position;
};

/// Answers to a body, robot or group of bodies in contact that has gained energy which nothing gave it.
enum class OnUnstable : std::uint8_t {
  report,  ///< The step is marked `unstable` and recorded with the body, the time and the energy; nothing is changed.
  stop,    ///< The run ends there, as for a fault.
  scale    ///< Klamp't's rule: velocities of the object or robot are scaled down to the energy it had.
};

/// Contents of `<simulation>`. Absent settings keep the defaults, which are Klamp't's.
struct SimulationSettings {
  std::string backend;    ///< Empty: the caller's default.
  Value backendSettings;  ///< Map: further attributes of `<simulation>` handed to the backend's schema.
  Vector3d gravity = Vector3d(0, 0, -9.8);
  double timeStep = 0.001;
  double errorReduction = 0.95;         ///< World ERP.
  double constraintForceMixing = 1e-6;  ///< World CFM.
  int maxContacts = 20;
  bool boundaryLayerContacts = true;
  bool adaptiveTimeStepping = true;
  OnUnstable onUnstable = OnUnstable::report;
  bool objectCollisions = true;
  bool robotSelfCollisions = false;
  bool robotRobotCollisions = true;
  std::vector<std::pair<int, SurfaceOverride>> surfaces;  ///< By world id; later entries win.
  std::vector<WorldJoint> joints;
  std::vector<std::pair<int, ComponentRequest>> controllers;  ///< By robot index.
  std::vector<std::pair<int, ComponentRequest>> sensors;      ///< By robot index, in file order.
  std::string stateData;                                      ///< base64 text of `<state>`, empty when there is none.
  std::vector<Value> commands;  ///< Commands of `<command>`: maps like entries of the stage `simulate`'s `commands`.
};

struct World {
  std::string file;
  std::vector<double> background = {0.4, 0.4, 1.0, 0.0};  ///< r, g, b, a
  std::vector<Terrain> terrains;
  std::vector<RigidObject> objects;
  std::vector<WorldRobot> robots;
  SimulationSettings simulation;

  int numIds() const;
  int terrainId(int i) const { return i; }
  int objectId(int i) const { return static_cast<int>(terrains.size()) + i; }
  int robotId(int i) const;
  int linkId(int robot, int link) const { return robotId(robot) + 1 + link; }

  enum class Kind { terrain, object, robot, link };
  struct Entity {
    Kind kind;
    int index;  ///< Within its kind; for a link the robot's index.
    int link;   ///< Link index, or -1.
  };
  /// Throws `Error` when `id` is out of range.
  Entity entity(int id) const;
  std::string nameOf(int id) const;  ///< "robot[link]" for links.

  /// Surface of a terrain, object or link as the simulation uses it, overrides applied; a padding that nothing gives is
  /// `kDefaultPadding` for robots and objects, 0 for terrains.
  Surface simulationSurface(int id) const;
};

}  // namespace mortise
