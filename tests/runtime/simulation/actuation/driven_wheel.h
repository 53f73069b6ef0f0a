#pragma once

/// A wheel about a vertical axis, driven by whatever command its controller is given.

#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <string>

#include "mortise/component/controller.h"
#include "mortise/plugin/plugin.h"
#include "mortise/simulation/simulation.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise::test {

/// Gives every driver the same command.
class FixedCommand final : public Controller {
 public:
  explicit FixedCommand(const ComponentContext& context) {
    const Value& settings = context.settings;
    const std::string mode = settings.at("mode").asString();
    command_.mode = mode == "off"      ? ActuatorCommand::Mode::off
                    : mode == "torque" ? ActuatorCommand::Mode::torque
                    : mode == "pid"    ? ActuatorCommand::Mode::pid
                                       : ActuatorCommand::Mode::velocity;
    command_.torque = settings.real("torque", 0);
    command_.position = settings.real("position", 0);
    command_.velocity = settings.real("velocity", 0);
    command_.kP = settings.real("kP", 0);
    command_.kD = settings.real("kD", 0);
  }
  void start(const ControllerSetup&) override {}
  void update(const ControllerInput&, double, std::span<ActuatorCommand> commands) override {
    for (ActuatorCommand& command : commands) command = command_;
  }

 private:
  ActuatorCommand command_;
};

inline ComponentOptions fixedCommand(const char* mode, const char* key, double value) {
  ComponentOptions options;
  options.type = "test.FixedCommand";
  options.settings.set("mode", mode);
  options.settings.set(key, value);
  return options;
}

class DrivenWheel : public testing::TestWithParam<const char*> {
 protected:
  static constexpr double kInertia = 0.2;  ///< kg m^2 about the axis.

  DrivenWheel();

  /// One turning link, or `links` side by side.
  static RobotDescription wheel(int links = 1) {
    RobotDescription robot;
    robot.name = "wheel";
    for (int i = 0; i < links; ++i) {
      Link link;
      link.name = "rim" + std::to_string(i);
      link.axis = Vector3d::UnitZ();
      link.inertia = {1.0, Vector3d::Zero(), Vector3d(kInertia, kInertia, kInertia).asDiagonal()};
      robot.links.push_back(link);
      robot.joints.push_back({JointType::spin, i, -1});
      Driver driver;
      driver.name = link.name;
      driver.links = {i};
      driver.torqueMin = -10;
      driver.torqueMax = 10;
      robot.drivers.push_back(driver);
    }
    return robot;
  }
  void place(RobotDescription robot) {
    world.robots.clear();
    world.robots.push_back(placedRobot(std::move(robot)));
  }
  std::unique_ptr<Simulation> simulate(const ComponentOptions& controller, const ActuatorLimits& limits = {}) {
    SimulationOptions options;
    options.backend = GetParam();
    options.components.push_back(controller);
    options.actuatorLimits = limits;
    return std::make_unique<Simulation>(world, *registry, nullptr, log, options);
  }
  static double speed(const Simulation& simulation) { return simulation.velocity(0)[0]; }
  static double torque(Simulation& simulation) { return simulation.view().robots[0].driverTorques[0]; }

  MemoryLog log;
  std::unique_ptr<Registry> registry = makeRegistry(log);
  World world;
};

}  // namespace mortise::test
