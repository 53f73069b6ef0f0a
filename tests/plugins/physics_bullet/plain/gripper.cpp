#include "tests/plugins/physics_bullet/plain/gripper.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <BulletDynamics/Featherstone/btMultiBodyMLCPConstraintSolver.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btSolveProjectedGaussSeidel.h>
#include <algorithm>
#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <memory>

namespace plain {

namespace {

/// A finger on a slide that nothing else moves than its motor.
struct Finger {
  std::unique_ptr<btMultiBody> body;
  std::unique_ptr<btMultiBodyLinkCollider> collider;
  std::unique_ptr<btMultiBodyJointMotor> motor;
};

Finger makeFinger(const Gripper& gripper, double side, btBoxShape& shape, btMultiBodyDynamicsWorld& world) {
  Finger finger;
  btVector3 moments;
  shape.calculateLocalInertia(gripper.fingerMass, moments);
  finger.body = std::make_unique<btMultiBody>(1, 0, btVector3(0, 0, 0), true, false);
  finger.body->setBasePos(btVector3(side * (0.5 * gripper.size + gripper.fingerHalf[0]), 0, 1));
  finger.body->setupPrismatic(0, gripper.fingerMass, moments, -1, btQuaternion::getIdentity(), btVector3(-side, 0, 0),
                              btVector3(0, 0, 0), btVector3(0, 0, 0), true);
  finger.body->finalizeMultiDof();
  finger.body->setCanSleep(false);
  finger.collider = std::make_unique<btMultiBodyLinkCollider>(finger.body.get(), 0);
  finger.collider->setCollisionShape(&shape);
  finger.collider->setFriction(std::sqrt(gripper.friction));  // Bullet multiplies those of two bodies.
  finger.collider->setActivationState(DISABLE_DEACTIVATION);
  finger.collider->setWorldTransform(btTransform(btQuaternion::getIdentity(), finger.body->getBasePos()));
  finger.body->getLink(0).m_collider = finger.collider.get();
  world.addCollisionObject(finger.collider.get(), btBroadphaseProxy::KinematicFilter, btBroadphaseProxy::DefaultFilter);
  world.addMultiBody(finger.body.get());
  // Faster than it gets.
  finger.motor = std::make_unique<btMultiBodyJointMotor>(finger.body.get(), 0, 1.0, gripper.limit * gripper.step);
  finger.motor->finalizeMultiDof();
  world.addMultiBodyConstraint(finger.motor.get());
  return finger;
}

/// Finds no contacts where others are handed over.
class GripDispatcher final : public btCollisionDispatcher {
 public:
  GripDispatcher(btCollisionConfiguration* configuration, bool finds)
      : btCollisionDispatcher(configuration), finds_(finds) {}
  void dispatchAllCollisionPairs(btOverlappingPairCache* pairs, const btDispatcherInfo& info,
                                 btDispatcher* dispatcher) override {
    if (finds_) btCollisionDispatcher::dispatchAllCollisionPairs(pairs, info, dispatcher);
  }
  void clear() {
    while (getNumManifolds() > 0) releaseManifold(getManifoldByIndexInternal(0));
  }

 private:
  bool finds_;
};

/// The corners of both fingers against the sides of the box; they keep their impulses from step to step.
class HandedContacts {
 public:
  HandedContacts(const Gripper& gripper, bool onePoint) : gripper_(gripper), onePoint_(onePoint) {}

  void hand(GripDispatcher& dispatcher, btRigidBody& box, Finger (&fingers)[2]) {
    dispatcher.clear();
    for (int f = 0; f < 2; ++f) {
      const double side = f == 0 ? -1 : 1;
      const btTransform &boxPose = box.getWorldTransform(), &fingerPose = fingers[f].collider->getWorldTransform();
      const btVector3 outward = boxPose.getBasis() * btVector3(side, 0, 0);
      const btVector3 face = boxPose * btVector3(side * 0.5 * gripper_.size, 0, 0);
      btPersistentManifold* manifold = dispatcher.getNewManifold(&box, fingers[f].collider.get());
      for (int c = 0; c < 4; ++c) {
        const btVector3 corner =
            fingerPose * btVector3(-side * gripper_.fingerHalf[0], (c & 1 ? 1 : -1) * gripper_.fingerHalf[1],
                                   (c & 2 ? 1 : -1) * gripper_.fingerHalf[2]);
        const double gap = outward.dot(corner - face);
        const btVector3 onBox = corner - (onePoint_ ? 0.5 : 1) * gap * outward;
        const btVector3 onFinger = onePoint_ ? onBox : corner;
        btManifoldPoint point(boxPose.invXform(onBox), fingerPose.invXform(onFinger), -outward, gap);
        point.m_positionWorldOnA = onBox;
        point.m_positionWorldOnB = onFinger;
        point.m_combinedFriction = gripper_.friction;
        const btManifoldPoint& last = last_[4 * f + c];
        point.m_appliedImpulse = last.m_appliedImpulse;
        point.m_appliedImpulseLateral1 = last.m_appliedImpulseLateral1;
        point.m_appliedImpulseLateral2 = last.m_appliedImpulseLateral2;
        point.m_prevRHS = last.m_prevRHS;
        manifold->setNumContacts(c + 1);
        manifold->getContactPoint(c) = point;
        handed_[4 * f + c] = &manifold->getContactPoint(c);
      }
    }
  }
  void remember() {
    for (int k = 0; k < 8; ++k) last_[k] = *handed_[k];
  }

