#include "robot.h"

#include <cmath>

#include "convert.h"
#include "mortise/base/error.h"

namespace mortise::bullet {

std::vector<RobotPlan> planRobots(const SceneDescription& description) {
  std::vector<RobotPlan> plans;
  std::vector<int> planOfBody(description.bodies.size(), -1);
  std::vector<bool> isChild(description.bodies.size(), false);
  for (const SceneJoint& joint : description.joints)
    if (joint.child >= 0) isChild[joint.child] = true;
  for (int j = 0; j < static_cast<int>(description.joints.size()); ++j) {
    const SceneJoint& joint = description.joints[j];
    const std::string name = "joint '" + joint.name + "'";
    if (joint.child < 0 || joint.child >= static_cast<int>(description.bodies.size()))
      throw Error(name + " moves no body");
    if (description.bodies[joint.child].motion != BodyMotion::dynamic)
      throw Error(name + " moves body '" + description.bodies[joint.child].name + "', which is fixed or kinematic");
    if (planOfBody[joint.child] >= 0)
      throw Error(name + ": body '" + description.bodies[joint.child].name + "' hangs on more than one joint", {},
                  "close loops with a constraint");
    const BodyMotion motion = joint.parent < 0 ? BodyMotion::fixed : description.bodies[joint.parent].motion;
    if (motion == BodyMotion::kinematic)
      throw Error(name + " hangs on the kinematic body '" + description.bodies[joint.parent].name +
                      "', which the Bullet backend cannot simulate",
                  {}, "use another backend");
    int plan = -1;
    if (motion == BodyMotion::dynamic) {
      plan = planOfBody[joint.parent];
      if (plan < 0) {
        if (isChild[joint.parent]) throw Error(name + " comes before the joint of its parent");
        plan = static_cast<int>(plans.size());
        plans.push_back({joint.parent, false, {}});
        planOfBody[joint.parent] = plan;
      }
    } else {
      plan = static_cast<int>(plans.size());
      plans.push_back({joint.parent, true, {}});
    }
    plans[plan].joints.push_back(j);
    planOfBody[joint.child] = plan;
  }
  return plans;
}

Robot::Robot(const SceneDescription& description, RobotPlan plan, std::span<const MassFrame> frames,
             const BulletSettings& settings)
    : plan_(std::move(plan)) {
  build(description, frames, settings);
  const int n = numLinks();
  velocities_.resize(n + 1);
  omegas_.resize(n + 1);
  scratchOmegas_.resize(n + 1);
  scratchVelocities_.resize(n + 1);

  RigidTransform X_WBase;
  Vector3d v = Vector3d::Zero(), w = Vector3d::Zero();
  if (plan_.base >= 0) {
    const SceneBody& body = description.bodies[plan_.base];
    X_WBase = cleaned(body.X_WB);
    if (!plan_.fixedBase) {
      X_WBase = X_WBase * frames[plan_.base].X_BC;
      w = body.w_WB;
      v = body.v_WB + w.cross(X_WBase.p - body.X_WB.p);
    }
  }
  setBase(X_WBase, v, w);
  for (int i = 0; i < n; ++i) {
    const SceneJoint& joint = description.joints[links_[i].joint];
    setJoint(i, joint.position, joint.velocity);
  }
  update();
}

void Robot::build(const SceneDescription& description, std::span<const MassFrame> frames,
                  const BulletSettings& settings) {
  const int n = static_cast<int>(plan_.joints.size());
  MassFrame baseFrame;  // The base's own frame when it is fixed: it has no mass then.
  if (!plan_.fixedBase) baseFrame = frames[plan_.base];
  multiBody_ = std::make_unique<btMultiBody>(n, baseFrame.mass, toBullet(baseFrame.moments), plan_.fixedBase, false);
  if (settings.linearDamping) multiBody_->setLinearDamping(*settings.linearDamping);
  if (settings.angularDamping) multiBody_->setAngularDamping(*settings.angularDamping);
  multiBody_->setMaxCoordinateVelocity(*settings.maxCoordinateVelocity);
  multiBody_->setMaxAppliedImpulse(*settings.maxAppliedImpulse);
  multiBody_->setCanSleep(false);         // A new command of a drive would not wake it.
  multiBody_->setHasSelfCollision(true);  // Decided pair by pair.

  std::vector<int> linkOfBody(description.bodies.size(), -1);
  for (int i = 0; i < n; ++i) {
    const SceneJoint& joint = description.joints[plan_.joints[i]];
    if (!(joint.lower <= joint.upper)) throw Error("joint '" + joint.name + "' has its lower stop above its upper one");
    Link& link = links_.emplace_back();
    link.body = joint.child;
    link.joint = plan_.joints[i];
    linkOfBody[link.body] = i;
    const bool onBase = joint.parent < 0 || joint.parent == plan_.base;
    const int parent = onBase ? -1 : linkOfBody[joint.parent];
    const MassFrame& frame = frames[link.body];
    const MassFrame& parentFrame = onBase ? baseFrame : frames[joint.parent];
    const Matrix3d R_CB = frame.X_BC.R.transpose();
    const btVector3 axis = toBullet(Vector3d((R_CB * joint.axis).normalized()));
    const btQuaternion rotParentToThis =
        toQuaternion(R_CB * orthonormalized(joint.X_PC0.R).transpose() * parentFrame.X_BC.R);
    const btVector3 parentComToPivot =
        toBullet(Vector3d(parentFrame.X_BC.R.transpose() * (joint.X_PC0.p - parentFrame.X_BC.p)));
    const btVector3 pivotToCom = toBullet(Vector3d(R_CB * frame.X_BC.p));
    const auto setup =
        joint.type == SceneJoint::Type::revolute ? &btMultiBody::setupRevolute : &btMultiBody::setupPrismatic;
    (*multiBody_.*setup)(i, frame.mass, toBullet(frame.moments), parent, rotParentToThis, axis, parentComToPivot,
                         pivotToCom, false);
  }
  multiBody_->finalizeMultiDof();

  for (int i = 0; i < n; ++i) {
    Link& link = links_[i];
    const SceneJoint& joint = description.joints[link.joint];
    link.rows = std::make_unique<DriveRows>(*multiBody_, i);
    if (!std::isfinite(joint.lower) && !std::isfinite(joint.upper)) continue;
    link.limit = std::make_unique<btMultiBodyJointLimitConstraint>(multiBody_.get(), i, joint.lower, joint.upper);
    link.limit->setMaxAppliedImpulse(*settings.maxAppliedImpulse);
  }
  for (btMultiBodyConstraint* constraint : constraints()) constraint->finalizeMultiDof();
}

std::vector<btMultiBodyConstraint*> Robot::constraints() const {
  std::vector<btMultiBodyConstraint*> out;
  for (const Link& link : links_) {
    for (btMultiBodyConstraint* row : link.rows->constraints()) out.push_back(row);
    if (link.limit != nullptr) out.push_back(link.limit.get());
  }
  return out;
}

void Robot::addTo(btMultiBodyDynamicsWorld& world) {
  world.addMultiBody(multiBody_.get());
  for (btMultiBodyConstraint* constraint : constraints()) world.addMultiBodyConstraint(constraint);
}

void Robot::removeFrom(btMultiBodyDynamicsWorld& world) {
  for (btMultiBodyConstraint* constraint : constraints()) world.removeMultiBodyConstraint(constraint);
  world.removeMultiBody(multiBody_.get());
}

btMultiBodyLinkCollider& Robot::addCollider(int link, btCollisionShape& shape) {
  auto collider = std::make_unique<btMultiBodyLinkCollider>(multiBody_.get(), link);
  collider->setCollisionShape(&shape);
  collider->setWorldTransform(toBullet(pose(link)));
  collider->setActivationState(DISABLE_DEACTIVATION);
  if (link < 0)
    multiBody_->setBaseCollider(collider.get());
  else
    multiBody_->getLink(link).m_collider = collider.get();
  colliders_.push_back(std::move(collider));
  return *colliders_.back();
}

btMultiBodyLinkCollider* Robot::collider(int link) const {
  return link < 0 ? multiBody_->getBaseCollider() : multiBody_->getLinkCollider(link);
}

void Robot::setBase(const RigidTransform& X_WC, const Vector3d& v_WC, const Vector3d& w_WC) {
  multiBody_->setBasePos(toBullet(X_WC.p));
  multiBody_->setWorldToBaseRot(toQuaternion(X_WC.R).inverse());
  multiBody_->setBaseVel(toBullet(v_WC));
  multiBody_->setBaseOmega(toBullet(w_WC));
}

void Robot::setJoint(int link, double position, double velocity) {
  multiBody_->setJointPosMultiDof(link, &position);
  multiBody_->setJointVelMultiDof(link, &velocity);
}

RigidTransform Robot::pose(int link) const {
  if (link < 0) return fromBullet(multiBody_->getBaseWorldTransform());
  return fromBullet(multiBody_->getLink(link).m_cachedWorldTransform);
}

void Robot::update() {
  multiBody_->forwardKinematics(scratchRotations_, scratchOrigins_);
  multiBody_->updateCollisionObjectWorldTransforms(scratchRotations_, scratchOrigins_);
  multiBody_->compTreeLinkVelocities(scratchOmegas_.data(), scratchVelocities_.data());
  for (int i = -1; i < numLinks(); ++i) {
    const Matrix3d R = pose(i).R;
    omegas_[i + 1] = R * fromBullet(scratchOmegas_[i + 1]);
    velocities_[i + 1] = R * fromBullet(scratchVelocities_[i + 1]);
  }
}

JointState Robot::jointState(int link) const {
  return {multiBody_->getJointPos(link), multiBody_->getJointVel(link), links_[link].effort, links_[link].stop};
}

void Robot::applyWrench(int link, const Vector3d& force, const Vector3d& torque, const Vector3d& point) {
  const btVector3 moment = toBullet(Vector3d(torque + (point - pose(link).p).cross(force)));
  if (link < 0) {
    multiBody_->addBaseForce(toBullet(force));
    multiBody_->addBaseTorque(moment);
  } else {
    multiBody_->addLinkForce(link, toBullet(force));
    multiBody_->addLinkTorque(link, moment);
  }
}

void Robot::beginStep(double h) {
  for (int i = 0; i < numLinks(); ++i) {
    Link& link = links_[i];
    multiBody_->addJointTorque(i,
                               link.rows->set(link.drive, multiBody_->getJointPos(i), multiBody_->getJointVel(i), h));
    if (link.limit == nullptr) continue;
    for (int side = 0; side < 2; ++side) link.limit->internalSetAppliedImpulse(side, 0);
  }
}

void Robot::endStep(double h) {
  update();
  for (int i = 0; i < numLinks(); ++i) {
    Link& link = links_[i];
    link.effort = link.rows->effort(multiBody_->getJointVel(i), h);
    if (link.limit != nullptr) link.stop = (link.limit->getAppliedImpulse(0) - link.limit->getAppliedImpulse(1)) / h;
  }
}

void Robot::save(ByteWriter& out) const {
  static_assert(sizeof(JointDrive) == 9 * sizeof(double), "no padding");
  out.put(multiBody_->getBasePos());
  out.put(multiBody_->getWorldToBaseRot());
  out.append(multiBody_->getVelocityVector(), sizeof(double) * (6 + multiBody_->getNumDofs()));
  for (int i = 0; i < numLinks(); ++i) {
    out.put(multiBody_->getJointPos(i));
    out.put(links_[i].effort);
    out.put(links_[i].stop);
    out.put(links_[i].drive);
  }
}

void Robot::restore(ByteReader& in) {
  multiBody_->setBasePos(in.get<btVector3>());
  multiBody_->setWorldToBaseRot(in.get<btQuaternion>());
  auto* v = const_cast<double*>(multiBody_->getVelocityVector());
  for (int i = 0; i < 6 + multiBody_->getNumDofs(); ++i) in.get(v[i]);
  for (int i = 0; i < numLinks(); ++i) {
    const double q = in.get<double>();
    multiBody_->setJointPosMultiDof(i, &q);
    in.get(links_[i].effort);
    in.get(links_[i].stop);
    in.get(links_[i].drive);
  }
  update();
}

}  // namespace mortise::bullet
