#pragma once

#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <vector>

#include "articulation.h"
#include "impulse_solver.h"

namespace mortise::bullet {

/// Bullet's world for rigid and articulated bodies, reduced to what we need: no sleeping, no islands (everything is one
/// group, which costs the same with a fixed number of iterations), no motion states, no continuous detection; drives
/// around the contact solver.
class World final : public btMultiBodyDynamicsWorld {
 public:
  World(ContactDispatcher* dispatcher, btBroadphaseInterface* broadphase, ImpulseSolver* solver,
        btCollisionConfiguration* configuration, const Settings& settings);

  void addArticulation(Articulation& articulation);
  void addWorldBody(btRigidBody& body);

  void synchronizeMotionStates() override {}
  void solveConstraints(btContactSolverInfo& info) override;
  void predictUnconstraintMotion(btScalar timeStep) override;
  void integrateTransforms(btScalar timeStep) override;
  void saveKinematicState(btScalar timeStep) override {}  // Velocities of kinematic bodies are given, not derived.

 protected:
  void calculateSimulationIslands() override {}
  void updateActivationState(btScalar timeStep) override {}
  void createPredictiveContacts(btScalar timeStep) override {}

 private:
  ImpulseSolver& solver_;
  const Settings& settings_;
  std::vector<Articulation*> articulations_;
  btAlignedObjectArray<btCollisionObject*> movers_;
};

}  // namespace mortise::bullet
