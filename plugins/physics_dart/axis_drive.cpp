#include "axis_drive.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"

namespace mortise::dart {

AxisDrive::AxisDrive(std::string name, dyn::Joint* joint, DartSettings::Drives kind)
    : name_(std::move(name)), joint_(joint), kind_(kind) {}

void AxisDrive::set(const JointDrive& drive) {
  const double finite[] = {drive.stiffness,   drive.damping,     drive.target,         drive.targetVelocity,
                           drive.feedforward, drive.dryFriction, drive.viscousFriction};
  if (!std::all_of(std::begin(finite), std::end(finite), [](double x) { return std::isfinite(x); }))
    throw Error("the drive of joint '" + name_ + "' has a number that is not finite");
  if (drive.stiffness < 0 || drive.damping < 0 || drive.dryFriction < 0 || drive.viscousFriction < 0)
    throw Error("the drive of joint '" + name_ + "' has a negative gain or friction");
  if (!(drive.minEffort <= drive.maxEffort))
    throw Error("the drive of joint '" + name_ + "' has its lower effort limit above its upper one");
  drive_ = drive;
}

double AxisDrive::effortAt(double velocity, double h) const {
  return drive_.stiffness * (drive_.target - startPosition_ - h * velocity) +
         drive_.damping * (drive_.targetVelocity - velocity) + drive_.feedforward;
}

void AxisDrive::command(Law law, double stiffness, double damping, double command) {
  law_ = law;
  const auto type = law == Law::servo ? dyn::Joint::SERVO : dyn::Joint::FORCE;
  if (joint_->getActuatorType() != type) joint_->setActuatorType(type);
  // Only positions tell DART that the inertia with its implicit part is out of date.
  if (joint_->getSpringStiffness(0) != stiffness || joint_->getDampingCoefficient(0) != damping)
    joint_->getChildBodyNode()->dirtyArticulatedInertia();
  joint_->setSpringStiffness(0, stiffness);
  joint_->setDampingCoefficient(0, damping);
  joint_->setRestPosition(0, drive_.target);
  joint_->setCoulombFriction(0, drive_.dryFriction);
  joint_->setCommand(0, command);
}

/// The speed at which the drive's effort would be zero. A motor that goes to its target anyway finds by itself the
/// effort that feedforward is for. DART wants limits around 0.
void AxisDrive::servo(double h) {
  const bool finds = kind_ == DartSettings::Drives::servo && drive_.stiffness > 0;
  const double effort = effortAt(0, h) - (finds ? drive_.feedforward : 0);
  joint_->setForceLowerLimit(0, std::min(0.0, drive_.minEffort));
  joint_->setForceUpperLimit(0, std::max(0.0, drive_.maxEffort));
  command(Law::servo, 0, drive_.viscousFriction, effort / (h * drive_.stiffness + drive_.damping));
}

void AxisDrive::prepare(double h) {
  impulse = {};
  startPosition_ = joint_->getPosition(0);
  const double slope = h * drive_.stiffness + drive_.damping;
  const double unbounded = std::numeric_limits<double>::infinity();
  if (slope == 0) {
    constant_ = std::clamp(drive_.feedforward, drive_.minEffort, drive_.maxEffort);
    joint_->setForceLowerLimit(0, -unbounded);
    joint_->setForceUpperLimit(0, unbounded);
    command(Law::constant, 0, drive_.viscousFriction, constant_);
  } else if (kind_ == DartSettings::Drives::servo) {
    servo(h);
  } else {
    joint_->setForceLowerLimit(0, -unbounded);
    joint_->setForceUpperLimit(0, unbounded);
    command(Law::spring, drive_.stiffness, drive_.damping + drive_.viscousFriction,
            drive_.feedforward + drive_.damping * drive_.targetVelocity);
  }
}

bool AxisDrive::limited() const {
  return law_ == Law::spring && (std::isfinite(drive_.minEffort) || std::isfinite(drive_.maxEffort));
}

bool AxisDrive::saturate(double h) {
  if (!limited()) return false;
  const double effort = effortAt(joint_->getVelocity(0) + h * joint_->getAcceleration(0), h);
  const double within = std::clamp(effort, drive_.minEffort, drive_.maxEffort);
  if (within == effort) return false;
  if (drive_.minEffort > 0 || drive_.maxEffort < 0) {
    constant_ = within;
    command(Law::constant, 0, drive_.viscousFriction, constant_);
  } else {
    servo(h);
  }
  return true;
}

void AxisDrive::finish(double h) {
  switch (law_) {
    case Law::spring:
      effort_ = effortAt(freeVelocity_, h);
      break;
    case Law::constant:
      effort_ = constant_;
      break;
    case Law::servo:
      effort_ = impulse.servo / h;
      break;
  }
  stop_ = impulse.stop / h;
  friction_ = impulse.friction / h;
}

JointState AxisDrive::state() const { return {joint_->getPosition(0), joint_->getVelocity(0), effort_, stop_}; }

void AxisDrive::save(ByteWriter& out) const {
  static_assert(sizeof(JointDrive) == 9 * sizeof(double), "no padding");
  for (const double number : {joint_->getPosition(0), joint_->getVelocity(0), effort_, stop_, friction_})
    out.put(number);
  out.put(drive_);
}

void AxisDrive::restore(ByteReader& in) {
  joint_->setPosition(0, in.get<double>());
  joint_->setVelocity(0, in.get<double>());
  for (double* number : {&effort_, &stop_, &friction_}) in.get(*number);
  in.get(drive_);
}

}  // namespace mortise::dart
