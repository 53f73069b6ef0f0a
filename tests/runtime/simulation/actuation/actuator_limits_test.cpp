// Limits of speed and power: the law of a step alone, then motors simulated.

#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "mortise/base/error.h"
#include "mortise/simulation/actuation/drive_limits.h"
#include "tests/runtime/simulation/actuation/driven_wheel.h"

namespace mortise::test {
namespace {

double effortAt(const LimitedDrive& law, double rate, double v) {
  return std::clamp(law.effort - law.slope * (v - rate), law.minEffort, law.maxEffort);
}

TEST(LimitDrive, LeavesAloneWhatKeepsTheLimits) {
  DriveLimits limits;
  limits.maxEffort = 5;
  limits.minEffort = -5;
  LimitedDrive law = limitDrive(100, 1, 0, limits);
  EXPECT_FALSE(law.limited) << "an effort limit alone is the engine's business";
  EXPECT_EQ(law.maxEffort, 5);
  limits.maxVelocity = 2;
  EXPECT_FALSE(limitDrive(1, 1, 0.5, limits).limited) << "asks for nothing at 1.5 already";
  EXPECT_TRUE(limitDrive(2, 1, 0.5, limits).limited) << "asks for nothing at 2.5 only";
  EXPECT_FALSE(limitDrive(-2, 1, 0.5, limits).limited) << "brakes";
  limits.minVelocity = -2;
  EXPECT_TRUE(limitDrive(-2, 1, -0.5, limits).limited);
}

/// No step of any inertia under any load that brakes may end with the drive pushing where it must not.
TEST(LimitDrive, KeepsEveryLimitAtEverySpeed) {
  std::mt19937 random(7);
  const auto draw = [&](double low, double high) { return low + (high - low) * (random() / 4294967296.0); };
  for (int i = 0; i < 20000; ++i) {
    DriveLimits limits;
    limits.maxEffort = draw(1, 20);
    limits.minEffort = -limits.maxEffort;
    limits.maxVelocity = draw(0.5, 5);
    limits.minVelocity = -draw(0.5, 5);
    if (i % 2) limits.power = draw(1, 50);
    const double rate = draw(-6, 6);
    if (i % 3) {
      const double stall = draw(1, 30), fastest = draw(1, 8);
      DcMotor motor({.stallTorque = stall, .noLoadSpeed = fastest});
      const MotorAnswer answer = motor.answer({.rate = rate});
      limits.motorMin = answer.minEffort;
      limits.motorMax = answer.maxEffort;
      limits.motorMinSlope = answer.minSlope;
      limits.motorMaxSlope = answer.maxSlope;
    }
    const double asked = draw(-60, 60), slope = i % 5 ? draw(0, 30) : 0;
    const LimitedDrive law = limitDrive(asked, slope, rate, limits);
    for (double v = -10; v < 10; v += 0.05) {
      // Towards where the drive pushes; on the other side speeds are the load's business.
      if ((asked > 0 && v < rate) || (asked < 0 && v > rate)) continue;
      const double effort = effortAt(law, rate, v);
      EXPECT_LE(std::abs(effort), limits.maxEffort);
      if (asked > 0) {
        EXPECT_LE(effort, std::max(0.0, asked - slope * (v - rate)) * (1 + 1e-9) + 1e-9);
      }
      // Where the command itself would brake, it may.
      if (effort * asked <= 0) continue;
      EXPECT_LE(std::abs(effort * v), limits.power * (1 + 1e-9));
      if (v > limits.maxVelocity) {
        EXPECT_LE(effort, 1e-12) << v << " " << rate << " " << asked << " " << slope;
      }
      if (v < limits.minVelocity) {
        EXPECT_GE(effort, -1e-12) << v << " " << rate << " " << asked << " " << slope;
      }
      EXPECT_LE(effort, std::max(0.0, limits.motorMax - limits.motorMaxSlope * (v - rate)) + 1e-9);
      EXPECT_GE(effort, std::min(0.0, limits.motorMin - limits.motorMinSlope * (v - rate)) - 1e-9);
    }
    if (HasFailure()) FAIL() << i;
  }
}

TEST(ActuatorLimitsWords, SayWhichAreKept) {
  EXPECT_EQ(actuatorLimitsFrom(Value()), ActuatorLimits{});
  EXPECT_EQ(actuatorLimitsFrom("all"), (ActuatorLimits{true, true, true}));
  EXPECT_EQ(actuatorLimitsFrom("none"), (ActuatorLimits{false, false, false}));
  EXPECT_EQ(actuatorLimitsFrom("power, torque"), (ActuatorLimits{true, false, true}));
  EXPECT_EQ(actuatorLimitsFrom(std::vector<std::string>{"velocity"}), (ActuatorLimits{false, true, false}));
  EXPECT_EQ(actuatorLimitsText({true, true, false}), "torque, velocity");
  EXPECT_EQ(actuatorLimitsText({false, false, false}), "none");
  const auto expectError = [](const Value& value, const std::string& text) {
    try {
      (void)actuatorLimitsFrom(value);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  };
  expectError("velcity", "did you mean 'velocity'?");
  expectError("all torque", "'all' stands alone");
  expectError(3, "words, not an integer");
  expectError("", "no word is given");
}

constexpr ActuatorLimits kVelocity{true, true, false};
constexpr ActuatorLimits kPower{true, false, true};

using LimitedWheel = DrivenWheel;

TEST_P(LimitedWheel, OnlyTheTorqueIsLimitedByDefaultAsInKlampt) {
  RobotDescription robot = wheel();
  robot.drivers[0].velocityMax = 3;
  robot.links[0].powerMax = 1;
  place(robot);
  const auto simulation = simulate(fixedCommand("torque", "torque", 20));
  simulation->advance(1);
  EXPECT_NEAR(speed(*simulation), 10 / kInertia, 0.01) << "10 N*m for 1 s";
}

TEST_P(LimitedWheel, ATorqueSpeedsUpToTheVelocityLimitAndStaysThere) {
  RobotDescription robot = wheel();
  robot.drivers[0].velocityMin = -2;
  robot.drivers[0].velocityMax = 3;
  place(robot);
  for (const double sign : {1.0, -1.0}) {
    const double limit = sign > 0 ? 3 : 2;
    const auto simulation = simulate(fixedCommand("torque", "torque", sign * 5), kVelocity);
    // Freely up to near the limit.
    simulation->advance(0.04);
    EXPECT_NEAR(sign * speed(*simulation), 5 / kInertia * 0.04, 0.01);
    simulation->advance(0.16);
    double minimum = kInfinity, maximum = 0;
    for (int i = 0; i < 1000; ++i) {
      simulation->step();
      minimum = std::min(minimum, sign * speed(*simulation));
      maximum = std::max(maximum, sign * speed(*simulation));
    }
    EXPECT_LT(maximum, limit * 1.0001);
    EXPECT_GT(minimum, limit * 0.999);
    EXPECT_LT(std::abs(torque(*simulation)), 1e-3) << "nothing left to push against";
  }
}

TEST_P(LimitedWheel, ASuddenPushOnAlmostNoInertiaDoesNotPassTheVelocityLimit) {
  RobotDescription robot = wheel();
  robot.links[0].inertia.inertia *= 1e-3;  // 10 N*m for 1 ms are 50 rad/s.
  robot.drivers[0].velocityMax = 3;
  place(robot);
  for (const char* mode : {"torque", "pid", "velocity"}) {
    ComponentOptions command = fixedCommand(mode, "torque", 8);
    if (std::string(mode) == "pid") {
      command.settings.set("kP", 1000);
      command.settings.set("kD", 1);
      command.settings.set("position", 2);
    }
    if (std::string(mode) == "velocity") command.settings.set("velocity", 7);
    const auto simulation = simulate(command, kVelocity);
    double maximum = 0;
    for (int i = 0; i < 300; ++i) {
      simulation->step();
      maximum = std::max(maximum, speed(*simulation));
    }
    EXPECT_LT(maximum, 3 * 1.001) << mode;
    EXPECT_GT(maximum, 3 * 0.99) << mode;
    simulation->advance(0.1);
    EXPECT_NEAR(speed(*simulation), 3, 0.01) << mode << ": goes on, and does not chatter";
  }
}

TEST_P(LimitedWheel, APositionServoGoesThereNoFasterThanTheLimit) {
  RobotDescription robot = wheel();
  robot.joints[0].type = JointType::normal;
  robot.drivers[0].velocityMin = -3;
  robot.drivers[0].velocityMax = 3;
  place(robot);
  ComponentOptions command = fixedCommand("pid", "position", 1.5);
  command.settings.set("kP", 400);
  command.settings.set("kD", 40);
  const auto limited = simulate(command, kVelocity);
  double maximum = 0;
  for (int i = 0; i < 2000; ++i) {
    limited->step();
    maximum = std::max(maximum, std::abs(speed(*limited)));
  }
  EXPECT_LT(maximum, 3 * 1.001);
  EXPECT_GT(maximum, 3 * 0.99);
  EXPECT_NEAR(limited->configuration(0)[0], 1.5, 1e-6);
  const auto free = simulate(command);
  maximum = 0;
  for (int i = 0; i < 2000; ++i) {
    free->step();
    maximum = std::max(maximum, std::abs(speed(*free)));
  }
  EXPECT_GT(maximum, 4) << "without the limit it would have been faster";
}

TEST_P(LimitedWheel, ALoadIsCarriedAtTheVelocityLimit) {
  // A rod about a horizontal axis that the motor lifts over the top.
  RobotDescription robot = armDescription(1);
  robot.joints[0].type = JointType::spin;
  robot.links[0].X_PL0.p = Vector3d(0, 0, 2);
  robot.drivers[0].velocityMin = -1.5;
  place(robot);
  const auto simulation = simulate(fixedCommand("torque", "torque", -20), kVelocity);
  simulation->advance(0.3);
  for (int i = 0; i < 300; ++i) {
    simulation->step();
    ASSERT_NEAR(speed(*simulation), -1.5, 0.015);
    const double angle = simulation->configuration(0)[0];
    // Gravity pulls down with 9.8 * 0.25 * cos(angle); what it takes to go on evenly is just that.
    ASSERT_NEAR(torque(*simulation), -9.8 * 0.25 * std::cos(angle), 0.05) << angle;
    if (std::abs(angle) > 1.4) break;
  }
}

TEST_P(LimitedWheel, PowerIsTorqueTimesRateAtMost) {
  RobotDescription robot = wheel();
  robot.links[0].powerMax = 12;
  place(robot);
  for (const double sign : {1.0, -1.0}) {
    const auto simulation = simulate(fixedCommand("torque", "torque", sign * 8), kPower);
    double maximum = 0, t = 0;
    for (int i = 0; i < 1000; ++i) {
      simulation->step();
      t += 0.001;
      maximum = std::max(maximum, std::abs(torque(*simulation) * speed(*simulation)));
    }
    EXPECT_LT(maximum, 12 * 1.0001);
    EXPECT_GT(maximum, 12 * 0.99);
    // Constant torque up to 12 W at v1 = 1.5 rad/s, then constant power: v^2 = v1^2 + 2 P (t - t1) / J.
    const double v1 = 1.5, t1 = v1 * kInertia / 8;
    const double expected = std::sqrt(v1 * v1 + 2 * 12 * (t - t1) / kInertia);
    EXPECT_NEAR(sign * speed(*simulation), expected, 0.005 * expected);
  }
}

TEST_P(LimitedWheel, BrakingTakesNoMorePowerThanThatEither) {
  RobotDescription robot = wheel();
  robot.links[0].powerMax = 12;
  place(robot);
  world.robots[0].dq[0] = 20;
  const auto simulation = simulate(fixedCommand("torque", "torque", -10), kPower);
  double before = 20;
  for (int i = 0; i < 4000 && speed(*simulation) > 0; ++i) {
    simulation->step();
    ASSERT_LE(-torque(*simulation) * before, 12 * 1.0001);
    before = speed(*simulation);
  }
  EXPECT_LT(speed(*simulation), 0.1) << "and it does come to a stop";
}

TEST_P(LimitedWheel, SpeedAndPowerHoldForLinksThatAreDrivenTogether) {
  RobotDescription robot = wheel(2);
  robot.links[0].powerMax = 3;
  robot.drivers.resize(1);
  robot.drivers[0].type = DriverType::affine;
  robot.drivers[0].links = {0, 1};
  robot.drivers[0].scale = {1, -2};
  robot.drivers[0].offset = {0, 0};
  robot.drivers[0].servoP = 400;
  robot.drivers[0].servoD = 40;
  robot.drivers[0].velocityMin = -1.5;
  robot.drivers[0].velocityMax = 1.5;
  place(robot);
  for (const char* mode : {"torque", "velocity", "pid"}) {
    ComponentOptions command = fixedCommand(mode, "torque", 5);
    command.settings.set("velocity", 4);
    if (std::string(mode) == "pid") {
      command.settings.set("torque", 0);
      command.settings.set("kP", 400);
      command.settings.set("kD", 10);
      command.settings.set("position", 2.5);
      command.settings.set("velocity", 0);
    }
    const auto simulation = simulate(command, {true, true, true});
    double maximum = 0, power = 0, apart = 0;
    for (int i = 0; i < 1000; ++i) {
      simulation->step();
      const VectorXd& q = simulation->configuration(0);
      const VectorXd& dq = simulation->velocity(0);
      maximum = std::max(maximum, std::abs(dq[0]));
      power = std::max(power, std::abs(torque(*simulation) * dq[0]));
      apart = std::max(apart, std::abs(q[1] + 2 * q[0]));
    }
    EXPECT_LT(maximum, 1.5 * 1.01) << mode;
    EXPECT_GT(maximum, 1.5 * 0.98) << mode;
    EXPECT_LT(power, 3 * 1.02) << mode;
    EXPECT_LT(apart, 0.01) << mode;
  }
}

TEST_P(LimitedWheel, NoneLeavesOutTheTorqueLimit) {
  place(wheel());
  const auto simulation = simulate(fixedCommand("torque", "torque", 20), {false, false, false});
  simulation->advance(0.5);
  EXPECT_NEAR(speed(*simulation), 20 / kInertia * 0.5, 0.01);
}

INSTANTIATE_TEST_SUITE_P(Backends, LimitedWheel, testing::Values("mortise"),
                         [](const auto& backend) { return std::string(backend.param); });

}  // namespace
}  // namespace mortise::test
