#pragma once

/// A sensor on a robot that the test moves by hand: no physics.

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/component/sensor.h"
#include "tests/support/plugins.h"
#include "tests/support/quiet_host.h"
#include "tests/support/worlds.h"

namespace mortise::test {

class SensorBench : public testing::Test {
 protected:
  /// `settings` as in YAML, from a file "test.yaml".
  ComponentPtr<Sensor> create(const std::string& type, const std::string& settings) {
    const ComponentInfo& info = registry->require(Kind::sensor, type);
    Diagnostics diagnostics;
    const Value complete = registry->completeSettings(info, parseYaml(settings, "test.yaml"), diagnostics);
    diagnostics.throwIfErrors();
    return registry->create<Sensor>(info, complete, host);
  }
  ComponentPtr<Sensor> started(const std::string& type, const std::string& settings) {
    ComponentPtr<Sensor> sensor = create(type, settings);
    start(*sensor);
    return sensor;
  }
  void start(Sensor& sensor) { sensor.start({world, 0, period}); }

  SimulationView view() {
    robotView.state = &state;
    robotView.driverTorques = driverTorques;
    robotView.twists = twists;
    SimulationView result;
    result.time = time;
    result.world = &world;
    result.robots = {&robotView, 1};
    result.timeStep = step;
    result.gravity = gravity;
    result.weightedContacts = contacts;
    result.wrenches = wrenches;
    return result;
  }
  std::vector<double> read(Sensor& sensor) {
    std::vector<double> out(sensor.channels().size(), -1);
    sensor.simulate(view(), period, out);
    return out;
  }
  static std::vector<std::string> channelsOf(const Sensor& sensor) {
    return {sensor.channels().begin(), sensor.channels().end()};
  }
  /// The text of the error that making and starting this sensor gives.
  std::string refusal(const std::string& type, const std::string& settings) {
    try {
      start(*create(type, settings));
    } catch (const Error& error) {
      return error.what();
    }
    ADD_FAILURE() << type << " takes " << settings;
    return {};
  }

  MemoryLog log;
  std::unique_ptr<Registry> registry = makeRegistry(log);
  QuietHost host;
  World world = smallWorld();
  RobotState state{*world.robots[0].robot};
  std::vector<LinkTwist> twists = std::vector<LinkTwist>(2);
  std::vector<double> driverTorques = {0, 0};
  std::vector<ContactForce> contacts;
  std::vector<AppliedWrench> wrenches;
  RobotView robotView;
  Vector3d gravity = Vector3d(0, 0, -9.8);
  double period = 0.01, step = 0.001, time = 0;
};

/// Mean and variance of many readings of one channel.
struct Statistics {
  double sum = 0, squares = 0;
  int count = 0;
  void add(double value) {
    sum += value;
    squares += value * value;
    ++count;
  }
  double mean() const { return sum / count; }
  double variance() const { return squares / count - mean() * mean(); }
};

/// Within four standard errors of both.
inline void expectNoise(const Statistics& found, double mean, double variance, const std::string& what) {
  EXPECT_NEAR(found.mean(), mean, 4 * std::sqrt(variance / found.count)) << what;
  EXPECT_NEAR(found.variance(), variance, 4 * variance * std::sqrt(2.0 / found.count)) << what;
}

}  // namespace mortise::test
