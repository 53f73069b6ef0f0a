#include "constraint_solver.h"

namespace mortise::bullet {

btScalar SequentialSolver::solveGroupCacheFriendlySetup(btCollisionObject** bodies, int numBodies,
                                                        btPersistentManifold** manifolds, int numManifolds,
                                                        btTypedConstraint** constraints, int numConstraints,
                                                        const btContactSolverInfo& info, btIDebugDraw* debugDrawer) {
  const btScalar value = btMultiBodyConstraintSolver::solveGroupCacheFriendlySetup(
      bodies, numBodies, manifolds, numManifolds, constraints, numConstraints, info, debugDrawer);
  start_.apply(m_multiBodyNonContactConstraints, m_data);
  return value;
}

bool SequentialSolver::loaded() const {
  if (m_multiBodyNonContactConstraints.size() == 0) return false;
  if (m_multiBodyNormalContactConstraints.size() > 0) return true;
  for (int i = 0; i < m_multiBodyNonContactConstraints.size(); ++i)
    if (!JointStart::isJointRow(m_multiBodyNonContactConstraints[i])) return true;
  return false;
}

btScalar SequentialSolver::solveGroupCacheFriendlyFinish(btCollisionObject** bodies, int numBodies,
                                                         const btContactSolverInfo& info) {
  if (info.m_leastSquaresResidualThreshold > 0 && m_leastSquaresResidual > info.m_leastSquaresResidualThreshold)
    ++unsettled_;
  if (loaded()) start_.apply(m_multiBodyNonContactConstraints, m_data);
  return btMultiBodyConstraintSolver::solveGroupCacheFriendlyFinish(bodies, numBodies, info);
}

void LcpSolver::createMLCPFast(const btContactSolverInfo& info) {
  btMultiBodyMLCPConstraintSolver::createMLCPFast(info);
  for (int i = 0; i < m_multiBodyAllConstraintPtrArray.size(); ++i) {
    const btMultiBodySolverConstraint& row = *m_multiBodyAllConstraintPtrArray[i];
    if (!JointStart::isJointRow(row) || !(row.m_cfm > 0)) continue;
    // In place of the mixing of contacts, which Bullet adds to all rows.
    const double softness = row.m_cfm / row.m_jacDiagABInv;
    m_multiBodyA.setElem(i, i, m_multiBodyA(i, i) - info.m_globalCfm / info.m_timeStep + softness);
  }
}

}  // namespace mortise::bullet
