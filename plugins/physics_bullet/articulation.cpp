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
  velocities_.resize(n + 1);
  solver_ = DriveSolver(parents, firstJoint);
  positions_.assign(n, 0);
  stops_.resize(n);
  const std::size_t numDofs = parents.size();
  before_.assign(numDofs, 0);
  after_.assign(numDofs, 0);
  impulse_.assign(numDofs, 0);
  scratch_.assign(numDofs, 0);
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

/// Composite rigid body algorithm, all spatial quantities in world axes about the origin of the base (Featherstone,
/// Rigid Body Dynamics Algorithms, 2008, section 6.2).
void Articulation::computeInertia() {
  const Vector3d reference = fromBullet(multiBody_->getBasePos());
  const auto setComposite = [&](Composite& composite, double mass, const btVector3& moments, const btTransform& X_WC) {
    const Vector3d c = fromBullet(X_WC.getOrigin()) - reference;
    const Matrix3d R = fromBullet(X_WC.getBasis());
    composite.mass = mass;
    composite.moment = mass * c;
    composite.inertia = R * fromBullet(moments).asDiagonal() * R.transpose();
    composite.inertia += mass * (c.squaredNorm() * Matrix3d::Identity() - c * c.transpose());
  };
  if (!plan_.fixedBase)
    setComposite(composites_[0], multiBody_->getBaseMass(), multiBody_->getBaseInertia(),
                 multiBody_->getBaseWorldTransform());
  const int n = numLinks();
  for (int i = 0; i < n; ++i) {
    const btTransform& X_WC = multiBody_->getLink(i).m_cachedWorldTransform;
    setComposite(composites_[i + 1], multiBody_->getLinkMass(i), multiBody_->getLinkInertia(i), X_WC);
    const Vector3d axis = fromBullet(X_WC.getBasis() * toBullet(links_[i].axis));
    if (links_[i].revolute) {
      const Vector3d joint = fromBullet(X_WC * toBullet(links_[i].p_CJ)) - reference;
      axes_[i] = {axis, joint.cross(axis)};
    } else {
      axes_[i] = {Vector3d::Zero(), axis};
    }
  }
  TreeMatrix& M = solver_.inertia();
  const int firstJoint = plan_.fixedBase ? 0 : 6;
  for (int i = n - 1; i >= 0; --i) {
    const Composite& own = composites_[i + 1];
    const int parent = links_[i].parent;
    if (parent >= 0 || !plan_.fixedBase) {
      Composite& up = composites_[parent + 1];
      up.mass += own.mass;
      up.moment += own.moment;
      up.inertia += own.inertia;
    }
    const Motion& s = axes_[i];
    const Vector3d force = own.mass * s.linear + s.angular.cross(own.moment);
    const Vector3d torque = own.inertia * s.angular + own.moment.cross(s.linear);
    double* row = M.row(firstJoint + i);
    int k = 0;
    for (int j = i; j >= 0; j = links_[j].parent) row[k++] = axes_[j].angular.dot(torque) + axes_[j].linear.dot(force);
    if (!plan_.fixedBase)
      for (int c = 5; c >= 0; --c) row[k++] = c >= 3 ? force[c - 3] : torque[c];
  }
  if (plan_.fixedBase) return;
  // Angular rows first, then linear ones, as Bullet orders them; each row goes from the diagonal back to column 0.
  const Composite& all = composites_[0];
  const Matrix3d cross = crossMatrix(all.moment);  // Angular-linear block: torque of a linear acceleration.
  for (int i = 0; i < 6; ++i) {
    double* row = M.row(i);
    for (int j = i; j >= 0; --j) {
      double value = 0;
      if (i < 3)
        value = all.inertia(i, j);
      else if (j < 3)
        value = cross(j, i - 3);
      else
        value = i == j ? all.mass : 0;
      row[i - j] = value;
    }
  }
}

