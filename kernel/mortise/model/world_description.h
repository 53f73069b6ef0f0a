#pragma once

/// A world that people edit and save: file references and poses as written, what each file says, comments. It compiles
/// to an immutable `World`. Entities are removed through the functions below, which keep `simulation` consistent;
/// everything else may be edited in place, but a robot only by exchanging its description (`editRobot`), so that a
/// `WorldCompiler` sees what changed.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/base/value.h"
#include "mortise/model/placement.h"
#include "mortise/model/world.h"

namespace mortise {

/// Text of a file beside the meaning of an element, kept so that saving loses nothing.
struct FileNotes {
  static constexpr int kLast = 1 << 30;
  /// A comment or an element that means nothing to us, as text of the format.
  struct Extra {
    int order = kLast;
    std::string text;
  };

  int order = kLast;                ///< Place among the siblings; what is new goes last.
  Value attributes = Value::map();  ///< Attributes that mean nothing to us.
  std::vector<Extra> extras;        ///< Among the children of the element.
};

using RobotDescriptionPtr = std::shared_ptr<const RobotDescription>;

struct RobotEntry {
  std::optional<std::string> name;  ///< Absent: "Robot".
  std::string file;           ///< Path in the file; empty when no file holds `robot`, which is then written when the
                              ///< world is.
  RobotDescriptionPtr robot;  ///< Without placement.
  Placement placement;        ///< Placement of the root links; `scale` means nothing here.
  std::optional<VectorXd> configuration;
  std::string configurationFile;
  std::optional<VectorXd> fileConfiguration;  ///< Content of `configurationFile`; it wins over `configuration`.
  std::optional<Value> sensors;               ///< Instead of the robot's own: list of maps {type, attributes}.
  std::string sensorsFile;                    ///< Holds `sensors`; empty when they stand in the world file.
  std::vector<Value> display;                 ///< Maps of attributes.
  SourcePosition position;
  FileNotes notes;
};

/// `<geometry>` of a rigid object: a shape, or only a change to the shape so far.
struct ObjectGeometry {
  std::string file;      ///< Path in the file; empty: the shape so far is placed.
  std::string path;      ///< Path that was found.
  GeometryPtr geometry;  ///< Content of the file; null: the shape so far is placed.
  Placement placement;
  std::optional<double> margin;
  SourcePosition position;
  FileNotes notes;
};

/// `<physics>` of a rigid object: what is absent stays as it was.
struct ObjectPhysics {
  std::optional<double> mass;
  std::optional<Vector3d> com;
  std::optional<Matrix3d> inertia;  ///< About the center of mass, in the object's axes.
  /// Center of mass and inertia from the shape, as `klamptMassProperties` says; wins over `com` and `inertia`.
  std::optional<bool> automass;
  std::optional<double> surfaceFraction;
  std::optional<double> friction, restitution, stiffness, damping, rolling;
  SourcePosition position;
  FileNotes notes;
};

struct ObjectEntry {
  std::optional<std::string> name;  ///< Absent: "RigidObject".
  std::string file;                 ///< Path in the file; empty: no file holds `base`.
  std::optional<RigidObject> base;  ///< Content of the file, or what was added without a file.
  Placement placement;              ///< When it moves anything, it replaces the pose of `base`.
  std::vector<ObjectGeometry> geometry;
  std::vector<ObjectPhysics> physics;  ///< After all of `geometry`, one after the other.
  std::vector<Value> display;
  SourcePosition position;
  FileNotes notes;

