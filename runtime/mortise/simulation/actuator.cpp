#include "mortise/simulation/actuator.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace mortise {

namespace {

/// Damping of a motor that is told to keep a velocity whatever the load, N*m*s: far above any real gain, so only the
/// torque limit counts.
constexpr double kVelocityLockDamping = 1e8;

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

}  // namespace

double driverDifference(const Robot& robot, int index, double a, double b) {
  const Driver& driver = robot.driver(index);
  const double difference = a - b;
  if (driver.type != DriverType::normal) return difference;
  const Link& link = robot.link(driver.links[0]);
  constexpr double kTurn = 2 * std::numbers::pi;
  if (link.motion != LinkMotion::revolute || link.qMax - link.qMin < kTurn) return difference;
  return std::remainder(difference, kTurn);
}

ActuatorBank::ActuatorBank(const Robot& robot, const RobotScene& place)
    : robot_(robot),
      place_(place),
      commands_(robot.numDrivers()),
      integral_(robot.numDrivers(), 0.0),
      torques_(robot.numDrivers(), 0.0) {
  for (const Driver& driver : robot.drivers())
    if (!drivable(driver, place))
      unsupported_.push_back("driver '" + driver.name + "' of type " + std::string(driverTypeName(driver.type)) +
                             " is left without force in simulation");
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
  }
}

void ActuatorBank::update(const VectorXd& q, const VectorXd& dq, double dt, std::span<JointDrive> drives) {
  for (int i = 0; i < robot_.numDrivers(); ++i)
    if (drivable(robot_.driver(i), place_)) driveLinks(i, dt, q, dq, drives);
}

/// Each link of a driver gets the driver's own gains. Along the driver's direction the links together then feel exactly
/// the driver's gains (sum s_i^2 kP against the torque t s_i on each), and across it they are held together by the same
/// spring.
void ActuatorBank::driveLinks(int index, double dt, const VectorXd& q, const VectorXd& dq,
                              std::span<JointDrive> drives) {
  const Driver& driver = robot_.driver(index);
  const ActuatorCommand& command = commands_[index];
  const double value = driverValue(robot_, index, q);
  double error = 0;
  double feedforward = 0;
  if (command.mode == ActuatorCommand::Mode::pid) {
    error = driverDifference(robot_, index, command.position, value);
    feedforward = command.torque;
    if (command.kI > 0) {
      integral_[index] += error * dt;
      const double limit = std::max(std::abs(driver.torqueMin), std::abs(driver.torqueMax)) / command.kI;
      integral_[index] = std::clamp(integral_[index], -limit, limit);
      feedforward += command.kI * integral_[index];
    }
  } else if (command.mode == ActuatorCommand::Mode::torque) {
    feedforward = std::clamp(command.torque, driver.torqueMin, driver.torqueMax);
  }

  for (std::size_t k = 0; k < numDriven(driver); ++k) {
    const RobotScene::LinkPlace& at = place_.links[driver.links[k]];
    if (at.joint < 0) continue;  // Welded.
    const double s = linkScale(driver, k);
    const double o = linkOffset(driver, k);
    const double w = at.axisScale;  // Joint coordinate = w * q, joint effort = torque / w.
    JointDrive& drive = drives[at.joint];
    drive = JointDrive();
    drive.dryFriction = driver.dryFriction * std::abs(s) / w;
    drive.viscousFriction = driver.viscousFriction * s * s / (w * w);
    const double torqueA = driver.torqueMin * s / w;
    const double torqueB = driver.torqueMax * s / w;
    drive.minEffort = std::min(torqueA, torqueB);
    drive.maxEffort = std::max(torqueA, torqueB);
    drive.feedforward = feedforward * s / w;
    switch (command.mode) {
      case ActuatorCommand::Mode::off:
        break;
      case ActuatorCommand::Mode::pid:
        drive.stiffness = command.kP / (w * w);
        drive.damping = command.kD / (w * w);
        drive.target = w * (o + s * (value + error));
        drive.targetVelocity = w * s * command.velocity;
        break;
      case ActuatorCommand::Mode::torque:
        if (numDriven(driver) > 1) {  // Keep coupled links together; Klamp't uses a quarter of the servo gain.
          drive.stiffness = 0.25 * driver.servoP / (w * w);
          drive.damping = 0.001 * driver.servoP / (w * w);
          drive.target = w * (o + s * value);
          drive.targetVelocity = w * s * driverVelocity(robot_, index, dq);
          drive.minEffort = -10 * std::abs(driver.torqueMax * s / w);
          drive.maxEffort = -drive.minEffort;
        }
        break;
      case ActuatorCommand::Mode::velocity:
        drive.damping = kVelocityLockDamping;
        drive.targetVelocity = w * s * command.velocity;
        break;
    }
  }
}

void ActuatorBank::readTorques(std::span<const JointState> joints) {
  for (int i = 0; i < robot_.numDrivers(); ++i) {
    const Driver& driver = robot_.driver(i);
    if (!drivable(driver, place_)) continue;
    double sum = 0;
    int count = 0;
    for (std::size_t k = 0; k < numDriven(driver); ++k) {
      const RobotScene::LinkPlace& at = place_.links[driver.links[k]];
      const double s = linkScale(driver, k);
      if (at.joint < 0 || s == 0) continue;
      sum += joints[at.joint].effort * at.axisScale / s;
      ++count;
    }
    torques_[i] = count > 0 ? sum / count : 0;
  }
}

void ActuatorBank::save(ByteWriter& out) const {
  for (const ActuatorCommand& c : commands_) {
    out.put(static_cast<int>(c.mode));
    for (double v : {c.kP, c.kI, c.kD, c.position, c.velocity, c.torque}) out.put(v);
  }
  out.put(std::span<const double>(integral_));
  out.put(std::span<const double>(torques_));
}

void ActuatorBank::restore(ByteReader& in) {
  for (ActuatorCommand& c : commands_) {
    c.mode = static_cast<ActuatorCommand::Mode>(in.get<int>());
    for (double* v : {&c.kP, &c.kI, &c.kD, &c.position, &c.velocity, &c.torque}) in.get(*v);
  }
  in.get(std::span<double>(integral_));
  in.get(std::span<double>(torques_));
}

}  // namespace mortise
