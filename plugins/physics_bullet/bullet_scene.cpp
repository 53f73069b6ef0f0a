#include "bullet_scene.h"

#include <string>

#include "convert.h"
#include "mortise/base/error.h"

namespace mortise::bullet {

int BulletScene::checkedBody(int body) const {
  if (body < 0 || body >= static_cast<int>(description_.bodies.size()))
    throw Error("there is no body " + std::to_string(body) + "; the scene has " +
                std::to_string(description_.bodies.size()));
  return body;
}

void BulletScene::setGravity(const Vector3d& gravity) {
  if (gravity == gravity_) return;
  gravity_ = gravity;
  for (std::size_t i = 0; i < ends_.size(); ++i) wake(static_cast<int>(i));
  world_->bullet().setGravity(toBullet(gravity));
}

void BulletScene::setJointDrives(std::span<const JointDrive> drives) {
  if (drives.size() != joints_.size())
    throw Error("the scene has " + std::to_string(joints_.size()) + " joints but got " + std::to_string(drives.size()) +
                " drives");
  for (std::size_t i = 0; i < drives.size(); ++i) joints_[i].robot->setDrive(joints_[i].link, drives[i]);
}

void BulletScene::applyWrench(int body, const Vector3d& force, const Vector3d& torque, const Vector3d& point) {
  if (motions_[checkedBody(body)] == BodyMotion::dynamic) wrenches_.push_back({body, force, torque, point});
}

void BulletScene::setBodyState(int body, const BodyState& state) {
  const BodyEnd& end = ends_[checkedBody(body)];
  const RigidTransform X_WC = cleaned(state.X_WB) * frames_[body].X_BC;
  const Vector3d v_WC = state.v_WB + state.w_WB.cross(X_WC.p - state.X_WB.p);
  if (hangs_[body])
    throw Error("body '" + description_.bodies[body].name + "' hangs on a joint and cannot be placed freely", {},
                "set the state of its joint");
  contacts_.pushOut().placed(bodyState(body).X_WB, state.X_WB);
  forgetContacts(body);
  if (end.robot != nullptr) {
    end.robot->setBase(X_WC, v_WC, state.w_WB);
    end.robot->update();
    for (int i = 0; i < end.robot->numLinks(); ++i) forgetContacts(end.robot->linkBody(i));
    return;
  }
  end.rigid->setCenterOfMassTransform(toBullet(X_WC));
  end.rigid->setInterpolationWorldTransform(end.rigid->getWorldTransform());
  if (ownContacts()) world_->bullet().updateSingleAabb(end.rigid);
  if (motions_[body] == BodyMotion::fixed) return;
  kinematic_[body] = {toBullet(v_WC), toBullet(state.w_WB)};
  end.rigid->setLinearVelocity(kinematic_[body].linear);
  end.rigid->setAngularVelocity(kinematic_[body].angular);
  wake(body);
}

void BulletScene::setJointState(int joint, double position, double velocity) {
  if (joint < 0 || joint >= static_cast<int>(joints_.size())) throw Error("there is no joint " + std::to_string(joint));
  Robot& robot = *joints_[joint].robot;
  contacts_.pushOut().placed(robot.jointState(joints_[joint].link).position, position);
  robot.setJoint(joints_[joint].link, position, velocity);
  robot.update();
  for (int i = 0; i < robot.numLinks(); ++i) forgetContacts(robot.linkBody(i));
}

void BulletScene::setBodyMotion(int body, BodyMotion motion) {
  const std::string name = "body '" + description_.bodies[checkedBody(body)].name + "'";
  if (held_[body]) throw Error(name + " is held by a joint, so how it moves cannot change");
  if (motions_[body] == BodyMotion::fixed || motion == BodyMotion::fixed)
    throw Error(name + " cannot change between fixed and moving", {}, "use kinematic with velocity 0");
  changeMotion(body, motion);
}

void BulletScene::setCollision(int idA, int idB, bool on) {
  const int numIds = static_cast<int>(description_.surfaces.size());
  for (const int id : {idA, idB})
    if (id >= numIds || id < (id == idA ? 0 : -1)) throw Error("there is no id " + std::to_string(id));
  for (int id = idB < 0 ? 0 : idB; id < (idB < 0 ? numIds : idB + 1); ++id)
    if (description_.filter.test(idA, id)) pairs_.allow(idA, id, on);
  if (!on && ownContacts()) forgetForbiddenContacts();
}

void BulletScene::setContacts(std::span<const SceneContact> contacts) {
  if (ownContacts())
    throw Error("the scene was built for contacts that Bullet finds and takes none from outside", {},
                "build it with `ContactSource::external`");
  contacts_.set(contacts);
}

/// Drops the contact points of a body that is moved by hand.
void BulletScene::forgetContacts(int body) {
  if (!ownContacts()) return;
  btCollisionDispatcher& dispatcher = world_->dispatcher();
  for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
    btPersistentManifold* manifold = dispatcher.getManifoldByIndexInternal(i);
    if (manifold->getBody0() == colliders_[body] || manifold->getBody1() == colliders_[body]) manifold->clearManifold();
  }
}

