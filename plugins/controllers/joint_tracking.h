#pragma once

#include <optional>
#include <vector>

#include "mortise/component/controller.h"
#include "mortise/dynamics/gravity.h"
#include "mortise/model/robot_state.h"

namespace mortise {

/// Torques that cancel gravity, projected on drivers; shared by the feedforward controllers.
class GravityFeedforward {
 public:
  GravityFeedforward(const Robot& robot, const Vector3d& gravity);
  /// Adds the torque that holds each driver against gravity at configuration q. Allocates nothing.
  void add(const VectorXd& q, std::span<ActuatorCommand> commands);

 private:
  const Robot& robot_;
  Vector3d gravity_;
  RobotState state_;
  GravityModel model_;
  VectorXd G_;
};

/// Holds or tracks joint positions with the drivers' servo gains. Command `set_q`: one value a link.
class JointTrackingController : public Controller {
 public:
  explicit JointTrackingController(const ComponentContext& context);

  void start(const ControllerSetup& setup) override;
  void update(const ControllerInput& input, double period, std::span<ActuatorCommand> commands) override;
  bool command(std::string_view name, const Value& arguments) override;
  std::vector<std::pair<std::string, std::string>> commands() const override;
  void save(ByteWriter& out) const override;
  void restore(ByteReader& in) override;

 protected:
  /// The configuration and rate to track at this update; the base class keeps what `set_q` said.
  virtual void desired(const ControllerInput& input, VectorXd& q, VectorXd& dq);

  const Robot& robot() const { return *robot_; }
  VectorXd& target() { return qDesired_; }

 private:
  bool gravityCompensation_;
  std::optional<Vector3d> gravity_;  ///< Absent: the world's.
  const Robot* robot_ = nullptr;
  std::optional<GravityFeedforward> feedforward_;
  VectorXd qDesired_, dqDesired_, qSensed_;
};

}  // namespace mortise
