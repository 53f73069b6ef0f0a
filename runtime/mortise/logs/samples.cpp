#include "mortise/logs/samples.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace mortise::logs {

namespace {

/// The nearest multiple of a power of two; zero has no sign.
float rounded(double value, double unit) { return static_cast<float>(std::nearbyint(value / unit) * unit + 0.0); }

void putRounded(std::span<float> out, std::size_t at, const Vector3d& v, double unit) {
  for (std::size_t i = 0; i < 3; ++i) out[at + i] = rounded(v[static_cast<Eigen::Index>(i)], unit);
}

constexpr double kFinestReading = 0x1p-40;

/// Returns the unit that a force is rounded to, by its largest component.
double forceUnit(const Vector3d& force) {
  int exponent = 0;
  std::frexp(force.lpNorm<Eigen::Infinity>(), &exponent);
  return std::ldexp(1.0, std::max(exponent - 22, -40));
}

void putVector(std::span<float> out, std::size_t at, const Vector3d& v) {
  for (std::size_t i = 0; i < 3; ++i) out[at + i] = static_cast<float>(v[static_cast<Eigen::Index>(i)]);
}

std::string robotPrefix(const World& world, const WorldRobot& robot) {
  return world.robots.size() > 1 ? robot.name + "/" : "";
}

}  // namespace

const std::vector<std::string>& contactColumns() {
  static const std::vector<std::string> columns = {"a",  "b",  "x",     "y",  "z",  "nx",
                                                   "ny", "nz", "depth", "fx", "fy", "fz"};
  return columns;
}

std::vector<std::string> torqueColumns(const World& world) {
  std::vector<std::string> names;
  for (const WorldRobot& robot : world.robots)
    for (int d = 0; d < robot.robot->numDrivers(); ++d)
      names.push_back(robotPrefix(world, robot) + robot.robot->driver(d).name);
  return names;
}

std::vector<std::string> commandColumns(const World& world) {
  std::vector<std::string> names;
  for (const std::string& driver : torqueColumns(world))
    for (const char* what : {".position", ".velocity", ".torque"}) names.push_back(driver + what);
  return names;
}

std::vector<std::string> jointNames(const World& world) {
  std::vector<std::string> names;
  for (const WorldRobot& robot : world.robots)
    for (int l = 0; l < robot.robot->numLinks(); ++l)
      names.push_back(robotPrefix(world, robot) + robot.robot->link(l).name);
  return names;
}

void stateSample(const SimulationView& view, std::span<float> out) {
  std::size_t at = 0;
  for (const RobotView& robot : view.robots)
    for (Eigen::Index i = 0; i < robot.state->q.size(); ++i) out[at++] = static_cast<float>(robot.state->q[i]);
  for (const BodyState& body : view.objects) {
    putVector(out, at, body.X_WB.p);
    const Eigen::Quaterniond q(body.X_WB.R);
    at += 3;
    for (const double part : {q.x(), q.y(), q.z(), q.w()}) out[at++] = static_cast<float>(part);
  }
}

void torqueSample(const SimulationView& view, std::span<float> out) {
  std::size_t at = 0;
  for (const RobotView& robot : view.robots)
    for (const double torque : robot.driverTorques) out[at++] = static_cast<float>(torque);
}

void commandSample(const SimulationView& view, std::span<float> out) {
  using Mode = ActuatorCommand::Mode;
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  // A view of what does not move has no commands.
  std::fill(out.begin(), out.end(), kNone);
  std::size_t at = 0;
  for (const RobotView& robot : view.robots)
    for (const ActuatorCommand& command : robot.commands) {
      const bool led = command.mode == Mode::pid;
      out[at++] = led ? static_cast<float>(command.position) : kNone;
      out[at++] = led || command.mode == Mode::velocity ? static_cast<float>(command.velocity) : kNone;
      out[at++] = led || command.mode == Mode::torque ? static_cast<float>(command.torque) : kNone;
    }
}

void contactSample(const ContactForce& contact, std::span<float> out) {
  out[0] = static_cast<float>(contact.idA);
  out[1] = static_cast<float>(contact.idB);
  putRounded(out, 2, contact.point, 0x1p-26);
  putRounded(out, 5, contact.normal, 0x1p-24);
  out[8] = rounded(contact.depth, 0x1p-30);
  putRounded(out, 9, contact.force, forceUnit(contact.force));
}

void sensorSample(std::span<const double> values, std::span<float> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    // Single precision is no finer from here on.
    const bool coarse = !(std::abs(values[i]) < kFinestReading * 0x1p23);
    out[i] = coarse ? static_cast<float>(values[i]) : rounded(values[i], kFinestReading);
  }
}

}  // namespace mortise::logs
