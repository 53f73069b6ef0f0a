#include "joints.h"

#include <BulletDynamics/Featherstone/btMultiBodyFixedConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyPoint2Point.h>
#include <BulletDynamics/Featherstone/btMultiBodySliderConstraint.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "convert.h"
#include "mortise/base/error.h"

namespace mortise::bullet {

namespace {

/// Half the distance of the two points that hold a hinge at a robot's link.
constexpr double kHingeReach = 0.1;

/// A frame at `point` whose x axis is `axis`.
RigidTransform jointFrame(const Vector3d& point, const Vector3d& axis) {
  RigidTransform X;
  X.p = point;
  X.R.col(0) = axis.normalized();
  X.R.col(1) = X.R.col(0).unitOrthogonal();
  X.R.col(2) = X.R.col(0).cross(X.R.col(1));
  return X;
}

/// The same with the axis along z, as `btHingeConstraint` wants it.
btTransform hingeFrame(const RigidTransform& X) {
  Matrix3d R;
  R << X.R.col(1), X.R.col(2), X.R.col(0);
  return toBullet(RigidTransform{R, X.p});
}

/// 0 where nothing moves it.
double inverseMass(const BodyEnd& end) {
  if (end.robot == nullptr) return end.rigid->getInvMass();
  const btMultiBody& robot = end.robot->multiBody();
  const double mass = end.link < 0 ? robot.getBaseMass() : robot.getLinkMass(end.link);
  return mass > 0 ? 1 / mass : 0;
}

/// Returns the point at which a fixed joint is solved: the center of mass of the lighter body, where its rows do not
/// act on one another. From far away, sweeps over the rows leave it sagging.
Vector3d fixedPoint(const BodyEnd& a, const BodyEnd& b) { return poseOf(inverseMass(a) > inverseMass(b) ? a : b).p; }

}  // namespace

RigidTransform poseOf(const BodyEnd& end) {
  if (end.robot != nullptr) return end.robot->pose(end.link);
  return fromBullet(end.rigid->getCenterOfMassTransform());
}

Vector3d spinOf(const BodyEnd& end) {
  if (end.robot != nullptr) return end.robot->angularVelocity(end.link);
  return fromBullet(end.rigid->getAngularVelocity());
}

Vector3d velocityOf(const BodyEnd& end, const Vector3d& point) {
  const Vector3d v =
      end.robot != nullptr ? end.robot->linearVelocity(end.link) : fromBullet(end.rigid->getLinearVelocity());
  return v + spinOf(end).cross(point - poseOf(end).p);
}

WorldJoints::WorldJoints(const SceneDescription& description, std::span<const BodyEnd> ends,
                         const BulletSettings& settings)
    : world_(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, nullptr)) {
  int number = 0;
  for (const SceneConstraint& constraint : description.constraints) {
    const std::string name = "joint " + std::to_string(++number) + " between bodies";
    const bool fixed = constraint.type == SceneConstraint::Type::fixed;
    if (!fixed && !(constraint.axis.norm() > 0))
      throw Error(name + " has an axis of length 0", {}, "give it a unit axis");
    if (!(constraint.lower <= constraint.upper)) throw Error(name + " has its lower limit above its upper one");
    Joint& joint = joints_.emplace_back();
    joint.type = constraint.type;
    joint.a = constraint.a < 0 ? BodyEnd{&world_, nullptr, -1} : ends[constraint.a];
    joint.b = constraint.b < 0 ? BodyEnd{&world_, nullptr, -1} : ends[constraint.b];
    joint.friction = fixed ? 0 : constraint.friction;
    const RigidTransform X_WJ = fixed ? RigidTransform::translation(fixedPoint(joint.a, joint.b))
                                      : jointFrame(constraint.point, constraint.axis);
    joint.X_AJ = poseOf(joint.a).inverse() * X_WJ;
    joint.X_BJ = poseOf(joint.b).inverse() * X_WJ;
    if (joint.a.robot == nullptr && joint.b.robot == nullptr)
      makeRigid(joint, constraint, name);
    else
      makeArticulated(joint, constraint, name, *settings.maxAppliedImpulse);
  }
}

