#pragma once

#include <vector>

#include "mortise/model/robot.h"
#include "mortise/model/robot_state.h"

namespace mortise {

/// Generalized gravity forces G(q) of a robot, in the sense B ddq + C + G = tau: the torques that hold it still. A
/// workspace for one thread; `compute` allocates nothing.
class GravityModel {
 public:
  explicit GravityModel(const Robot& robot);

  /// `gravity` in m/s^2, world frame, such as (0, 0, -9.8). `state` must have up-to-date frames. `G` has numLinks
  /// entries, N*m or N. One backward sweep that accumulates subtree masses and first moments.
  void compute(const RobotState& state, const Vector3d& gravity, VectorXd& G);

 private:
  const Robot& robot_;
  std::vector<double> mass_;      ///< Mass of the subtree below each link.
  std::vector<Vector3d> moment_;  ///< First mass moment of the subtree, world frame.
};

/// -sum m g . c over the links, J; zero at the world's origin.
double potentialEnergy(const Robot& robot, const RobotState& state, const Vector3d& gravity);

}  // namespace mortise
