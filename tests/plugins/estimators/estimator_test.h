#pragma once

#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/component/estimator.h"
#include "tests/support/plugins.h"
#include "tests/support/quiet_host.h"
#include "tests/support/worlds.h"

namespace mortise::test {

/// Sensors whose values a test writes.
struct HandSensors {
  struct Sensor {
    std::string name, type;
    std::vector<std::string> channels;
    std::vector<double> values;
  };
  std::vector<Sensor> sensors;
  std::vector<SensorReading> readings;

  std::vector<double>& add(std::string name, std::string type, std::vector<std::string> channels) {
    sensors.push_back({std::move(name), std::move(type), std::move(channels), {}});
    sensors.back().values.assign(sensors.back().channels.size(), 0.0);
    return sensors.back().values;
  }
  std::span<const SensorReading> view() {
    readings.clear();
    for (const Sensor& s : sensors) readings.push_back({s.name, s.type, s.channels, s.values});
    return readings;
  }
};

class EstimatorTest : public testing::Test {
 protected:
  EstimatorTest() { sensors.sensors.reserve(16); }

  ComponentPtr<Estimator> create(const char* type, const char* settings = "{}") {
    const ComponentInfo& info = registry->require(Kind::estimator, type);
    Diagnostics diagnostics;
    const Value complete = registry->completeSettings(info, parseYaml(settings, "test"), diagnostics);
    diagnostics.throwIfErrors();
    return registry->create<Estimator>(info, complete, host);
  }
  void start(Estimator& estimator, bool simulated = true) {
    estimator.start({*robot, 0.01, q0, sensors.view(), simulated});
    q.resize(robot->numLinks());
    dq.resize(robot->numLinks());
  }
  void read(Estimator& estimator, double time, const RobotState* truth = nullptr) {
    estimator.readSensors({time, 0, readings(), truth});
    estimator.estimate(q, dq);
  }
  std::span<const SensorReading> readings() { return sensors.readings; }
  void use(RobotDescription description) {
    robot = Robot::compile(std::move(description));
    q0 = robot->initialConfiguration();
  }

  MemoryLog log;
  std::unique_ptr<Registry> registry = makeRegistry(log);
  QuietHost host;
  RobotPtr robot = Robot::compile(armDescription(3));
  VectorXd q0 = robot->initialConfiguration();
  HandSensors sensors;
  VectorXd q, dq;
};

/// Three rods on a floating base: links 0 to 5 are the base, of which the last has mass.
inline RobotDescription floatingArm(int links) {
  RobotDescription arm = armDescription(links), robot;
  robot.name = "floater";
  const char* names[] = {"tx", "ty", "tz", "rz", "ry", "base"};
  for (int i = 0; i < 6; ++i) {
    Link link;
    link.name = names[i];
    link.parent = i - 1;
    link.motion = i < 3 ? LinkMotion::prismatic : LinkMotion::revolute;
    link.axis = Vector3d::Unit(i < 3 ? i : 5 - i);
    if (i == 5) link.inertia = boxInertia(5, Vector3d::Constant(0.3));
    robot.links.push_back(link);
  }
  robot.joints.push_back({JointType::floating, 5, -1});
  for (int i = 0; i < links; ++i) {
    Link link = arm.links[i];
    link.parent = i == 0 ? 5 : 5 + i;
    robot.links.push_back(link);
    robot.joints.push_back({JointType::normal, 6 + i, -1});
    Driver driver = arm.drivers[i];
    driver.links = {6 + i};
    robot.drivers.push_back(driver);
  }
  return robot;
}

}  // namespace mortise::test
