#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/base/diagnostics.h"
#include "mortise/base/value.h"
#include "mortise/model/robot_state.h"
#include "mortise/model/world.h"
#include "mortise/simulation/actuation/actuator.h"
#include "mortise/simulation/scene/scene_builder.h"

namespace mortise {

/// The motors of all robots of a simulation, with their models and the joint drives that they ask for.
class RobotMotors {
 public:
  /// `world` and `map` outlive this.
  RobotMotors(const World& world, const SceneMap& map, const ActuatorLimits& limits);

  ActuatorBank& operator[](int robot) { return banks_[robot]; }
  const ActuatorBank& operator[](int robot) const { return banks_[robot]; }
  std::size_t size() const { return banks_.size(); }

  /// Null: the driver's own limits only. Robot and driver must exist.
  void setModel(int robot, int driver, std::unique_ptr<MotorModel> model);
  const MotorModel* model(int robot, int driver) const { return banks_[robot].motor(driver); }
  /// The models that `options` name, each made (a wrong one goes to `diagnostics`) and, where `use`, set.
  void addModels(std::span<const MotorOptions> options, bool use, Diagnostics& diagnostics);
  /// [{robot, driver, model}] of the drivers that have a model.
  Value describeModels() const;
  bool hasModels() const { return !initialModels_.empty(); }

  /// The drives for a step of `dt`, one a joint of the scene; `robots`: the state now.
  void update(std::span<const RobotState> robots, double dt);
  std::span<const JointDrive> drives() const { return drives_; }
  void readTorques(std::span<const JointState> joints);

  /// Commands and integral terms.
  void save(ByteWriter& out) const;
  void restore(ByteReader& in);
  enum class ModelState { now, initial };
  /// The state of the models: as it is now, or as it was when each was set.
  void saveModels(ByteWriter& out, ModelState which) const;
  /// Throws `Error` for bytes of other models.
  void restoreModels(ByteReader& in);

 private:
  const World& world_;
  std::vector<ActuatorBank> banks_;                           ///< By robot.
  std::map<std::pair<int, int>, std::string> initialModels_;  ///< By robot and driver: what a model saved when set.
  std::vector<JointDrive> drives_;                            ///< By joint of the scene.
};

}  // namespace mortise
