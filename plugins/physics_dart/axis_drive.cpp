#include "axis_drive.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mortise/base/error.h"

namespace mortise::dart {

namespace {

/// Part of a limit below which a drive at it is let go, so that rounding does not toss it to and fro.
constexpr double kWithin = 1e-9;

}  // namespace

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
  const double effort = effortAt(0, h) - (drive_.stiffness > 0 ? drive_.feedforward : 0);
  joint_->setForceLowerLimit(0, std::min(0.0, drive_.minEffort));
  joint_->setForceUpperLimit(0, std::max(0.0, drive_.maxEffort));
  command(Law::servo, 0, drive_.viscousFriction, effort / (h * drive_.stiffness + drive_.damping));
}

void AxisDrive::prepare(double h) {
  impulse = {};
  startPosition_ = joint_->getPosition(0);
  const double limit = piece_ == Piece::high ? drive_.maxEffort : drive_.minEffort;
  if (!limited() || !std::isfinite(limit)) piece_ = Piece::linear;
  const bool gains = h * drive_.stiffness + drive_.damping > 0;
  if (gains && kind_ == DartSettings::Drives::servo) return servo(h);
  const double unbounded = std::numeric_limits<double>::infinity();
  joint_->setForceLowerLimit(0, -unbounded);
  joint_->setForceUpperLimit(0, unbounded);
  if (gains && piece_ == Piece::linear)
    return command(Law::spring, drive_.stiffness, drive_.damping + drive_.viscousFriction,
                   drive_.feedforward + drive_.damping * drive_.targetVelocity);
  constant_ = gains ? limit : std::clamp(drive_.feedforward, drive_.minEffort, drive_.maxEffort);
  command(Law::constant, 0, drive_.viscousFriction, constant_);
}

bool AxisDrive::limited() const {
  return kind_ == DartSettings::Drives::spring && (drive_.stiffness > 0 || drive_.damping > 0) &&
         (std::isfinite(drive_.minEffort) || std::isfinite(drive_.maxEffort));
}

bool AxisDrive::follow(double h, bool release) {
  if (!limited()) return false;
  const double effort = effortAt(joint_->getVelocity(0), h);
  const auto inside = [](double limit) { return kWithin * (1 + std::abs(limit)); };
  Piece next = piece_;
  if (piece_ == Piece::linear)
    next = effort > drive_.maxEffort ? Piece::high : effort < drive_.minEffort ? Piece::low : Piece::linear;
  else if (release && (piece_ == Piece::high ? effort < drive_.maxEffort - inside(drive_.maxEffort)
                                             : effort > drive_.minEffort + inside(drive_.minEffort)))
    next = Piece::linear;
  return std::exchange(piece_, next) != next;
}

void AxisDrive::finish(double h) {
  switch (law_) {
    case Law::spring:
      effort_ = effortAt(joint_->getVelocity(0), h);
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
  out.put(piece_);
}

void AxisDrive::restore(ByteReader& in) {
  joint_->setPosition(0, in.get<double>());
  joint_->setVelocity(0, in.get<double>());
  for (double* number : {&effort_, &stop_, &friction_}) in.get(*number);
  in.get(drive_);
  in.get(piece_);
  if (piece_ != Piece::low && piece_ != Piece::linear && piece_ != Piece::high)
    throw Error("the snapshot holds a drive in a state that there is not");
}

}  // namespace mortise::dart
