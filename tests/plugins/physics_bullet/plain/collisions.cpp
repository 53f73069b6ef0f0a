#include "tests/plugins/physics_bullet/plain/collisions.h"

#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <memory>

namespace plain {

namespace {

btVector3 toBullet(const Vector& v) { return {v[0], v[1], v[2]}; }
Vector fromBullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

}  // namespace

History collideOnBullet(const Scene& scene, const BulletErrorReduction& reduction) {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btMultiBodyConstraintSolver solver;
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;
  btMultiBodyDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  world.setGravity(btVector3(0, 0, 0));
  world.getDispatchInfo().m_deterministicOverlappingPairs = true;
  // PhysicsServerCommandProcessor.cpp, createEmptyDynamicsWorld.
  btContactSolverInfo& info = world.getSolverInfo();
  info.m_erp2 = reduction.erp2;
  info.m_frictionERP = 0.2;
  info.m_globalCfm = 0;
  info.m_numIterations = 50;
  info.m_leastSquaresResidualThreshold = 1e-7;
  info.m_linearSlop = 1e-5;
  info.m_warmstartingFactor = 0.1;
  info.m_splitImpulse = 0;
  for (const Body& from : scene.bodies) {
    if (from.ball)
      shapes.push_back(std::make_unique<btSphereShape>(from.radius));
    else
      shapes.push_back(std::make_unique<btBoxShape>(toBullet(from.half)));
    btRigidBody::btRigidBodyConstructionInfo made(from.mass, nullptr, shapes.back().get(), toBullet(from.moments));
    made.m_startWorldTransform.setOrigin(toBullet(from.position));
    // Bullet multiplies those of two bodies.
    made.m_restitution = std::sqrt(scene.restitution);
    made.m_friction = std::sqrt(scene.friction);
    bodies.push_back(std::make_unique<btRigidBody>(made));
    btRigidBody& body = *bodies.back();
    body.setLinearVelocity(toBullet(from.velocity));
    body.setAngularVelocity(toBullet(from.spin));
    body.setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(&body);
  }
  History history;
  for (int i = 0; i < scene.steps; ++i) {
    world.stepSimulation(scene.step, 0);
    history.emplace_back();
    for (const auto& body : bodies)
      history.back().push_back({fromBullet(body->getLinearVelocity()), fromBullet(body->getAngularVelocity())});
  }
  for (const auto& body : bodies) world.removeRigidBody(body.get());
  return history;
}

}  // namespace plain
