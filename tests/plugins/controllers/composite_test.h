#pragma once

#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/component/controller.h"
#include "tests/support/error_text.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise::test {

/// Controllers for tests of controllers that hold others. "test.Probe" asks each driver for `value` plus its own time
/// (torque), or, with `servo`, to stay where it started; it counts its updates in kP. Commands: `set` {number}, `fail`
/// (throws at the next update), `diverge` (NaN).
void addProbes(Registry& registry);

/// Creates children and keeps published numbers.
class CompositeHost final : public Host {
 public:
  explicit CompositeHost(Registry& registry, std::string name = "whole")
      : registry_(registry), name_(std::move(name)), random_(1, name_) {}

  std::string_view name() const override { return name_; }
  void log(LogLevel, std::string_view) override {}
  std::string findResource(std::string_view reference) const override {
    const std::string path = folder + "/" + std::string(reference);
    if (!std::filesystem::exists(path)) throw Error("'" + std::string(reference) + "' not found");
    return path;
  }
  RandomStream& random() override { return random_; }
  std::string runDirectory() const override { return {}; }
  void publish(std::string_view channel, std::span<const double> values) override {
    auto found = published.find(channel);
    if (found == published.end()) found = published.emplace(std::string(channel), std::vector<double>()).first;
    found->second.assign(values.begin(), values.end());
  }
  ComponentPtr<Controller> createController(std::string_view type, const Value& settings, std::string_view name,
                                            const SourcePosition& where) const override {
    const ComponentInfo& info = registry_.require(Kind::controller, type, where);
    Diagnostics diagnostics;
    const Value complete = registry_.completeSettings(info, settings, diagnostics);
    diagnostics.throwIfErrors();
    children_.push_back(std::make_unique<CompositeHost>(registry_, name_ + "/" + std::string(name)));
    return registry_.create<Controller>(info, complete, *children_.back());
  }

  std::map<std::string, std::vector<double>, std::less<>> published;
  std::string folder;

 private:
  Registry& registry_;
  std::string name_;
  RandomStream random_;
  mutable std::vector<std::unique_ptr<CompositeHost>> children_;
};

class CompositeTest : public testing::Test {
 protected:
  CompositeTest() {
    addProbes(*registry);
    registry->discover();
    for (ActuatorCommand& command : commands) {
      command.kP = 400;
      command.kD = 40;
    }
    estimate.q << 0.1, 0.2, 0.3;
    q << 0.1, 0.2, 0.3;
  }

  ComponentPtr<Controller> create(const char* type, const std::string& settings) {
    const ComponentInfo& info = registry->require(Kind::controller, type);
    Diagnostics diagnostics;
    const Value complete = registry->completeSettings(info, parseYaml(settings, "test.yaml"), diagnostics);
    diagnostics.throwIfErrors();
    return registry->create<Controller>(info, complete, host);
  }
  std::span<const SensorReading> readings() { return sensors; }
  void start(Controller& controller, double period = 0.01) {
    controller.start({*robot, period, q, Vector3d(0, 0, -9.8), readings()});
  }
  ComponentPtr<Controller> started(const char* type, const std::string& settings) {
    auto controller = create(type, settings);
    start(*controller);
    return controller;
  }
  /// The update at `time`.
  void update(Controller& controller, double time) {
    ControllerInput input;
    input.time = time;
    input.tick = std::lround(time * 1000);
    input.sensors = readings();
    input.estimate = &estimate;
    controller.update(input, 0.01, commands);
  }
  /// The same, where a child may say that it cannot go on from a damaged state.
  void updateOrFail(Controller& controller, double time) {
    try {
      update(controller, time);
    } catch (const Error&) {
      // Said, not crashed.
    }
  }
  static bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
  static std::string active(const Controller& controller) { return controller.settings().at("active").asString(); }

  MemoryLog log;
  std::unique_ptr<Registry> registry = makeRegistry(log);
  CompositeHost host{*registry};
  RobotPtr robot = Robot::compile(armDescription(3));
  VectorXd q = robot->initialConfiguration();
  RobotState estimate{*robot};
  std::vector<ActuatorCommand> commands{3};
  std::vector<std::string> contactChannels = {"contact", "force_z"};
  std::vector<double> contactValues = {0, 0};
  std::vector<std::string> positionChannels = {"q[rod0]", "q[rod1]", "q[rod2]"};
  std::vector<double> positionValues = {0, 0, 0};
  std::vector<std::string> oneChannel = {"d"};
  std::vector<double> oneValue = {0};
  std::vector<std::string> positionRole = {std::string(role::kJointPositions)};
  std::vector<SensorReading> sensors = {
      {"foot", "ContactSensor", contactChannels, contactValues, nullptr},
      {"q", "JointPositionSensor", positionChannels, positionValues, nullptr, positionRole},
      {"left eye", "LaserRangeSensor", oneChannel, oneValue, nullptr}};
};

inline bool sameCommands(std::span<const ActuatorCommand> a, std::span<const ActuatorCommand> b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].mode != b[i].mode || a[i].kP != b[i].kP || a[i].kI != b[i].kI || a[i].kD != b[i].kD ||
        a[i].position != b[i].position || a[i].velocity != b[i].velocity || a[i].torque != b[i].torque)
      return false;
  return true;
}

}  // namespace mortise::test
