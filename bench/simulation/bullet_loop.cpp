#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointLimitConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <Eigen/Eigenvalues>
#include <btBulletDynamicsCommon.h>
#include <cmath>

#include "simulation/recording.h"

namespace mortise::bench {
namespace {

btVector3 toBullet(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }
Vector3d fromBullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
btMatrix3x3 toBullet(const Matrix3d& R) {
  return {R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)};
}
btQuaternion quaternion(const Matrix3d& R) {
  btQuaternion q;
  toBullet(R).getRotation(q);
  return q;
}

/// Contacts come from outside: the narrow phase hands over what it was given.
class FedDispatcher final : public btCollisionDispatcher {
 public:
  using btCollisionDispatcher::btCollisionDispatcher;
  void dispatchAllCollisionPairs(btOverlappingPairCache*, const btDispatcherInfo&, btDispatcher*) override {}
};

/// All in one group: Bullet builds islands from its own broad phase, which sees none of the contacts.
class FedWorld final : public btMultiBodyDynamicsWorld {
 public:
  using btMultiBodyDynamicsWorld::btMultiBodyDynamicsWorld;

 protected:
  void calculateSimulationIslands() override {}
  void solveConstraints(btContactSolverInfo& info) override {
    solveExternalForces(info);
    btPersistentManifold** manifolds = m_dispatcher1->getInternalManifoldPointer();
    auto& solver = static_cast<btMultiBodyConstraintSolver&>(*m_constraintSolver);
    solver.solveMultiBodyGroup(&m_collisionObjects[0], m_collisionObjects.size(), manifolds,
                               m_dispatcher1->getNumManifolds(), nullptr, 0,
                               m_multiBodyConstraints.size() > 0 ? &m_multiBodyConstraints[0] : nullptr,
                               m_multiBodyConstraints.size(), info, nullptr, m_dispatcher1);
    solveInternalConstraints(info);
  }
};

/// The program of somebody who knows Bullet and has contacts: rigid bodies, multibodies with explicit motors and rows
/// for limits, manifolds filled by hand and warm-started by key, read back after the step.
class BulletLoop final : public HandLoop {
 public:
  BulletLoop(const SceneDescription& scene, int iterations)
      : scene_(scene),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broadphase_, &solver_, &configuration_),
        frames_(scene.bodies.size()),
        places_(scene.bodies.size()),
        states_(scene.bodies.size()) {
    world_.setGravity(toBullet(scene.gravity));
    world_.setForceUpdateAllAabbs(false);
    btContactSolverInfo& info = world_.getSolverInfo();
    info.m_numIterations = iterations;
    info.m_erp = info.m_erp2 = 0.2;
    info.m_globalCfm = scene.constraintForceMixing;
    info.m_warmstartingFactor = 0.5;
    info.m_splitImpulse = 0;
    info.m_leastSquaresResidualThreshold = 1e-22;
    info.m_restitutionVelocityThreshold = 0;
    info.m_solverMode = SOLVER_SIMD | SOLVER_USE_WARMSTARTING | SOLVER_USE_2_FRICTION_DIRECTIONS;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) frames_[i] = massFrame(scene.bodies[i]);
    addMultiBodies();
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
      if (places_[i].multiBody == nullptr) addRigid(i);
  }
  ~BulletLoop() override {
    for (const auto& constraint : limits_) world_.removeMultiBodyConstraint(constraint.get());
    for (const auto& body : multiBodies_) world_.removeMultiBody(body.get());
    while (world_.getNumCollisionObjects() > 0) {
      btCollisionObject* object = world_.getCollisionObjectArray()[0];
      if (btRigidBody* rigid = btRigidBody::upcast(object))
        world_.removeRigidBody(rigid);
      else
        world_.removeCollisionObject(object);
    }
    releaseManifolds();
  }

  void place(const RecordedStep& step) override {
    for (std::size_t i = 0; i < states_.size(); ++i) {
      Place& at = places_[i];
      const RigidTransform X_WC = step.bodies[i].X_WB * frames_[i].X_BC;
      const Vector3d v = step.bodies[i].v_WB + step.bodies[i].w_WB.cross(Vector3d(X_WC.p - step.bodies[i].X_WB.p));
      if (at.multiBody != nullptr && at.link < 0) {
        at.multiBody->setBasePos(toBullet(X_WC.p));
        at.multiBody->setWorldToBaseRot(quaternion(X_WC.R).inverse());
        at.multiBody->setBaseVel(toBullet(v));
        at.multiBody->setBaseOmega(toBullet(step.bodies[i].w_WB));
      } else if (at.rigid != nullptr && !at.rigid->isStaticObject()) {
        at.rigid->setCenterOfMassTransform(btTransform(toBullet(X_WC.R), toBullet(X_WC.p)));
        at.rigid->setLinearVelocity(toBullet(v));
        at.rigid->setAngularVelocity(toBullet(step.bodies[i].w_WB));
      }
    }
    for (std::size_t j = 0; j < step.joints.size(); ++j) {
      const Place& at = places_[scene_.joints[j].child];
      const double q = step.joints[j].position, v = step.joints[j].velocity;
      at.multiBody->setJointPosMultiDof(at.link, &q);
      at.multiBody->setJointVelMultiDof(at.link, &v);
    }
    for (const auto& body : multiBodies_) {
      body->forwardKinematics(rotations_, origins_);
      body->updateCollisionObjectWorldTransforms(rotations_, origins_);
    }
  }

  void step(const RecordedStep& step) override {
    for (std::size_t j = 0; j < step.drives.size(); ++j) {
      const Place& at = places_[scene_.joints[j].child];
      at.multiBody->addJointTorque(at.link, explicitEffort(step.drives[j], step.joints[j]));
    }
    feed(step);
    world_.stepSimulation(step.h, 0);
    read(step.h);
  }
  double load() const override { return load_; }

 private:
  struct Frame {
    RigidTransform X_BC;
    Vector3d moments = Vector3d::Zero();
    double mass = 0;
  };
  struct Place {
    btRigidBody* rigid = nullptr;
    btMultiBody* multiBody = nullptr;
    int link = -1;
    btCollisionObject* object = nullptr;
  };
  struct Warm {
    std::uint64_t key;
    double normal, friction1, friction2;
  };

  static Frame massFrame(const SceneBody& body) {
    Frame frame;
    if (body.motion == BodyMotion::fixed) return frame;
    const Eigen::SelfAdjointEigenSolver<Matrix3d> axes(body.inertia.inertia);
    frame.X_BC.R = axes.eigenvectors();
    if (frame.X_BC.R.determinant() < 0) frame.X_BC.R.col(0) *= -1;
    frame.X_BC.p = body.inertia.com;
    frame.moments = axes.eigenvalues();
    frame.mass = body.inertia.mass;
    return frame;
  }

  void addRigid(std::size_t i) {
    const SceneBody& body = scene_.bodies[i];
    btRigidBody::btRigidBodyConstructionInfo info(frames_[i].mass, nullptr, &empty_, toBullet(frames_[i].moments));
    const RigidTransform X = body.X_WB * frames_[i].X_BC;
    info.m_startWorldTransform = btTransform(toBullet(X.R), toBullet(X.p));
    rigidBodies_.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody* rigid = rigidBodies_.back().get();
    if (frames_[i].mass > 0) rigid->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(rigid, 0, 0);
    places_[i] = {rigid, nullptr, -1, rigid};
  }

  void addMultiBodies() {
    std::vector<int> tree(scene_.bodies.size(), -1);  // By body.
    std::vector<std::vector<int>> joints;
    std::vector<int> bases;
    for (int j = 0; j < static_cast<int>(scene_.joints.size()); ++j) {
      const SceneJoint& joint = scene_.joints[j];
      const bool moving = joint.parent >= 0 && scene_.bodies[joint.parent].motion == BodyMotion::dynamic;
      if (!moving || tree[joint.parent] < 0) {
        if (moving) tree[joint.parent] = static_cast<int>(joints.size());
        tree[joint.child] = static_cast<int>(joints.size());
        joints.emplace_back();
        bases.push_back(joint.parent);
      } else {
        tree[joint.child] = tree[joint.parent];
      }
      joints[tree[joint.child]].push_back(j);
    }
    for (std::size_t t = 0; t < joints.size(); ++t) addMultiBody(bases[t], joints[t]);
  }

  void addMultiBody(int base, const std::vector<int>& joints) {
    const bool fixed = base < 0 || scene_.bodies[base].motion != BodyMotion::dynamic;
    const Frame baseFrame = fixed ? Frame() : frames_[base];
    multiBodies_.push_back(std::make_unique<btMultiBody>(static_cast<int>(joints.size()), baseFrame.mass,
                                                         toBullet(baseFrame.moments), fixed, false));
    btMultiBody& body = *multiBodies_.back();
    body.setLinearDamping(0);
    body.setAngularDamping(0);
    body.setMaxCoordinateVelocity(1e12);
    body.setMaxAppliedImpulse(1e30);
    body.setCanSleep(false);
    const RigidTransform X_WBase = (base < 0 ? RigidTransform() : scene_.bodies[base].X_WB) * baseFrame.X_BC;
    body.setBasePos(toBullet(X_WBase.p));
    body.setWorldToBaseRot(quaternion(X_WBase.R).inverse());
    if (!fixed) places_[base] = {nullptr, &body, -1, addCollider(body, -1)};
    for (int i = 0; i < static_cast<int>(joints.size()); ++i) {
      const SceneJoint& joint = scene_.joints[joints[i]];
      const bool onBase = joint.parent < 0 || joint.parent == base;
      const Frame& frame = frames_[joint.child];
      const Frame& parent = onBase ? baseFrame : frames_[joint.parent];
      const int link = onBase ? -1 : places_[joint.parent].link;
      const Matrix3d R_CJ = frame.X_BC.R.transpose();
      const btQuaternion rotation = quaternion(R_CJ * joint.X_PC0.R.transpose() * parent.X_BC.R);
      const btVector3 axis = toBullet(Vector3d(R_CJ * joint.axis));
      const btVector3 toPivot = toBullet(Vector3d(parent.X_BC.R.transpose() * (joint.X_PC0.p - parent.X_BC.p)));
      const btVector3 toCom = toBullet(Vector3d(R_CJ * frame.X_BC.p));
      if (joint.type == SceneJoint::Type::revolute)
        body.setupRevolute(i, frame.mass, toBullet(frame.moments), link, rotation, axis, toPivot, toCom, true);
      else
        body.setupPrismatic(i, frame.mass, toBullet(frame.moments), link, rotation, axis, toPivot, toCom, true);
      places_[joint.child] = {nullptr, &body, i, nullptr};
    }
    body.finalizeMultiDof();
    for (const int j : joints) {
      const SceneJoint& joint = scene_.joints[j];
      Place& at = places_[joint.child];
      at.object = addCollider(body, at.link);
      if (!std::isfinite(joint.lower) && !std::isfinite(joint.upper)) continue;
      limits_.push_back(std::make_unique<btMultiBodyJointLimitConstraint>(&body, at.link, joint.lower, joint.upper));
    }
    world_.addMultiBody(&body, 0, 0);
    for (; limitsAdded_ < limits_.size(); ++limitsAdded_) world_.addMultiBodyConstraint(limits_[limitsAdded_].get());
  }

  btCollisionObject* addCollider(btMultiBody& body, int link) {
    colliders_.push_back(std::make_unique<btMultiBodyLinkCollider>(&body, link));
    btMultiBodyLinkCollider* collider = colliders_.back().get();
    collider->setCollisionShape(&empty_);
    collider->setActivationState(DISABLE_DEACTIVATION);
    if (link < 0)
      body.setBaseCollider(collider);
    else
      body.getLink(link).m_collider = collider;
    world_.addCollisionObject(collider, 0, 0);
    return collider;
  }

  void releaseManifolds() {
    for (btPersistentManifold* manifold : manifolds_) dispatcher_.releaseManifold(manifold);
    manifolds_.clear();
  }

  void feed(const RecordedStep& step) {
    releaseManifolds();
    warmNow_.clear();
    std::size_t old = 0;
    btPersistentManifold* manifold = nullptr;
    int inManifold = 0;
    for (std::size_t i = 0; i < step.contacts.size(); ++i) {
      const SceneContact& from = step.contacts[i];
      const bool samePair = i > 0 && from.idA == step.contacts[i - 1].idA && from.idB == step.contacts[i - 1].idB;
      const btCollisionObject *a = places_[from.bodyA].object, *b = places_[from.bodyB].object;
      if (!samePair || inManifold == MANIFOLD_CACHE_SIZE) {
        manifold = dispatcher_.getNewManifold(a, b);
        manifold->setContactBreakingThreshold(1e30);
        manifold->setContactProcessingThreshold(1e30);
        manifolds_.push_back(manifold);
        inManifold = 0;
      }
      manifold->setNumContacts(inManifold + 1);
      btManifoldPoint& point = manifold->getContactPoint(inManifold++);
      point = btManifoldPoint();
      const Vector3d half = 0.5 * from.gap * from.normal;
      point.m_positionWorldOnA = toBullet(Vector3d(from.point + half));
      point.m_positionWorldOnB = toBullet(Vector3d(from.point - half));
      point.m_localPointA = a->getWorldTransform().inverse() * point.m_positionWorldOnA;
      point.m_localPointB = b->getWorldTransform().inverse() * point.m_positionWorldOnB;
      point.m_normalWorldOnB = toBullet(from.normal);
      point.m_distance1 = from.gap;
      point.m_combinedFriction = from.material.friction;
      point.m_combinedRestitution = 0;
      // Bullet's own stiffness and damping mean the same; for rigid contacts its global mixing is not looked at.
      const double stiff = step.h * from.material.stiffness, c = from.material.damping;
      const bool soft = std::isfinite(stiff) && std::isfinite(c);
      point.m_contactERP = soft ? stiff / (stiff + c) : 0.2;
      point.m_contactCFM = soft ? 1 / (stiff + c) : scene_.constraintForceMixing;
      point.m_contactPointFlags |= BT_CONTACT_FLAG_HAS_CONTACT_CFM | BT_CONTACT_FLAG_HAS_CONTACT_ERP;
      // Contacts keep their order from step to step as long as they persist.
      for (std::size_t k = 0; k < warm_.size(); ++k) {
        const Warm& w = warm_[(old + k) % warm_.size()];
        if (w.key != from.key) continue;
        point.m_appliedImpulse = w.normal;
        point.m_appliedImpulseLateral1 = w.friction1;
        point.m_appliedImpulseLateral2 = w.friction2;
        old = (old + k + 1) % warm_.size();
        break;
      }
      warmNow_.push_back({from.key, 0, 0, 0});
    }
  }

  void read(double h) {
    load_ = 0;
    std::size_t next = 0;
    for (const btPersistentManifold* manifold : manifolds_)
      for (int k = 0; k < manifold->getNumContacts(); ++k) {
        const btManifoldPoint& point = manifold->getContactPoint(k);
        Warm& w = warmNow_[next++];
        w.normal = point.m_appliedImpulse;
        w.friction1 = point.m_appliedImpulseLateral1;
        w.friction2 = point.m_appliedImpulseLateral2;
        load_ += std::abs(point.m_appliedImpulse * point.m_normalWorldOnB.z()) / h;
      }
    std::swap(warm_, warmNow_);
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (frames_[i].mass == 0) continue;
      const btTransform& X = places_[i].object->getWorldTransform();
      RigidTransform X_WC;
      X_WC.p = fromBullet(X.getOrigin());
      for (int k = 0; k < 9; ++k) X_WC.R(k / 3, k % 3) = X.getBasis()[k / 3][k % 3];
      states_[i].X_WB = X_WC * frames_[i].X_BC.inverse();
      if (places_[i].rigid == nullptr) continue;
      states_[i].v_WB = fromBullet(places_[i].rigid->getLinearVelocity());
      states_[i].w_WB = fromBullet(places_[i].rigid->getAngularVelocity());
    }
  }

  const SceneDescription& scene_;
  btDefaultCollisionConfiguration configuration_;
  FedDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btMultiBodyConstraintSolver solver_;
  FedWorld world_;
  btSphereShape empty_{0.001};
  std::vector<Frame> frames_;
  std::vector<Place> places_;
  std::vector<std::unique_ptr<btRigidBody>> rigidBodies_;
  std::vector<std::unique_ptr<btMultiBody>> multiBodies_;
  std::vector<std::unique_ptr<btMultiBodyLinkCollider>> colliders_;
  std::vector<std::unique_ptr<btMultiBodyJointLimitConstraint>> limits_;
  std::size_t limitsAdded_ = 0;
  std::vector<btPersistentManifold*> manifolds_;
  std::vector<Warm> warm_, warmNow_;
  std::vector<BodyState> states_;
  btAlignedObjectArray<btQuaternion> rotations_;
  btAlignedObjectArray<btVector3> origins_;
  double load_ = 0;
};

}  // namespace

std::unique_ptr<HandLoop> makeBulletLoop(const SceneDescription& scene, int iterations) {
  return std::make_unique<BulletLoop>(scene, iterations);
}

}  // namespace mortise::bench
