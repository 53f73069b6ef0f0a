#include "mortise/control/command_gate.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"

namespace mortise {

namespace {

using Mode = ActuatorCommand::Mode;

const char* commandText(Mode mode) {
  switch (mode) {
    case Mode::off:
      return "off";
    case Mode::torque:
      return "given a torque";
    case Mode::pid:
      return "servoed";
    case Mode::velocity:
      return "given a velocity";
  }
  return "";
}

/// Motors that are off go with torques: they have none.
bool goTogether(Mode a, Mode b) {
  const auto kind = [](Mode mode) { return mode == Mode::off ? Mode::torque : mode; };
  return kind(a) == kind(b);
}

}  // namespace

CommandGate::CommandGate(const Robot& robot, const HardwareCapabilities& capabilities, std::string place, Warn warn)
    : robot_(robot),
      capabilities_(capabilities),
      place_(std::move(place)),
      warn_(std::move(warn)),
      passed_(static_cast<std::size_t>(robot.numDrivers())),
      warnedLimit_(passed_.size(), 0) {}

std::span<const ActuatorCommand> CommandGate::pass(std::span<const ActuatorCommand> commands) {
  for (int i = 0; i < robot_.numDrivers(); ++i) {
    const ActuatorCommand& asked = commands[static_cast<std::size_t>(i)];
    requireFinite(i, asked);
    requireMode(i, asked);
  }
  if (!capabilities_.mixed) requireOneMode(commands);
  for (int i = 0; i < robot_.numDrivers(); ++i) {
    ActuatorCommand& command = passed_[static_cast<std::size_t>(i)];
    command = commands[static_cast<std::size_t>(i)];
    if (command.mode == Mode::pid) leaveOut(i, command);
    if (!capabilities_.limits) limit(i, command);
  }
  return passed_;
}

void CommandGate::requireFinite(int driver, const ActuatorCommand& command) const {
  for (const double number : {command.position, command.velocity, command.torque, command.kP, command.kI, command.kD})
    if (!std::isfinite(number))
      throw Error("the command for driver '" + robot_.driver(driver).name + "' is not a finite number");
}

void CommandGate::requireMode(int driver, const ActuatorCommand& command) const {
  const bool can = command.mode == Mode::off || (command.mode == Mode::pid && capabilities_.position) ||
                   (command.mode == Mode::velocity && capabilities_.velocity) ||
                   (command.mode == Mode::torque && capabilities_.torque);
  if (can) return;
  throw Error("driver '" + robot_.driver(driver).name + "' is " + commandText(command.mode) + ", which " + place_ +
                  " does not take",
              {},
              std::string("choose a controller whose commands it takes: ") +
                  (capabilities_.position ? "positions " : "") + (capabilities_.velocity ? "velocities " : "") +
                  (capabilities_.torque ? "torques" : ""));
}

void CommandGate::requireOneMode(std::span<const ActuatorCommand> commands) const {
  for (int i = 1; i < robot_.numDrivers(); ++i) {
    const Mode first = commands[0].mode, other = commands[static_cast<std::size_t>(i)].mode;
    if (!goTogether(first, other))
      throw Error("driver '" + robot_.driver(0).name + "' is " + commandText(first) + " while '" +
                      robot_.driver(i).name + "' is " + commandText(other) + ": " + place_ +
                      " takes commands of one kind for all drivers at a time",
                  {}, "choose a controller that drives all of them alike");
  }
}

/// Takes out what a servo of the hardware has no input for.
void CommandGate::leaveOut(int driver, ActuatorCommand& command) {
  const Driver& own = robot_.driver(driver);
  const bool otherGains = command.kP != own.servoP || command.kI != own.servoI || command.kD != own.servoD;
  if (otherGains && !capabilities_.gains) {
    command.kP = own.servoP;
    command.kI = own.servoI;
    command.kD = own.servoD;
    if (!std::exchange(warnedGains_, true))
      warn_("asks for servo gains other than the robot's own, which " + place_ + " does not take; they are left out");
  }
  if (command.torque != 0 && !capabilities_.feedforward) {
    command.torque = 0;
    if (!std::exchange(warnedFeedforward_, true))
      warn_("asks for torques besides those of the servos, which " + place_ + " does not take; they are left out");
  }
}

void CommandGate::limit(int driver, ActuatorCommand& command) {
  const Driver& own = robot_.driver(driver);
  const char* what = nullptr;
  double asked = 0, given = 0;
  const auto keep = [&](const char* quantity, double& value, double min, double max) {
    const double kept = std::max(min, std::min(max, value));
    if (kept == value) return false;
    if (what == nullptr) {
      what = quantity;
      asked = value;
      given = kept;
    }
    value = kept;
    return true;
  };
  if (command.mode == Mode::pid) {
    const double before = command.position;
    // Beyond the limit, the servo must not be pushed on by a velocity either.
    if (keep("position", command.position, own.qMin, own.qMax) && (before - command.position) * command.velocity > 0)
      command.velocity = 0;
  }
  if (command.mode == Mode::pid || command.mode == Mode::velocity)
    keep("velocity", command.velocity, own.velocityMin, own.velocityMax);
  if (command.mode == Mode::pid || command.mode == Mode::torque)
    keep("torque", command.torque, own.torqueMin, own.torqueMax);
  if (what == nullptr) return;
  ++limited_;
  if (std::exchange(warnedLimit_[static_cast<std::size_t>(driver)], 1) == 0)
    warn_("asks driver '" + own.name + "' for a " + what + " of " + formatReal(asked) +
          ", beyond the robot's limits; " + place_ + " gets " + formatReal(given) +
          " (said once a driver, and counted)");
}

}  // namespace mortise
