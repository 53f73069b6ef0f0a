#pragma once

#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>

#include "mortise/component/physics.h"

namespace mortise::bullet {

/// Bullet's joint motor with gains in N*m/rad and N*m*s/rad. Bullet's own gains have no dimension: they are fractions
/// of the position error and of the velocity error that the motor takes away in a step, whatever it must lift for
/// that. Which fractions a stiffness K and a damping D take away depends on the inertia I that the motor moves, which
/// Bullet knows when it makes the motor's row: kp = h^2 K / (I + h D + h^2 K), kd = (h D + h^2 K) / (I + h D + h^2 K).
class DriveMotor final : public btMultiBodyJointMotor {
 public:
  DriveMotor(btMultiBody& body, int link) : btMultiBodyJointMotor(&body, link, 0, 0) {}

  /// Without gains there is no motor: its effort is a torque.
  static bool hasGains(const JointDrive& drive) { return drive.stiffness > 0 || drive.damping > 0; }
  /// For a step of `h`. Returns the joint torque that goes with it, the feedforward; the motor has what the effort
  /// limits leave.
  double set(const JointDrive& drive, double h);
  /// Effort of the motor in the last step, without viscous friction; `velocity` at its end.
  double effort(double velocity, double h) { return getAppliedImpulse(0) / h + viscous_ * velocity; }

  void createConstraintRows(btMultiBodyConstraintArray& rows, btMultiBodyJacobianData& data,
                            const btContactSolverInfo& info) override;

 private:
  double slope_ = 0;              ///< h D + h^2 K
  double viscous_ = 0;            ///< Part of D that is friction.
  double lower_ = 0, upper_ = 0;  ///< Of the impulse.
};

}  // namespace mortise::bullet
