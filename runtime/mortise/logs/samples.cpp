#include "mortise/logs/samples.h"

#include <Eigen/Geometry>

namespace mortise::logs {

namespace {

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

void contactSample(const ContactForce& contact, std::span<float> out) {
  out[0] = static_cast<float>(contact.idA);
  out[1] = static_cast<float>(contact.idB);
  putVector(out, 2, contact.point);
  putVector(out, 5, contact.normal);
  out[8] = static_cast<float>(contact.depth);
  putVector(out, 9, contact.force);
}

}  // namespace mortise::logs
