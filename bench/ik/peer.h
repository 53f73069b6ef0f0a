#pragma once

#include <memory>
#include <vector>

#include "mortise/ik/ik_solver.h"

namespace mortise::bench {

/// A solver of others for one link of a robot, all joints but those of `variables` standing as in the robot's file.
class IKPeer {
 public:
  virtual ~IKPeer() = default;
  /// From x, and where it ended: one number a variable. True where it says that it is solved.
  virtual bool solve(const RigidTransform& X_WL, std::vector<double>& x) = 0;
};

/// KDL's `ChainIkSolverPos_LMA` with its own defaults but for equal weights of position and rotation.
std::unique_ptr<IKPeer> makeKdlIk(const Robot& robot, int link, const std::vector<IKVariable>& variables);

}  // namespace mortise::bench