/// Drops contact points of pairs of ids that are switched off.
void BulletScene::forgetForbiddenContacts() {
  btCollisionDispatcher& dispatcher = world_->dispatcher();
  for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
    btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(i);
    for (int k = manifold.getNumContacts() - 1; k >= 0; --k) {
      const btManifoldPoint& point = manifold.getContactPoint(k);
      if (!pairs_.idsMayTouch(point.m_partId0, point.m_partId1)) manifold.removeContactPoint(k);
    }
  }
}

void BulletScene::applyPending() {
  for (const Wrench& wrench : wrenches_) {
    const BodyEnd& end = ends_[wrench.body];
    if (end.robot != nullptr) {
      end.robot->applyWrench(end.link, wrench.force, wrench.torque, wrench.point);
      continue;
    }
    wake(wrench.body);
    end.rigid->applyForce(toBullet(wrench.force), toBullet(wrench.point) - end.rigid->getCenterOfMassPosition());
    end.rigid->applyTorque(toBullet(wrench.torque));
  }
  wrenches_.clear();
}

/// Bullet takes a kinematic body's velocity from where it stood and where it stands now.
void BulletScene::moveKinematicBodies(double h) {
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    if (motions_[i] != BodyMotion::kinematic) continue;
    btRigidBody& body = *rigidBodies_[i];
    btTransform next;
    btTransformUtil::integrateTransform(body.getWorldTransform(), kinematic_[i].linear, kinematic_[i].angular, h, next);
    body.setInterpolationWorldTransform(body.getWorldTransform());
    body.setWorldTransform(next);
  }
}

void BulletScene::settleKinematicBodies() {
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    if (motions_[i] != BodyMotion::kinematic) continue;
    rigidBodies_[i]->setLinearVelocity(kinematic_[i].linear);
    rigidBodies_[i]->setAngularVelocity(kinematic_[i].angular);
  }
}

void BulletScene::step(double dt) {
  if (!(dt > 0)) throw Error("a step of " + std::to_string(dt) + " s");
  applyPending();
  for (const auto& robot : robots_) robot->beginStep(dt);
  worldJoints_->beginStep(dt);
  if (!ownContacts()) contacts_.hand(world_->dispatcher(), colliders_, [this](int body) { return bodyState(body); });
  moveKinematicBodies(dt);

  const int fallbacks = world_->fallbacks();
  const std::int64_t unsettled = world_->unsettled();
  world_->step(dt);
  bounds_ = {.sweeps = world_->unsettled() > unsettled, .directSolve = world_->fallbacks() > fallbacks};

  settleKinematicBodies();
  for (const auto& robot : robots_) robot->endStep(dt);
  worldJoints_->endStep();
  if (ownContacts())
    contacts_.collectFound(world_->dispatcher(), dt);
  else
    contacts_.collectHanded(dt);
}

BodyState BulletScene::bodyState(int body) const {
  const RigidTransform &X_WC = poseOf(ends_[body]), &X_BC = frames_[body].X_BC;
  BodyState state;
  state.X_WB.R = X_WC.R * X_BC.R.transpose();
  state.X_WB.p = X_WC.p - state.X_WB.R * X_BC.p;
  state.w_WB = spinOf(ends_[body]);
  state.v_WB = velocityOf(ends_[body], state.X_WB.p);
  return state;
}

void BulletScene::readBodies(std::span<BodyState> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = bodyState(static_cast<int>(i));
}

void BulletScene::readJoints(std::span<JointState> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = joints_[i].robot->jointState(joints_[i].link);
}

}  // namespace mortise::bullet
