#include "ode_joint.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "collision/ode_convert.h"
#include "mortise/base/error.h"
#include "mortise/math/constants.h"
#include "mortise/math/rotation.h"

namespace mortise::ode {

namespace {

// Dry friction that holds may creep by this much for each N*m or N, and by no more than that altogether; zero would
// make the system singular, because a motor's rows all act along one axis.
constexpr double kMotorFrictionMixing = 1e-6;
constexpr double kMotorFrictionCreep = 1e-5;
// Stops farther away than this are put here: in range of ODE's angles, and out of reach in one step.
constexpr double kOutOfReach = 1;
// Stands in for infinity where only one side of an effort is limited.
constexpr double kLargeEffort = 1e6;
// Below this damping a row says no more than an explicit effort.
constexpr double kMinDamping = 1e-9;

}  // namespace

RigidTransform JointBody::pose() const {
  if (body == nullptr) return X_WB;
  const Matrix3d R = rotationFrom(dBodyGetRotation(body));
  return {R, vectorFrom(dBodyGetPosition(body)) - R * com};
}

void JointBody::velocity(Vector3d& v_WB, Vector3d& w_WB) const {
  if (body == nullptr) {
    v_WB = w_WB = Vector3d::Zero();
    return;
  }
  w_WB = vectorFrom(dBodyGetAngularVel(body));
  v_WB = vectorFrom(dBodyGetLinearVel(body)) - w_WB.cross(rotationFrom(dBodyGetRotation(body)) * com);
}

OdeJoint::OdeJoint(dWorldID world, const Description& description, const JointBody& parent, const JointBody& child)
    : description_(description), parent_(parent), child_(child) {
  if (!(std::abs(description_.axis.norm() - 1) < 1e-3)) throw Error("a joint's axis must have unit length");
  description_.axis.normalize();
  if (description_.lower > description_.upper) throw Error("a joint's lower stop lies above its upper one");
  state_.position = description.position;
  state_.velocity = description.velocity;
  if (parent.body == nullptr && child.body == nullptr) return;

  // ODE wants a body in first place; with the world as child that is the parent, and the axis turns round, so that the
  // rate of the joint stays ours.
  const bool reversed = child.body == nullptr;
  first_ = reversed ? parent.body : child.body;
  second_ = reversed ? nullptr : parent.body;
  direction_ = reversed ? -1 : 1;
  const Vector3d axis = direction_ * axisInWorld();
  const Vector3d anchor = description.anchor.value_or(child.pose().p);
  if (description_.type == Type::revolute) {
    joint_ = dJointCreateHinge(world, nullptr);
    dJointAttach(joint_, first_, second_);
    dJointSetHingeAnchor(joint_, anchor.x(), anchor.y(), anchor.z());
    dJointSetHingeAxis(joint_, axis.x(), axis.y(), axis.z());
    motor_ = dJointCreateAMotor(world, nullptr);
    dJointAttach(motor_, first_, second_);
    dJointSetAMotorMode(motor_, dAMotorUser);
    dJointSetAMotorNumAxes(motor_, numRows);
    for (int row = 0; row < numRows; ++row) dJointSetAMotorAxis(motor_, row, 1, axis.x(), axis.y(), axis.z());
  } else {
    joint_ = dJointCreateSlider(world, nullptr);
    dJointAttach(joint_, first_, second_);
    dJointSetSliderAxis(joint_, axis.x(), axis.y(), axis.z());
    motor_ = dJointCreateLMotor(world, nullptr);
    dJointAttach(motor_, first_, second_);
    dJointSetLMotorNumAxes(motor_, numRows);
    for (int row = 0; row < numRows; ++row) dJointSetLMotorAxis(motor_, row, 1, axis.x(), axis.y(), axis.z());
  }
  feedback_ = std::make_unique<dJointFeedback>();
  dJointSetFeedback(motor_, feedback_.get());
  jointFeedback_ = std::make_unique<dJointFeedback>();
  dJointSetFeedback(joint_, jointFeedback_.get());
}

RigidTransform OdeJoint::childInParent(double position) const {
  const Vector3d& axis = description_.axis;
  const RigidTransform motion = description_.type == Type::revolute
                                    ? RigidTransform::rotation(Eigen::AngleAxisd(position, axis).toRotationMatrix())
                                    : RigidTransform::translation(axis * position);
  return description_.X_PC0 * motion;
}

void OdeJoint::setState(double position, double velocity) {
  state_.position = position;
  state_.velocity = velocity;
}

void OdeJoint::measure() {
  state_.position = measuredPosition();
  state_.velocity = measuredRate();
}

Vector3d OdeJoint::axisInWorld() const { return child_.pose().R * description_.axis; }

double OdeJoint::measuredPosition() const {
  const RigidTransform X_WP = parent_.pose(), X_WC = child_.pose();
  const Vector3d& axis = description_.axis;
  if (description_.type == Type::prismatic) {
    const Vector3d p_PC = X_WP.R.transpose() * (X_WC.p - X_WP.p);
    return (description_.X_PC0.R * axis).dot(p_PC - description_.X_PC0.p);
  }
  const Matrix3d R = description_.X_PC0.R.transpose() * X_WP.R.transpose() * X_WC.R;
  const double twiceSine = axis.dot(Vector3d(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)));
  return unwrapNear(std::atan2(twiceSine, R.trace() - 1), state_.position);
}

