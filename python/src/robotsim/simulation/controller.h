#pragma once

#include <vector>

#include "mortise/component/controller.h"
#include "mortise/component/host.h"
#include "mortise/control/feedforward.h"
#include "mortise/plugin/registry.h"
#include "mortise/settings/settings.h"
#include "mortise/timing/motion_queue.h"

namespace mortise::robotsim {

/// The controller behind a `SimRobotController`: a queue of motions that PID loops track, with torques against gravity
/// where the base is fixed; or commands that a program gives the motors itself. Its settings are those of the
/// controllers that follow paths.
class ProgramController final : public Controller {
 public:
  static constexpr const char* kName = "klampt.ProgramController";
  static void addTo(Registry& registry);
  /// The settings of a file's controller that this one has, too.
  static Value settingsOf(const Value& given);

  explicit ProgramController(const ComponentContext& context);

  void start(const ControllerSetup& setup) override;
  void update(const ControllerInput& input, double period, std::span<ActuatorCommand> commands) override;
  Value settings() const override;
  bool hasSetting(std::string_view name) const override;
  bool changeSetting(std::string_view name, const Value& value) override;
  void save(ByteWriter& out) const override;
  void restore(ByteReader& in) override;

  /// Goes on with what another controller of the same robot was told, whose clock went further.
  void takeOver(const ProgramController& other);

  enum class Mode { queue, pid, torque };
  Mode mode() const { return mode_; }
  /// Back to the queue, which rests where the robot was last commanded to be.
  void leaveManual();
  /// The queue at the controller's time; motions that are appended start now.
  MotionQueue& queue();
  /// Stops what the queue does now, position and velocity kept.
  void cutQueue() { queue_.cut(clock_); }
  double remaining() const { return std::max(0.0, queue_.endTime() - clock_); }
  /// Links that no driver moves stay where the queue ends: a motion commands the motors.
  void keepUndriven(VectorXd& q, VectorXd& dq);
  /// Positions and velocities beyond the limits become the limits, with a warning once a link.
  void clampToLimits(VectorXd& q, VectorXd& dq);
  /// Commands the drivers; the torques are added.
  void setPid(const VectorXd& q, const VectorXd& dq, const VectorXd& torques);
  void setTorques(const VectorXd& torques);
  /// One number a driver.
  void setGains(const VectorXd& kP, const VectorXd& kI, const VectorXd& kD);
  const VectorXd& kP() const { return kP_; }
  const VectorXd& kI() const { return kI_; }
  const VectorXd& kD() const { return kD_; }

  /// Returns what the motors were asked for in the last update: of links, and torques of drivers.
  const VectorXd& commandedPosition() const { return q_; }
  const VectorXd& commandedVelocity() const { return dq_; }
  const VectorXd& commandedTorque() const { return torques_; }
  const Robot& robot() const { return *robot_; }

 private:
  void follow(const RobotState* estimate, std::span<ActuatorCommand> commands);
  std::vector<CoordinateLimits> scaledLimits() const;
  void warnOnce(int link, const char* what, double value, double limit);

  Host& host_;
  const Robot* robot_ = nullptr;
  Mode mode_ = Mode::queue;
  MotionQueue queue_;
  double clock_ = 0, offset_ = 0;  ///< The simulation's time, and what is added to it.
  VectorXd kP_, kI_, kD_;
  VectorXd qDriver_, dqDriver_, torqueDriver_;  ///< In the manual modes.
  VectorXd q_, dq_, ddq_, torques_;
  Settings<FeedforwardSettings> feedforwardSettings_;
  Settings<ScaleSettings> scales_;
  Vector3d gravityOfWorld_ = Vector3d::Zero();
  Feedforward feedforward_;
  std::vector<char> warned_;  ///< By link.
};

}  // namespace mortise::robotsim
