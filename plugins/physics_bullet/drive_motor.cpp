#include "drive_motor.h"

#include <algorithm>

namespace mortise::bullet {

namespace {
constexpr double kUnlimited = 1e30;
}

double DriveMotor::set(const JointDrive& drive, double h) {
  internalSetAppliedImpulse(0, 0);
  const double torque = std::clamp(drive.feedforward, drive.minEffort, drive.maxEffort);
  viscous_ = hasGains(drive) ? drive.viscousFriction : 0;
  slope_ = h * (drive.damping + viscous_) + h * h * drive.stiffness;
  setMaxAppliedImpulse(0);  // No row.
  if (!(slope_ > 0)) return torque;
  setPositionTarget(drive.target, h * h * drive.stiffness);
  setVelocityTarget(h * drive.damping * drive.targetVelocity / slope_, slope_);
  setMaxAppliedImpulse(kUnlimited);
  lower_ = std::max(-kUnlimited, h * (drive.minEffort - torque));
  upper_ = std::min(kUnlimited, h * (drive.maxEffort - torque));
  return torque;
}

void DriveMotor::createConstraintRows(btMultiBodyConstraintArray& rows, btMultiBodyJacobianData& data,
                                      const btContactSolverInfo& info) {
  const int first = rows.size();
  btMultiBodyJointMotor::createConstraintRows(rows, data, info);
  for (int i = first; i < rows.size(); ++i) {
    // The gains so far lack the denominator; the row is linear in them, and `m_jacDiagABInv` is the inertia.
    rows[i].m_rhs /= rows[i].m_jacDiagABInv + slope_;
    rows[i].m_lowerLimit = lower_;
    rows[i].m_upperLimit = upper_;
  }
}

}  // namespace mortise::bullet