void WorldJoints::makeRigid(Joint& joint, const SceneConstraint& from, const std::string& name) {
  btRigidBody &a = *joint.a.rigid, &b = *joint.b.rigid;
  const bool limited = std::isfinite(from.lower) || std::isfinite(from.upper);
  if (joint.type == SceneConstraint::Type::hinge) {
    auto hinge = std::make_unique<btHingeConstraint>(a, b, hingeFrame(joint.X_AJ), hingeFrame(joint.X_BJ));
    if (limited && !(from.upper - from.lower < 2 * std::numbers::pi))
      throw Error(name + " is a hinge with limits from " + std::to_string(from.lower) + " to " +
                      std::to_string(from.upper) + " rad; Bullet's hinge takes limits less than one turn apart",
                  {}, "give both limits, less than 2 pi apart, or none");
    // No bounce at limits.
    if (limited) hinge->setLimit(from.lower, from.upper, 0.9, 0.3, 0);
    joint.rigid = std::move(hinge);
  } else if (joint.type == SceneConstraint::Type::slider) {
    // Bullet measures where its second body is along the first one's axis.
    auto slider = std::make_unique<btSliderConstraint>(b, a, toBullet(joint.X_BJ), toBullet(joint.X_AJ), true);
    slider->setLowerLinLimit(limited ? from.lower : 1);  // Crossed limits: none.
    slider->setUpperLinLimit(limited ? from.upper : -1);
    slider->setPoweredLinMotor(joint.friction > 0);
    slider->setMaxLinMotorForce(joint.friction);
    joint.rigid = std::move(slider);
  } else {
    joint.rigid = std::make_unique<btFixedConstraint>(a, b, toBullet(joint.X_AJ), toBullet(joint.X_BJ));
  }
  joint.feedback = std::make_unique<btJointFeedback>();
  joint.rigid->setJointFeedback(joint.feedback.get());
  joint.rigid->enableFeedback(true);
}

void WorldJoints::makeArticulated(Joint& joint, const SceneConstraint& from, const std::string& name,
                                  double maxImpulse) {
  if (std::isfinite(from.lower) || std::isfinite(from.upper) || joint.friction > 0)
    throw Error(name + " holds a link of a robot and has limits or friction, which Bullet's joints at links have not",
                {}, "leave them out, or use another backend");
  const bool swap = joint.a.robot == nullptr;  // The link comes first.
  const BodyEnd &first = swap ? joint.b : joint.a, &second = swap ? joint.a : joint.b;
  const RigidTransform& X_first = swap ? joint.X_BJ : joint.X_AJ;
  RigidTransform X_second = swap ? joint.X_AJ : joint.X_BJ;
  btRigidBody* rigid = second.rigid;
  if (rigid != nullptr && rigid->isKinematicObject())
    throw Error(name + " holds a link of a robot at a kinematic body, which Bullet cannot simulate", {},
                "make the body fixed or dynamic");
  if (rigid != nullptr && rigid->isStaticObject()) {
    X_second = poseOf(second) * X_second;  // No body means the world.
    rigid = nullptr;
  }
  btMultiBody* robot = &first.robot->multiBody();
  const auto make = [&]<typename Constraint>(std::in_place_type_t<Constraint>, const auto&... where) {
    if (second.robot != nullptr)
      joint.articulated.push_back(
          std::make_unique<Constraint>(robot, first.link, &second.robot->multiBody(), second.link, where...));
    else
      joint.articulated.push_back(std::make_unique<Constraint>(robot, first.link, rigid, where...));
  };
  const btVector3 pivotA = toBullet(X_first.p), pivotB = toBullet(X_second.p);
  // Bullet takes the frame of a rigid body B transposed, so the frames to keep parallel are B's own axes.
  const btMatrix3x3 frameB = btMatrix3x3::getIdentity(),
                    frameA = toBullet(Matrix3d(X_first.R * X_second.R.transpose()));
  if (joint.type == SceneConstraint::Type::fixed) {
    make(std::in_place_type<btMultiBodyFixedConstraint>, pivotA, pivotB, frameA, frameB);
  } else if (joint.type == SceneConstraint::Type::slider) {
    make(std::in_place_type<btMultiBodySliderConstraint>, pivotA, pivotB, frameA, frameB,
         toBullet(Vector3d(X_first.R.col(0))));
  } else {
    for (const double reach : {-kHingeReach, kHingeReach})
      make(std::in_place_type<btMultiBodyPoint2Point>, toBullet(Vector3d(X_first * Vector3d(reach, 0, 0))),
           toBullet(Vector3d(X_second * Vector3d(reach, 0, 0))));
  }
  for (const auto& constraint : joint.articulated) {
    constraint->setMaxAppliedImpulse(maxImpulse);
    constraint->finalizeMultiDof();
  }
}

