#include "ode_joint.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/math/constants.h"
#include "mortise/math/rotation.h"
#include "ode_convert.h"

namespace mortise::ode {

namespace {

// Dry friction that holds may creep by this much for each N*m or N, and by no more than that altogether; zero would
// make the exact solver's system singular where rows repeat, and much less already fails on light links.
constexpr double kMotorFrictionMixing = 1e-6;
constexpr double kMotorFrictionCreep = 1e-5;
constexpr double kStopMixing = 1e-9;
// A stop that is violated is left at no more than this speed, so that a start beyond a stop is no catapult.
constexpr double kStopCorrection[] = {2.0 /* rad/s */, 1.0 /* m/s */};
// A stop gets its row from this distance on; more when the joint is fast.
constexpr double kStopReach[] = {0.02 /* rad */, 0.005 /* m */};
// Stands in for infinity where only one side of an effort is limited.
constexpr double kLargeEffort = 1e6;
// Below this damping a row says no more than an explicit effort.
constexpr double kLeastDamping = 1e-9;
// By how much of itself a limit may be passed before a step without it is taken again.
constexpr double kLimitTolerance = 1e-7;

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
  if (description.anchor) childAnchor_ = child.pose().inverse() * *description.anchor;
  parentAnchor_ = description.X_PC0 * childAnchor_;
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

void OdeJoint::setMotorLimit(Row row, double limit) {
  const auto set = description_.type == Type::revolute ? dJointSetAMotorParam : dJointSetLMotorParam;
  set(motor_, dParamGroup * static_cast<int>(row) + dParamFMax, limit);
}

void OdeJoint::setMotorRow(Row row, double velocity, double mixing, double limit) {
  const auto set = description_.type == Type::revolute ? dJointSetAMotorParam : dJointSetLMotorParam;
  RowSetting& setting = settings_[row];
  setting.velocity = velocity;
  setting.mixing = mixing;
  setting.limit = limit;
  setting.leftOut = false;
  set(motor_, dParamGroup * static_cast<int>(row) + dParamVel, velocity);
  set(motor_, dParamGroup * static_cast<int>(row) + dParamCFM, mixing);
  setMotorLimit(row, limit);
  if (limit > 0) ++rows_;
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

/// ODE lets a joint run over its stop for one step and then pushes it back, which makes it bounce. Here the row exists
/// before the stop is reached and says that the rest of the way is the most that this step may go: rate >= -gap / h.
/// ODE computes the right-hand side from its own angle, its stop and an error reduction, so the stop is put where that
/// product comes out (with an error reduction of -1 while the gap is open).
void OdeJoint::setStops(double h, double errorReduction) {
  const bool revolute = description_.type == Type::revolute;
  const auto set = revolute ? dJointSetHingeParam : dJointSetSliderParam;
  rows_ += 5;
  const double toLower = state_.position - description_.lower, toUpper = description_.upper - state_.position;
  const double gap = std::min(toLower, toUpper);
  const bool near = gap <= std::max(kStopReach[revolute ? 0 : 1], 4 * h * std::abs(state_.velocity));
  if (!near && !stopSet_) return;
  const double angle = revolute ? dJointGetHingeAngle(joint_) : dJointGetSliderPosition(joint_);
  stopSet_ = near;
  if (!near) {
    // Infinite stops would leave ODE's note of the last stop standing, and with it a row that it has no room for;
    // stops in reach make it look again.
    set(joint_, dParamLoStop, angle - 1);
    set(joint_, dParamHiStop, angle + 1);
    return;
  }
  set(joint_, dParamLoStop, -dInfinity);
  set(joint_, dParamHiStop, dInfinity);
  double reduction = -1;
  if (gap < 0) reduction = std::min(errorReduction, kStopCorrection[revolute ? 0 : 1] * h / -gap);
  set(joint_, dParamStopERP, reduction);
  set(joint_, dParamStopCFM, kStopMixing);
  ++rows_;
  if (description_.lower == description_.upper) {
    // Locked: ODE takes equal stops as an equation.
    const double stop = angle - toLower;
    set(joint_, dParamStopERP,
        std::min(errorReduction, kStopCorrection[revolute ? 0 : 1] * h / std::max(std::abs(toLower), 1e-12)));
    set(joint_, dParamLoStop, stop);
    set(joint_, dParamHiStop, stop);
  } else if (toLower <= toUpper) {
    set(joint_, dParamLoStop, angle + std::abs(gap));
  } else {
    set(joint_, dParamHiStop, angle - std::abs(gap));
  }
}

/// The drive's formula taken at the end of the step, with q_end = q + h v and v unknown:
///   effort = kP (target - q) + kD targetVelocity + feedforward - (h kP + kD) v = D (c - v).
/// ODE solves rows of the form J v + mixing * lambda = c with lambda the effort (both solvers divide `mixing` by the
/// step themselves), so mixing = 1 / D is the drive, implicit and with its limits exact.
void OdeJoint::prepare(double h, double errorReduction) {
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
  setStops(h, errorReduction);

  const JointDrive& d = drive_;
  double damping = h * d.stiffness + d.damping;
  const double effortAtRest = d.stiffness * (d.target - state_.position) + d.damping * d.targetVelocity + d.feedforward;
  bool viscousApart = d.viscousFriction > 0;
  if (damping > kLeastDamping && d.minEffort < d.maxEffort) {
    const bool limited = std::isfinite(d.minEffort) || std::isfinite(d.maxEffort);
    double middle = 0, reach = dInfinity;
    if (limited) {
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
  const double dry = std::max(0.0, d.dryFriction);
  setMotorRow(dryRow, 0, dry > 0 ? std::min(kMotorFrictionMixing, kMotorFrictionCreep / dry) : 0, dry);
  setMotorRow(viscousRow, 0, viscousApart ? 1 / d.viscousFriction : 0, viscousApart ? dInfinity : 0);
}

/// The joint's reaction along its axis: all other rows of a hinge act through its point or across its axis, and those
/// of a slider across its axis.
double OdeJoint::stopEffort() const {
  const Vector3d axis = direction_ * stepAxis_;
  const Vector3d force = vectorFrom(jointFeedback_->f1), torque = vectorFrom(jointFeedback_->t1);
  if (!stopSet_) return 0;
  return description_.type == Type::revolute ? axis.dot(torque - stepAnchor_.cross(force)) : axis.dot(force);
}

void OdeJoint::leaveLimitsOut() {
  for (const Row row : {driveRow, dryRow}) {
    RowSetting& setting = settings_[row];
    setting.leftOut = setting.limit > 0 && std::isfinite(setting.limit) && !setting.acts;
    if (setting.leftOut) setMotorLimit(row, dInfinity);
  }
}

bool OdeJoint::limitsKept() {
  if (joint_ == nullptr) return true;
  // The motor's reaction is the sum of its rows; all but the dry one follow from the rate.
  const double v = rateInStep();
  const Vector3d axis = direction_ * stepAxis_;
  double rest = axis.dot(vectorFrom(description_.type == Type::revolute ? feedback_->t1 : feedback_->f1));
  bool kept = true;
  const auto note = [&](RowSetting& setting, double effort) {
    const double size = std::abs(effort);
    if (setting.leftOut && size > setting.limit * (1 + kLimitTolerance)) kept = false;
    setting.acts = size > setting.limit * (1 - kLimitTolerance);
  };
  RowSetting& drive = settings_[driveRow];
  if (drive.limit > 0) {
    const double effort = (drive.velocity - v) / drive.mixing;
    note(drive, effort);
    rest -= drive.leftOut ? effort : std::clamp(effort, -drive.limit, drive.limit);
  }
  if (settings_[viscousRow].limit > 0) rest += v / settings_[viscousRow].mixing;
  if (settings_[dryRow].limit > 0) note(settings_[dryRow], rest);
  return kept;
}

void OdeJoint::putLimitsBack(bool all) {
  for (const Row row : {driveRow, dryRow}) {
    RowSetting& setting = settings_[row];
    if (!setting.leftOut || !(all || setting.acts)) continue;
    setting.leftOut = false;
    setMotorLimit(row, setting.limit);
  }
}

void OdeJoint::finish(double h) {
  if (joint_ == nullptr) return;
  const double before = state_.position;
  const double v = rateInStep();
  state_.stop = stopEffort();
  // The motor's only row, then.
  const Vector3d reaction = description_.type == Type::revolute ? vectorFrom(feedback_->t1) : vectorFrom(feedback_->f1);
  friction_ = settings_[dryRow].limit > 0 ? direction_ * stepAxis_.dot(reaction) : 0;
  measure();
  const JointDrive& d = drive_;
  state_.effort =
      std::clamp(d.stiffness * (d.target - (before + h * v)) + d.damping * (d.targetVelocity - v) + d.feedforward,
                 d.minEffort, std::max(d.minEffort, d.maxEffort));
}

void OdeJoint::switchOff() {
  if (joint_ == nullptr) return;
  dJointDisable(joint_);
  dJointDisable(motor_);
}

JointNow OdeJoint::now(double h, double errorReduction) const {
  JointNow now;
  const RigidTransform X_WP = parent_.pose(), X_WC = child_.pose();
  const double rate = errorReduction / h;
  now.axis = X_WC.R * description_.axis;
  now.point = X_WC * childAnchor_;
  Vector3d error = X_WP * parentAnchor_ - now.point;
  if (description_.type == Type::revolute) {
    now.type = JointNow::Type::revolute;
    const Vector3d axis = X_WP.R * (description_.X_PC0.R * description_.axis);
    now.w_bias = rate * now.axis.cross(axis);
  } else {
    now.type = JointNow::Type::prismatic;
    error -= now.axis * now.axis.dot(error);
    now.w_bias = rate * momentFromRotation(X_WP.R * description_.X_PC0.R * X_WC.R.transpose());
  }
  now.v_bias = rate * error;
  return now;
}

void OdeJoint::setLaw(double h, double errorReduction, AxisLaw& law) const {
  const double correction = kStopCorrection[description_.type == Type::revolute ? 0 : 1];
  const auto speedTo = [&](double way) {  // How far at most; beyond a stop the way back is limited in speed.
    return way > 0 ? way / h : std::max(way * errorReduction / h, -correction);
  };
  double slowest = -speedTo(state_.position - description_.lower);
  double fastest = speedTo(description_.upper - state_.position);
  if (description_.lower == description_.upper)  // Locked.
    slowest = fastest =
        std::clamp(errorReduction * (description_.lower - state_.position) / h, -correction, correction);
  law.set(drive_, state_.position, h, slowest, fastest);
}

void OdeJoint::finish(const AxisLaw& law, double speed) {
  if (joint_ == nullptr) return;
  measure();
  state_.effort = law.driveEffort(speed);
  state_.stop = law.stopEffort(speed);
  friction_ = law.dryEffort(speed);
}

Weld::Weld(dWorldID world, int indexA, int indexB, const JointBody& bodyA, const JointBody& bodyB)
    : a(indexA), b(indexB), first(bodyA), second(bodyB), X_BA(bodyB.pose().inverse() * bodyA.pose()) {
  joint = dJointCreateFixed(world, nullptr);
  if (first.body != nullptr)
    dJointAttach(joint, first.body, second.body);
  else
    dJointAttach(joint, second.body, nullptr);
  dJointSetFixed(joint);
}

JointNow Weld::now(double h, double errorReduction) const {
  JointNow now;
  const RigidTransform X_WA = first.pose(), goal = second.pose() * X_BA;
  now.point = X_WA.p;
  now.w_bias = errorReduction / h * momentFromRotation(goal.R * X_WA.R.transpose());
  now.v_bias = errorReduction / h * (goal.p - X_WA.p);
  return now;
}

void OdeJoint::save(ByteWriter& out) const {
  out.put(state_);
  out.put(friction_);
  out.put(drive_);
  for (const RowSetting& setting : settings_) out.put(setting.acts);
}

void OdeJoint::restore(ByteReader& in) {
  in.get(state_);
  in.get(friction_);
  in.get(drive_);
  for (RowSetting& setting : settings_) in.get(setting.acts);
}

}  // namespace mortise::ode
