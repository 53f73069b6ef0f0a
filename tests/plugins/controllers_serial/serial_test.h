#pragma once

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/component/controller.h"
#include "mortise/simulation/context/component_host.h"
#include "mortise/simulation/simulation.h"
#include "remote/connection.h"
#include "remote/robot_message.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise::test {

/// No wait of these tests is longer: what did not happen by then does not happen.
constexpr double kPatience = 20;  // s

inline std::string frameOf(std::string_view text) {
  std::string frame;
  remote::appendFrame(frame, text);
  return frame;
}

/// A program at the other end, in this process.
class Client {
 public:
  explicit Client(const remote::Address& address) : connection(address, kPatience) {}

  bool send(std::string_view text) { return connection.send(frameOf(text)); }
  /// The next message, if one came within `seconds`.
  bool receive(double seconds) {
    const auto text = connection.receive(seconds);
    if (!text) return false;
    last = *text;
    remote::readReport(last, report);
    return true;
  }
  /// The next message with this error; others are skipped.
  bool receiveError(std::string_view code) {
    while (receive(kPatience))
      if (report.error == code) return true;
    return false;
  }

  remote::Connection connection;
  std::string last;
  remote::RobotReport report;
};

/// A SerialController on its own, which the test updates, and its sensors.
class SerialTest : public testing::Test {
 protected:
  ComponentPtr<Controller> create(const std::string& settings) {
    const ComponentInfo& info = registry->require(Kind::controller, "SerialController");
    Diagnostics diagnostics;
    const Value complete = registry->completeSettings(info, parseYaml(settings, "test"), diagnostics);
    diagnostics.throwIfErrors();
    return registry->create<Controller>(info, complete, host);
  }
  void start(const std::string& settings = "{servAddr: ':0'}") {
    controller = create(settings);
    controller->start(setup());
  }
  ControllerSetup setup() { return {robot, period, q, Vector3d(0, 0, -9.8), readings}; }
  static remote::Address addressOf(const Controller& controller) {
    return remote::parseAddress(controller.settings().at("address").asString());
  }
  remote::Address address() const { return addressOf(*controller); }

  void update() {
    input.time = static_cast<double>(input.tick) * period;
    input.sensors = readings;
    controller->update(input, period, commands);
    ++input.tick;
  }
  /// Updates until something is so; false when it is not within kPatience.
  template <typename F>
  bool updateUntil(const F& isSo) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(kPatience);
    do {
      update();
      if (isSo()) return true;
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    } while (std::chrono::steady_clock::now() < end);
    return false;
  }
  bool connectedWithin() {
    return updateUntil([&] { return controller->settings().at("connected").asBool(); });
  }
  /// Until the client has been told how things are.
  bool reportTo(Client& client) {
    return updateUntil([&] {
      while (client.receive(0))
        if (client.report.t) return true;
      return false;
    });
  }

  MemoryLog log;
  std::unique_ptr<Registry> registry = makeRegistry(log);
  ChannelTable channels;
  std::atomic<bool> stop = false;
  ComponentHost host{"arm/serial", 1, log, nullptr, channels, {}, {}, registry.get(), [this] { return stop.load(); }};
  World world = smallWorld();
  const Robot& robot = *world.robots[0].robot;
  VectorXd q = world.robots[0].q;
  double period = 0.01;
  std::vector<ActuatorCommand> commands{2};
  std::vector<std::string> qChannels{"q[rod0]", "q[rod1]"};
  std::vector<double> sensedQ{0.3, -0.5}, sensedDq{0, 0};
  std::vector<std::string> positionRole{std::string(role::kJointPositions)};
  std::vector<std::string> velocityRole{std::string(role::kJointVelocities)};
  std::vector<SensorReading> readings{{"q", "JointPositionSensor", qChannels, sensedQ, nullptr, positionRole},
                                      {"dq", "JointVelocitySensor", qChannels, sensedDq, nullptr, velocityRole}};
  ControllerInput input;
  ComponentPtr<Controller> controller;  ///< Goes before its host.
};

}  // namespace mortise::test
