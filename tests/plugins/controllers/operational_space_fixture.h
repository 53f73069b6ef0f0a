#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/base/value_text.h"
#include "mortise/component/controller.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/simulation/context/component_host.h"
#include "mortise/simulation/simulation.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise::test::operational {

inline Value yaml(const std::string& text) { return parseYaml(text, "test"); }

class OperationalSpaceTest : public testing::Test {
 protected:
  OperationalSpaceTest() {
    arm_.links[0].X_PL0.p = Vector3d(0, 0, 1.5);
    const double bent[] = {-0.4, 0.9, 0.8, -0.6, 0.5};
    for (std::size_t i = 0; i < arm_.links.size(); ++i) {
      arm_.links[i].q = bent[i];
      arm_.drivers[i].torqueMin = -1000;
      arm_.drivers[i].torqueMax = 1000;
    }
  }

  World worldOf(RobotDescription description) {
    World world;
    world.robots.push_back(placedRobot(std::move(description)));
    return world;
  }

  std::unique_ptr<Simulation> simulate(const World& world, const char* backend, const std::string& settings) {
    SimulationOptions options;
    options.backend = backend;
    options.timeStep = 1e-3;
    options.controlRate = 1000;
    options.strict = true;
    ComponentOptions controller;
    controller.type = "OperationalSpaceController";
    controller.settings = yaml(settings);
    options.components.push_back(controller);
    return std::make_unique<Simulation>(world, *registry_, nullptr, log_, options);
  }

  ComponentPtr<Controller> create(const std::string& settings) {
    const ComponentInfo& info = registry_->require(Kind::controller, "OperationalSpaceController");
    Diagnostics diagnostics;
    const Value complete = registry_->completeSettings(info, yaml(settings), diagnostics);
    diagnostics.throwIfErrors();
    return registry_->create<Controller>(info, complete, host_);
  }

  /// Starts a controller for `robot_` at its initial configuration.
  ComponentPtr<Controller> started(const std::string& settings) {
    auto controller = create(settings);
    controller->start({*robot_, 1e-3, q_});
    return controller;
  }

  void update(Controller& controller, const VectorXd& q, const VectorXd& dq) {
    RobotState state(*robot_);
    state.q = q;
    state.dq = dq;
    updateFrames(*robot_, state);
    ControllerInput input;
    input.estimate = &state;
    commands_.resize(robot_->numDrivers());
    controller.update(input, 1e-3, commands_);
  }

  std::string startError(const std::string& settings) {
    try {
      started(settings);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  MemoryLog log_;
  std::unique_ptr<Registry> registry_ = makeRegistry(log_);
  ChannelTable channels_;
  ComponentHost host_{"test", 1, log_, nullptr, channels_, {}, {}};
  RobotDescription arm_ = armDescription(3);
  RobotPtr robot_ = Robot::compile(armDescription(3));
  VectorXd q_ = VectorXd::Zero(3);
  std::vector<ActuatorCommand> commands_;
};

/// Pose of a link in a simulation.
inline RigidTransform poseOf(Simulation& simulation, int link) { return simulation.view().robots[0].state->X_WL[link]; }

inline const Vector3d kTip(0.5, 0, 0);

/// Goes into the report of the tests (--gtest_output).
inline void figure(const std::string& backend, const std::string& name, double value) {
  testing::Test::RecordProperty(backend.empty() ? name : backend + "_" + name, formatReal(value));
}

/// Of a critically damped spring after a step, 1 at the start.
inline double criticallyDamped(double kP, double t) {
  const double w = std::sqrt(kP);
  return (1 + w * t) * std::exp(-w * t);
}

}  // namespace mortise::test::operational