double OdeJoint::measuredRate() const {
  Vector3d vP, wP, vC, wC;
  parent_.velocity(vP, wP);
  child_.velocity(vC, wC);
  const Vector3d axis_W = axisInWorld();
  if (description_.type == Type::revolute) return axis_W.dot(wC - wP);
  return axis_W.dot(vC - vP - wP.cross(child_.pose().p - parent_.pose().p));
}

/// The rate as the motor's rows see it: present velocities, geometry of the start of the step.
double OdeJoint::rateInStep() const {
  const Vector3d w1 = vectorFrom(dBodyGetAngularVel(first_));
  const Vector3d w2 = second_ ? vectorFrom(dBodyGetAngularVel(second_)) : Vector3d::Zero();
  const Vector3d axis = direction_ * stepAxis_;
  if (description_.type == Type::revolute) return axis.dot(w1 - w2);
  const Vector3d v1 = vectorFrom(dBodyGetLinearVel(first_));
  if (second_ == nullptr) return axis.dot(v1);
  return axis.dot(v1 - vectorFrom(dBodyGetLinearVel(second_))) + stepArm_.cross(axis).dot(w1 + w2);
}

void OdeJoint::setMotorRow(Row row, double velocity, double mixing, double limit) {
  const auto set = description_.type == Type::revolute ? dJointSetAMotorParam : dJointSetLMotorParam;
  set(motor_, dParamGroup * static_cast<int>(row) + dParamVel, velocity);
  set(motor_, dParamGroup * static_cast<int>(row) + dParamCFM, mixing);
  set(motor_, dParamGroup * static_cast<int>(row) + dParamFMax, limit);
  if (limit > 0) ++rows_;
}

void OdeJoint::setStopParameters(double erp, double cfm) {
  if (joint_ == nullptr) return;
  const auto set = description_.type == Type::revolute ? dJointSetHingeParam : dJointSetSliderParam;
  set(joint_, dParamStopERP, erp);
  set(joint_, dParamStopCFM, cfm);
}

void OdeJoint::setDrive(const JointDrive& drive) {
  if (std::memcmp(&drive, &drive_, sizeof(drive)) == 0) return;
  drive_ = drive;
  for (dBodyID body : {first_, second_})
    if (body != nullptr) dBodyEnable(body);
}

void OdeJoint::addEffort(double effort) {
  if (effort == 0) return;
  const Vector3d action = effort * stepAxis_;
  if (description_.type == Type::revolute) {
    if (child_.body) dBodyAddTorque(child_.body, action.x(), action.y(), action.z());
    if (parent_.body) dBodyAddTorque(parent_.body, -action.x(), -action.y(), -action.z());
    return;
  }
  const Vector3d at = child_.pose() * child_.com;
  if (child_.body) dBodyAddForce(child_.body, action.x(), action.y(), action.z());
  if (parent_.body) dBodyAddForceAtPos(parent_.body, -action.x(), -action.y(), -action.z(), at.x(), at.y(), at.z());
}

/// ODE's angles go from -pi to pi and start at zero, ours count on from any value. So stops are set in each step by the
/// way that is left to them. They are never infinite: ODE 0.16 then does not look at them, keeps its note of a stop
/// that was reached before, and adds a row that it has no room for.
void OdeJoint::setStops() {
  rows_ += 5;
  atStop_ = false;
  if (std::isinf(description_.lower) && std::isinf(description_.upper)) return;
  const bool revolute = description_.type == Type::revolute;
  const auto set = revolute ? dJointSetHingeParam : dJointSetSliderParam;
  const double angle = revolute ? dJointGetHingeAngle(joint_) : dJointGetSliderPosition(joint_);
  const double toLower = description_.lower - state_.position, toUpper = description_.upper - state_.position;
  const double lower = std::min(std::max(toLower, -kOutOfReach), toUpper);
  const double upper = std::max(std::min(toUpper, kOutOfReach), toLower);
  set(joint_, dParamLoStop, angle + lower);
  set(joint_, dParamHiStop, angle + upper);
  atStop_ = lower >= 0 || upper <= 0;
  if (atStop_) ++rows_;
}

