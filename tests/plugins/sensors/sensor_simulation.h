#pragma once

/// Small worlds whose readings are known in closed form, on each physics backend.

#include <Eigen/Geometry>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "mortise/base/value_text.h"
#include "mortise/simulation/simulation.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise::test {

inline Link linkAt(const std::string& name, int parent, const Vector3d& p, const Vector3d& axis, double mass = 0,
                   const Vector3d& com = Vector3d::Zero(), const Vector3d& inertia = Vector3d::Zero()) {
  Link link;
  link.name = name;
  link.parent = parent;
  link.axis = axis;
  link.X_PL0.p = p;
  link.inertia.mass = mass;
  link.inertia.com = com;
  link.inertia.inertia = inertia.asDiagonal();
  return link;
}

/// A joint without driver: nothing brakes it.
inline void addFree(RobotDescription& robot, Link link, LinkMotion motion = LinkMotion::revolute) {
  link.motion = motion;
  robot.links.push_back(std::move(link));
  robot.joints.push_back({JointType::normal, static_cast<int>(robot.links.size()) - 1, -1});
}

inline void addWelded(RobotDescription& robot, Link link) {
  robot.links.push_back(std::move(link));
  robot.joints.push_back({JointType::weld, static_cast<int>(robot.links.size()) - 1, -1});
}

inline void addDriven(RobotDescription& robot, Link link, LinkMotion motion = LinkMotion::revolute) {
  addFree(robot, std::move(link), motion);
  Driver driver;
  driver.name = robot.links.back().name;
  driver.links = {static_cast<int>(robot.links.size()) - 1};
  driver.servoP = 4000;
  driver.servoD = 200;
  robot.drivers.push_back(driver);
}

/// The six links of a floating base; the last one, "base", has the mass.
inline void addFloatingBase(RobotDescription& robot, double mass, const Vector3d& inertia) {
  const Vector3d axes[] = {Vector3d::UnitX(), Vector3d::UnitY(), Vector3d::UnitZ(),
                           Vector3d::UnitZ(), Vector3d::UnitY(), Vector3d::UnitX()};
  for (int i = 0; i < 6; ++i) {
    Link link = linkAt(i == 5 ? "base" : "virtual" + std::to_string(i), i - 1, Vector3d::Zero(), axes[i]);
    link.motion = i < 3 ? LinkMotion::prismatic : LinkMotion::revolute;
    if (i == 5) {
      link.inertia.mass = mass;
      link.inertia.inertia = inertia.asDiagonal();
    }
    robot.links.push_back(std::move(link));
  }
  robot.joints.push_back({JointType::floating, 5, -1});
}

/// The parameter is the backend's name.
class SensorSimulation : public testing::TestWithParam<std::string> {
 protected:
  /// A robot called "arm" with these coordinates, alone in the world unless more is added before `start`.
  void place(RobotDescription description, const std::vector<double>& q = {}, const std::vector<double>& dq = {}) {
    description.name = "arm";
    WorldRobot robot = placedRobot(std::move(description));
    for (std::size_t i = 0; i < q.size(); ++i) robot.q[i] = q[i];
    for (std::size_t i = 0; i < dq.size(); ++i) robot.dq[i] = dq[i];
    world.robots.push_back(std::move(robot));
  }
  /// `settings` as in YAML.
  void add(const std::string& type, const std::string& name, double rate, const std::string& settings) {
    ComponentOptions sensor;
    sensor.kind = Kind::sensor;
    sensor.type = type;
    sensor.name = name;
    sensor.rate = rate;
    sensor.settings = parseYaml(settings, "test.yaml");
    options.components.push_back(sensor);
  }
  void start() {
    options.backend = GetParam();
    simulation = std::make_unique<Simulation>(world, *registry, nullptr, log, options);
  }
  const SensorReading& reading(const std::string& name) {
    const SensorReading* found = findReading(simulation->view().robots[0].sensors, name);
    if (found == nullptr) throw Error("no sensor " + name);
    return *found;
  }
  Vector3d vector(const std::string& name, int first = 0) {
    const auto values = reading(name).values;
    return {values[first], values[first + 1], values[first + 2]};
  }
  double& q(int link) { return world.robots[0].q[link]; }

  MemoryLog log;
  std::unique_ptr<Registry> registry = makeRegistry(log);
  World world;
  SimulationOptions options;
  std::unique_ptr<Simulation> simulation;
};

/// Within a fraction of the expected vector's length, or of `scale` where that is larger.
inline testing::AssertionResult close(const Vector3d& found, const Vector3d& expected, double fraction,
                                      double scale = 0) {
  const double allowed = fraction * std::max(expected.norm(), scale);
  if ((found - expected).norm() <= allowed) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "found (" << found.transpose() << "), expected (" << expected.transpose()
                                     << "): off by " << (found - expected).norm() << ", allowed " << allowed;
}

}  // namespace mortise::test
