#pragma once

#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>

namespace mortise::bullet {

/// A row of Bullet's solver along the axis of a joint that is soft: v + softness * impulse = speed, with v the joint's
/// speed at the end of the step and a bounded impulse. Bullet's joint motor has no softness, but its rows do.
class JointRow final : public btMultiBodyJointMotor {
 public:
  JointRow(btMultiBody& body, int link) : btMultiBodyJointMotor(&body, link, 0, 0) {}

  /// No row in the next step.
  void clear();
  /// Softness in rad/s or m/s for each N*m*s or N*s; bounds of the impulse.
  void set(double speed, double softness, double lower, double upper);
  /// Returns the impulse of the last step.
  double impulse() { return getAppliedImpulse(0); }

  void createConstraintRows(btMultiBodyConstraintArray& rows, btMultiBodyJacobianData& data,
                            const btContactSolverInfo& info) override;

 private:
  double speed_ = 0, softness_ = 0;
  double lower_ = 0, upper_ = 0;
};

}  // namespace mortise::bullet
