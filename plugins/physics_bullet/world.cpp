#include "world.h"

namespace mortise::bullet {

World::World(ContactDispatcher* dispatcher, btBroadphaseInterface* broadphase, ImpulseSolver* solver,
             btCollisionConfiguration* configuration, const Settings& settings)
    : btMultiBodyDynamicsWorld(dispatcher, broadphase, solver, configuration), solver_(*solver), settings_(settings) {
  setForceUpdateAllAabbs(false);
  getDispatchInfo().m_deterministicOverlappingPairs = true;
  btContactSolverInfo& info = getSolverInfo();
  info.m_numIterations = settings.iterations;
  info.m_erp = settings.erp;
  info.m_erp2 = settings.contactErp;
  info.m_globalCfm = settings.cfm;
  info.m_warmstartingFactor = settings.warmStart;
  // Articulated bodies know no split impulses, and soft contacts need position and velocity together; what would go
  // wrong without them (deep penetration shoots bodies off) is limited in the solver.
  info.m_splitImpulse = 0;
  info.m_leastSquaresResidualThreshold = 1e-22;  // (N s)^2: done when no impulse changes any more.
  info.m_restitutionVelocityThreshold = 0;       // Which contacts bounce is decided in `prepareContacts`.
  info.m_solverMode = SOLVER_SIMD | SOLVER_USE_WARMSTARTING | SOLVER_USE_2_FRICTION_DIRECTIONS;
}

void World::addArticulation(Articulation& articulation) {
  addMultiBody(&articulation.multiBody());
  articulations_.push_back(&articulation);
  solver_.setArticulations(articulations_);
}

void World::addWorldBody(btRigidBody& body) {
  addRigidBody(&body, btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter);
  if (!body.isStaticObject()) movers_.push_back(&body);
}

void World::predictUnconstraintMotion(btScalar timeStep) {
  btDiscreteDynamicsWorld::predictUnconstraintMotion(timeStep);
}

void World::solveConstraints(btContactSolverInfo& info) {
  solver_.prepareContacts(*getDispatcher(), info.m_timeStep);

  for (Articulation* articulation : articulations_) {
    btMultiBody& body = articulation->multiBody();
    body.clearConstraintForces();
    body.setCompanionId(-1);
    body.computeAccelerationsArticulatedBodyAlgorithmMultiDof(info.m_timeStep, m_scratch_r, m_scratch_v, m_scratch_m,
                                                              false, false, false);
    articulation->beginDrives(info.m_timeStep, settings_.erp, settings_.maxCorrectionSpeed);
  }

  m_constraintSolver->prepareSolve(movers_.size(), getDispatcher()->getNumManifolds());
  m_multiBodyConstraintSolver->solveMultiBodyGroup(
      movers_.size() > 0 ? &movers_[0] : nullptr, movers_.size(), getDispatcher()->getInternalManifoldPointer(),
      getDispatcher()->getNumManifolds(), m_constraints.size() > 0 ? &m_constraints[0] : nullptr, m_constraints.size(),
      m_multiBodyConstraints.size() > 0 ? &m_multiBodyConstraints[0] : nullptr, m_multiBodyConstraints.size(), info,
      nullptr, getDispatcher());
  m_constraintSolver->allSolved(info, nullptr);

  for (Articulation* articulation : articulations_) {
    articulation->multiBody().processDeltaVeeMultiDof2();
    articulation->endDrives();
  }
}

void World::integrateTransforms(btScalar timeStep) {
  btDiscreteDynamicsWorld::integrateTransforms(timeStep);
  for (Articulation* articulation : articulations_) {
    articulation->multiBody().setPosUpdated(false);
    articulation->multiBody().stepPositionsMultiDof(timeStep);
    articulation->update();
  }
}

}  // namespace mortise::bullet
