#pragma once

/// Bounds of torque along a path.

#include <memory>

#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/timing/path_bound.h"

namespace mortise {

/// Limit of a motor: torque along a unit vector of links' torques.
struct MotorLimit {
  std::vector<int> links;
  std::vector<double> scale;  ///< The motor's torque is the sum of the links' torques (or forces) times these.
  double low = 0, high = 0;   ///< N*m or N.
  std::string name;
};
/// Returns the limits of all motors with finite ones: the narrower of the driver's and, with one link, the link's.
/// Motors of welded joints and links without a motor, such as those of floating bases, have none.
std::vector<MotorLimit> motorLimits(const Robot& robot);

/// Torques of motors, which bear the robot alone: by inverse dynamics, without contacts. A floating base is borne by
/// whatever it takes.
class TorqueBounds final : public PathBound {
 public:
  /// `scale`: fraction of the torques that may be used.
  TorqueBounds(RobotPtr robot, const Vector3d& gravity_W = Vector3d(0, 0, -9.8), double scale = 1);

  void addRows(const VectorXd& q, const VectorXd& slope, const VectorXd& bend, const PathBox& box,
               std::vector<PathRow>& rows) override;
  double excess(const VectorXd& q, const VectorXd& dq, const VectorXd& ddq) override;
  double utilization(const VectorXd& q, const VectorXd& dq, const VectorXd& ddq) override;
  std::string explain(const VectorXd& q) override;

 private:
  static double torqueOf(const MotorLimit& motor, const VectorXd& torques);

  std::vector<MotorLimit> motors_;
  RobotDynamics dynamics_;
  Vector3d gravity_W_;
  VectorXd zero_, rest_, first_, second_;
};

}  // namespace mortise