void WorldJoints::addTo(btMultiBodyDynamicsWorld& world) {
  for (const Joint& joint : joints_) {
    // Which bodies touch is said by the scene, not by joints.
    if (joint.rigid != nullptr) world.addConstraint(joint.rigid.get(), false);
    for (const auto& constraint : joint.articulated) world.addMultiBodyConstraint(constraint.get());
  }
}

void WorldJoints::removeFrom(btMultiBodyDynamicsWorld& world) {
  for (const Joint& joint : joints_) {
    if (joint.rigid != nullptr) world.removeConstraint(joint.rigid.get());
    for (const auto& constraint : joint.articulated) world.removeMultiBodyConstraint(constraint.get());
  }
}

void WorldJoints::beginStep(double h) {
  for (Joint& joint : joints_) {
    if (joint.friction > 0 && joint.type == SceneConstraint::Type::hinge)
      static_cast<btHingeConstraint&>(*joint.rigid).enableAngularMotor(true, 0, joint.friction * h);
    if (joint.feedback != nullptr) *joint.feedback = {};
  }
}

/// Returns the effort of motor and limit together, in the last step, on A.
double WorldJoints::effortAlongAxis(const Joint& joint) {
  if (joint.rigid == nullptr || joint.type == SceneConstraint::Type::fixed) return 0;
  const RigidTransform X_WJ = poseOf(joint.b) * joint.X_BJ;
  const btJointFeedback& given = *joint.feedback;
  // Bullet's second body of a slider is A.
  if (joint.type == SceneConstraint::Type::slider) return X_WJ.R.col(0).dot(fromBullet(given.m_appliedForceBodyB));
  const Vector3d arm = X_WJ.p - poseOf(joint.a).p, force = fromBullet(given.m_appliedForceBodyA);
  return X_WJ.R.col(0).dot(fromBullet(given.m_appliedTorqueBodyA) - arm.cross(force));
}

void WorldJoints::locate(Joint& joint) {
  if (joint.type == SceneConstraint::Type::fixed) return;
  const RigidTransform X_WJa = poseOf(joint.a) * joint.X_AJ, X_WJb = poseOf(joint.b) * joint.X_BJ;
  const Vector3d axis = X_WJb.R.col(0);
  if (joint.type == SceneConstraint::Type::slider) {
    joint.state.position = (X_WJa.p - X_WJb.p).dot(axis);
    joint.state.velocity = axis.dot(velocityOf(joint.a, X_WJa.p) - velocityOf(joint.b, X_WJa.p));
    return;
  }
  // Counts on over whole turns.
  const Vector3d y = X_WJa.R.col(1);
  const double angle = std::atan2(y.dot(X_WJb.R.col(2)), y.dot(X_WJb.R.col(1)));
  constexpr double turn = 2 * std::numbers::pi;
  joint.state.position = angle + std::round((joint.state.position - angle) / turn) * turn;
  joint.state.velocity = axis.dot(spinOf(joint.a) - spinOf(joint.b));
}

void WorldJoints::endStep() {
  for (Joint& joint : joints_) {
    locate(joint);
    const double effort = effortAlongAxis(joint);
    joint.state.effort = std::clamp(effort, -joint.friction, joint.friction);
    joint.state.stop = effort - joint.state.effort;
  }
}

void WorldJoints::read(std::span<JointState> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = joints_[i].state;
}

void WorldJoints::save(ByteWriter& out) const {
  static_assert(sizeof(JointState) == 4 * sizeof(double), "no padding");
  for (const Joint& joint : joints_) out.put(joint.state);
}

void WorldJoints::restore(ByteReader& in) {
  for (Joint& joint : joints_) in.get(joint.state);
}

}  // namespace mortise::bullet
