#include "mortise/simulation/actuation/actuator.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mortise/math/constants.h"

namespace mortise {

namespace {

/// Damping of a motor that is told to keep a velocity whatever the load, N*m*s: far above any real gain, so only the
/// torque limit counts.
constexpr double kVelocityLockDamping = 1e8;

/// Fraction of a limit from which on it counts as reached: engines solve to some tolerance.
constexpr double kAtLimit = 0.999;

/// Klamp't's coupling of the links of an affine driver, against its servoP and its torque limit.
constexpr double kCouplingStiffness = 0.25;
constexpr double kCouplingDamping = 0.001;  // s
constexpr double kCouplingLimit = 10;

/// Links that a driver's torque acts on as a joint torque. A translation or rotation driver pushes a body along the
/// axis of a virtual link, which is what a torque on that link's own joint does.
std::size_t numDriven(const Driver& driver) { return driver.type == DriverType::affine ? driver.links.size() : 1; }

/// False for drivers of a floating base: its coordinates have no joints to put a torque on.
bool drivable(const Driver& driver, const RobotScene& place) {
  if (driver.type == DriverType::normal || driver.type == DriverType::affine) return true;
  return place.links[driver.links[0]].joint >= 0;
}

double linkScale(const Driver& driver, std::size_t k) {
  return driver.type == DriverType::affine ? driver.scale[k] : 1.0;
}

double linkOffset(const Driver& driver, std::size_t k) {
  return driver.type == DriverType::affine ? driver.offset[k] : 0.0;
}

/// Least-squares driver value of link coordinates `x`: the part of x - offset along the scales. `withOffset` false: of
/// rates.
double along(const Driver& driver, const VectorXd& x, bool withOffset) {
  double sum = 0, square = 0;
  for (std::size_t k = 0; k < numDriven(driver); ++k) {
    const double s = linkScale(driver, k);
    sum += s * (x[driver.links[k]] - (withOffset ? linkOffset(driver, k) : 0.0));
    square += s * s;
  }
  return square > 0 ? sum / square : 0;
}

void requireFinite(double value) {
  if (!std::isfinite(value)) throw Error("the snapshot has a motor with a number that is not finite");
}

double finiteNumber(ByteReader& in) {
  const double value = in.get<double>();
  requireFinite(value);
  return value;
}

}  // namespace

double driverDifference(const Robot& robot, int index, double a, double b) {
  const Driver& driver = robot.driver(index);
  const double difference = a - b;
  if (driver.type != DriverType::normal) return difference;
  const Link& link = robot.link(driver.links[0]);
  if (link.motion != LinkMotion::revolute || link.qMax - link.qMin < kTurn) return difference;
  return std::remainder(difference, kTurn);
}

ActuatorBank::ActuatorBank(const Robot& robot, const RobotScene& place, const ActuatorLimits& limits)
    : robot_(robot),
      place_(place),
      limits_(limits),
      powerLimits_(robot.numDrivers(), kInfinity),
      motors_(robot.numDrivers()),
      commands_(robot.numDrivers()),
      integral_(robot.numDrivers(), 0.0),
      torques_(robot.numDrivers(), 0.0),
      limited_(robot.numDrivers(), 0),
      pace_(robot.numDrivers(), Pace{}) {
  for (const Driver& driver : robot.drivers())
    if (!drivable(driver, place))
      unsupported_.push_back("driver '" + driver.name + "' of type " + std::string(driverTypeName(driver.type)) +
                             " is left without force in simulation");
  for (int i = 0; i < robot.numDrivers(); ++i) {
    const Driver& driver = robot.driver(i);
    torqueLimits_.push_back(limits.torque ? Effort{driver.torqueMin, driver.torqueMax} : Effort{-kInfinity, kInfinity});
    // A torque t at a rate v is t * scale at scale * v for each link.
    for (std::size_t k = 0; limits.power && k < numDriven(driver); ++k)
      if (const double s = linkScale(driver, k); s != 0)
        powerLimits_[i] = std::min(powerLimits_[i], robot.link(driver.links[k]).powerMax / (s * s));
  }
  reset();
}

void ActuatorBank::reset() {
  for (int i = 0; i < robot_.numDrivers(); ++i) {
    const Driver& driver = robot_.driver(i);
    commands_[i] = ActuatorCommand();
    commands_[i].kP = driver.servoP;
    commands_[i].kI = driver.servoI;
    commands_[i].kD = driver.servoD;
    integral_[i] = 0;
    torques_[i] = 0;
    limited_[i] = 0;
    pace_[i] = {};
  }
}

void ActuatorBank::update(const VectorXd& q, const VectorXd& dq, double dt, std::span<JointDrive> drives) {
  for (int i = 0; i < robot_.numDrivers(); ++i)
    if (drivable(robot_.driver(i), place_)) driveLinks(i, dt, q, dq, drives);
}

void ActuatorBank::driveLinks(int index, double dt, const VectorXd& q, const VectorXd& dq,
                              std::span<JointDrive> drives) {
  const Driver& driver = robot_.driver(index);
  const ActuatorCommand& command = commands_[index];
  const Effort torqueLimits = torqueLimits_[index];
  const bool pid = command.mode == ActuatorCommand::Mode::pid;
  const bool locked = command.mode == ActuatorCommand::Mode::velocity;
  const bool coupled = numDriven(driver) > 1;
  const double value = driverValue(robot_, index, q);
  const double rateNow = coupled ? along(driver, dq, false) : dq[driver.links[0]];
  double targetRate = command.velocity;
  if (locked && limits_.velocity && driver.velocityMin <= driver.velocityMax)
    targetRate = std::clamp(targetRate, driver.velocityMin, driver.velocityMax);
  double error = 0;
  double feedforward = 0;
  if (pid) {
    error = driverDifference(robot_, index, command.position, value);
    feedforward = command.torque;
    if (command.kI > 0) {
      integral_[index] += error * dt;
      const double limit = std::max(std::abs(driver.torqueMin), std::abs(driver.torqueMax)) / command.kI;
      integral_[index] = std::clamp(integral_[index], -limit, limit);
      feedforward += command.kI * integral_[index];
    }
  } else if (command.mode == ActuatorCommand::Mode::torque) {
    feedforward = std::clamp(command.torque, torqueLimits.min, torqueLimits.max);
  }

  const double rate = coupled ? expectedRate(index, rateNow) : 0;
  LimitedDrive law;
  law.minEffort = torqueLimits.min;
  law.maxEffort = torqueLimits.max;
  MotorAnswer motor;
  if (limits_.velocity || limits_.power || motors_[index] != nullptr) {
    // The command's effort at the rate now and its slope over the rate at the end of the step.
    double asked = feedforward, slope = 0;
    if (pid) {
      slope = command.kP * dt + command.kD;
      asked += command.kP * (error - dt * rateNow) + command.kD * (targetRate - rateNow);
    } else if (locked) {
      slope = kVelocityLockDamping;
      asked = slope * (targetRate - rateNow);
    }
    const DriveLimits limits = limitsOf(index, asked, feedforward, rateNow, dt, motor);
    // Locked links that go together keep each to its speed, with the effort that there will be.
    law = coupled && locked ? limitDrive(0, slope, rate, limits) : limitDrive(asked, slope, rateNow, limits);
  }

  if (coupled && pid && limited_[index]) limited_[index] = !withinLimits(index, q, dq, error, feedforward);
  if (!pid) limited_[index] = 0;

  for (std::size_t k = 0; k < numDriven(driver); ++k) {
    const RobotScene::LinkPlace& at = place_.links[driver.links[k]];
    if (at.joint < 0) continue;  // Welded.
    const double s = linkScale(driver, k);
    const double o = linkOffset(driver, k);
    const double w = at.axisScale;  // Joint coordinate = w * q, joint effort = torque / w.
    JointDrive& drive = drives[at.joint];
    drive = JointDrive();
    drive.dryFriction = (driver.dryFriction + motor.dryFriction) * std::abs(s) / w;
    drive.viscousFriction = (driver.viscousFriction + motor.viscousFriction) * s * s / (w * w);
    const double torqueA = law.minEffort * s / w;
    const double torqueB = law.maxEffort * s / w;
    drive.minEffort = std::min(torqueA, torqueB);
    drive.maxEffort = std::max(torqueA, torqueB);
    drive.feedforward = feedforward * s / w;
    if (law.limited) {
      drive.damping = law.slope / (w * w);
      drive.targetVelocity = w * s * rateNow;
      drive.feedforward = law.effort * s / w;
    } else if (pid) {
      drive.stiffness = command.kP / (w * w);
      drive.damping = command.kD / (w * w);
      drive.target = w * (o + s * (value + error));
      drive.targetVelocity = w * s * command.velocity;
    } else if (locked) {
      drive.damping = kVelocityLockDamping;
      drive.targetVelocity = w * s * targetRate;
      // Links that drifted apart meet again within some steps.
      if (coupled) drive.targetVelocity += w * (o + s * along(driver, q, true) - q[driver.links[k]]) / (10 * dt);
    }
  }
  if (!coupled || locked || (pid && !limited_[index] && !law.limited)) return;
  double torque = feedforward;
  if (law.limited)
    torque = law.effort;
  else if (pid)
    torque += command.kP * error + command.kD * (command.velocity - rateNow);
  driveTogether(index, std::clamp(torque, law.minEffort, law.maxEffort), law.limited ? law.slope : 0, rateNow, rate, dt,
                q, drives);
}

/// Returns the limits of the driver, its command and its motor; `friction` gets what the motor answers.
DriveLimits ActuatorBank::limitsOf(int index, double asked, double feedforward, double rate, double dt,
                                   MotorAnswer& friction) const {
  const Driver& driver = robot_.driver(index);
  DriveLimits limits;
  limits.minEffort = torqueLimits_[index].min;
  limits.maxEffort = torqueLimits_[index].max;
  if (limits_.velocity) {
    limits.minVelocity = driver.velocityMin;
    limits.maxVelocity = driver.velocityMax;
  }
  limits.power = powerLimits_[index];
  MotorModel* motor = motors_[index].get();
  if (motor == nullptr) return limits;
  const MotorAnswer answer = motor->answer({rate, dt, asked, feedforward, limits.minEffort, limits.maxEffort});
  bool sound = !std::isnan(answer.minEffort) && !std::isnan(answer.maxEffort);
  for (const double number : {answer.minSlope, answer.maxSlope, answer.dryFriction, answer.viscousFriction})
    sound = sound && number >= 0 && std::isfinite(number);
  if (!sound)
    throw Error("the motor '" + std::string(motor->type()) + "' of driver '" + driver.name +
                "' answers with a number that is impossible");
  limits.motorMin = answer.minEffort;
  limits.motorMax = answer.maxEffort;
  limits.motorMinSlope = answer.minSlope;
  limits.motorMaxSlope = answer.maxSlope;
  friction = answer;
  return limits;
}

/// The driver's rate after the next step if it keeps accelerating: the lesser of the last two changes, if they
/// have one sign. With less, the implicit coupling would act as inertia; with more, it would carry impacts on.
double ActuatorBank::expectedRate(int index, double rate) {
  Pace& pace = pace_[index];
  const double change = rate - pace.rate;
  double ahead = 0;
  if (change * pace.change > 0) ahead = std::abs(change) < std::abs(pace.change) ? change : pace.change;
  pace = {rate, change};
  return rate + ahead;
}

/// Torque along the scales, less by `slope` for each unit that the step adds to `rateNow`; spring and damper across
/// them.
void ActuatorBank::driveTogether(int index, double torque, double slope, double rateNow, double rate, double dt,
                                 const VectorXd& q, std::span<JointDrive> drives) const {
  const Driver& driver = robot_.driver(index);
  const double value = along(driver, q, true);
  const double limit = kCouplingLimit * std::max(std::abs(driver.torqueMin), std::abs(driver.torqueMax));
  for (std::size_t k = 0; k < numDriven(driver); ++k) {
    const RobotScene::LinkPlace& at = place_.links[driver.links[k]];
    if (at.joint < 0) continue;
    const double s = linkScale(driver, k);
    const double w = at.axisScale;
    JointDrive& drive = drives[at.joint];
    drive.stiffness = kCouplingStiffness * driver.servoP / (w * w);
    drive.damping = kCouplingDamping * driver.servoP / (w * w);
    // Where the links go together anyway: the implicit spring then resists only what is across.
    drive.target = w * (linkOffset(driver, k) + s * (value + dt * rate));
    drive.targetVelocity = w * s * rate;
    if (slope > 0) {
      const double more = slope / (w * w);
      drive.targetVelocity = w * s * (drive.damping * rate + more * rateNow) / (drive.damping + more);
      drive.damping += more;
    }
    drive.feedforward = torque * s / w;
    drive.minEffort = -limit / w;
    drive.maxEffort = limit / w;
  }
}

/// Says whether the PID of every link, from the state now, stays within the limits.
bool ActuatorBank::withinLimits(int index, const VectorXd& q, const VectorXd& dq, double error,
                                double feedforward) const {
  const Driver& driver = robot_.driver(index);
  const ActuatorCommand& command = commands_[index];
  const double value = driverValue(robot_, index, q);
  for (std::size_t k = 0; k < numDriven(driver); ++k) {
    const int link = driver.links[k];
    const double s = linkScale(driver, k);
    const double torque = command.kP * (linkOffset(driver, k) + s * (value + error) - q[link]) +
                          command.kD * (s * command.velocity - dq[link]) + s * feedforward;
    const double a = torqueLimits_[index].min * s, b = torqueLimits_[index].max * s;
    if (torque < std::min(a, b) || torque > std::max(a, b)) return false;
  }
  return true;
}

void ActuatorBank::readTorques(std::span<const JointState> joints) {
  for (int i = 0; i < robot_.numDrivers(); ++i) {
    const Driver& driver = robot_.driver(i);
    if (!drivable(driver, place_)) continue;
    double sum = 0, square = 0;
    bool atLimit = false;
    for (std::size_t k = 0; k < numDriven(driver); ++k) {
      const RobotScene::LinkPlace& at = place_.links[driver.links[k]];
      if (at.joint < 0) continue;
      const double s = linkScale(driver, k);
      const double torque = joints[at.joint].effort * at.axisScale;
      sum += torque * s;
      square += s * s;
      const double limit = torque * s > 0 ? torqueLimits_[i].max : -torqueLimits_[i].min;
      atLimit = atLimit || (torque != 0 && std::abs(torque) >= kAtLimit * std::abs(s) * limit);
    }
    torques_[i] = square > 0 ? sum / square : 0;  // The coupling across the scales drops out.
    if (numDriven(driver) > 1 && commands_[i].mode == ActuatorCommand::Mode::pid && atLimit) limited_[i] = 1;
  }
}

void ActuatorBank::save(ByteWriter& out) const {
  for (const ActuatorCommand& c : commands_) {
    out.put(static_cast<int>(c.mode));
    for (double v : {c.kP, c.kI, c.kD, c.position, c.velocity, c.torque}) out.put(v);
  }
  out.put(std::span<const double>(integral_));
  out.put(std::span<const double>(torques_));
  for (const unsigned char limited : limited_) out.put(limited);
  for (const Pace& pace : pace_) out.put(pace);
}

void ActuatorBank::restore(ByteReader& in) {
  for (ActuatorCommand& c : commands_) {
    const int mode = in.get<int>();
    if (mode < static_cast<int>(ActuatorCommand::Mode::off) || mode > static_cast<int>(ActuatorCommand::Mode::velocity))
      throw Error("the snapshot has a motor in mode " + std::to_string(mode) + ", which there is not");
    c.mode = static_cast<ActuatorCommand::Mode>(mode);
    for (double* v : {&c.kP, &c.kI, &c.kD, &c.position, &c.velocity, &c.torque}) *v = finiteNumber(in);
  }
  in.get(std::span<double>(integral_));
  for (const double integral : integral_) requireFinite(integral);
  in.get(std::span<double>(torques_));
  for (unsigned char& limited : limited_) limited = in.get<unsigned char>() != 0;
  for (Pace& pace : pace_) {
    pace.rate = finiteNumber(in);
    pace.change = finiteNumber(in);
  }
}

}  // namespace mortise
