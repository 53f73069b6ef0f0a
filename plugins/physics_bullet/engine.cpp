#include "engine.h"

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"

namespace mortise::bullet {

namespace {

/// Kinematic bodies may become dynamic later, when they have what it takes.
MassFrame frameOf(const SceneBody& body) {
  if (body.motion == BodyMotion::fixed) return {};
  if (body.motion == BodyMotion::dynamic) return massFrame(body.inertia, body.name);
  try {
    return massFrame(body.inertia, body.name);
  } catch (const Error&) {
    return {};
  }
}

std::vector<MassFrame> massFrames(const SceneDescription& description) {
  std::vector<MassFrame> frames;
  for (const SceneBody& body : description.bodies) frames.push_back(frameOf(body));
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

SceneData::SceneData(const SceneDescription& scene, const BulletSettings& options)
    : description(checked(scene)),
      settings(options),
      frames(massFrames(description)),
      shapes(description, frames, settings) {}

struct Engine::CollisionWorld {
  explicit CollisionWorld(const PairTable& pairs)
      : dispatcher(&configuration, pairs), filter(pairs), world(&dispatcher, &broadphase, &configuration) {
    btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher);
    broadphase.getOverlappingPairCache()->setOverlapFilterCallback(&filter);
    world.setForceUpdateAllAabbs(false);
    world.getDispatchInfo().m_deterministicOverlappingPairs = true;
    world.getDispatchInfo().m_useContinuous = false;
  }

  btDefaultCollisionConfiguration configuration;
  ContactDispatcher dispatcher;
  btDbvtBroadphase broadphase;
  PairFilter filter;
  btCollisionWorld world;
};

Engine::Engine(const SceneData& data, PairTable& pairs)
    : data_(data),
      pairs_(pairs),
      ownContacts_(data.description.contactSource == ContactSource::engine),
      contacts_(data.description, data.settings) {
  const SceneDescription& scene = data_.description;
  for (const SceneBody& body : scene.bodies) motions_.push_back(body.motion);
  if (ownContacts_) world_ = std::make_unique<CollisionWorld>(pairs_);
  ends_.resize(scene.bodies.size());
  joints_.resize(scene.joints.size());
  held_.resize(scene.bodies.size());
  hangs_.resize(scene.bodies.size());
  const std::vector<ArticulationPlan> plans = planArticulations(scene);  // Also checks the joints.
  if (!data_.settings.maximal)
    for (const ArticulationPlan& plan : plans) addArticulation(plan);
  for (const SceneJoint& joint : scene.joints) {
    held_[joint.child] = hangs_[joint.child] = true;
    if (joint.parent >= 0 && scene.bodies[joint.parent].motion == BodyMotion::dynamic) held_[joint.parent] = true;
  }
  for (int i = 0; i < static_cast<int>(scene.bodies.size()); ++i) addBody(i);
  worldJoints_ = std::make_unique<WorldJoints>(scene, ends_);
  if (data_.settings.maximal) worldJoints_->addRobotJoints(scene, ends_, data_.frames);
}

void Engine::addArticulation(const ArticulationPlan& plan) {
  articulations_.push_back(std::make_unique<Articulation>(data_.description, plan, data_.frames));
  Articulation& articulation = *articulations_.back();
  const int mover = solver_.addMover(articulation);
  if (!articulation.fixedBase()) ends_[articulation.plan().base] = {nullptr, &articulation, -1, mover};
  for (int i = 0; i < articulation.numLinks(); ++i) {
    ends_[articulation.linkBody(i)] = {nullptr, &articulation, i, mover};
    joints_[articulation.linkJoint(i)] = {&articulation, i};
  }
}

void Engine::setDrive(int joint, const JointDrive& drive) {
  const JointPlace& place = joints_[joint];
  if (place.articulation != nullptr)
    place.articulation->setDrive(place.link, drive);
  else
    worldJoints_->setDrive(joint, drive);
}

void Engine::setJointState(int joint, double position, double velocity) {
  const JointPlace& place = joints_[joint];
  if (place.articulation != nullptr) {
    place.articulation->setJoint(place.link, position, velocity);
    place.articulation->update();
    for (int i = 0; i < place.articulation->numLinks(); ++i) forgetContacts(place.articulation->linkBody(i));
    return;
  }
  worldJoints_->setState(joint, position, velocity);
  for (int i = 0; i < static_cast<int>(held_.size()); ++i)
    if (held_[i]) forgetContacts(i);
}

JointState Engine::jointState(int joint) const {
  const JointPlace& place = joints_[joint];
  if (place.articulation == nullptr) return worldJoints_->readRobotJoint(joint);
  return {place.articulation->position(place.link), place.articulation->velocity(place.link),
          place.articulation->effort(place.link), place.articulation->stop(place.link)};
}

Engine::~Engine() {
  // Objects must leave the broad phase before it ends.
  if (world_ == nullptr) return;
  while (world_->world.getNumCollisionObjects() > 0)
    world_->world.removeCollisionObject(world_->world.getCollisionObjectArray()[0]);
}

void Engine::addToWorld(btCollisionObject& object) {
  world_->world.addCollisionObject(&object, btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter);
}

void Engine::addBody(int index) {
  const SceneBody& body = data_.description.bodies[index];
  const bool collides = ownContacts_ && !data_.shapes.isEmpty(index);
  if (ends_[index].articulation != nullptr) {
    if (!collides) return;
    btMultiBodyLinkCollider& collider =
        ends_[index].articulation->addCollider(ends_[index].link, data_.shapes.body(index));
    collider.setUserIndex(index);
    addToWorld(collider);
    return;
  }
  const MassFrame& frame = data_.frames[index];
  btRigidBody::btRigidBodyConstructionInfo info(frame.mass, nullptr, ownContacts_ ? &data_.shapes.body(index) : nullptr,
                                                toBullet(frame.moments));
  const RigidTransform X_WB = cleaned(body.X_WB);
  info.m_startWorldTransform = toBullet(X_WB * frame.X_BC);
  auto rigid = std::make_unique<btRigidBody>(info);
  rigid->setUserIndex(index);
  const bool moves = body.motion != BodyMotion::fixed;
  if (moves) {
    rigid->setActivationState(DISABLE_DEACTIVATION);
    rigid->setLinearVelocity(toBullet(Vector3d(body.v_WB + body.w_WB.cross(X_WB.R * frame.X_BC.p))));
    rigid->setAngularVelocity(toBullet(body.w_WB));
  } else {
    rigid->setActivationState(ISLAND_SLEEPING);
  }
  ends_[index] = {rigid.get(), nullptr, -1, -1};
  rigidIndices_.push_back(index);
  rigidMovers_.push_back(moves && frame.mass > 0 ? solver_.addMover(*rigid) : -1);
  rigidBodies_.push_back(std::move(rigid));
  if (moves) applyMotion(index);
  if (collides) addToWorld(*rigidBodies_.back());
}

void Engine::applyMotion(int body) {
  RowEnd& end = ends_[body];
  const int place =
      static_cast<int>(std::find(rigidIndices_.begin(), rigidIndices_.end(), body) - rigidIndices_.begin());
  const bool dynamic = motions_[body] == BodyMotion::dynamic;
  end.mover = dynamic ? rigidMovers_[place] : -1;
  const int flags = end.rigid->getCollisionFlags();
  end.rigid->setCollisionFlags(dynamic ? flags & ~btCollisionObject::CF_KINEMATIC_OBJECT
                                       : (flags & ~btCollisionObject::CF_STATIC_OBJECT) |
                                             btCollisionObject::CF_KINEMATIC_OBJECT);
}

void Engine::setMotion(int body, BodyMotion motion) {
  if (motions_[body] == motion) return;
  if (motion == BodyMotion::dynamic && !(data_.frames[body].mass > 0))
    throw Error("body '" + data_.description.bodies[body].name + "' has no usable mass or inertia", {},
                "give it a positive mass and a positive definite inertia");
  motions_[body] = motion;
  applyMotion(body);
}

btCollisionObject* Engine::colliderOf(int body) const {
  const RowEnd& end = ends_[body];
  if (end.rigid != nullptr) return end.rigid;
  for (const auto& collider : end.articulation->colliders())
    if (collider->m_link == end.link) return collider.get();
  return nullptr;
}

BodyState Engine::bodyState(int body) const {
  const RowEnd& end = ends_[body];
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
  const RowEnd& end = ends_[body];
  const RigidTransform X_WC = cleaned(state.X_WB) * data_.frames[body].X_BC;
  const Vector3d v_WC = state.v_WB + state.w_WB.cross(X_WC.p - state.X_WB.p);
  if (hangs_[body])
    throw Error("body '" + data_.description.bodies[body].name + "' hangs on a joint and cannot be placed freely", {},
                "set the state of its joint");
  if (held_[body] && motions_[body] != BodyMotion::fixed) {
    if (end.articulation != nullptr) {
      end.articulation->setBase(X_WC, v_WC, state.w_WB);
      end.articulation->update();
    } else {
      worldJoints_->setBase(end, X_WC, v_WC, state.w_WB);
    }
    for (int i = 0; i < static_cast<int>(held_.size()); ++i)
      if (held_[i]) forgetContacts(i);
    return;
  }
  end.rigid->setCenterOfMassTransform(toBullet(X_WC));
  if (data_.description.bodies[body].motion != BodyMotion::fixed) {
    end.rigid->setLinearVelocity(toBullet(v_WC));
    end.rigid->setAngularVelocity(toBullet(state.w_WB));
  }
  forgetContacts(body);
}

void Engine::forgetContacts(int body) {
  if (!ownContacts_) return;
  btCollisionObject* object = colliderOf(body);
  if (object == nullptr) return;
  if (object->getBroadphaseHandle() != nullptr) world_->world.updateSingleAabb(object);
  for (int i = 0; i < world_->dispatcher.getNumManifolds(); ++i) {
    btPersistentManifold* manifold = world_->dispatcher.getManifoldByIndexInternal(i);
    if (manifold->getBody0() == object || manifold->getBody1() == object) manifold->clearManifold();
  }
}

void Engine::applyWrench(int body, const Vector3d& force, const Vector3d& torque, const Vector3d& point) {
  const RowEnd& end = ends_[body];
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

void Engine::step(const Vector3d& gravity, double h) {
  if (ownContacts_) {
    world_->world.performDiscreteCollisionDetection();
    contacts_.collect(world_->dispatcher, pairs_);
  }
  const BulletSettings& settings = data_.settings;
  solver_.begin();
  for (const auto& articulation : articulations_)
    articulation->beginStep(gravity, h, settings.erp, settings.maxCorrectionSpeed);
  for (std::size_t i = 0; i < rigidBodies_.size(); ++i) {
    if (ends_[rigidIndices_[i]].mover < 0) continue;
    btRigidBody& body = *rigidBodies_[i];
    const btVector3 v = body.getLinearVelocity() + h * (toBullet(gravity) + body.getInvMass() * body.getTotalForce());
    const btVector3 w = body.getAngularVelocity() + h * (body.getInvInertiaTensorWorld() * body.getTotalTorque()) +
                        body.computeGyroscopicImpulseImplicit_Body(h);
    solver_.setFree(rigidMovers_[i], v, w);
  }
  worldJoints_->addTo(solver_, h, settings.erp, settings.maxCorrectionSpeed);
  contacts_.addTo(solver_, ends_, h);
  solver_.solve({settings.iterations, settings.tolerance});
  worldJoints_->finish(solver_, h);
  contacts_.finish(solver_, h);

  for (std::size_t i = 0; i < rigidBodies_.size(); ++i) {
    if (motions_[rigidIndices_[i]] == BodyMotion::fixed) continue;
    btRigidBody& body = *rigidBodies_[i];
    btTransform next;
    btTransformUtil::integrateTransform(body.getWorldTransform(), body.getLinearVelocity(), body.getAngularVelocity(),
                                        h, next);
    body.setCenterOfMassTransform(next);
    body.clearForces();
  }
  for (const auto& articulation : articulations_) articulation->integrate(h);
}

void Engine::save(ByteWriter& out) const {
  out.append(motions_.data(), motions_.size() * sizeof(BodyMotion));
  for (const auto& rigid : rigidBodies_) {
    // The matrix, not a quaternion: the way there and back would change bits.
    const btTransform& X = rigid->getWorldTransform();
    const btVector3 numbers[6] = {X.getBasis()[0],
                                  X.getBasis()[1],
                                  X.getBasis()[2],
                                  X.getOrigin(),
                                  rigid->getLinearVelocity(),
                                  rigid->getAngularVelocity()};
    out.append(numbers, sizeof(numbers));
  }
  for (const auto& articulation : articulations_) articulation->save(out);
  worldJoints_->save(out);
  contacts_.save(out);
}

void Engine::restore(ByteReader& in) {
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    const auto motion = in.get<BodyMotion>();
    if (motion == motions_[i]) continue;
    if (ends_[i].rigid == nullptr || motions_[i] == BodyMotion::fixed ||
        (motion != BodyMotion::dynamic && motion != BodyMotion::kinematic))
      throw Error("the snapshot moves body '" + data_.description.bodies[i].name + "' in a way that it cannot move");
    setMotion(static_cast<int>(i), motion);
  }
  for (std::size_t i = 0; i < rigidBodies_.size(); ++i) {
    btTransform X;
    for (int row = 0; row < 3; ++row) X.getBasis()[row] = in.get<btVector3>();
    X.setOrigin(in.get<btVector3>());
    const auto v = in.get<btVector3>();
    const auto w = in.get<btVector3>();
    rigidBodies_[i]->setCenterOfMassTransform(X);
    if (motions_[rigidIndices_[i]] == BodyMotion::fixed) continue;
    rigidBodies_[i]->setLinearVelocity(v);
    rigidBodies_[i]->setAngularVelocity(w);
  }
  for (const auto& articulation : articulations_) articulation->restore(in);
  worldJoints_->restore(in);
  contacts_.restore(in);
}

}  // namespace mortise::bullet
