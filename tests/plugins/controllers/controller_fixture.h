#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/component/controller.h"
#include "mortise/simulation/context/component_host.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise::test {

/// One controller without a simulation: an arm with limits, a clock of 100 Hz, and commands to look at.
class ControllerFixture : public testing::Test {
 protected:
  static RobotPtr limitedArm(int links) {
    RobotDescription arm = armDescription(links);
    for (int i = 0; i < links; ++i) {
      Link& link = arm.links[static_cast<std::size_t>(i)];
      link.qMin = -2;
      link.qMax = 2.5;
      link.velocityMin = -1.5 - 0.1 * i;
      link.velocityMax = 1.5 + 0.1 * i;
      link.accelerationMax = 4 + i;
    }
    return Robot::compile(arm);
  }

  std::unique_ptr<ComponentHost> hostIn(const std::string& runDirectory) {
    return std::make_unique<ComponentHost>("test", 1, log, nullptr, channels, "", runDirectory, registry.get());
  }

  ComponentPtr<Controller> create(const std::string& type, const std::string& settings = "{}") {
    const ComponentInfo& info = registry->require(Kind::controller, type);
    Diagnostics diagnostics;
    const Value complete = registry->completeSettings(info, parseYaml(settings, "test"), diagnostics);
    diagnostics.throwIfErrors();
    return registry->create<Controller>(info, complete, *host);
  }
  ComponentPtr<Controller> started(const std::string& type, const std::string& settings = "{}") {
    auto controller = create(type, settings);
    controller->start({*robot, 0.01, q});
    return controller;
  }
  void give(Controller& controller, const std::string& name, const std::string& arguments) {
    ASSERT_TRUE(controller.command(name, arguments.empty() ? Value() : parseYaml(arguments, "test"))) << name;
  }
  /// What an error of this command says; empty when there is none.
  std::string refusal(Controller& controller, const std::string& name, const Value& arguments) {
    try {
      if (!controller.command(name, arguments)) return "unknown";
    } catch (const Error& e) {
      return e.what();
    }
    return {};
  }
  /// The update at tick k of 1 ms; the state is what is asked for, as of a robot without mass.
  void updateAt(Controller& controller, std::int64_t tick) {
    ControllerInput input;
    input.tick = tick;
    input.time = static_cast<double>(tick) * 0.001;
    input.estimate = &state;
    controller.update(input, 0.01, commands);
  }
  std::vector<double> positions() const {
    std::vector<double> values;
    for (const ActuatorCommand& command : commands) values.push_back(command.position);
    return values;
  }

  MemoryLog log;
  std::unique_ptr<Registry> registry = makeRegistry(log);
  ChannelTable channels;
  std::unique_ptr<ComponentHost> host = hostIn({});
  RobotPtr robot = limitedArm(3);
  VectorXd q = VectorXd::Zero(3);
  RobotState state{*robot};
  std::vector<ActuatorCommand> commands{3};
};

/// Bit for bit.
inline bool same(const ActuatorCommand& a, const ActuatorCommand& b) {
  return a.mode == b.mode && a.kP == b.kP && a.kI == b.kI && a.kD == b.kD && a.position == b.position &&
         a.velocity == b.velocity && a.torque == b.torque;
}

}  // namespace mortise::test
