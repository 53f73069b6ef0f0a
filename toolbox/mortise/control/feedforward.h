#pragma once

#include <optional>
#include <span>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/component/controller.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/settings/setting_binder.h"

namespace mortise {

/// Which torques are added.
struct FeedforwardSettings {
  std::optional<bool> gravityCompensation = false;  ///< Absent: on, unless joint 0 floats.
  bool acceleration = false;
  bool friction = false;
  std::optional<Vector3d> gravity;  ///< m/s^2, world frame; absent: the world's.
  void bind(SettingBinder& b);
  /// Decides on what is absent.
  void resolve(const Robot& robot, const Vector3d& gravityOfWorld);
};

/// Scaling factors of the robot's limits.
struct ScaleSettings {
  double velocity = 1, acceleration = 1;
  void bind(SettingBinder& b);
  bool operator==(const ScaleSettings&) const = default;
};

/// Torques that a robot is known to need, projected on its drivers: against gravity, for the accelerations it shall
/// have, against the friction of its motors, and against forces that act on it. An affine driver gets the torque that
/// comes nearest in the sense of least squares.
class Feedforward {
 public:
  /// `settings` outlives this object and has its gravity from now on.
  void start(const Robot& robot, const FeedforwardSettings& settings);
  /// Says whether there is anything to add.
  bool needed() const {
    return *settings_->gravityCompensation || settings_->acceleration || settings_->friction || !forces_.empty();
  }
  /// Adds torques for the sensed state, the accelerations `ddq` that are wanted, and the velocities of the commands.
  /// Allocates nothing.
  void add(const VectorXd& q, const VectorXd& dq, const VectorXd& ddq, std::span<ActuatorCommand> commands);

  /// From now on `force` (N, world axes) acts on the point of `link` that is at `p_W` when the robot stands at `q`; it
  /// goes along with the link and keeps its direction.
  void addForce(int link, const Vector3d& force, const Vector3d& p_W, const VectorXd& q);
  void clearForces();

  /// The forces.
  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  struct Force {
    int link = 0;
    Vector3d force, p_L;
  };

  const Robot* robot_ = nullptr;
  const FeedforwardSettings* settings_ = nullptr;
  std::optional<RobotDynamics> dynamics_;
  VectorXd tau_, torques_;
  std::vector<Force> forces_;
  std::vector<LinkWrench> wrenches_;  ///< Wrenches, as many as forces.
};

}  // namespace mortise
