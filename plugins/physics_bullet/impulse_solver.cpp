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

constexpr double kSkipped = 1e30;  // A distance beyond every processing threshold.

}  // namespace

void ImpulseSolver::prepareContacts(btDispatcher& dispatcher, double h) {
  for (int m = 0; m < dispatcher.getNumManifolds(); ++m) {
    btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(m);
    for (int i = 0; i < manifold.getNumContacts(); ++i) {
      btManifoldPoint& point = manifold.getContactPoint(i);
      const ContactMaterial& material = pairs_.material(point.m_partId0, point.m_partId1);
      // A spring and damper in parallel: one of them infinite makes the contact rigid.
      const bool soft = std::isfinite(material.stiffness) && std::isfinite(material.damping);
      if (!soft && material.restitution <= 0) continue;

      bool bounces = false;
      if (material.restitution > 0) {
        const btVector3 relative = velocityAt(*manifold.getBody0(), point.m_positionWorldOnA) -
                                   velocityAt(*manifold.getBody1(), point.m_positionWorldOnB);
        bounces = point.m_normalWorldOnB.dot(relative) < -settings_.bounceSpeed;
        // A speculative contact would reflect the body before it arrives; let it arrive first.
        if (bounces && point.m_distance1 > 0) {
          point.m_distance1 = kSkipped;
          point.m_appliedImpulse = point.m_appliedImpulseLateral1 = point.m_appliedImpulseLateral2 = 0;
        }
        point.m_combinedRestitution = bounces ? material.restitution : 0;
      }
      point.m_contactPointFlags &= ~(BT_CONTACT_FLAG_HAS_CONTACT_CFM | BT_CONTACT_FLAG_HAS_CONTACT_ERP);
      if (soft) {
        const double sum = std::max(h * material.stiffness + material.damping, 1e-12);
        point.m_contactPointFlags |= BT_CONTACT_FLAG_HAS_CONTACT_CFM | BT_CONTACT_FLAG_HAS_CONTACT_ERP;
        point.m_contactCFM = 1 / sum;
        point.m_contactERP = h * material.stiffness / sum;
      }
      if (bounces) {
        if (!(point.m_contactPointFlags & BT_CONTACT_FLAG_HAS_CONTACT_CFM)) {
          point.m_contactPointFlags |= BT_CONTACT_FLAG_HAS_CONTACT_CFM;
          point.m_contactCFM = settings_.cfm;
        }
        point.m_contactPointFlags |= BT_CONTACT_FLAG_HAS_CONTACT_ERP;
        point.m_contactERP = 0;
      }
    }
  }
}

void ImpulseSolver::convertContacts(btPersistentManifold** manifolds, int numManifolds,
                                    const btContactSolverInfo& info) {
  btMultiBodyConstraintSolver::convertContacts(manifolds, numManifolds, info);

  for (int i = 0; i < m_tmpSolverContactConstraintPool.size(); ++i) {
    btSolverConstraint& row = m_tmpSolverContactConstraintPool[i];
    const auto& point = *static_cast<const btManifoldPoint*>(row.m_originalContactPoint);
    limitCorrection(point, point.m_distance1, info, row.m_jacDiagABInv, row.m_rhs);
  }
  if (articulations_.empty()) return;

  for (int i = 0; i < m_multiBodyNormalContactConstraints.size(); ++i) {
    btMultiBodySolverConstraint& row = m_multiBodyNormalContactConstraints[i];
    const auto& point = *static_cast<const btManifoldPoint*>(row.m_originalContactPoint);
    limitCorrection(point, point.m_distance1, info, row.m_jacDiagABInv, row.m_rhs);
  }
  for (btMultiBodyConstraintArray* rows : {&m_multiBodyNonContactConstraints, &m_multiBodyNormalContactConstraints,
                                           &m_multiBodyFrictionContactConstraints})
    for (int i = 0; i < rows->size(); ++i) respondWithDrives((*rows)[i]);
  addJointStops(info);
  warmStartAll();
}

void ImpulseSolver::limitCorrection(const btManifoldPoint& point, double distance, const btContactSolverInfo& info,
                                    double inverse, double& rhs) const {
  if (distance >= 0 || (point.m_contactPointFlags & BT_CONTACT_FLAG_HAS_CONTACT_ERP)) return;
  const double speed = -distance * info.m_erp2 / info.m_timeStep;
  if (speed > settings_.maxCorrectionSpeed) rhs -= (speed - settings_.maxCorrectionSpeed) * inverse;
}

