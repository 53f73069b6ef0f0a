#include <fstream>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/component/controller.h"
#include "mortise/simulation/context/component_host.h"
#include "mortise/simulation/simulation.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

class ControllersTest : public testing::Test {
 protected:
  ComponentPtr<Controller> create(const char* type, const Value& settings = Value::map()) {
    const ComponentInfo& info = registry->require(Kind::controller, type);
    Diagnostics diagnostics;
    const Value complete = registry->completeSettings(info, settings, diagnostics);
    diagnostics.throwIfErrors();
    return registry->create<Controller>(info, complete, host);
  }

  test::MemoryLog log;
  std::unique_ptr<Registry> registry = test::makeRegistry(log);
  ChannelTable channels;
  ComponentHost host{"test", 1, log, nullptr, channels, {}, {}};
  World world = test::smallWorld();
  const Robot& robot = *world.robots[0].robot;
  VectorXd q = world.robots[0].q;
  std::vector<ActuatorCommand> commands{2};
};

TEST_F(ControllersTest, JointTrackingHoldsTheStartAndTakesSetQ) {
  auto controller = create("JointTrackingController");
  controller->start({robot, 0.01, q});
  controller->update({}, 0.01, commands);
  EXPECT_EQ(commands[0].mode, ActuatorCommand::Mode::pid);
  EXPECT_EQ(commands[0].position, 0.3);
  EXPECT_EQ(commands[0].torque, 0);
  EXPECT_TRUE(controller->command("set_q", parseYaml("[0.5, -0.25]", "test")));
  controller->update({}, 0.01, commands);
  EXPECT_EQ(commands[0].position, 0.5);
  EXPECT_EQ(commands[1].position, -0.25);
  EXPECT_FALSE(controller->command("fly", Value()));
  EXPECT_THROW(controller->command("set_q", parseYaml("[0.5]", "test")), Error);
}

TEST_F(ControllersTest, FeedforwardAddsGravityAtTheSensedConfiguration) {
  auto controller = create("FeedforwardJointTrackingController");
  controller->start({robot, 0.01, q});
  const std::vector<std::string> names = {"q0", "q1"};
  const std::vector<double> sensed = {0.0, 0.0};
  const std::vector<std::string> roles = {std::string(role::kJointPositions)};
  const SensorReading readings[] = {{"q", "JointPositionSensor", names, sensed, nullptr, roles}};
  ControllerInput input;
  input.sensors = readings;
  controller->update(input, 0.01, commands);
  EXPECT_NEAR(commands[1].torque, -9.8 * 0.25, 1e-12);
  EXPECT_NEAR(commands[0].torque, -9.8 * (0.25 + 0.75), 1e-12);
}

TEST_F(ControllersTest, PathIsFollowedWithItsVelocityAndItsEndHeld) {
  auto controller = create("PathFollowingController", parseYaml("{enableGravityCompensation: false}", "test"));
  controller->start({robot, 0.01, q});
  EXPECT_TRUE(controller->command("set_path",
                                  parseYaml("{times: [0, 1, 3], configurations: [[0, 0], [1, 0], [1, 4]]}", "test")));
  ControllerInput input;
  input.time = 0.25;
  controller->update(input, 0.01, commands);
  EXPECT_NEAR(commands[0].position, 0.25, 1e-12);
  EXPECT_NEAR(commands[0].velocity, 1, 1e-12);
  input.time = 2;
  controller->update(input, 0.01, commands);
  EXPECT_NEAR(commands[1].position, 2, 1e-12);
  EXPECT_NEAR(commands[1].velocity, 2, 1e-12);
  input.time = 5;
  controller->update(input, 0.01, commands);
  EXPECT_NEAR(commands[1].position, 4, 1e-12);
  EXPECT_EQ(commands[1].velocity, 0);
  EXPECT_TRUE(controller->command("append_tq", parseYaml("{time: 6, configuration: [0, 0]}", "test")));
  EXPECT_THROW(controller->command("append_tq", parseYaml("{time: 5.5, configuration: [0, 0]}", "test")), Error);
  EXPECT_THROW(controller->command("append_tq", parseYaml("{time: 4.5, configuration: [0, 0]}", "test")), Error);
  EXPECT_THROW(controller->command("set_path", parseYaml("{times: [0, 1], configurations: [[0, 0], [1]]}", "test")),
               Error);
  controller->update(input, 0.01, commands);
  EXPECT_NEAR(commands[1].position, 4, 1e-12) << "the path had ended, so what is appended starts now: no jump";
  input.time = 5.5;
  controller->update(input, 0.01, commands);
  EXPECT_NEAR(commands[1].position, 2, 1e-12) << "the appended piece, and not the refused ones";
}

TEST_F(ControllersTest, PathStateSurvivesSaveAndRestore) {
  auto controller = create("PathFollowingController");
  controller->start({robot, 0.01, q});
  controller->command("set_path", parseYaml("{times: [0, 2], configurations: [[0, 0], [1, 2]]}", "test"));
  ControllerInput input;
  input.time = 0.5;
  controller->update(input, 0.01, commands);
  ByteWriter out;
  controller->save(out);
  input.time = 0.6;
  controller->update(input, 0.01, commands);
  const double expected = commands[1].position;
  auto other = create("PathFollowingController");
  other->start({robot, 0.01, q});
  ByteReader in(out.bytes());
  other->restore(in);
  EXPECT_TRUE(in.atEnd());
  other->update(input, 0.01, commands);
  EXPECT_EQ(commands[1].position, expected);
}

TEST_F(ControllersTest, TracksAPathInSimulation) {
  const char* backend = "mortise";
  SimulationOptions options;
  options.backend = backend;
  ComponentOptions follower;
  follower.type = "PathFollowingController";
  options.components.push_back(follower);
  Simulation simulation(world, *registry, nullptr, log, options);
  simulation.controller(0)->command(
      "set_path", parseYaml("{times: [0, 2, 3], configurations: [[0.3, 0], [1.1, -0.6], [1.1, -0.6]]}", "test"));
  simulation.advance(1);
  EXPECT_NEAR(simulation.configuration(0)[0], 0.7, 0.03) << backend;
  simulation.advance(2);
  EXPECT_NEAR(simulation.configuration(0)[0], 1.1, 2e-3) << backend;
  EXPECT_NEAR(simulation.configuration(0)[1], -0.6, 2e-3) << backend;
}

}  // namespace
}  // namespace mortise
