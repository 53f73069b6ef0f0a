#include "remote/motor_message.h"

#include <algorithm>

namespace mortise::remote {

namespace {

using Mode = ActuatorCommand::Mode;

std::string_view modeName(Mode mode) {
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

Mode commonMode(const Robot& robot, std::span<const ActuatorCommand> commands) {
  Mode common = Mode::off;
  int first = -1;
  for (int i = 0; i < robot.numDrivers(); ++i) {
    // A motor that is off is one without torque.
    const Mode mode = commands[i].mode == Mode::off ? Mode::torque : commands[i].mode;
    if (first < 0) {
      common = mode;
      first = i;
    } else if (mode != common) {
      throw Error("driver '" + robot.driver(first).name + "' is " + std::string(modeName(commands[first].mode)) +
                      " while '" + robot.driver(i).name + "' is " + std::string(modeName(commands[i].mode)) +
                      ": the protocol has one way for all drivers at a time",
                  {}, "choose a controller that drives all of them alike");
    }
  }
  return common;
}

void setDriverRate(const Robot& robot, int index, double rate, std::vector<double>& dq) {
  const Driver& driver = robot.driver(index);
  if (driver.type != DriverType::affine)
    dq[driver.links[0]] = rate;
  else
    for (std::size_t k = 0; k < driver.links.size(); ++k) dq[driver.links[k]] = driver.scale[k] * rate;
}

void setDriverPosition(const Robot& robot, int index, double value, std::vector<double>& q) {
  const Driver& driver = robot.driver(index);
  if (driver.type != DriverType::affine)
    q[driver.links[0]] = value;
  else
    for (std::size_t k = 0; k < driver.links.size(); ++k)
      q[driver.links[k]] = driver.offset[k] + driver.scale[k] * value;
}

}  // namespace

void toMessage(const Robot& robot, std::span<const ActuatorCommand> commands, const VectorXd& q, double duration,
               RobotCommand& out) {
  out.q.clear();
  out.dq.clear();
  out.torque.clear();
  out.duration = 0;
  out.empty = false;
  out.setting.reset();
  const Mode mode = commonMode(robot, commands);
  const auto isZero = [](double x) { return x == 0; };
  if (mode == Mode::pid || mode == Mode::velocity) {
    out.dq.resize(robot.numLinks(), 0.0);
    for (int i = 0; i < robot.numDrivers(); ++i) setDriverRate(robot, i, commands[i].velocity, out.dq);
  }
  if (mode == Mode::velocity) {
    out.type = RobotCommand::Type::velocity;
    out.duration = duration;
    return;
  }
  for (int i = 0; i < robot.numDrivers(); ++i)
    out.torque.push_back(commands[i].mode == Mode::off ? 0.0 : commands[i].torque);
  out.type = RobotCommand::Type::torque;
  if (mode != Mode::pid) return;
  out.type = RobotCommand::Type::position;
  out.q.assign(q.begin(), q.end());
  for (int i = 0; i < robot.numDrivers(); ++i) setDriverPosition(robot, i, commands[i].position, out.q);
  if (std::all_of(out.dq.begin(), out.dq.end(), isZero)) out.dq.clear();
  if (std::all_of(out.torque.begin(), out.torque.end(), isZero)) out.torque.clear();
}

}  // namespace mortise::remote