void ImpulseSolver::respondWithDrives(btMultiBodySolverConstraint& row) {
  if (row.m_jacDiagABInv == 0) return;
  const Articulation* a = articulationOf(row.m_multiBodyA);
  const Articulation* b = articulationOf(row.m_multiBodyB);
  const bool drivenA = a != nullptr && a->driven(), drivenB = b != nullptr && b->driven();
  const bool same = a != nullptr && a == b;  // Bullet leaves out the coupling of two links of one body.
  if (!drivenA && !drivenB && !same) return;

  double change = 0;
  const auto dot = [this](int x, int y, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += m_data.m_jacobians[x + i] * m_data.m_deltaVelocitiesUnitImpulse[y + i];
    return sum;
  };
  const auto replace = [&](const Articulation& articulation, int index, int n) {
    change -= dot(index, index, n);
    articulation.respond(&m_data.m_jacobians[index], &m_data.m_deltaVelocitiesUnitImpulse[index]);
    change += dot(index, index, n);
  };
  const int n = 6 + (a != nullptr ? row.m_multiBodyA : row.m_multiBodyB)->getNumDofs();
  if (drivenA) replace(*a, row.m_jacAindex, n);
  if (drivenB) replace(*b, row.m_jacBindex, 6 + row.m_multiBodyB->getNumDofs());
  if (same) change += dot(row.m_jacAindex, row.m_jacBindex, n) + dot(row.m_jacBindex, row.m_jacAindex, n);

  const double denominator = 1 / row.m_jacDiagABInv + change;
  const double inverse = denominator > SIMD_EPSILON ? 1 / denominator : 0;
  const double scale = inverse / row.m_jacDiagABInv;
  row.m_jacDiagABInv = inverse;
  row.m_rhs *= scale;
  row.m_cfm *= scale;
}

void ImpulseSolver::addJointStops(const btContactSolverInfo& info) {
  for (Articulation* articulation : articulations_) {
    for (int i = 0; i < articulation->numLinks(); ++i) {
      const double lower = articulation->lower(i), upper = articulation->upper(i);
      if (!(std::isfinite(lower) || std::isfinite(upper))) continue;
      const double q = articulation->position(i);
      // Contacts may speed the joint up within the step, so the row is there somewhat early; it costs nothing until
      // met.
      const double reach = 2 * std::abs(articulation->velocity(i)) * info.m_timeStep + 0.02;
      if (q - lower < reach) addStop(*articulation, i, q - lower, 1, info);
      if (upper - q < reach) addStop(*articulation, i, upper - q, -1, info);
    }
  }
}

void ImpulseSolver::addStop(Articulation& articulation, int link, double distance, double sign,
                            const btContactSolverInfo& info) {
  btMultiBody& body = articulation.multiBody();
  const int n = 6 + body.getNumDofs();
  btMultiBodySolverConstraint& row = m_multiBodyNonContactConstraints.expandNonInitializing();
  row = btMultiBodySolverConstraint();
  row.m_multiBodyA = &body;
  row.m_linkA = link;
  row.m_deltaVelAindex = body.getCompanionId();
  if (row.m_deltaVelAindex < 0) {
    row.m_deltaVelAindex = m_data.m_deltaVelocities.size();
    body.setCompanionId(row.m_deltaVelAindex);
    m_data.m_deltaVelocities.resize(row.m_deltaVelAindex + n, 0.0);
  }
  row.m_jacAindex = m_data.m_jacobians.size();
  m_data.m_jacobians.resize(row.m_jacAindex + n, 0.0);
  m_data.m_deltaVelocitiesUnitImpulse.resize(row.m_jacAindex + n, 0.0);
  double* jacobian = &m_data.m_jacobians[row.m_jacAindex];
  double* response = &m_data.m_deltaVelocitiesUnitImpulse[row.m_jacAindex];
  for (int i = 0; i < n; ++i) jacobian[i] = 0;
  jacobian[6 + link] = sign;
  if (articulation.driven())
    articulation.respond(jacobian, response);
  else
    body.calcAccelerationDeltasMultiDof(jacobian, response, m_data.scratch_r, m_data.scratch_v);

  const double denominator = sign * response[6 + link];
  row.m_jacDiagABInv = denominator > SIMD_EPSILON ? 1 / denominator : 0;
  // Arrive at the stop in this step at the earliest; from beyond it, come back part of the way.
  double target = -distance / info.m_timeStep;
  if (distance < 0) target = std::min(-distance * info.m_erp / info.m_timeStep, settings_.maxCorrectionSpeed);
  row.m_rhs = (target - sign * body.getJointVel(link)) * row.m_jacDiagABInv;
  row.m_rhsPenetration = 0;
  row.m_cfm = 0;
  row.m_friction = 0;
  row.m_lowerLimit = 0;
  row.m_upperLimit = 1e30;
  row.m_appliedImpulse = 0;
  row.m_appliedPushImpulse = 0;
  row.m_overrideNumSolverIterations = info.m_numIterations;
  for (btVector3* v : {&row.m_relpos1CrossNormal, &row.m_contactNormal1, &row.m_relpos2CrossNormal,
                       &row.m_contactNormal2, &row.m_angularComponentA, &row.m_angularComponentB})
    v->setZero();
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
