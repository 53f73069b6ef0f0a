#include "joint_row.h"

namespace mortise::bullet {

void JointRow::clear() {
  internalSetAppliedImpulse(0, 0);
  setMaxAppliedImpulse(0);  // Bullet makes no row of it.
}

void JointRow::set(double speed, double softness, double lower, double upper) {
  internalSetAppliedImpulse(0, 0);
  setMaxAppliedImpulse(1);
  speed_ = speed;
  softness_ = softness;
  lower_ = lower;
  upper_ = upper;
}

/// A sweep of the solver changes the impulse by rhs - cfm * impulse - jacDiagABInv * (change of the joint's speed), so
/// all three are divided by the sum of the row's own response and its softness.
void JointRow::createConstraintRows(btMultiBodyConstraintArray& rows, btMultiBodyJacobianData& data,
                                    const btContactSolverInfo& info) {
  const int first = rows.size();
  btMultiBodyJointMotor::createConstraintRows(rows, data, info);
  for (int i = first; i < rows.size(); ++i) {
    btMultiBodySolverConstraint& row = rows[i];
    const double diagonal = 1 / row.m_jacDiagABInv + softness_;
    row.m_jacDiagABInv = 1 / diagonal;
    row.m_cfm = softness_ / diagonal;
    row.m_rhs = (speed_ - m_bodyA->getJointVel(m_linkA)) / diagonal;
    row.m_lowerLimit = lower_;
    row.m_upperLimit = upper_;
  }
}

}  // namespace mortise::bullet
