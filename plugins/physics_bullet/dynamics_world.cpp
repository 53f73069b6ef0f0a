#include "dynamics_world.h"

#include <BulletCollision/CollisionDispatch/btSimulationIslandManager.h>
#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btSolveProjectedGaussSeidel.h>

namespace mortise::bullet {

namespace {

/// Manifolds are filled before the step.
class ExternalDispatcher final : public btCollisionDispatcher {
 public:
  using btCollisionDispatcher::btCollisionDispatcher;
  void dispatchAllCollisionPairs(btOverlappingPairCache*, const btDispatcherInfo&, btDispatcher*) override {}
};

/// Bullet makes islands of overlapping pairs, which contacts from outside do not have: their manifolds say who touches.
class ExternalIslands final : public btSimulationIslandManager {
 public:
  void storeIslandActivationState(btCollisionWorld* world) override {
    btDispatcher& dispatcher = *world->getDispatcher();
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
      const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(i);
      const btCollisionObject &a = *manifold.getBody0(), &b = *manifold.getBody1();
      if (a.mergesSimulationIslands() && b.mergesSimulationIslands())
        getUnionFind().unite(a.getIslandTag(), b.getIslandTag());
    }
    btSimulationIslandManager::storeIslandActivationState(world);
  }
};

class World final : public btMultiBodyDynamicsWorld {
 public:
  World(btDispatcher& dispatcher, btBroadphaseInterface& broadphase, btMultiBodyConstraintSolver& solver,
        btCollisionConfiguration& configuration, btSimulationIslandManager& islands,
        const std::function<void()>& afterCollisions)
      : btMultiBodyDynamicsWorld(&dispatcher, &broadphase, &solver, &configuration), afterCollisions_(afterCollisions) {
    m_islandManager->~btSimulationIslandManager();
    btAlignedFree(m_islandManager);
    m_islandManager = &islands;
    m_ownsIslandManager = false;
  }

  void performDiscreteCollisionDetection() override {
    btMultiBodyDynamicsWorld::performDiscreteCollisionDetection();
    if (afterCollisions_) afterCollisions_();
  }

 private:
  const std::function<void()>& afterCollisions_;
};

std::unique_ptr<btMLCPSolverInterface> makeLcp(SolverChoice choice) {
  if (choice == SolverChoice::dantzig) return std::make_unique<btDantzigSolver>();
  if (choice == SolverChoice::pgs) return std::make_unique<btSolveProjectedGaussSeidel>();
  return nullptr;
}

void countStep(btDynamicsWorld* world, btScalar) { ++*static_cast<std::int64_t*>(world->getWorldUserInfo()); }

}  // namespace

DynamicsWorld::DynamicsWorld(const BulletSettings& settings, const PairTable& pairs, bool ownContacts)
    : ownContacts_(ownContacts), filter_(pairs), lcp_(makeLcp(settings.solver)) {
  if (ownContacts) {
    dispatcher_ = std::make_unique<ContactDispatcher>(&configuration_, pairs);
    islands_ = std::make_unique<btSimulationIslandManager>();
    btGImpactCollisionAlgorithm::registerAlgorithm(dispatcher_.get());
    broadphase_.getOverlappingPairCache()->setOverlapFilterCallback(&filter_);
  } else {
    dispatcher_ = std::make_unique<ExternalDispatcher>(&configuration_);
    islands_ = std::make_unique<ExternalIslands>();
  }
  if (lcp_ == nullptr) {
    auto sequential = std::make_unique<SequentialSolver>();
    sequential_ = sequential.get();
    solver_ = std::move(sequential);
  } else {
    auto mlcp = std::make_unique<LcpSolver>(lcp_.get());
    mlcp_ = mlcp.get();
    solver_ = std::move(mlcp);
  }
  world_ = std::make_unique<World>(*dispatcher_, broadphase_, *solver_, configuration_, *islands_, *afterCollisions_);
  world_->setForceUpdateAllAabbs(false);
  world_->getDispatchInfo().m_deterministicOverlappingPairs = ownContacts;
  world_->getDispatchInfo().m_useContinuous = false;
  world_->setInternalTickCallback(countStep, &steps_);

  btContactSolverInfo& info = world_->getSolverInfo();
  info.m_numIterations = settings.numIterations;
  info.m_leastSquaresResidualThreshold = *settings.residualThreshold;
  info.m_erp = *settings.erp;
  info.m_erp2 = *settings.erp2;
  info.m_globalCfm = *settings.globalCfm;
  info.m_linearSlop = *settings.linearSlop;
  info.m_warmstartingFactor = settings.warmstartingFactor;
  info.m_splitImpulse = settings.splitImpulse;
  info.m_splitImpulsePenetrationThreshold = settings.splitImpulseThreshold;
  info.m_numNonContactInnerIterations = settings.innerIterations;
  info.m_frictionERP = settings.frictionErp;
  info.m_frictionCFM = settings.frictionCfm;
  info.m_minimumSolverBatchSize = settings.minimumSolverBatchSize;
  info.m_restitutionVelocityThreshold = *settings.restitutionThreshold;
}

DynamicsWorld::~DynamicsWorld() {
  // Manifolds made for contacts from outside belong to no collision pair.
  if (!ownContacts_)
    while (dispatcher_->getNumManifolds() > 0) dispatcher_->releaseManifold(dispatcher_->getManifoldByIndexInternal(0));
}

}  // namespace mortise::bullet
