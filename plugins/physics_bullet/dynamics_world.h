#pragma once

#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyMLCPConstraintSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolverInterface.h>
#include <btBulletDynamicsCommon.h>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "bullet_settings.h"
#include "constraint_solver.h"
#include "contact_dispatch.h"

namespace mortise::bullet {

/// Bullet's `btMultiBodyDynamicsWorld` with a constraint solver, set up by the settings. Everything that moves is moved
/// by its `stepSimulation`.
class DynamicsWorld {
 public:
  /// Without own contacts objects have no collision pairs; contacts are what the dispatcher's manifolds hold.
  DynamicsWorld(const BulletSettings& settings, const PairTable& pairs, bool ownContacts);
  ~DynamicsWorld();
  DynamicsWorld(const DynamicsWorld&) = delete;
  DynamicsWorld& operator=(const DynamicsWorld&) = delete;

  btMultiBodyDynamicsWorld& bullet() { return *world_; }
  btCollisionDispatcher& dispatcher() { return *dispatcher_; }
  /// Collision groups of objects: all in one, or none without own contacts.
  int group() const { return ownContacts_ ? btBroadphaseProxy::DefaultFilter : 0; }
  int mask() const { return ownContacts_ ? btBroadphaseProxy::AllFilter : 0; }

  /// Is called within each step when Bullet has found contacts, before it solves.
  void afterCollisions(std::function<void()> call) { *afterCollisions_ = std::move(call); }

  /// One step of Bullet's of just this length.
  void step(double h) { world_->stepSimulation(h, 0); }
  /// Steps as Bullet itself reports them, at the end of each.
  std::int64_t steps() const { return steps_; }
  /// Returns how often a direct solver failed and Bullet fell back to sequential impulses.
  int fallbacks() const { return mlcp_ == nullptr ? 0 : mlcp_->getNumFallbacks(); }
  /// Returns how often sequential impulses ran out of iterations, group by group.
  std::int64_t unsettled() const { return sequential_ == nullptr ? 0 : sequential_->unsettled(); }

 private:
  const bool ownContacts_;
  std::int64_t steps_ = 0;
  std::unique_ptr<std::function<void()>> afterCollisions_ = std::make_unique<std::function<void()>>();
  btDefaultCollisionConfiguration configuration_;
  std::unique_ptr<btCollisionDispatcher> dispatcher_;
  btDbvtBroadphase broadphase_;
  PairFilter filter_;
  std::unique_ptr<btMLCPSolverInterface> lcp_;
  std::unique_ptr<btMultiBodyConstraintSolver> solver_;
  btMultiBodyMLCPConstraintSolver* mlcp_ = nullptr;
  SequentialSolver* sequential_ = nullptr;
  std::unique_ptr<btSimulationIslandManager> islands_;
  std::unique_ptr<btMultiBodyDynamicsWorld> world_;
};

}  // namespace mortise::bullet
