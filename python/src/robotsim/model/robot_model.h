#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mortise/configuration/configuration_space.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/model/robot.h"
#include "mortise/model/robot_state.h"
#include "mortise/model/world.h"
#include "robotsim/model/shape.h"

/// The model behind a `RobotModel`: a description that may be edited, what it compiles to, and one configuration.
namespace mortise::robotsim {

struct SensorModel;

/// Structural changes mark the robot as changed and compile it when it is next needed; posing never does. Shapes belong
/// to the handles of the links' geometries, and go back into the description where somebody needs the whole
/// (`complete`).
class RobotModel {
 public:
  explicit RobotModel(RobotDescription description, const std::string& name);
  /// Makes the model of a robot of a world that was compiled: its placement is in the root links already.
  explicit RobotModel(const WorldRobot& robot);

  std::string name, file;
  std::vector<Value> display;
  std::vector<std::shared_ptr<SensorModel>> sensors;
  /// Appearances of links by index, a dictionary; None: none was asked for.
  pybind11::object appearances = pybind11::none();

  const RobotDescription& description() const { return description_; }
  /// Changes something that may change the links' number, order or frames; the configuration is kept as far as there
  /// are links of the same index. Frames stay as they are until the next `setConfiguration`.
  void edit(const std::function<void(RobotDescription&)>& change);
  /// Replaces everything; the robot stands at its initial configuration.
  void replace(RobotDescription description);
  /// With the shapes as they are now.
  RobotDescription complete() const;

  const RobotPtr& robot();
  /// `complete`, compiled; `robot` itself where no shape has changed.
  RobotPtr completeRobot();
  const ConfigurationSpace& space();
  int numLinks() const { return static_cast<int>(description_.links.size()); }
  const VectorXd& q() const { return q_; }
  const VectorXd& dq() const { return dq_; }
  /// Sets the frames of links and their shapes too.
  void setConfiguration(const VectorXd& q);
  /// Without frames.
  void setPositions(const VectorXd& q);
  void setVelocity(const VectorXd& dq);
  /// Throws `std::out_of_range` for a link that does not exist.
  int requireLink(int link) const;
  const RigidTransform& X_WL(int link) const { return X_WL_[static_cast<std::size_t>(requireLink(link))]; }
  void setTransform(int link, const RigidTransform& X);
  const ShapePtr& shape(int link) const { return shapes_[static_cast<std::size_t>(requireLink(link))]; }
  /// At the configuration and velocity that the robot has.
  RobotDynamics& dynamics();
  bool selfCollides();

 private:
  void rebuild(bool keepConfiguration);
  RobotDescription description_;
  RobotPtr robot_;
  std::optional<ConfigurationSpace> space_;
  std::optional<RobotState> state_;
  std::unique_ptr<RobotDynamics> dynamics_;
  bool dynamicsCurrent_ = false;
  VectorXd q_, dq_;
  std::vector<RigidTransform> X_WL_;
  std::vector<ShapePtr> shapes_;
};
using RobotModelPtr = std::shared_ptr<RobotModel>;

}  // namespace mortise::robotsim
