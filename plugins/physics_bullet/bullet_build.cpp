#include "bullet_scene.h"
#include "convert.h"
#include "mortise/base/error.h"
#include "mortise/dynamics/scene_bodies.h"

namespace mortise::bullet {

BulletScene::BulletScene(const SceneDescription& description, const BulletSettings& settings)
    : description_(withCheckedIndices(description)),
      settings_(settings),
      frames_(massFrames(description_)),
      shapes_(description_, frames_, settings_),
      pairs_(description_),
      contacts_(description_, *settings_.restitutionThreshold),
      gravity_(description.gravity) {
  const std::size_t numBodies = description_.bodies.size();
  for (const SceneBody& body : description_.bodies) motions_.push_back(body.motion);
  rigidBodies_.resize(numBodies);
  kinematic_.resize(numBodies);
  ends_.resize(numBodies);
  colliders_.resize(numBodies);
  joints_.resize(description_.joints.size());
  held_.resize(numBodies);
  hangs_.resize(numBodies);
  for (const RobotPlan& plan : planRobots(description_)) addRobot(plan);
  for (const SceneJoint& joint : description_.joints) {
    held_[joint.child] = hangs_[joint.child] = true;
    if (joint.parent >= 0 && motions_[joint.parent] == BodyMotion::dynamic) held_[joint.parent] = true;
  }
  for (int i = 0; i < static_cast<int>(numBodies); ++i) addBody(i);
  worldJoints_ = std::make_unique<WorldJoints>(description_, ends_, settings_);
  enterWorld();
}

BulletScene::~BulletScene() { leaveWorld(); }

void BulletScene::addRobot(const RobotPlan& plan) {
  robots_.push_back(std::make_unique<Robot>(description_, plan, frames_, settings_));
  Robot& robot = *robots_.back();
  if (!plan.fixedBase) ends_[plan.base] = {nullptr, &robot, -1};
  for (int i = 0; i < robot.numLinks(); ++i) {
    ends_[robot.linkBody(i)] = {nullptr, &robot, i};
    joints_[robot.linkJoint(i)] = {nullptr, &robot, i};
  }
}

void BulletScene::addBody(int index) {
  const SceneBody& body = description_.bodies[index];
  btCollisionShape& shape = ownContacts() ? shapes_.body(index) : noShape_;
  if (const BodyEnd& end = ends_[index]; end.robot != nullptr) {
    btMultiBodyLinkCollider& collider = end.robot->addCollider(end.link, shape);
    collider.setUserIndex(index);
    colliders_[index] = &collider;
    return;
  }
  const MassFrame& frame = frames_[index];
  btRigidBody::btRigidBodyConstructionInfo info(frame.mass, nullptr, &shape, toBullet(frame.moments));
  const RigidTransform X_WB = cleaned(body.X_WB);
  info.m_startWorldTransform = toBullet(X_WB * frame.X_BC);
  if (settings_.linearDamping) info.m_linearDamping = *settings_.linearDamping;
  if (settings_.angularDamping) info.m_angularDamping = *settings_.angularDamping;
  rigidBodies_[index] = std::make_unique<btRigidBody>(info);
  btRigidBody& rigid = *rigidBodies_[index];
  rigid.setUserIndex(index);
  ends_[index] = {&rigid, nullptr, -1};
  colliders_[index] = &rigid;
  if (body.motion == BodyMotion::fixed) return;
  kinematic_[index] = {toBullet(Vector3d(body.v_WB + body.w_WB.cross(X_WB.R * frame.X_BC.p))), toBullet(body.w_WB)};
  rigid.setLinearVelocity(kinematic_[index].linear);
  rigid.setAngularVelocity(kinematic_[index].angular);
  applyMotion(index);
}

/// Bullet wants kinematic bodies to have no mass.
void BulletScene::applyMotion(int body) {
  btRigidBody& rigid = *rigidBodies_[body];
  const MassFrame& frame = frames_[body];
  const bool dynamic = motions_[body] == BodyMotion::dynamic;
  rigid.setMassProps(dynamic ? frame.mass : 0, dynamic ? toBullet(frame.moments) : btVector3(0, 0, 0));
  rigid.updateInertiaTensor();
  const int flags = rigid.getCollisionFlags() & ~btCollisionObject::CF_KINEMATIC_OBJECT;
  rigid.setCollisionFlags(dynamic ? flags : flags | btCollisionObject::CF_KINEMATIC_OBJECT);
  rigid.setInterpolationWorldTransform(rigid.getWorldTransform());
  rigid.forceActivationState(dynamic && settings_.sleeping ? ACTIVE_TAG : DISABLE_DEACTIVATION);
}

void BulletScene::changeMotion(int body, BodyMotion motion) {
  if (motions_[body] == motion) return;
  if (motion == BodyMotion::dynamic && !(frames_[body].mass > 0))
    throw Error("body '" + description_.bodies[body].name + "' has no usable mass or inertia", {},
                "give it a positive mass and a positive definite inertia");
  motions_[body] = motion;
  kinematic_[body] = {rigidBodies_[body]->getLinearVelocity(), rigidBodies_[body]->getAngularVelocity()};
  applyMotion(body);
}

void BulletScene::enterWorld() {
  world_.emplace(settings_, pairs_, ownContacts());
  if (ownContacts()) world_->afterCollisions([this] { contacts_.softenFound(world_->dispatcher(), description_); });
  btMultiBodyDynamicsWorld& world = world_->bullet();
  for (std::size_t i = 0; i < colliders_.size(); ++i) {
    btRigidBody* rigid = rigidBodies_[i].get();
    if (rigid == nullptr) {
      world.addCollisionObject(colliders_[i], world_->group(), world_->mask());
      continue;
    }
    // Bullet sorts bodies by what they are when they come, and this one may change later.
    const int flags = rigid->getCollisionFlags();
    if (motions_[i] != BodyMotion::fixed) rigid->setCollisionFlags(flags & ~btCollisionObject::CF_STATIC_OBJECT);
    world.addRigidBody(rigid, world_->group(), world_->mask());
    rigid->setCollisionFlags(flags);
  }
  worldJoints_->addTo(world);
  for (const auto& robot : robots_) robot->addTo(world);
  world.setGravity(toBullet(gravity_));
}

void BulletScene::leaveWorld() {
  btMultiBodyDynamicsWorld& world = world_->bullet();
  worldJoints_->removeFrom(world);
  for (const auto& robot : robots_) robot->removeFrom(world);
  while (world.getNumCollisionObjects() > 0) world.removeCollisionObject(world.getCollisionObjectArray()[0]);
  world_.reset();
}

}  // namespace mortise::bullet
