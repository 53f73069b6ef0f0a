#include "impulse_solver.h"

#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <algorithm>
#include <cmath>

namespace mortise::bullet {

namespace {

Articulation* articulationOf(const btMultiBody* body) {
  return body == nullptr ? nullptr : static_cast<Articulation*>(body->getUserPointer());
}

btVector3 velocityAt(const btCollisionObject& object, const btVector3& point) {
  if (const btMultiBodyLinkCollider* link = btMultiBodyLinkCollider::upcast(&object)) {
    const Articulation& articulation = *articulationOf(link->m_multiBody);
    const btVector3 w = toBullet(articulation.angularVelocity(link->m_link));
    const btVector3 v = toBullet(articulation.linearVelocity(link->m_link));
    return v + w.cross(point - object.getWorldTransform().getOrigin());
  }
  if (const btRigidBody* body = btRigidBody::upcast(&object))
    return body->getVelocityInLocalPoint(point - object.getWorldTransform().getOrigin());
  return {0, 0, 0};
}

constexpr int kMaxPasses = 4;
constexpr double kSkipped = 1e30;  // A distance beyond every processing threshold.

}  // namespace

void ImpulseSolver::prepareContacts(btDispatcher& dispatcher, double h) {
  for (int m = 0; m < dispatcher.getNumManifolds(); ++m) {
    btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(m);
    for (int i = 0; i < manifold.getNumContacts(); ++i) {
      btManifoldPoint& point = manifold.getContactPoint(i);
      const ContactMaterial& material = pairs_.material(point.m_partId0, point.m_partId1);
      const bool soft = std::isfinite(material.stiffness);
      if (!soft && material.restitution <= 0) continue;

      double approach = 0;
      if (material.restitution > 0) {
        const btVector3 relative = velocityAt(*manifold.getBody0(), point.m_positionWorldOnA) -
                                   velocityAt(*manifold.getBody1(), point.m_positionWorldOnB);
        approach = -point.m_normalWorldOnB.dot(relative);
      }
      bool bounces = approach > settings_.bounceSpeed;
      // A speculative contact would reflect the body before it arrives; let it arrive first.
      if (bounces && point.m_distance1 > 0) {
        point.m_distance1 = kSkipped;
        point.m_appliedImpulse = point.m_appliedImpulseLateral1 = point.m_appliedImpulseLateral2 = 0;
      }
      double erp = 0, cfm = settings_.cfm;
      if (soft) {
        // Klamp't's rule: a spring and damper, implicit; damping without bound leaves penetration as it is.
        const double sum = h * material.stiffness + material.damping;
        cfm = std::isfinite(sum) ? 1 / std::max(sum, 1e-12) : 0;
        erp = std::isfinite(sum) ? h * material.stiffness / std::max(sum, 1e-12) : 0;
        // A spring that pushes harder than the bounce would needs no bounce.
        bounces = bounces && approach * material.restitution * h > -point.m_distance1 * erp;
      }
      point.m_combinedRestitution = bounces ? material.restitution : 0;
      point.m_contactPointFlags &= ~(BT_CONTACT_FLAG_HAS_CONTACT_CFM | BT_CONTACT_FLAG_HAS_CONTACT_ERP);
      if (!soft && !bounces) continue;
      // Pushing out what the last step penetrated would add energy to a bounce.
      point.m_contactPointFlags |= BT_CONTACT_FLAG_HAS_CONTACT_CFM | BT_CONTACT_FLAG_HAS_CONTACT_ERP;
      point.m_contactCFM = cfm;
      point.m_contactERP = bounces ? 0 : erp;
    }
  }
}

void ImpulseSolver::convertContacts(btPersistentManifold** manifolds, int numManifolds,
                                    const btContactSolverInfo& info) {
  btMultiBodyConstraintSolver::convertContacts(manifolds, numManifolds, info);

  for (int i = 0; i < m_tmpSolverContactConstraintPool.size(); ++i)
    limitCorrection(m_tmpSolverContactConstraintPool[i], info);
  if (articulations_.empty()) return;
  for (int i = 0; i < m_multiBodyNormalContactConstraints.size(); ++i)
    limitCorrection(m_multiBodyNormalContactConstraints[i], info);
  for (btMultiBodyConstraintArray* rows : {&m_multiBodyNonContactConstraints, &m_multiBodyNormalContactConstraints,
                                           &m_multiBodyFrictionContactConstraints})
    for (int i = 0; i < rows->size(); ++i) respondWithDrives((*rows)[i], false);
  warmStartAll();
}

btScalar ImpulseSolver::solveGroupCacheFriendlyIterations(btCollisionObject** bodies, int numBodies,
                                                          btPersistentManifold** manifolds, int numManifolds,
                                                          btTypedConstraint** constraints, int numConstraints,
                                                          const btContactSolverInfo& info, btIDebugDraw* drawer) {
  for (int pass = 0;; ++pass) {
    btMultiBodyConstraintSolver::solveGroupCacheFriendlyIterations(bodies, numBodies, manifolds, numManifolds,
                                                                   constraints, numConstraints, info, drawer);
    // In the rare case that it never settles, the contacts have the last word, and a drive exceeds its limit in this
    // step.
    if (pass == kMaxPasses || !relinearizeDrives()) return 0;
  }
}

template <typename Row>
void ImpulseSolver::limitCorrection(Row& row, const btContactSolverInfo& info) const {
  const auto& point = *static_cast<const btManifoldPoint*>(row.m_originalContactPoint);
  if (point.m_distance1 >= 0 || row.m_jacDiagABInv == 0 ||
      (point.m_contactPointFlags & BT_CONTACT_FLAG_HAS_CONTACT_ERP))
    return;
  // What holds a load against constraint force mixing is no correction.
  const double holding = row.m_cfm / row.m_jacDiagABInv * point.m_appliedImpulse;
  const double excess = -point.m_distance1 * info.m_erp2 / info.m_timeStep - settings_.maxCorrectionSpeed - holding;
  if (excess > 0) row.m_rhs -= excess * row.m_jacDiagABInv;
}

double ImpulseSolver::alongRow(int jacobian, int response, const btMultiBody& body) const {
  const double* j = &m_data.m_jacobians[jacobian];
  const double* r = &m_data.m_deltaVelocitiesUnitImpulse[response];
  double sum = 0;
  for (int i = 0, n = 6 + body.getNumDofs(); i < n; ++i) sum += j[i] * r[i];
  return sum;
}

/// The articulated bodies' share of a row's diagonal; `coupled` with what two links of one body do to each other, which
/// Bullet leaves out.
double ImpulseSolver::ownDiagonal(const btMultiBodySolverConstraint& row, bool coupled) const {
  double sum = 0;
  if (row.m_multiBodyA != nullptr) sum += alongRow(row.m_jacAindex, row.m_jacAindex, *row.m_multiBodyA);
  if (row.m_multiBodyB != nullptr) sum += alongRow(row.m_jacBindex, row.m_jacBindex, *row.m_multiBodyB);
  if (coupled && row.m_multiBodyA != nullptr && row.m_multiBodyA == row.m_multiBodyB)
    sum += 2 * alongRow(row.m_jacAindex, row.m_jacBindex, *row.m_multiBodyA);
  return sum;
}

double ImpulseSolver::rowVelocity(const btMultiBodySolverConstraint& row) const {
  double sum = 0;
  const auto add = [&](const btMultiBody* body, int jacobian) {
    if (body == nullptr) return;
    const double* v = body->getVelocityVector();
    for (int i = 0, n = 6 + body->getNumDofs(); i < n; ++i) sum += m_data.m_jacobians[jacobian + i] * v[i];
  };
  add(row.m_multiBodyA, row.m_jacAindex);
  add(row.m_multiBodyB, row.m_jacBindex);
  return sum;
}

/// Replaces the response of the bodies by that of the bodies with their drives; `coupled` when the row has been through
/// here before.
void ImpulseSolver::respondWithDrives(btMultiBodySolverConstraint& row, bool coupled) {
  if (row.m_jacDiagABInv == 0) return;
  const Articulation* a = articulationOf(row.m_multiBodyA);
  const Articulation* b = articulationOf(row.m_multiBodyB);
  const bool drivenA = a != nullptr && a->driven(), drivenB = b != nullptr && b->driven();
  if (!drivenA && !drivenB && (a == nullptr || a != b)) return;
  const double others = 1 / row.m_jacDiagABInv - ownDiagonal(row, coupled);
  if (drivenA) a->respond(&m_data.m_jacobians[row.m_jacAindex], &m_data.m_deltaVelocitiesUnitImpulse[row.m_jacAindex]);
  if (drivenB) b->respond(&m_data.m_jacobians[row.m_jacBindex], &m_data.m_deltaVelocitiesUnitImpulse[row.m_jacBindex]);
  const double diagonal = others + ownDiagonal(row, true);
  const double inverse = diagonal > SIMD_EPSILON ? 1 / diagonal : 0;
  row.m_rhs *= inverse / row.m_jacDiagABInv;
  row.m_cfm *= inverse / row.m_jacDiagABInv;
  row.m_jacDiagABInv = inverse;
}

/// Where contacts have put a drive on another piece of its law: new velocities and responses, the impulses kept.
/// Returns whether there was any.
bool ImpulseSolver::relinearizeDrives() {
  btMultiBodyConstraintArray* const all[] = {&m_multiBodyNonContactConstraints, &m_multiBodyNormalContactConstraints,
                                             &m_multiBodyFrictionContactConstraints};
  targets_.clear();
  for (const btMultiBodyConstraintArray* rows : all)
    for (int i = 0; i < rows->size(); ++i) {
      const btMultiBodySolverConstraint& row = (*rows)[i];
      targets_.push_back(row.m_jacDiagABInv != 0 ? row.m_rhs / row.m_jacDiagABInv + rowVelocity(row) : 0);
    }
  bool any = false;
  for (Articulation* articulation : articulations_) {
    btMultiBody& body = articulation->multiBody();
    const int index = body.getCompanionId();
    if (index < 0 || !articulation->relinearize(&m_data.m_deltaVelocities[index])) continue;
    any = true;
    for (int i = 0, n = 6 + body.getNumDofs(); i < n; ++i) m_data.m_deltaVelocities[index + i] = 0;
    scratch_.assign(body.getDeltaVelocityVector(), body.getDeltaVelocityVector() + 6 + body.getNumDofs());
    body.applyDeltaVeeMultiDof2(scratch_.data(), -1);
    articulation->setRelinearized(true);
  }
  if (!any) return false;
  std::size_t k = 0;
  for (btMultiBodyConstraintArray* rows : all)
    for (int i = 0; i < rows->size(); ++i, ++k) {
      btMultiBodySolverConstraint& row = (*rows)[i];
      if (row.m_jacDiagABInv == 0) continue;
      respondWithDrives(row, true);
      row.m_rhs = (targets_[k] - rowVelocity(row)) * row.m_jacDiagABInv;
      const double impulse = row.m_appliedImpulse;
      const auto push = [&](btMultiBody* body, int jacobian, int delta) {
        if (body == nullptr || !articulationOf(body)->relinearized()) return;
        applyDeltaVee(&m_data.m_deltaVelocitiesUnitImpulse[jacobian], impulse, delta, 6 + body->getNumDofs());
        body->applyDeltaVeeMultiDof2(&m_data.m_deltaVelocitiesUnitImpulse[jacobian], impulse);
      };
      push(row.m_multiBodyA, row.m_jacAindex, row.m_deltaVelAindex);
      push(row.m_multiBodyB, row.m_jacBindex, row.m_deltaVelBindex);
    }
  for (Articulation* articulation : articulations_) articulation->setRelinearized(false);
  return true;
}

void ImpulseSolver::warmStart(btMultiBodySolverConstraint& row, double impulse) {
  row.m_appliedImpulse = impulse;
  if (impulse == 0) return;
  const auto push = [&](btMultiBody* body, int jacobian, int delta, int solverBody, const btVector3& normal,
                        const btVector3& angular) {
    if (body != nullptr) {
      applyDeltaVee(&m_data.m_deltaVelocitiesUnitImpulse[jacobian], impulse, delta, 6 + body->getNumDofs());
      body->applyDeltaVeeMultiDof2(&m_data.m_deltaVelocitiesUnitImpulse[jacobian], impulse);
    } else if (solverBody >= 0) {
      btSolverBody& other = m_tmpSolverBodyPool[solverBody];
      other.internalApplyImpulse(normal * other.internalGetInvMass(), angular, impulse);
    }
  };
  push(row.m_multiBodyA, row.m_jacAindex, row.m_deltaVelAindex, row.m_solverBodyIdA, row.m_contactNormal1,
       row.m_angularComponentA);
  push(row.m_multiBodyB, row.m_jacBindex, row.m_deltaVelBindex, row.m_solverBodyIdB, row.m_contactNormal2,
       row.m_angularComponentB);
}

void ImpulseSolver::warmStartAll() {
  if (settings_.warmStart <= 0) return;
  for (int i = 0; i < m_multiBodyNormalContactConstraints.size(); ++i) {
    btMultiBodySolverConstraint& row = m_multiBodyNormalContactConstraints[i];
    const auto& point = *static_cast<const btManifoldPoint*>(row.m_originalContactPoint);
    warmStart(row, settings_.warmStart * point.m_appliedImpulse);
    const double lateral[] = {point.m_appliedImpulseLateral1, point.m_appliedImpulseLateral2};
    for (int k = 0; k < 2; ++k)
      warmStart(m_multiBodyFrictionContactConstraints[row.m_frictionIndex + k], settings_.warmStart * lateral[k]);
  }
}

}  // namespace mortise::bullet