  void setMass(double mass);
  /// Replaces mass, center of mass and inertia, and stops automass.
  void setInertia(const BodyInertia& inertia);
  void setPose(const RigidTransform& X_WO) { placement = Placement::of(X_WO); }
};

struct TerrainEntry {
  std::optional<std::string> name;  ///< Absent: "Terrain" and its number.
  std::string file;                 ///< Path in the file; empty: no file holds `base`.
  Terrain base;
  Placement placement;
  std::optional<double> friction, margin;
  std::vector<Value> display;
  SourcePosition position;
  FileNotes notes;
};

/// A terrain, rigid object, robot or link that `<simulation>` speaks of, and how it is written.
struct EntityReference {
  World::Kind kind = World::Kind::terrain;
  int index = -1;       ///< Within its kind; for a link the robot's.
  int link = -1;        ///< -1: the robot as a whole.
  bool byName = false;  ///< The entity by its name (as long as only one has it), not its index.
  bool linkByName = false;
};

struct SensorSet {
  std::string file;  ///< Holds `sensors`; empty when they stand in the world file.
  std::vector<ComponentRequest> sensors;
};

/// `<geometry>` of `<simulation>`.
struct SurfaceSettings {
  SurfaceOverride change;  ///< `preshrink` counts only where `padding` is given too.
  FileNotes notes;
};

/// Settings in `<simulation>` for one entity.
struct EntitySettings {
  EntityReference entity;
  std::vector<SurfaceSettings> surfaces;
  std::optional<Vector3d> linearVelocity, angularVelocity;  ///< Rigid objects; of the origin, in the world frame.
  bool hasVelocity = false;  ///< True if there is a `<velocity>`; what it leaves out is zero.
  std::vector<ComponentRequest> controllers;
  std::vector<SensorSet> sensors;
  SourcePosition position;
  FileNotes notes;
};

struct JointEntry {
  WorldJoint::Type type = WorldJoint::Type::fixed;
  std::optional<Vector3d> point, axis;  ///< World coordinates; the axis has any length but zero.
  std::optional<double> min, max, friction;
  std::vector<EntityReference> bodies;  ///< One (and the world) or two: objects, terrains or links.
  SourcePosition position;
  FileNotes notes;
};

/// `<command>`: what is done at a time of each run, in the words of the stage `simulate`.
struct CommandEntry {
  Value entry = Value::map();
  FileNotes notes;
};

/// Settings of `<simulation>`; absent ones keep the default of `SimulationSettings`.
struct SimulationDescription {
  bool present = false;  ///< True if the file has the element.
  std::string backend;
  Value backendSettings = Value::map();
  std::optional<Vector3d> gravity;
  std::optional<double> timeStep, errorReduction, constraintForceMixing;
  std::optional<int> maxContacts;
  std::optional<bool> boundaryLayerContacts, adaptiveTimeStepping, objectCollisions, robotSelfCollisions,
      robotRobotCollisions;
  std::optional<OnUnstable> onUnstable;
  std::vector<EntitySettings> entities;
  std::vector<JointEntry> joints;
  std::vector<CommandEntry> commands;
  std::string stateData;
  FileNotes globalNotes, stateNotes, notes;
};

struct WorldDescription {
  std::string file;
  std::vector<TerrainEntry> terrains;
  std::vector<ObjectEntry> objects;
  std::vector<RobotEntry> robots;
  SimulationDescription simulation;
  std::optional<std::vector<double>> background;  ///< r, g, b, a
  std::vector<Value> display;                     ///< Further attributes of the world's `<display>`.
  FileNotes notes;

  // Names as compiled.
  std::string terrainName(int i) const;
  std::string objectName(int i) const { return objects[static_cast<std::size_t>(i)].name.value_or("RigidObject"); }
  std::string robotName(int i) const { return robots[static_cast<std::size_t>(i)].name.value_or("Robot"); }

  // Adding returns the index. What is added has no file and is written out when the world is saved, except where
  // `file` names one that holds it.
  int addTerrain(Terrain terrain, const std::string& file = {});
  int addObject(RigidObject object, const std::string& file = {});
  int addRobot(RobotDescription robot, const std::string& name, const std::string& file = {});

  // Removing drops what `simulation` says of the entity, and joints on it; references to later ones move along. Each
  // throws `Error` for an index out of range.
  void removeTerrain(int i);
  void removeObject(int i);
  void removeRobot(int i);

  /// Applies `edit` to a copy of the robot's description, which then takes its place and belongs to no file.
  void editRobot(int i, const std::function<void(RobotDescription&)>& edit);
};

}  // namespace mortise