/// Returns whether any joint may reach a stop in this step.
bool Articulation::findStops(double h, double erp, double maxCorrectionSpeed) {
  bool near = false;
  for (int i = 0; i < numLinks(); ++i) {
    const double q = position(i);
    // The velocity that arrives at the stop; from beyond it, one that comes back part of the way.
    const auto toStop = [&](double distance) {
      return distance > 0 ? distance / h : -std::min(-distance * erp / h, maxCorrectionSpeed);
    };
    stops_[i] = {-toStop(q - links_[i].lower), toStop(links_[i].upper - q)};
    // Contacts may speed the joint up within the step.
    const double reach = 2 * std::abs(velocity(i)) * h + 0.02;
    near = near || q - links_[i].lower < reach || links_[i].upper - q < reach;
  }
  return near;
}

void Articulation::beginDrives(double h, double erp, double maxCorrectionSpeed) {
  driven_ = findStops(h, erp, maxCorrectionSpeed);
  for (const JointDrive& drive : drives_)
    driven_ = driven_ || drive.stiffness != 0 || drive.damping != 0 || drive.feedforward != 0 ||
              drive.dryFriction > 0 || drive.viscousFriction != 0 || drive.minEffort > 0 || drive.maxEffort < 0;
  if (!driven_) {
    std::fill(efforts_.begin(), efforts_.end(), 0);
    hasImpulse_ = false;
    return;
  }
  for (int i = 0; i < numLinks(); ++i) positions_[i] = position(i);
  computeInertia();
  solver_.prepare(h, drives_, positions_, stops_);
  double* v = velocityVector() + skipped();
  before_.assign(v, v + before_.size());
  // Which joints are at a limit depends on the contacts; those of the last step are the best guess.
  solver_.solve(before_.data(), hasImpulse_ ? impulse_.data() : nullptr, after_.data());
  if (hasImpulse_) solver_.linearized(before_.data(), after_.data());
  std::copy(after_.begin(), after_.end(), v);
}

bool Articulation::relinearize(const double* change) {
  if (!driven_) return false;
  change += skipped();
  for (std::size_t i = 0; i < after_.size(); ++i) scratch_[i] = after_[i] + change[i];
  if (solver_.consistent(scratch_.data())) return false;
  solver_.multiply(change, impulse_.data());
  solver_.solve(before_.data(), impulse_.data(), after_.data());
  solver_.linearized(before_.data(), after_.data());
  std::copy(after_.begin(), after_.end(), velocityVector() + skipped());
  return true;
}

void Articulation::endDrives() {
  if (!driven_) return;
  const double* v = velocityVector() + skipped();
  hasImpulse_ = false;
  for (std::size_t i = 0; i < after_.size(); ++i) {
    scratch_[i] = v[i] - after_[i];
    hasImpulse_ = hasImpulse_ || scratch_[i] != 0;
  }
  if (hasImpulse_) solver_.multiply(scratch_.data(), impulse_.data());
  const int firstJoint = plan_.fixedBase ? 0 : 6;
  for (int i = 0; i < numLinks(); ++i) efforts_[i] = solver_.effort(i, v[firstJoint + i]);
}

void Articulation::respond(const double* force, double* response) const {
  const int skip = skipped();
  std::fill(response, response + skip, 0.0);
  std::copy(force + skip, force + skip + after_.size(), response + skip);
  solver_.respond(response + skip);
}

void Articulation::save(ByteWriter& out) const {
  out.put(multiBody_->getBasePos());
  out.put(multiBody_->getWorldToBaseRot());
  out.append(multiBody_->getVelocityVector(), sizeof(double) * (6 + multiBody_->getNumDofs()));
  for (int i = 0; i < numLinks(); ++i) out.put(position(i));
  out.put(std::span<const double>(efforts_));
  out.put(hasImpulse_);
  out.put(std::span<const double>(impulse_));
  for (const JointDrive& drive : drives_) out.put(drive);
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
  in.get(std::span<double>(efforts_));
  in.get(hasImpulse_);
  in.get(std::span<double>(impulse_));
  for (JointDrive& drive : drives_) in.get(drive);
  solver_.restore(in);
  update();
}

}  // namespace mortise::bullet
