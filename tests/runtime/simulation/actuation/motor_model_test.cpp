// Models of motors: the built-in one against its closed form, and one of a user.

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "tests/runtime/simulation/actuation/driven_wheel.h"
#include "tests/support/allocation_counter.h"

namespace mortise::test {
namespace {

TEST(DcMotor, WeakensWithItsSpeedAndIsLimitedByItsCurrent) {
  DcMotor motor({.stallTorque = 4, .noLoadSpeed = 10});
  EXPECT_EQ(motor.answer({.rate = 0}).maxEffort, 4);
  EXPECT_EQ(motor.answer({.rate = 0}).minEffort, -4);
  EXPECT_NEAR(motor.answer({.rate = 5}).maxEffort, 2, 1e-15);
  EXPECT_EQ(motor.answer({.rate = 5}).minEffort, -4) << "braking";
  EXPECT_NEAR(motor.answer({.rate = 5}).maxSlope, 0.4, 1e-15);
  EXPECT_NEAR(motor.answer({.rate = -5}).minEffort, -2, 1e-15);
  EXPECT_LE(motor.answer({.rate = 12}).maxEffort, 0);
  DcMotor geared({.stallTorque = 0.05, .noLoadSpeed = 500, .gear = 100, .efficiency = 0.8, .dryFriction = 0.1});
  EXPECT_NEAR(geared.stallTorque(), 4, 1e-12);
  EXPECT_NEAR(geared.noLoadSpeed(), 5, 1e-12);
  EXPECT_EQ(geared.answer({.rate = 1}).dryFriction, 0.1);
  EXPECT_THROW(DcMotor({.stallTorque = 0, .noLoadSpeed = 1}), Error);
  EXPECT_THROW(DcMotor({.stallTorque = 1, .noLoadSpeed = -1}), Error);
  EXPECT_THROW(DcMotor({.stallTorque = 1, .noLoadSpeed = 1, .gear = 1, .efficiency = 1.1}), Error);
}

TEST(MotorModels, AreMadeFromSettingsThatAreChecked) {
  MotorOptions options;
  options.settings.set("stall_torque", "2 N*m");
  options.settings.set("no_load_speed", 30);
  options.settings.set("gear", 2);
  const auto motor = makeMotorModel(options);
  EXPECT_EQ(motor->type(), "dc");
  EXPECT_NEAR(motor->answer({.rate = 0}).maxEffort, 4, 1e-12);
  const auto expectError = [](const MotorOptions& wrong, const std::string& text) {
    try {
      (void)makeMotorModel(wrong);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  };
  options.settings.set("stal_torque", 1);
  expectError(options, "did you mean 'stall_torque'?");
  options.model = "cd";
  expectError(options, "there is no model of motors 'cd'");
}

class MotoredWheel : public DrivenWheel {
 protected:
  static std::unique_ptr<DcMotor> motor(double stall = 4, double fastest = 10) {
    return std::make_unique<DcMotor>(DcMotor::Parameters{.stallTorque = stall, .noLoadSpeed = fastest});
  }
};

TEST_P(MotoredWheel, ApproachesTheSpeedWithoutLoadExponentially) {
  place(wheel());
  for (const double sign : {1.0, -1.0}) {
    const auto simulation = simulate(fixedCommand("torque", "torque", sign * 9));
    simulation->setMotorModel(0, 0, motor());
    const double constant = kInertia * 10 / 4;  // s
    for (int i = 0; i < 3000; ++i) {
      simulation->step();
      const double expected = 10 * (1 - std::exp(-simulation->time() / constant));
      ASSERT_NEAR(sign * speed(*simulation), expected, 0.002 * 10) << simulation->time();
    }
    EXPECT_LE(sign * speed(*simulation), 10);
  }
}

TEST_P(MotoredWheel, SettlesWhereLoadAndTorqueMeet) {
  RobotDescription robot = wheel();
  robot.drivers[0].viscousFriction = 0.4;
  place(robot);
  const auto simulation = simulate(fixedCommand("torque", "torque", 9));
  simulation->setMotorModel(0, 0, motor());
  simulation->advance(5);
  EXPECT_NEAR(speed(*simulation), 4 / (0.4 + 0.4), 1e-6) << "4 - 0.4 v = 0.4 v";
  EXPECT_NEAR(torque(*simulation), 2, 1e-6);
}

TEST_P(MotoredWheel, AServoReachesItsTargetAsFastAsTheMotorCan) {
  RobotDescription robot = wheel();
  robot.joints[0].type = JointType::normal;
  place(robot);
  ComponentOptions command = fixedCommand("pid", "position", 2);
  command.settings.set("kP", 4000);
  command.settings.set("kD", 200);
  const auto simulation = simulate(command);
  simulation->setMotorModel(0, 0, motor(4, 3));
  double maximum = 0;
  for (int i = 0; i < 3000; ++i) {
    const double v = speed(*simulation);
    simulation->step();
    maximum = std::max(maximum, speed(*simulation));
    ASSERT_LE(torque(*simulation), std::max(0.0, 4 * (1 - v / 3)) + 1e-9) << simulation->time();
    ASSERT_GE(torque(*simulation), -4 - 1e-9);
  }
  EXPECT_GT(maximum, 2.5);
  EXPECT_LT(maximum, 3);
  EXPECT_NEAR(simulation->configuration(0)[0], 2, 1e-6);
}

TEST_P(MotoredWheel, ALockedVelocityIsReachedAndKept) {
  place(wheel());
  const auto simulation = simulate(fixedCommand("velocity", "velocity", 6));
  simulation->setMotorModel(0, 0, motor());
  double maximum = 0;
  for (int i = 0; i < 2000; ++i) {
    simulation->step();
    maximum = std::max(maximum, speed(*simulation));
  }
  EXPECT_LT(maximum, 6.001);
  EXPECT_NEAR(speed(*simulation), 6, 1e-4);
}

/// Loses a tenth of what is left of its charge each second at full torque.
class Battery final : public MotorModel {
 public:
  std::string_view type() const override { return "battery"; }
  MotorAnswer answer(const MotorRequest& request) override {
    charge -= 0.1 * charge * request.dt * std::min(1.0, std::abs(request.effort));
    MotorAnswer answer;
    answer.maxEffort = 2 * charge;
    answer.minEffort = -2 * charge;
    answer.viscousFriction = 0.01;
    return answer;
  }
  void save(ByteWriter& out) const override { out.put(charge); }
  void restore(ByteReader& in) override { in.get(charge); }
  double charge = 1;
};

TEST_P(MotoredWheel, AUsersModelIsAskedEachStepAndSavedBitForBit) {
  place(wheel());
  const auto simulation = simulate(fixedCommand("torque", "torque", 5));
  const auto plain = simulation->save();
  simulation->setMotorModel(0, 0, std::make_unique<Battery>());
  const auto charge = [&] { return dynamic_cast<const Battery&>(*simulation->motorModel(0, 0)).charge; };
  simulation->advance(0.5);
  EXPECT_NEAR(charge(), std::exp(-0.05), 1e-5);
  EXPECT_NEAR(torque(*simulation), 2 * charge(), 1e-9);
  const auto half = simulation->save();
  simulation->advance(0.5);
  const std::uint64_t hash = simulation->stateHash();
  const double full = charge();
  simulation->restore(half);
  EXPECT_NE(charge(), full);
  simulation->advance(0.5);
  EXPECT_EQ(charge(), full);
  EXPECT_EQ(simulation->stateHash(), hash);
  simulation->reset();
  EXPECT_EQ(charge(), 1) << "as it was when it was set";
  simulation->advance(1);
  EXPECT_EQ(simulation->stateHash(), hash);

  EXPECT_THROW(simulation->restore(plain), Error) << "of a simulation without motor";
  EXPECT_EQ(simulation->stateHash(), hash) << "which changed nothing";
  simulation->setMotorModel(0, 0, nullptr);
  EXPECT_THROW(simulation->restore(half), Error);
  simulation->restore(plain);
  simulation->reset();
  simulation->advance(0.1);
  EXPECT_NEAR(speed(*simulation), 5 / kInertia * 0.1, 1e-3) << "no motor, no limit but the driver's";
  EXPECT_THROW(simulation->setMotorModel(1, 0, nullptr), Error);
  EXPECT_THROW(simulation->setMotorModel(0, 7, nullptr), Error);
}

TEST_P(MotoredWheel, OptionsSetThemFromTheStart) {
  place(wheel());
  SimulationOptions options;
  options.backend = GetParam();
  options.components = {fixedCommand("torque", "torque", 9)};
  MotorOptions wanted;
  wanted.settings.set("stall_torque", 4);
  wanted.settings.set("no_load_speed", 10);
  options.motors = {wanted};
  Simulation simulation(world, *registry, nullptr, log, options);
  simulation.advance(0.5);
  EXPECT_NEAR(speed(simulation), 10 * (1 - std::exp(-1.0)), 0.02);
  EXPECT_EQ(simulation.effectiveSettings().at("motors")[0].at("driver").asString(), "rim0");
  SimulationOptions shown = options;
  shown.backend = "kinematic";
  Simulation kinematic(world, *registry, nullptr, log, shown);
  EXPECT_TRUE(log.mentions("has no dynamics: models of motors and their limits have no effect"));
  EXPECT_THROW(kinematic.setMotorModel(0, 0, motor()), Error);
  options.motors[0].driver = 3;
  EXPECT_THROW(Simulation(world, *registry, nullptr, log, options), Error);
  options.motors[0].driver = 0;
  options.motors[0].settings.set("no_load_speed", -1);
  EXPECT_THROW(Simulation(world, *registry, nullptr, log, options), Error);
}

class Broken final : public MotorModel {
 public:
  std::string_view type() const override { return "broken"; }
  MotorAnswer answer(const MotorRequest&) override {
    MotorAnswer answer;
    answer.maxEffort = std::nan("");
    return answer;
  }
};

TEST_P(MotoredWheel, AModelThatAnswersNonsenseStopsTheRun) {
  place(wheel());
  const auto simulation = simulate(fixedCommand("torque", "torque", 9));
  simulation->setMotorModel(0, 0, std::make_unique<Broken>());
  EXPECT_EQ(simulation->step(), StepStatus::error);
  EXPECT_NE(simulation->fault().find("'broken' of driver 'rim0'"), std::string::npos) << simulation->fault();
}

TEST_P(MotoredWheel, StepsAllocateNothingForThem) {
  place(wheel());
  const auto plain = simulate(fixedCommand("torque", "torque", 9));
  const auto motored = simulate(fixedCommand("torque", "torque", 9), {true, true, true});
  motored->setMotorModel(0, 0, motor());
  const auto allocations = [](Simulation& simulation) {
    simulation.advance(0.1);
    const std::size_t before = allocationCount;
    simulation.advance(0.1);
    return allocationCount - before;
  };
  EXPECT_EQ(allocations(*motored), allocations(*plain));
}

INSTANTIATE_TEST_SUITE_P(Backends, MotoredWheel, testing::Values("mortise"),
                         [](const auto& backend) { return std::string(backend.param); });

}  // namespace
}  // namespace mortise::test
