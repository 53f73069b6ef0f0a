#include "engine.h"

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <cmath>

#include "mortise/base/error.h"

namespace mortise::bullet {

namespace {

std::vector<MassFrame> massFrames(const SceneDescription& description) {
  std::vector<MassFrame> frames;
  for (const SceneBody& body : description.bodies)
    frames.push_back(body.motion == BodyMotion::dynamic ? massFrame(body.inertia, body.name) : MassFrame());
  return frames;
}

/// Ids index tables, so a wrong one must not get in.
const SceneDescription& checked(const SceneDescription& description) {
  const int numIds = static_cast<int>(description.surfaces.size());
  for (const SceneBody& body : description.bodies)
    for (const SceneShape& shape : body.shapes)
      if (shape.id < 0 || shape.id >= numIds)
        throw Error("body '" + body.name + "' has a shape with world id " + std::to_string(shape.id) +
                    ", but there are " + std::to_string(numIds) + " surfaces");
  const int numBodies = static_cast<int>(description.bodies.size());
  for (const SceneConstraint& constraint : description.constraints)
    if (constraint.a >= numBodies || constraint.b >= numBodies)
      throw Error("a constraint holds a body that is not there");
  for (const SceneJoint& joint : description.joints)
    if (joint.parent >= numBodies) throw Error("joint '" + joint.name + "' hangs on a body that is not there");
  return description;
}

}  // namespace

SceneData::SceneData(const SceneDescription& scene, const Settings& options)
    : description(checked(scene)),
      settings(options),
      frames(massFrames(description)),
      pairs(description),
      shapes(description, frames, settings) {}

Engine::Engine(const SceneData& data) : data_(data), filter_(data.pairs) {
  const SceneDescription& scene = data_.description;
  dispatcher_ = std::make_unique<ContactDispatcher>(&configuration_, data_.pairs);
  btGImpactCollisionAlgorithm::registerAlgorithm(dispatcher_.get());
  broadphase_ = std::make_unique<btDbvtBroadphase>();
  broadphase_->getOverlappingPairCache()->setOverlapFilterCallback(&filter_);
  solver_ = std::make_unique<ImpulseSolver>(data_.pairs, data_.settings);
  world_ =
      std::make_unique<World>(dispatcher_.get(), broadphase_.get(), solver_.get(), &configuration_, data_.settings);
  world_->setGravity(toBullet(scene.gravity));

  btRigidBody::btRigidBodyConstructionInfo nothing(0, nullptr, nullptr);
  ground_ = std::make_unique<btRigidBody>(nothing);

  ends_.resize(scene.bodies.size());
  joints_.resize(scene.joints.size());
  for (ArticulationPlan& plan : planArticulations(scene)) {
    articulations_.push_back(std::make_unique<Articulation>(scene, std::move(plan), data_.frames));
    Articulation& articulation = *articulations_.back();
    if (!articulation.fixedBase()) ends_[articulation.plan().base] = {nullptr, &articulation, -1};
    for (int i = 0; i < articulation.numLinks(); ++i) {
      ends_[articulation.linkBody(i)] = {nullptr, &articulation, i};
      joints_[articulation.linkJoint(i)] = {&articulation, i};
    }
    world_->addArticulation(articulation);
  }
  for (int i = 0; i < static_cast<int>(scene.bodies.size()); ++i) addBody(i);
  worldJoints_ = std::make_unique<WorldJoints>(*world_, scene, ends_, *ground_);
}

Engine::~Engine() = default;

void Engine::addBody(int index) {
  const SceneBody& body = data_.description.bodies[index];
  btCollisionShape& shape = data_.shapes.body(index);
  const bool collides = !data_.shapes.isEmpty(index);
  if (ends_[index].articulation != nullptr) {
    btMultiBodyLinkCollider& collider = ends_[index].articulation->addCollider(ends_[index].link, shape);
    collider.setUserIndex(index);
    if (collides) world_->addCollisionObject(&collider, btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter);
    return;
  }
  const MassFrame& frame = data_.frames[index];
  const bool dynamic = body.motion == BodyMotion::dynamic;
  btRigidBody::btRigidBodyConstructionInfo info(frame.mass, nullptr, &shape, toBullet(frame.moments));
  const RigidTransform X_WB = cleaned(body.X_WB);
  info.m_startWorldTransform = toBullet(X_WB * frame.X_BC);
  auto rigid = std::make_unique<btRigidBody>(info);
  rigid->setUserIndex(index);
  if (body.motion == BodyMotion::kinematic)
    rigid->setCollisionFlags((rigid->getCollisionFlags() & ~btCollisionObject::CF_STATIC_OBJECT) |
                             btCollisionObject::CF_KINEMATIC_OBJECT);
  if (body.motion != BodyMotion::fixed) {
    rigid->setActivationState(DISABLE_DEACTIVATION);
    rigid->setLinearVelocity(toBullet(Vector3d(body.v_WB + body.w_WB.cross(X_WB.R * frame.X_BC.p))));
    rigid->setAngularVelocity(toBullet(body.w_WB));
  }
  ends_[index] = {rigid.get(), nullptr, -1};
  // A body without shape that moves still has to be stepped; one that does not is only an anchor for joints.
  if (collides || dynamic) world_->addWorldBody(*rigid);
  if (body.motion == BodyMotion::kinematic) kinematic_.push_back(index);
  rigidBodies_.push_back(std::move(rigid));
}

btCollisionObject* Engine::colliderOf(int body) const {
  const ConstraintEnd& end = ends_[body];
  if (end.rigid != nullptr) return end.rigid;
  for (const auto& collider : end.articulation->colliders())
    if (collider->m_link == end.link) return collider.get();
  return nullptr;
}

BodyState Engine::bodyState(int body) const {
  const ConstraintEnd& end = ends_[body];
  const RigidTransform& X_BC = data_.frames[body].X_BC;
  RigidTransform X_WC;
  BodyState state;
  if (end.articulation != nullptr) {
    X_WC = end.articulation->pose(end.link);
    state.v_WB = end.articulation->linearVelocity(end.link);
    state.w_WB = end.articulation->angularVelocity(end.link);
  } else {
    X_WC = fromBullet(end.rigid->getCenterOfMassTransform());
    state.v_WB = fromBullet(end.rigid->getLinearVelocity());
    state.w_WB = fromBullet(end.rigid->getAngularVelocity());
  }
  state.X_WB.R = X_WC.R * X_BC.R.transpose();
  state.X_WB.p = X_WC.p - state.X_WB.R * X_BC.p;
  state.v_WB += state.w_WB.cross(state.X_WB.p - X_WC.p);
  return state;
}

void Engine::setBodyState(int body, const BodyState& state) {
  const ConstraintEnd& end = ends_[body];
  const RigidTransform X_WC = cleaned(state.X_WB) * data_.frames[body].X_BC;
  const Vector3d v_WC = state.v_WB + state.w_WB.cross(X_WC.p - state.X_WB.p);
  if (end.articulation != nullptr) {
    if (end.link >= 0)
      throw Error("body '" + data_.description.bodies[body].name + "' hangs on a joint and cannot be placed freely", {},
                  "set the state of its joint");
    end.articulation->setBase(X_WC, v_WC, state.w_WB);
    end.articulation->update();
    for (int i = -1; i < end.articulation->numLinks(); ++i)
      forgetContacts(i < 0 ? body : end.articulation->linkBody(i));
    return;
  }
  end.rigid->setCenterOfMassTransform(toBullet(X_WC));
  end.rigid->setInterpolationWorldTransform(toBullet(X_WC));
  if (data_.description.bodies[body].motion != BodyMotion::fixed) {
    end.rigid->setLinearVelocity(toBullet(v_WC));
    end.rigid->setAngularVelocity(toBullet(state.w_WB));
  }
  if (end.rigid->isInWorld()) world_->updateSingleAabb(end.rigid);
  forgetContacts(body);
}

void Engine::forgetContacts(int body) {
  const btCollisionObject* object = colliderOf(body);
  if (object == nullptr) return;
  for (int i = 0; i < dispatcher_->getNumManifolds(); ++i) {
    btPersistentManifold* manifold = dispatcher_->getManifoldByIndexInternal(i);
    if (manifold->getBody0() == object || manifold->getBody1() == object) manifold->clearManifold();
  }
}

void Engine::applyWrench(int body, const Vector3d& force, const Vector3d& torque, const Vector3d& point) {
  const ConstraintEnd& end = ends_[body];
  if (end.rigid != nullptr) {
    end.rigid->applyForce(toBullet(force), toBullet(point) - end.rigid->getCenterOfMassPosition());
    end.rigid->applyTorque(toBullet(torque));
    return;
  }
  btMultiBody& multiBody = end.articulation->multiBody();
  const Vector3d moment = torque + (point - end.articulation->pose(end.link).p).cross(force);
  if (end.link < 0) {
    multiBody.addBaseForce(toBullet(force));
    multiBody.addBaseTorque(toBullet(moment));
  } else {
    multiBody.addLinkForce(end.link, toBullet(force));
    multiBody.addLinkTorque(end.link, toBullet(moment));
  }
}

void Engine::moveKinematicBodies(double h) {
  for (const int body : kinematic_) {
    btRigidBody& rigid = *ends_[body].rigid;
    btTransform next;
    btTransformUtil::integrateTransform(rigid.getWorldTransform(), rigid.getLinearVelocity(),
                                        rigid.getAngularVelocity(), h, next);
    rigid.setWorldTransform(next);
    rigid.setInterpolationWorldTransform(next);
  }
}

}  // namespace mortise::bullet
