#include "mortise/hardware/drive_loop.h"

#include <atomic>
#include <cmath>
#include <future>
#include <gtest/gtest.h>
#include <limits>
#include <tuple>

#include "integrator_hardware.h"
#include "tests/support/error_text.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

MORTISE_PLUGIN_AS(mortise_test_integrator, __attribute__((visibility("hidden"))), "test_integrator", "1") {
  plugin.hardware<mortise::test::IntegratorHardware>("test.Integrator").summary("Joints that integrate.");
  plugin.controller<mortise::test::BenchController>("test.Bench").summary("Commands what a test says.");
}

namespace mortise {
namespace {

using Mode = ActuatorCommand::Mode;

void expectSays(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

class DriveLoop : public testing::Test {
 protected:
  DriveLoop() {
    registry->addBuiltIn(mortise_test_integrator);
    registry->discover();
    test::bench() = &bench;
    bench.sensors = {{"q", "", {std::string(role::kJointPositions)}, {}, 2}};
    servoTo([](double time) { return kSpeed * time; });
    options.hardware = "test.Integrator";
    options.controller = "test.Bench";
    options.duration = 1;
    options.clock = &bench.clock;
    options.observe = [this](double time, const VectorXd& q) {
      times.push_back(time);
      positions.push_back(q[0]);
    };
  }
  ~DriveLoop() override { test::bench() = nullptr; }

  void servoTo(std::function<double(double)> goal) {
    bench.command = [goal = std::move(goal)](double time, std::span<ActuatorCommand> commands) {
      for (ActuatorCommand& command : commands) {
        command.mode = Mode::pid;
        command.position = goal(time);
      }
    };
  }
  DriveResult run() { return drive(*robot, *registry, nullptr, log, options, stop); }
  std::string failure() {
    return test::errorText([&] { run(); });
  }

  static constexpr double kSpeed = 0.5;  // rad/s
  test::MemoryLog log;
  std::unique_ptr<Registry> registry = test::makeRegistry(log);
  RobotPtr robot = Robot::compile(test::armDescription(2));
  test::Bench bench;
  DriveOptions options;
  std::function<bool()> stop;
  std::vector<double> times, positions;
};

/// A joint that goes to its command with a rate of K times the error follows a ramp with the error
/// v/K (1 - (1 - K T)^k) at state k.
TEST_F(DriveLoop, AJointFollowsARampAsTheClosedFormSays) {
  const DriveResult result = run();
  EXPECT_EQ(result.states, 101);
  EXPECT_EQ(result.updates, 100);
  EXPECT_EQ(result.overruns, 0);
  EXPECT_EQ(result.limited, 0);
  EXPECT_EQ(result.skipped, 3) << "as the hardware counts";
  EXPECT_EQ(result.refused, 4);
  EXPECT_EQ(result.hardware, "test.Integrator");
  EXPECT_EQ(result.controller, "test.Bench");
  EXPECT_EQ(result.ended, "the duration is over");
  EXPECT_NEAR(result.time - result.startTime, 1, 1e-9);
  ASSERT_EQ(positions.size(), 100u);
  for (int k = 0; k < 100; ++k) {
    const double lag = kSpeed / bench.gain * (1 - std::pow(1 - bench.gain * bench.period, k));
    EXPECT_NEAR(times[k], k * bench.period, 1e-9);
    EXPECT_NEAR(positions[k], kSpeed * k * bench.period - lag, 1e-9) << k;
  }
}

TEST_F(DriveLoop, VelocitiesAddUpAtThePaceOfTheHardware) {
  bench.setsPace = true;
  bench.command = [](double, std::span<ActuatorCommand> commands) {
    for (ActuatorCommand& command : commands) {
      command.mode = Mode::velocity;
      command.velocity = kSpeed;
    }
  };
  run();
  ASSERT_EQ(positions.size(), 100u);
  for (int k = 0; k < 100; ++k) {
    EXPECT_EQ(times[k], k * bench.period) << "the hardware's own time";
    EXPECT_NEAR(positions[k], kSpeed * k * bench.period, 1e-12);
  }
  EXPECT_TRUE(bench.clock.waits.empty()) << "the hardware sets the pace";
}

TEST_F(DriveLoop, TheSameTwice) {
  run();
  const std::vector<double> before = positions, timesBefore = times;
  const std::vector<std::string> calls = bench.calls;
  test::Bench again;
  again.sensors = bench.sensors;
  again.command = bench.command;
  positions.clear();
  times.clear();
  test::bench() = &again;
  options.clock = &again.clock;
  run();
  EXPECT_EQ(positions, before);
  EXPECT_EQ(times, timesBefore);
  EXPECT_EQ(again.calls, calls);
}

TEST_F(DriveLoop, CallsTheHardwareInItsOrder) {
  options.duration = 0.02;
  run();
  EXPECT_EQ(bench.calls,
            (std::vector<std::string>{"connect", "read", "start", "write", "read", "write", "read", "stop"}));
}

TEST_F(DriveLoop, TheUserChoosesTheRate) {
  options.rate = 50;
  const DriveResult result = run();
  EXPECT_EQ(result.updates, 50);
  EXPECT_EQ(bench.periods, std::vector<double>(50, 0.02));
  ASSERT_EQ(bench.clock.waits.size(), 50u);
  EXPECT_NEAR(bench.clock.waits.back(), 101, 1e-9);
}

TEST_F(DriveLoop, HardwareWithoutARateNeedsOne) {
  bench.period = 0;
  expectSays(failure(), "the integrator leaves it open how often it is read");
  EXPECT_EQ(bench.count("start"), 0);
  options.rate = 100;
  bench.setsPace = false;
  EXPECT_EQ(failure(), "");
}

TEST_F(DriveLoop, StatesBetweenUpdatesAreConfirmed) {
  bench.setsPace = true;
  options.rate = 20;
  const DriveResult result = run();
  EXPECT_EQ(result.states, 101);
  EXPECT_EQ(result.updates, 20);
  EXPECT_EQ(bench.count("write"), 20);
  EXPECT_EQ(bench.count("confirm"), 80);
}

TEST_F(DriveLoop, OverrunsAreCountedAndSaidOnce) {
  // A cycle of 25 ms misses two that should have begun meanwhile.
  bench.act = [this](const char* what) {
    if (std::string(what) == "write") bench.clock.time += 0.025;
  };
  const DriveResult result = run();
  EXPECT_EQ(result.states, 35);
  EXPECT_EQ(result.updates, 34);
  EXPECT_EQ(result.overruns, 34);
  EXPECT_EQ(result.skippedCycles, 68);
  EXPECT_NEAR(times[1], 0.03, 1e-9);
  int said = 0;
  for (const auto& [level, line] : log.lines)
    if (line.find("a cycle took 0.015 s longer than its period of 0.01 s") != std::string::npos) {
      EXPECT_EQ(level, LogLevel::warning);
      ++said;
    }
  EXPECT_EQ(said, 1);
}

TEST_F(DriveLoop, AFaultCallsTheEmergencyStopAndSaysWhy) {
  bench.act = [this](const char* what) {
    if (std::string(what) == "read" && bench.count("read") == 5) bench.fault = "the emergency button is pressed";
  };
  const std::string message = failure();
  expectSays(message, "the integrator reports a fault at t = 0.03 s: the emergency button is pressed");
  expectSays(message, "hint: ");
  EXPECT_EQ(bench.count("write"), 4) << "nothing is commanded any more";
  EXPECT_EQ(bench.calls.back(), "emergencyStop");
  EXPECT_EQ(bench.count("emergencyStop"), 1);
  EXPECT_EQ(bench.count("stop"), 0);
}

TEST_F(DriveLoop, WhatTheHardwareThrowsIsAFault) {
  for (const std::string where : {"read", "write", "start", "confirm"}) {
    SCOPED_TRACE(where);
    bench.calls.clear();
    bench.setsPace = true;
    options.rate = 20;
    bench.act = [&](const char* what) {
      if (what == where && bench.count(where) == 1) throw std::runtime_error("the cable is cut");
    };
    expectSays(failure(), "arm/test.Integrator: " + where + " failed: the cable is cut");
    EXPECT_EQ(bench.calls.back(), "emergencyStop");
    EXPECT_EQ(bench.count("stop"), 0);
  }
  bench.act = [](const char* what) {
    if (std::string(what) == "read") throw Error("motor 3 does not answer", {}, "switch it on");
  };
  const std::string message = failure();
  expectSays(message, "motor 3 does not answer");
  expectSays(message, "hint: switch it on");
}

TEST_F(DriveLoop, ClocksThatAreNoneAreFaults) {
  for (const auto& [at, time, said] :
       {std::tuple(0, std::numeric_limits<double>::quiet_NaN(), "says nan s for its time"),
        std::tuple(4, std::numeric_limits<double>::infinity(), "which is not a finite number"),
        std::tuple(4, 0.001, "says 0.001 s for its time after one at 0.03 s")}) {
    SCOPED_TRACE(said);
    bench.calls.clear();
    bench.change = [at = at, time = time](int reads, HardwareState& state) {
      if (reads == at) state.time = time;
      return HardwareRead::state;
    };
    expectSays(failure(), said);
    EXPECT_EQ(bench.count("write"), at) << "nothing is commanded any more";
  }
}

TEST_F(DriveLoop, HardwareThatIsNotConnectedIsNotStopped) {
  bench.act = [](const char*) { throw Error("nobody answers at /dev/null"); };
  expectSays(failure(), "nobody answers at /dev/null");
  EXPECT_EQ(bench.calls, std::vector<std::string>{"connect"});
  stop = [] { return true; };
  EXPECT_EQ(run().ended, "stopped before it was connected");
}

TEST_F(DriveLoop, AControllerThatFailsBringsTheRobotToRest) {
  const auto failsWith = [&](const auto& command, const std::string& message) {
    bench.calls.clear();
    bench.command = command;
    expectSays(failure(), message);
    EXPECT_EQ(bench.calls.back(), "stop");
    EXPECT_EQ(bench.count("write"), 0);
    EXPECT_EQ(bench.count("emergencyStop"), 0);
  };
  failsWith([](double, std::span<ActuatorCommand>) { throw Error("no plan"); }, "no plan");
  failsWith([](double, std::span<ActuatorCommand> commands) { commands[1].torque = std::nan(""); },
            "arm/test.Bench: the command for driver 'rod1' is not a finite number");
  bench.can.torque = false;
  failsWith([](double, std::span<ActuatorCommand> commands) { commands[0].mode = Mode::torque; },
            "driver 'rod0' is given a torque, which the integrator does not take");
}

TEST_F(DriveLoop, LimitsAreKeptAndCounted) {
  RobotDescription limited = test::armDescription(2);
  limited.drivers[0].qMax = limited.drivers[1].qMax = 0.25;
  robot = Robot::compile(limited);
  bench.can.limits = false;
  const DriveResult result = run();
  // The ramp reaches 0.25 rad after 0.5 s; from the next update on, both drivers are limited.
  EXPECT_NEAR(static_cast<double>(result.limited), 98, 2);
  EXPECT_LE(bench.q[0], 0.25);
  EXPECT_TRUE(log.mentions("driver 'rod1' for a position of"));
}

TEST_F(DriveLoop, ARobotThatFallsSilentIsLost) {
  options.timeout = 0.05;
  bench.change = [](int reads, HardwareState&) { return reads < 10 ? HardwareRead::state : HardwareRead::nothing; };
  expectSays(failure(), "the integrator gave no new state for 0.05 s");
  EXPECT_EQ(bench.count("read"), 16);
  EXPECT_EQ(bench.calls.back(), "emergencyStop");
}

TEST_F(DriveLoop, LateStatesAreWaitedFor) {
  options.timeout = 0.05;
  bench.change = [](int reads, HardwareState&) { return reads % 4 == 0 ? HardwareRead::state : HardwareRead::nothing; };
  const DriveResult result = run();
  EXPECT_EQ(result.states, 26);
  EXPECT_EQ(result.updates, 25);
}

TEST_F(DriveLoop, ARobotThatLeavesEndsIt) {
  bench.change = [](int reads, HardwareState&) { return reads < 10 ? HardwareRead::state : HardwareRead::ended; };
  const DriveResult result = run();
  EXPECT_EQ(result.ended, "it was switched off");
  EXPECT_EQ(result.updates, 10);
  EXPECT_EQ(bench.calls.back(), "stop");
}

TEST_F(DriveLoop, TheUserEndsIt) {
  stop = [this] { return bench.count("write") == 7; };
  const DriveResult result = run();
  EXPECT_EQ(result.ended, "stopped");
  EXPECT_EQ(result.updates, 7);
  EXPECT_EQ(bench.calls.back(), "stop");
}

TEST_F(DriveLoop, TheUserHasAnEmergencyStop) {
  options.emergencyRequested = [this] { return bench.count("write") == 7; };
  const DriveResult result = run();
  EXPECT_TRUE(result.emergencyStop);
  EXPECT_EQ(result.ended, "the user asked for the emergency stop");
  EXPECT_EQ(result.updates, 7);
  EXPECT_EQ(bench.calls.back(), "emergencyStop");
  EXPECT_EQ(bench.count("emergencyStop"), 1);
  EXPECT_EQ(bench.count("stop"), 0);
  options.emergencyRequested = {};
  EXPECT_FALSE(run().emergencyStop);
}

/// While the robot comes to rest, `stopRequested` of its host says that the user does not want to wait for that.
TEST_F(DriveLoop, WhoInsistsDoesNotWaitForRest) {
  bool insists = false;
  stop = [this] { return bench.count("write") == 7; };
  options.emergencyRequested = [&] { return insists; };
  bench.act = [&](const char* what) {
    if (std::string(what) != "stop") return;
    EXPECT_FALSE(bench.host->stopRequested());
    insists = true;
    EXPECT_TRUE(bench.host->stopRequested());
  };
  const DriveResult result = run();
  EXPECT_TRUE(result.emergencyStop);
  ASSERT_GE(bench.calls.size(), 2u);
  EXPECT_EQ(bench.calls[bench.calls.size() - 2], "stop");
  EXPECT_EQ(bench.calls.back(), "emergencyStop");
}

TEST_F(DriveLoop, TheEmergencyStopDoesNotWaitForTheController) {
  std::atomic<bool> busy = false;
  std::promise<void> stopped;
  bench.onEmergency = [&] { stopped.set_value(); };
  bench.command = [&](double time, std::span<ActuatorCommand>) {
    if (time < 0.025) return;
    busy = true;
    stopped.get_future().wait();  // For ever, without it.
  };
  options.emergencyRequested = [&] { return busy.load(); };
  const DriveResult result = run();
  EXPECT_TRUE(result.emergencyStop);
  EXPECT_EQ(result.updates, 3);
  EXPECT_EQ(bench.count("write"), 3) << "what it commands afterwards is not heard";
  EXPECT_EQ(bench.calls.back(), "emergencyStop");
  EXPECT_TRUE(log.mentions("the program ends when the controller is done with its update"));
}

TEST_F(DriveLoop, AControllerThatGivesNoCommandIsStopped) {
  std::promise<void> stopped;
  bench.onEmergency = [&] { stopped.set_value(); };
  bench.command = [&](double time, std::span<ActuatorCommand>) {
    if (time < 0.025) return;
    bench.clock.time += 10.5;
    stopped.get_future().wait();
  };
  const std::string message = failure();
  expectSays(message, "arm/test.Bench: it gave no command for 10 s; the emergency stop of the integrator was called");
  expectSays(message, "hint: ");
  EXPECT_EQ(bench.count("write"), 3);
  EXPECT_EQ(bench.calls.back(), "emergencyStop");
  // One that is only late is an overrun.
  bench.calls.clear();
  bench.command = [&](double time, std::span<ActuatorCommand>) {
    if (time > 0.015 && time < 0.025) bench.clock.time += 5;
  };
  options.duration = 6;
  const DriveResult result = run();
  EXPECT_EQ(result.overruns, 1);
  EXPECT_NEAR(static_cast<double>(result.skippedCycles), 500, 1);
  EXPECT_EQ(bench.calls.back(), "stop");
}

TEST_F(DriveLoop, StatesThatNoRobotHasAreFaults) {
  const auto failsFor = [&](const std::function<void(HardwareState&)>& damage, const std::string& message) {
    bench.calls.clear();
    bench.change = [damage](int reads, HardwareState& state) {
      if (reads == 3) damage(state);
      return HardwareRead::state;
    };
    expectSays(failure(), message);
    EXPECT_EQ(bench.calls.back(), "emergencyStop") << message;
  };
  failsFor([](HardwareState& state) { state.sensors[0].values[1] = std::nan(""); }, "sensor 'q' says nan for q[rod1]");
  failsFor([](HardwareState& state) { state.sensors[0].values.push_back(0); }, "sensor 'q' has 3 values at t = ");
  failsFor([](HardwareState& state) { state.sensors[0].measured = false; }, "has no 'q': where the robot is");
  failsFor([](HardwareState& state) { state.time = std::nan(""); }, "which is not a finite number");
}

TEST_F(DriveLoop, WhereTheRobotIsMustBeMeasured) {
  bench.sensors = {};
  expectSays(failure(), "the states from the integrator do not say where the robot is: they have no 'q' of 2 numbers");
  bench.sensors = {{"q", "", {std::string(role::kJointPositions)}, {}, 5}};
  expectSays(failure(), "the robot says that it has 5 links, but 'arm' has 2");
  EXPECT_EQ(bench.count("start"), 0);
  EXPECT_EQ(bench.count("emergencyStop"), 0);
  // A sensor by another name does when the user says what it is.
  bench.sensors = {{"encoders", "", {}, {}, 2}};
  expectSays(failure(), "there is 'encoders'");
  options.sensorTypes["encoders"] = "JointPositionSensor";
  EXPECT_EQ(failure(), "");
}

TEST_F(DriveLoop, NamesAndSettingsAreCheckedBeforeAnythingIsConnected) {
  options.hardware = "test.Integrater";
  expectSays(failure(), "test.Integrator");
  options.hardware = "test.Integrator";
  options.hardwareSettings.set("color", "red");
  expectSays(failure(), "color");
  options.hardwareSettings = Value::map();
  options.controller = "test.Bensh";
  expectSays(failure(), "test.Bench");
  options.controller = "test.Bench";
  options.sensorTypes["q"] = "JointPositonSensor";
  expectSays(failure(), "JointPositionSensor");
  EXPECT_TRUE(bench.calls.empty());
}

}  // namespace
}  // namespace mortise