 private:
  Gripper gripper_;
  bool onePoint_;
  btManifoldPoint last_[8];
  btManifoldPoint* handed_[8] = {};
};

std::unique_ptr<btMultiBodyConstraintSolver> makeSolver(btMLCPSolverInterface* lcp) {
  if (lcp == nullptr) return std::make_unique<btMultiBodyConstraintSolver>();
  return std::make_unique<btMultiBodyMLCPConstraintSolver>(lcp);
}

}  // namespace

BulletGrip gripOnBullet(const Gripper& gripper, BulletSolver choice, double globalCfm, GripContacts contacts) {
  btDefaultCollisionConfiguration configuration;
  const bool finds = contacts == GripContacts::ofBullet;
  GripDispatcher dispatcher(&configuration, finds);
  btDbvtBroadphase broadphase;
  btDantzigSolver dantzig;
  btSolveProjectedGaussSeidel pgs;
  const auto solver = makeSolver(choice == BulletSolver::dantzig ? static_cast<btMLCPSolverInterface*>(&dantzig)
                                 : choice == BulletSolver::pgs   ? &pgs
                                                                 : nullptr);
  btMultiBodyDynamicsWorld world(&dispatcher, &broadphase, solver.get(), &configuration);
  world.setGravity(btVector3(0, 0, -gripper.gravity));
  // PhysicsServerCommandProcessor.cpp, createEmptyDynamicsWorld.
  btContactSolverInfo& info = world.getSolverInfo();
  info.m_erp = 0.2;
  info.m_erp2 = 0.08;
  info.m_frictionERP = 0.2;
  info.m_globalCfm = globalCfm;
  info.m_numIterations = 50;
  info.m_leastSquaresResidualThreshold = 1e-7;
  info.m_linearSlop = 1e-5;

  btBoxShape shape(btVector3(0.5, 0.5, 0.5) * gripper.size);
  btBoxShape fingerShape(btVector3(gripper.fingerHalf[0], gripper.fingerHalf[1], gripper.fingerHalf[2]));
  btVector3 moments;
  shape.calculateLocalInertia(gripper.mass, moments);
  btRigidBody::btRigidBodyConstructionInfo made(gripper.mass, nullptr, &shape, moments);
  made.m_startWorldTransform.setOrigin(btVector3(0, 0, 1));
  made.m_friction = std::sqrt(gripper.friction);
  btRigidBody box(made);
  box.setActivationState(DISABLE_DEACTIVATION);
  world.addRigidBody(&box);
  Finger fingers[2] = {makeFinger(gripper, -1, fingerShape, world), makeFinger(gripper, 1, fingerShape, world)};

  BulletGrip grip;
  HandedContacts handed(gripper, contacts == GripContacts::onePoint);
  const int steps = static_cast<int>(std::lround(gripper.seconds / gripper.step));
  btVector3 start(0, 0, 0);
  for (int i = 0; i < steps; ++i) {
    if (!finds) handed.hand(dispatcher, box, fingers);
    world.stepSimulation(gripper.step, 0);
    if (!finds) handed.remember();
    if (i == steps / 10) start = box.getWorldTransform().getOrigin();
    if (i < steps / 2) continue;
    // One manifold a finger.
    for (int m = 0; m < dispatcher.getNumManifolds(); ++m) {
      btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(m);
      double force = 0;
      for (int k = 0; k < manifold.getNumContacts(); ++k)
        force += manifold.getContactPoint(k).getAppliedImpulse() / gripper.step;
      grip.minForce = std::min(grip.minForce, force);
      grip.maxForce = std::max(grip.maxForce, force);
    }
  }
  if (const auto* direct = dynamic_cast<const btMultiBodyMLCPConstraintSolver*>(solver.get()))
    grip.fallbacks = direct->getNumFallbacks();
  if (!finds) dispatcher.clear();
  grip.travel = (box.getWorldTransform().getOrigin() - start).length();

  for (Finger& finger : fingers) {
    world.removeMultiBodyConstraint(finger.motor.get());
    world.removeMultiBody(finger.body.get());
    world.removeCollisionObject(finger.collider.get());
  }
  world.removeRigidBody(&box);
  return grip;
}

}  // namespace plain
