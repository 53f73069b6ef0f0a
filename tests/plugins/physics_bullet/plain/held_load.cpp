#include "tests/plugins/physics_bullet/plain/held_load.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <algorithm>
#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <memory>
#include <vector>

namespace plain {

double speedUnderLoadOnBullet(const HeldLoad& load, int iterations, double residualThreshold) {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btMultiBodyConstraintSolver solver;
  btMultiBodyDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  world.setGravity(btVector3(0, 0, -9.8));
  // PhysicsServerCommandProcessor.cpp, createEmptyDynamicsWorld.
  btContactSolverInfo& info = world.getSolverInfo();
  info.m_erp = 0.2;
  info.m_erp2 = 0.08;
  info.m_globalCfm = 0;
  info.m_numIterations = iterations;
  info.m_leastSquaresResidualThreshold = residualThreshold;
  info.m_linearSlop = 1e-5;

  const double half = 0.5 * load.length;
  btBoxShape shape(btVector3(half, 0.02, 0.02));
  btVector3 moments;
  shape.calculateLocalInertia(load.linkMass, moments);
  btMultiBody arm(load.links, 0, btVector3(0, 0, 0), true, false);
  arm.setBasePos(btVector3(0, 0, 0));
  for (int i = 0; i < load.links; ++i)
    arm.setupRevolute(i, load.linkMass, moments, i - 1, btQuaternion::getIdentity(), btVector3(0, -1, 0),
                      btVector3(i > 0 ? half : 0, 0, 0), btVector3(half, 0, 0), true);
  arm.finalizeMultiDof();
  arm.setCanSleep(false);
  world.addMultiBody(&arm);
  btAlignedObjectArray<btQuaternion> rotations;
  btAlignedObjectArray<btVector3> origins;
  arm.forwardKinematics(rotations, origins);
  // Bullet solves a motor with the island of its link's collider. Links do not collide with each other.
  std::vector<std::unique_ptr<btMultiBodyLinkCollider>> colliders;
  for (int i = 0; i < load.links; ++i) {
    colliders.push_back(std::make_unique<btMultiBodyLinkCollider>(&arm, i));
    btMultiBodyLinkCollider& collider = *colliders.back();
    collider.setCollisionShape(&shape);
    collider.setActivationState(DISABLE_DEACTIVATION);
    collider.setWorldTransform(arm.getLink(i).m_cachedWorldTransform);
    arm.getLink(i).m_collider = &collider;
    world.addCollisionObject(&collider, btBroadphaseProxy::KinematicFilter, btBroadphaseProxy::DefaultFilter);
  }
  std::vector<std::unique_ptr<btMultiBodyJointMotor>> motors;
  for (int i = 0; i < load.links; ++i) {
    motors.push_back(std::make_unique<btMultiBodyJointMotor>(&arm, i, 0.0, 1e10));
    motors.back()->finalizeMultiDof();
    world.addMultiBodyConstraint(motors.back().get());
  }
  btSphereShape round(load.ballRadius);
  round.calculateLocalInertia(load.ballMass, moments);
  btRigidBody::btRigidBodyConstructionInfo made(load.ballMass, nullptr, &round, moments);
  made.m_startWorldTransform.setOrigin(btVector3((load.links - 0.5) * load.length, 0, 0.02 + load.ballRadius));
  btRigidBody ball(made);
  ball.setActivationState(DISABLE_DEACTIVATION);
  world.addRigidBody(&ball);

  double fastest = 0;
  const int steps = static_cast<int>(std::lround(load.seconds / load.step));
  for (int i = 0; i < steps; ++i) {
    world.stepSimulation(load.step, 0);
    for (int k = 0; k < load.links; ++k) fastest = std::max(fastest, std::abs(arm.getJointVel(k)));
  }
  for (const auto& motor : motors) world.removeMultiBodyConstraint(motor.get());
  world.removeRigidBody(&ball);
  for (const auto& collider : colliders) world.removeCollisionObject(collider.get());
  world.removeMultiBody(&arm);
  return fastest;
}

}  // namespace plain
