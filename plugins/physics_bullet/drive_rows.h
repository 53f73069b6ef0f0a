#pragma once

#include <vector>

#include "joint_row.h"
#include "mortise/component/physics.h"

namespace mortise::bullet {

/// `JointDrive` as rows of Bullet's solver, with q and v of the end of the step: q_end = q + h v, so that
///
///   impulse = h (K (target - q) + D targetVelocity + feedforward) - (h D + h^2 K) v
///
/// within h times the effort limits is one soft row, viscous friction another one, and dry friction a row with speed 0
/// and the friction as its limit.
class DriveRows {
 public:
  DriveRows(btMultiBody& body, int link) : drive_(body, link), viscous_(body, link), dry_(body, link) {}

  /// For a step of `h` from position `q` and speed `v`. Returns the joint torque that goes with the rows: the effort of
  /// a drive without gains.
  double set(const JointDrive& drive, double q, double v, double h);
  /// Effort of the drive in the last step, friction left out; `v` at its end.
  double effort(double v, double h) { return torque_ + drive_.impulse() / h + merged_ * v; }

  /// In the order in which they are to be solved.
  std::vector<btMultiBodyConstraint*> constraints() { return {&drive_, &viscous_, &dry_}; }

 private:
  JointRow drive_, viscous_, dry_;
  double torque_ = 0;
  double merged_ = 0;  ///< Viscous friction that is part of the drive's row, N*m*s or N*s/m.
};

}  // namespace mortise::bullet
