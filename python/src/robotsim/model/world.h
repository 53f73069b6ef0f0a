#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mortise/model/world.h"
#include "robotsim/model/robot_model.h"
#include "robotsim/model/shape.h"

/// The world behind a `WorldModel`: terrains, objects and robots that may be edited and posed, and what a file said
/// about simulating them.
namespace mortise::robotsim {

struct TerrainModel {
  explicit TerrainModel(Terrain loaded);
  Terrain terrain;  ///< All but its shape.
  ShapePtr shape;
  pybind11::object appearance = pybind11::none();
  Terrain complete() const;
};

struct ObjectModel {
  explicit ObjectModel(RigidObject loaded);
  RigidObject object;  ///< All but its shape and pose.
  ShapePtr shape;      ///< Stands where the object does.
  pybind11::object appearance = pybind11::none();
  RigidObject complete() const;
};

using TerrainModelPtr = std::shared_ptr<TerrainModel>;
using ObjectModelPtr = std::shared_ptr<ObjectModel>;

/// The element that a file added.
struct LoadedElement {
  std::string kind;  ///< "robot", "rigidObject", "terrain", "world"
  int index = -1;
};

class WorldModel {
 public:
  std::vector<TerrainModelPtr> terrains;
  std::vector<ObjectModelPtr> objects;
  std::vector<RobotModelPtr> robots;
  SimulationSettings simulation;
  std::vector<double> background;
  std::string file;
  bool loadGeometry = true;

  int addTerrain(Terrain terrain);
  int addObject(RigidObject object);
  int addRobot(RobotDescription robot, const std::string& name);
  void addRobot(const RobotModelPtr& robot);
  void removeTerrain(int index);
  void removeObject(int index);
  void removeRobot(int index);

  int objectId(int index) const { return static_cast<int>(terrains.size()) + index; }
  int robotId(int index) const;
  int numIds() const { return robotId(static_cast<int>(robots.size())); }

  /// A whole world is added to what is there. Throws `Error` for what cannot be read.
  LoadedElement load(const std::string& path);
  /// Loads a file as that kind only: "robot", "rigidObject", "terrain".
  LoadedElement loadAs(const std::string& kind, const std::string& path);
  void save(const std::string& path) const;
  std::shared_ptr<WorldModel> copy() const;

  /// Returns the world as a simulation takes it: everything where it is now.
  World assembled() const;
  /// The same for sensors, which are told poses apart; the last one as long as shapes, links and colors
  /// are the same.
  std::shared_ptr<const World> compiled();

 private:
  void add(World world);
  void shiftIds(int first, int by);
  std::shared_ptr<const World> compiled_;
};
using WorldModelPtr = std::shared_ptr<WorldModel>;

}  // namespace mortise::robotsim
