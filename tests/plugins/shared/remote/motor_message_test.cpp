#include "remote/motor_message.h"

#include <gtest/gtest.h>

#include "tests/support/worlds.h"

namespace mortise::remote {
namespace {

using Mode = ActuatorCommand::Mode;
using Type = RobotCommand::Type;

class MotorMessage : public testing::Test {
 protected:
  static RobotDescription description() {
    RobotDescription robot = test::armDescription(4);
    // The last two links turn together, the first has no motor.
    robot.drivers[2].type = DriverType::affine;
    robot.drivers[2].links = {2, 3};
    robot.drivers[2].scale = {1, -0.5};
    robot.drivers[2].offset = {0, 0.25};
    robot.drivers.pop_back();
    robot.drivers.erase(robot.drivers.begin());
    return robot;
  }
  const RobotCommand& say() {
    toMessage(*robot, commands, q, 0.5, message);
    return message;
  }

  RobotPtr robot = Robot::compile(description());
  VectorXd q = (VectorXd(4) << 7, 8, 9, 10).finished();
  std::vector<ActuatorCommand> commands{2};
  RobotCommand message;
};

TEST_F(MotorMessage, Positions) {
  commands[0] = {Mode::pid, 1, 2, 3, 0.5, 0, 0};
  commands[1] = {Mode::pid, 1, 2, 3, 2, 0, 0};
  EXPECT_EQ(say().type, Type::position);
  EXPECT_EQ(message.q, (std::vector<double>{7, 0.5, 2, -0.75}));
  EXPECT_TRUE(message.dq.empty());
  EXPECT_TRUE(message.torque.empty());
  commands[1].velocity = 4;
  commands[0].torque = -1;
  say();
  EXPECT_EQ(message.dq, (std::vector<double>{0, 0, 4, -2}));
  EXPECT_EQ(message.torque, (std::vector<double>{-1, 0}));
}

TEST_F(MotorMessage, VelocitiesAndTorques) {
  commands[0].mode = commands[1].mode = Mode::velocity;
  commands[0].velocity = 3;
  EXPECT_EQ(say().type, Type::velocity);
  EXPECT_EQ(message.dq, (std::vector<double>{0, 3, 0, 0}));
  EXPECT_EQ(message.duration, 0.5);
  commands[0] = {Mode::torque, 0, 0, 0, 0, 0, 6};
  commands[1] = {Mode::off, 0, 0, 0, 0, 0, 99};
  EXPECT_EQ(say().type, Type::torque);
  EXPECT_EQ(message.torque, (std::vector<double>{6, 0}));
}

TEST_F(MotorMessage, MixturesAreRefused) {
  commands[0].mode = Mode::pid;
  for (const Mode other : {Mode::off, Mode::torque, Mode::velocity}) {
    commands[1].mode = other;
    EXPECT_THROW(say(), Error);
  }
}

}  // namespace
}  // namespace mortise::remote
