#include "world_joints.h"

#include <BulletDynamics/ConstraintSolver/btGeneric6DofSpring2Constraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyFixedConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyPoint2Point.h>
#include <BulletDynamics/Featherstone/btMultiBodySliderConstraint.h>
#include <cmath>
#include <utility>

#include "mortise/base/error.h"
#include "world.h"

namespace mortise::bullet {

namespace {

constexpr int kJointSweeps = 20;

/// A frame at `point` whose x axis is `axis`.
RigidTransform jointFrame(const Vector3d& point, const Vector3d& axis) {
  RigidTransform X;
  X.p = point;
  X.R.col(0) = axis.normalized();
  X.R.col(1) = X.R.col(0).unitOrthogonal();
  X.R.col(2) = X.R.col(0).cross(X.R.col(1));
  return X;
}

RigidTransform poseOf(const ConstraintEnd& end) {
  if (end.articulation != nullptr) return end.articulation->pose(end.link);
  return fromBullet(end.rigid->getCenterOfMassTransform());
}

}  // namespace

WorldJoints::WorldJoints(World& world, const SceneDescription& description, const std::vector<ConstraintEnd>& ends,
                         btRigidBody& ground)
    : world_(world) {
  const ConstraintEnd worldEnd{&ground, nullptr, -1};
  for (const SceneConstraint& constraint : description.constraints) {
    const ConstraintEnd a = constraint.a < 0 ? worldEnd : ends[constraint.a];
    const ConstraintEnd b = constraint.b < 0 ? worldEnd : ends[constraint.b];
    if (constraint.type != SceneConstraint::Type::fixed && !(constraint.axis.norm() > 0))
      throw Error("a joint between bodies has an axis of length 0", {}, "give it a unit axis");
    if (a.articulation == nullptr && b.articulation == nullptr)
      addRigid(constraint, *a.rigid, *b.rigid);
    else
      addArticulated(constraint, a, b);
  }
}

WorldJoints::~WorldJoints() {
  for (const auto& constraint : rigid_) world_.removeConstraint(constraint.get());
  for (const auto& constraint : articulated_) world_.removeMultiBodyConstraint(constraint.get());
}

void WorldJoints::addRigid(const SceneConstraint& constraint, btRigidBody& a, btRigidBody& b) {
  const bool fixed = constraint.type == SceneConstraint::Type::fixed;
  const RigidTransform X_WJ =
      fixed ? RigidTransform::translation(constraint.point) : jointFrame(constraint.point, constraint.axis);
  const btTransform X_AJ = a.getCenterOfMassTransform().inverse() * toBullet(X_WJ);
  const btTransform X_BJ = b.getCenterOfMassTransform().inverse() * toBullet(X_WJ);
  // The position of a joint is that of the first body against the second, as for "object against world".
  auto joint = std::make_unique<btGeneric6DofSpring2Constraint>(b, a, X_BJ, X_AJ, RO_XYZ);
  for (int axis = 0; axis < 6; ++axis) joint->setLimit(axis, 0, 0);
  // The rows of one joint share long levers and converge slowly together; they are few, so they get more sweeps.
  joint->setOverrideNumSolverIterations(kJointSweeps * world_.getSolverInfo().m_numIterations);
  if (!fixed) {
    const int free = constraint.type == SceneConstraint::Type::hinge ? 3 : 0;
    // Lower above upper means free to Bullet; a hinge wraps at half a turn.
    const bool limited = std::isfinite(constraint.lower) || std::isfinite(constraint.upper);
    if (limited)
      joint->setLimit(free, std::isfinite(constraint.lower) ? constraint.lower : -1e6,
                      std::isfinite(constraint.upper) ? constraint.upper : 1e6);
    else
      joint->setLimit(free, 1, -1);
    joint->setBounce(free, 0);
    if (constraint.friction > 0) {
      joint->enableMotor(free, true);
      joint->setTargetVelocity(free, 0);
      joint->setMaxMotorForce(free, constraint.friction);
    }
  }
  world_.addConstraint(joint.get(), false);
  rigid_.push_back(std::move(joint));
}

void WorldJoints::addArticulated(const SceneConstraint& constraint, ConstraintEnd a, ConstraintEnd b) {
  const bool limited = std::isfinite(constraint.lower) || std::isfinite(constraint.upper);
  if (constraint.type != SceneConstraint::Type::fixed && (limited || constraint.friction > 0))
    throw Error("the Bullet backend cannot limit or brake a joint between a robot's link and another body", {},
                "leave out min, max and friction of this joint, or use another backend");
  if (a.articulation == nullptr) std::swap(a, b);
  const std::size_t first = articulated_.size();
  btMultiBody& body = a.articulation->multiBody();
  const auto addPoint = [&](const Vector3d& point) {
    const btVector3 pivotA = toBullet(poseOf(a).inverse() * point), pivotB = toBullet(poseOf(b).inverse() * point);
    std::unique_ptr<btMultiBodyConstraint> joint;
    if (b.articulation != nullptr)
      joint =
          std::make_unique<btMultiBodyPoint2Point>(&body, a.link, &b.articulation->multiBody(), b.link, pivotA, pivotB);
    else
      joint = std::make_unique<btMultiBodyPoint2Point>(&body, a.link, b.rigid, pivotA, pivotB);
    articulated_.push_back(std::move(joint));
  };
  if (constraint.type == SceneConstraint::Type::hinge) {
    // Two points of the axis, a decimetre apart.
    const Vector3d offset = 0.05 * constraint.axis.normalized();
    addPoint(constraint.point - offset);
    addPoint(constraint.point + offset);
  } else {
    const bool fixed = constraint.type == SceneConstraint::Type::fixed;
    const RigidTransform X_WJ = RigidTransform::translation(constraint.point);
    const RigidTransform X_AJ = poseOf(a).inverse() * X_WJ, X_BJ = poseOf(b).inverse() * X_WJ;
    const btVector3 axis = toBullet(Vector3d(poseOf(a).R.transpose() * constraint.axis.normalized()));
    std::unique_ptr<btMultiBodyConstraint> joint;
    if (fixed && b.articulation != nullptr)
      joint = std::make_unique<btMultiBodyFixedConstraint>(&body, a.link, &b.articulation->multiBody(), b.link,
                                                           toBullet(X_AJ.p), toBullet(X_BJ.p), toBullet(X_AJ.R),
                                                           toBullet(X_BJ.R));
    else if (fixed)
      joint = std::make_unique<btMultiBodyFixedConstraint>(&body, a.link, b.rigid, toBullet(X_AJ.p), toBullet(X_BJ.p),
                                                           toBullet(X_AJ.R), toBullet(X_BJ.R));
    else if (b.articulation != nullptr)
      joint = std::make_unique<btMultiBodySliderConstraint>(&body, a.link, &b.articulation->multiBody(), b.link,
                                                            toBullet(X_AJ.p), toBullet(X_BJ.p), toBullet(X_AJ.R),
                                                            toBullet(X_BJ.R), axis);
    else
      joint = std::make_unique<btMultiBodySliderConstraint>(&body, a.link, b.rigid, toBullet(X_AJ.p), toBullet(X_BJ.p),
                                                            toBullet(X_AJ.R), toBullet(X_BJ.R), axis);
    articulated_.push_back(std::move(joint));
  }
  for (std::size_t i = first; i < articulated_.size(); ++i) {
    articulated_[i]->finalizeMultiDof();
    articulated_[i]->setMaxAppliedImpulse(1e30);
    world_.addMultiBodyConstraint(articulated_[i].get());
  }
}

}  // namespace mortise::bullet
