#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <vector>

#include "boxes/scene.h"

namespace mortise::bench {

namespace {

/// The program of somebody who knows Bullet: the plain discrete world, settings as our backend has them.
class RawBullet final : public Contestant {
 public:
  explicit RawBullet(const BoxesScene& scene)
      : scene_(scene),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broadphase_, &solver_, &configuration_),
        floor_(btVector3(scene.floorHalfWidth, scene.floorHalfWidth, kFloorDepth / 2)),
        box_(btVector3(scene.size.x(), scene.size.y(), scene.size.z()) / 2) {
    world_.setGravity(btVector3(0, 0, -scene.gravity));
    world_.setForceUpdateAllAabbs(false);
    world_.getDispatchInfo().m_deterministicOverlappingPairs = true;
    btContactSolverInfo& info = world_.getSolverInfo();
    info.m_numIterations = scene.iterations;
    info.m_erp = info.m_erp2 = 0.2;
    info.m_globalCfm = 1e-6;
    info.m_warmstartingFactor = 0.5;
    info.m_splitImpulse = 0;
    info.m_leastSquaresResidualThreshold = 1e-22;
    info.m_restitutionVelocityThreshold = 0;
    info.m_solverMode = SOLVER_SIMD | SOLVER_USE_WARMSTARTING | SOLVER_USE_2_FRICTION_DIRECTIONS;
    box_.setMargin(1e-3);
    floor_.setMargin(1e-3);
    btTransform X;
    X.setIdentity();
    X.setOrigin(btVector3(0, 0, -kFloorDepth / 2));
    add(0, floor_, X, btVector3(0, 0, 0));
    const Vector3d moments = scene.moments();
    for (const RigidTransform& pose : scene.poses) {
      X.setBasis(btMatrix3x3(pose.R(0, 0), pose.R(0, 1), pose.R(0, 2), pose.R(1, 0), pose.R(1, 1), pose.R(1, 2),
                             pose.R(2, 0), pose.R(2, 1), pose.R(2, 2)));
      X.setOrigin(btVector3(pose.p.x(), pose.p.y(), pose.p.z()));
      add(scene.mass, box_, X, btVector3(moments.x(), moments.y(), moments.z()));
    }
  }
  ~RawBullet() override {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  void step() override { world_.stepSimulation(scene_.step, 0); }
  double meanHeight() const override {
    double sum = 0;
    for (const auto& body : bodies_)
      if (!body->isStaticObject()) sum += body->getCenterOfMassPosition().z();
    return sum / static_cast<double>(bodies_.size() - 1);
  }
  int contacts() const override {
    int count = 0;
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
      const btPersistentManifold* manifold = dispatcher_.getManifoldByIndexInternal(i);
      for (int k = 0; k < manifold->getNumContacts(); ++k) count += manifold->getContactPoint(k).m_appliedImpulse > 0;
    }
    return count;
  }

 private:
  static constexpr double kFloorDepth = 1;

  void add(double mass, btCollisionShape& shape, const btTransform& X, const btVector3& moments) {
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &shape, moments);
    info.m_startWorldTransform = X;
    info.m_friction = std::sqrt(scene_.friction);  // Bullet multiplies.
    info.m_restitution = scene_.restitution;
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    if (mass > 0) bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(bodies_.back().get());
  }

  BoxesScene scene_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  btBoxShape floor_, box_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

}  // namespace

std::unique_ptr<Contestant> makeRawBullet(const BoxesScene& scene) { return std::make_unique<RawBullet>(scene); }

}  // namespace mortise::bench
