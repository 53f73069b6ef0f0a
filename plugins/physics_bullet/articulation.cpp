#include "articulation.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"

namespace mortise::bullet {

std::vector<ArticulationPlan> planArticulations(const SceneDescription& description) {
  std::vector<ArticulationPlan> plans;
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

Articulation::Articulation(const SceneDescription& description, ArticulationPlan plan,
                           std::span<const MassFrame> frames)
    : plan_(std::move(plan)) {
  const int n = static_cast<int>(plan_.joints.size());
  MassFrame baseFrame;  // The base's own frame when it is fixed: it has no mass then.
  if (!plan_.fixedBase) baseFrame = frames[plan_.base];
  multiBody_ = std::make_unique<btMultiBody>(n, baseFrame.mass, toBullet(baseFrame.moments), plan_.fixedBase, false);
  multiBody_->setUserPointer(this);

  // Bullet damps articulated bodies and clamps their speed unless told otherwise.
  multiBody_->setLinearDamping(0);
  multiBody_->setAngularDamping(0);
  multiBody_->setMaxCoordinateVelocity(1e12);
  multiBody_->setMaxAppliedImpulse(1e30);
  multiBody_->setCanSleep(false);
  multiBody_->setUseGyroTerm(true);
  multiBody_->setHasSelfCollision(true);  // Decided pair by pair in the dispatcher.

  std::vector<int> linkOfBody(description.bodies.size(), -1);
  const int firstJoint = plan_.fixedBase ? 0 : 6;
  std::vector<int> parents;
  for (int i = 0; i < firstJoint; ++i) parents.push_back(i - 1);
  for (int i = 0; i < n; ++i) {
    const SceneJoint& joint = description.joints[plan_.joints[i]];
    Link link;
    link.body = joint.child;
    link.joint = plan_.joints[i];
    const bool onBase = joint.parent < 0 || joint.parent == plan_.base;
    link.parent = onBase ? -1 : linkOfBody[joint.parent];
    link.revolute = joint.type == SceneJoint::Type::revolute;
    link.lower = joint.lower;
    link.upper = joint.upper;
    if (!(link.lower <= link.upper)) throw Error("joint '" + joint.name + "' has its lower stop above its upper one");
    const MassFrame& frame = frames[link.body];
    const MassFrame& parentFrame = onBase ? baseFrame : frames[joint.parent];
    link.axis = (frame.X_BC.R.transpose() * joint.axis).normalized();
    link.p_CJ = -(frame.X_BC.R.transpose() * frame.X_BC.p);
    linkOfBody[link.body] = i;
    parents.push_back(link.parent >= 0 ? firstJoint + link.parent : firstJoint - 1);

    const Matrix3d R_PC = orthonormalized(joint.X_PC0.R);
    const btQuaternion rotParentToThis = toQuaternion(frame.X_BC.R.transpose() * R_PC.transpose() * parentFrame.X_BC.R);
    const btVector3 parentComToPivot =
        toBullet(Vector3d(parentFrame.X_BC.R.transpose() * (joint.X_PC0.p - parentFrame.X_BC.p)));
    const btVector3 pivotToCom = toBullet(Vector3d(-link.p_CJ));
    if (link.revolute)
      multiBody_->setupRevolute(i, frame.mass, toBullet(frame.moments), link.parent, rotParentToThis,
                                toBullet(link.axis), parentComToPivot, pivotToCom, false);
    else
      multiBody_->setupPrismatic(i, frame.mass, toBullet(frame.moments), link.parent, rotParentToThis,
                                 toBullet(link.axis), parentComToPivot, pivotToCom, false);
    links_.push_back(link);
  }
  multiBody_->finalizeMultiDof();

  drives_.resize(n);
  efforts_.assign(n, 0);
  stopEfforts_.assign(n, 0);
  velocities_.resize(n + 1);
  solver_ = DriveSolver(parents, firstJoint);
  positions_.assign(n, 0);
  stops_.resize(n);
  const std::size_t numDofs = parents.size();
  before_.assign(numDofs, 0);
  after_.assign(numDofs, 0);
  impulse_.assign(numDofs, 0);
  scratch_.assign(numDofs, 0);
  paths_.resize(n + 1);
  for (int i = -1; i < n; ++i)
    for (int j = firstJoint + i; j >= 0; j = parents[j]) paths_[i + 1].push_back(j);
  composites_.resize(n + 1);
  axes_.resize(n);

  RigidTransform X_WBase;
  Vector3d v = Vector3d::Zero(), w = Vector3d::Zero();
  if (plan_.base >= 0) {
    const SceneBody& body = description.bodies[plan_.base];
    X_WBase = cleaned(body.X_WB) * baseFrame.X_BC;
    if (!plan_.fixedBase) {
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

Articulation::~Articulation() = default;

btMultiBodyLinkCollider& Articulation::addCollider(int link, btCollisionShape& shape) {
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

void Articulation::setBase(const RigidTransform& X_WC, const Vector3d& v_WC, const Vector3d& w_WC) {
  multiBody_->setBasePos(toBullet(X_WC.p));
  multiBody_->setWorldToBaseRot(toQuaternion(X_WC.R).inverse());
  multiBody_->setBaseVel(toBullet(v_WC));
  multiBody_->setBaseOmega(toBullet(w_WC));
}

void Articulation::setJoint(int link, double position, double velocity) {
  multiBody_->setJointPosMultiDof(link, &position);
  multiBody_->setJointVelMultiDof(link, &velocity);
}

RigidTransform Articulation::pose(int link) const {
  if (link < 0) return fromBullet(multiBody_->getBaseWorldTransform());
  return fromBullet(multiBody_->getLink(link).m_cachedWorldTransform);
}

void Articulation::update() {
  multiBody_->forwardKinematics(scratchRotations_, scratchOrigins_);
  for (const auto& collider : colliders_) {
    const btTransform X_WC = collider->m_link < 0 ? multiBody_->getBaseWorldTransform()
                                                  : multiBody_->getLink(collider->m_link).m_cachedWorldTransform;
    collider->setWorldTransform(X_WC);
    collider->setInterpolationWorldTransform(X_WC);
  }
  updateVelocities();
}

void Articulation::updateVelocities() {
  velocities_[0] = {fromBullet(multiBody_->getBaseOmega()), fromBullet(multiBody_->getBaseVel())};
  for (int i = 0; i < numLinks(); ++i) {
    const Link& link = links_[i];
    const btTransform& X_WC = multiBody_->getLink(i).m_cachedWorldTransform;
    const btVector3& parentOrigin = link.parent < 0
                                        ? multiBody_->getBasePos()
                                        : multiBody_->getLink(link.parent).m_cachedWorldTransform.getOrigin();
    const Motion& parent = velocities_[link.parent + 1];
    const Vector3d axis = fromBullet(X_WC.getBasis() * toBullet(link.axis));
    const double rate = multiBody_->getJointVel(i);
    Motion& motion = velocities_[i + 1];
    motion.angular = parent.angular;
    motion.linear = parent.linear + parent.angular.cross(fromBullet(X_WC.getOrigin() - parentOrigin));
    if (link.revolute) {
      motion.angular += rate * axis;
      const Vector3d arm = -fromBullet(X_WC.getBasis() * toBullet(link.p_CJ));
      motion.linear += rate * axis.cross(arm);
    } else {
      motion.linear += rate * axis;
    }
  }
}

void Articulation::save(ByteWriter& out) const {
  out.put(multiBody_->getBasePos());
  out.put(multiBody_->getWorldToBaseRot());
  out.append(multiBody_->getVelocityVector(), sizeof(double) * (6 + multiBody_->getNumDofs()));
  for (int i = 0; i < numLinks(); ++i) out.put(position(i));
  out.append(efforts_.data(), sizeof(double) * efforts_.size());
  out.append(stopEfforts_.data(), sizeof(double) * stopEfforts_.size());
  out.put(hasImpulse_);
  out.append(impulse_.data(), sizeof(double) * impulse_.size());
  out.append(drives_.data(), sizeof(JointDrive) * drives_.size());
  solver_.save(out);
}

void Articulation::restore(ByteReader& in) {
  multiBody_->setBasePos(in.get<btVector3>());
  multiBody_->setWorldToBaseRot(in.get<btQuaternion>());
  double* v = velocityVector();
  for (int i = 0; i < 6 + multiBody_->getNumDofs(); ++i) in.get(v[i]);
  for (int i = 0; i < numLinks(); ++i) {
    const double q = in.get<double>();
    multiBody_->setJointPosMultiDof(i, &q);
  }
  for (double& effort : efforts_) in.get(effort);
  for (double& effort : stopEfforts_) in.get(effort);
  in.get(hasImpulse_);
  for (double& impulse : impulse_) in.get(impulse);
  for (JointDrive& drive : drives_) in.get(drive);
  solver_.restore(in);
  update();
}

}  // namespace mortise::bullet
