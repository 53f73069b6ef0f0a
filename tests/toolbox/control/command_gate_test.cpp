#include "mortise/control/command_gate.h"

#include <gtest/gtest.h>
#include <limits>

#include "tests/support/error_text.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

using Mode = ActuatorCommand::Mode;

class CommandGateTest : public testing::Test {
 protected:
  static RobotDescription description() {
    RobotDescription arm = test::armDescription(2);
    for (Driver& driver : arm.drivers) {
      driver.qMin = -1;
      driver.qMax = 2;
      driver.velocityMin = -3;
      driver.velocityMax = 3;
      driver.torqueMin = -10;
      driver.torqueMax = 10;
    }
    return arm;
  }
  CommandGate gate(const HardwareCapabilities& can) {
    return {*robot, can, "the bus", [this](const std::string& text) { warnings.push_back(text); }};
  }
  static ActuatorCommand servo(double position, double velocity = 0, double torque = 0) {
    return {Mode::pid, 400, 0, 40, position, velocity, torque};
  }

  RobotPtr robot = Robot::compile(description());
  std::vector<ActuatorCommand> commands{2};
  std::vector<std::string> warnings;
};

HardwareCapabilities everything() { return {true, true, true, true, true, true, true}; }

TEST_F(CommandGateTest, LetsThroughWhatIsDeclared) {
  CommandGate all = gate(everything());
  commands = {{Mode::pid, 1, 2, 3, 4, 5, 6}, {Mode::torque, 0, 0, 0, 0, 0, 1e6}};
  const auto passed = all.pass(commands);
  EXPECT_EQ(passed[0].kP, 1);
  EXPECT_EQ(passed[0].torque, 6);
  EXPECT_EQ(passed[0].position, 4);  // Beyond the robot's limit, which the hardware keeps by itself.
  EXPECT_EQ(passed[1].torque, 1e6);
  EXPECT_EQ(all.limited(), 0);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(CommandGateTest, RefusesModesThatAreNotDeclared) {
  HardwareCapabilities can;
  can.velocity = true;
  for (const auto& [mode, text] : {std::pair(Mode::pid, "servoed"), std::pair(Mode::torque, "given a torque")}) {
    commands[0].mode = commands[1].mode = mode;
    const std::string message = test::errorText([&, mode = mode] { gate(can).pass(commands); });
    EXPECT_NE(message.find("driver 'rod0' is " + std::string(text) + ", which the bus does not take"),
              std::string::npos)
        << message;
    EXPECT_NE(message.find("velocities"), std::string::npos) << message;
  }
  commands[0].mode = commands[1].mode = Mode::velocity;
  EXPECT_EQ(gate(can).pass(commands)[1].mode, Mode::velocity);
  commands[0].mode = commands[1].mode = Mode::off;  // Every motor can be off.
  EXPECT_EQ(gate(can).pass(commands)[1].mode, Mode::off);
}

TEST_F(CommandGateTest, RefusesMixturesWhereTheyAreNotDeclared) {
  HardwareCapabilities can = everything();
  can.mixed = false;
  commands = {servo(0), {Mode::torque, 0, 0, 0, 0, 0, 1}};
  const std::string message = test::errorText([&] { gate(can).pass(commands); });
  EXPECT_NE(message.find("driver 'rod0' is servoed while 'rod1' is given a torque: the bus takes commands of one kind"),
            std::string::npos)
      << message;
  commands[0] = {Mode::off, 0, 0, 0, 0, 0, 0};  // Off is a torque of 0.
  EXPECT_EQ(gate(can).pass(commands)[1].torque, 1);
}

TEST_F(CommandGateTest, SaysOnceWhatIsLeftOut) {
  HardwareCapabilities can;
  can.position = can.limits = true;
  CommandGate plain = gate(can);
  commands = {servo(0.5, 1, 2), {Mode::pid, 1, 2, 3, 0.5, 0, 0}};
  for (int i = 0; i < 3; ++i) {
    const auto passed = plain.pass(commands);
    EXPECT_EQ(passed[0].position, 0.5);
    EXPECT_EQ(passed[0].velocity, 1);
    EXPECT_EQ(passed[0].torque, 0);
    EXPECT_EQ(passed[1].kP, 400);
    EXPECT_EQ(passed[1].kI, 0);
    EXPECT_EQ(passed[1].kD, 40);
  }
  EXPECT_EQ(commands[0].torque, 2) << "the controller's own commands stay";
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].find("torques besides those of the servos, which the bus does not take"), std::string::npos);
  EXPECT_NE(warnings[1].find("servo gains other than the robot's own"), std::string::npos);
}

TEST_F(CommandGateTest, KeepsTheRobotsLimitsAndCounts) {
  HardwareCapabilities can = everything();
  can.limits = false;
  CommandGate limiting = gate(can);
  commands = {servo(5, 1, -20), {Mode::velocity, 0, 0, 0, 0, -7, 0}};
  auto passed = limiting.pass(commands);
  EXPECT_EQ(passed[0].position, 2);
  EXPECT_EQ(passed[0].velocity, 0) << "it would push on beyond the limit";
  EXPECT_EQ(passed[0].torque, -10);
  EXPECT_EQ(passed[1].velocity, -3);
  EXPECT_EQ(limiting.limited(), 2);
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].find("asks driver 'rod0' for a position of 5, beyond the robot's limits; the bus gets 2"),
            std::string::npos)
      << warnings[0];
  EXPECT_NE(warnings[1].find("driver 'rod1' for a velocity of -7"), std::string::npos) << warnings[1];

  commands = {servo(5, -1), {Mode::torque, 0, 0, 0, 0, 0, 11}};
  passed = limiting.pass(commands);
  EXPECT_EQ(passed[0].velocity, -1) << "back from the limit it may go";
  EXPECT_EQ(passed[1].torque, 10);
  EXPECT_EQ(limiting.limited(), 4);
  EXPECT_EQ(warnings.size(), 2u) << "once a driver";

  commands = {servo(2, 3, 10), {Mode::torque, 0, 0, 0, 0, 0, -10}};  // Limits themselves are kept.
  limiting.pass(commands);
  EXPECT_EQ(limiting.limited(), 4);
}

TEST_F(CommandGateTest, RefusesWhatIsNotFinite) {
  for (double ActuatorCommand::*number :
       {&ActuatorCommand::position, &ActuatorCommand::velocity, &ActuatorCommand::torque, &ActuatorCommand::kP,
        &ActuatorCommand::kI, &ActuatorCommand::kD})
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      commands = {servo(0), servo(0)};
      commands[1].*number = bad;
      const std::string message = test::errorText([&] { gate(everything()).pass(commands); });
      EXPECT_NE(message.find("the command for driver 'rod1' is not a finite number"), std::string::npos) << message;
    }
}

}  // namespace
}  // namespace mortise