/// The drive's formula taken at the end of the step, with q_end = q + h v and v unknown:
///   effort = kP (target - q) + kD targetVelocity + feedforward - (h kP + kD) v = D (c - v).
/// This is the spring and damper of ODE's manual, ERP = h kP / (h kP + kD) and CFM = 1 / (h kP + kD), as a motor row:
/// ODE solves rows of the form J v + CFM * lambda = c with lambda the effort, so CFM = 1 / D makes the row the drive.
void OdeJoint::setDriveRow(double h) {
  const JointDrive& d = drive_;
  double damping = h * d.stiffness + d.damping;
  const double effortAtRest = d.stiffness * (d.target - state_.position) + d.damping * d.targetVelocity + d.feedforward;
  bool viscousApart = d.viscousFriction > 0;
  if (damping > kMinDamping && d.minEffort < d.maxEffort) {
    // A motor's limits are each other's negative; others are shifted by a constant effort.
    double middle = 0, reach = dInfinity;
    if (std::isfinite(d.minEffort) || std::isfinite(d.maxEffort)) {
      const double low = std::isfinite(d.minEffort) ? d.minEffort : d.maxEffort - kLargeEffort;
      const double high = std::isfinite(d.maxEffort) ? d.maxEffort : d.minEffort + kLargeEffort;
      middle = 0.5 * (low + high);
      reach = 0.5 * (high - low);
    } else {
      // Without limits viscous friction is just more damping.
      damping += d.viscousFriction;
      viscousApart = false;
    }
    addEffort(middle);
    setMotorRow(driveRow, (effortAtRest - middle) / damping, 1 / damping, reach);
  } else {
    addEffort(std::clamp(effortAtRest - damping * state_.velocity, d.minEffort, std::max(d.minEffort, d.maxEffort)));
    setMotorRow(driveRow, 0, 0, 0);
  }
  setMotorRow(viscousRow, 0, viscousApart ? 1 / d.viscousFriction : 0, viscousApart ? dInfinity : 0);
}

void OdeJoint::prepare(double h) {
  rows_ = 0;
  if (joint_ == nullptr) return;
  stepAxis_ = axisInWorld();
  if (second_ != nullptr)
    stepArm_ = 0.5 * (vectorFrom(dBodyGetPosition(second_)) - vectorFrom(dBodyGetPosition(first_)));
  if (description_.type == Type::revolute) {
    dVector3 anchor;
    dJointGetHingeAnchor(joint_, anchor);
    stepAnchor_ = vectorFrom(anchor) - vectorFrom(dBodyGetPosition(first_));
  }
  setStops();
  setDriveRow(h);
  const double dry = std::max(0.0, drive_.dryFriction);
  setMotorRow(dryRow, 0, dry > 0 ? std::min(kMotorFrictionMixing, kMotorFrictionCreep / dry) : 0, dry);
}

/// The joint's reaction along its axis: all other rows of a hinge act through its point or across its axis, and those
/// of a slider across its axis.
double OdeJoint::stopEffort() const {
  const Vector3d axis = direction_ * stepAxis_;
  const Vector3d force = vectorFrom(jointFeedback_->f1), torque = vectorFrom(jointFeedback_->t1);
  if (!atStop_) return 0;
  return description_.type == Type::revolute ? axis.dot(torque - stepAnchor_.cross(force)) : axis.dot(force);
}

void OdeJoint::finish(double h) {
  if (joint_ == nullptr) return;
  const double before = state_.position;
  const double v = rateInStep();
  state_.stop = stopEffort();
  // The motor's only row, then.
  const Vector3d reaction = description_.type == Type::revolute ? vectorFrom(feedback_->t1) : vectorFrom(feedback_->f1);
  friction_ = drive_.dryFriction > 0 ? direction_ * stepAxis_.dot(reaction) : 0;
  measure();
  const JointDrive& d = drive_;
  state_.effort =
      std::clamp(d.stiffness * (d.target - (before + h * v)) + d.damping * (d.targetVelocity - v) + d.feedforward,
                 d.minEffort, std::max(d.minEffort, d.maxEffort));
}

void OdeJoint::save(ByteWriter& out) const {
  out.put(state_);
  out.put(friction_);
  out.put(drive_);
}

void OdeJoint::restore(ByteReader& in) {
  in.get(state_);
  in.get(friction_);
  in.get(drive_);
}

}  // namespace mortise::ode
