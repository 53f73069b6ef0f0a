// A simulated robot behind the interface of hardware moves as it does in a simulation with the same controller.

#include <cmath>
#include <gtest/gtest.h>
#include <map>

#include "mortise/base/value_text.h"
#include "mortise/component/hardware.h"
#include "mortise/hardware/drive_loop.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/loading/format_loader.h"
#include "mortise/simulation/context/component_host.h"
#include "mortise/simulation/simulation.h"
#include "tests/runtime/hardware/fake_clock.h"
#include "tests/support/error_text.h"
#include "tests/support/plugins.h"
#include "tests/support/run_program.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

const std::string kRobot = MORTISE_SOURCE_DIR "/data/robots/reacher.rob";
const std::string kPath = MORTISE_SOURCE_DIR "/data/motions/reacher_sweep.path";

using Positions = std::map<std::int64_t, std::vector<double>>;  ///< By tick.

class SimulatedHardwareTest : public testing::Test {
 protected:
  SimulatedHardwareTest() {
    Diagnostics diagnostics;
    world = assembleWorld(loader, {kRobot}, diagnostics);
    diagnostics.throwIfErrors();
  }

  /// Returns what the sensor q measures in a simulation at each tick.
  Positions simulated(const std::string& controller, const std::string& settings, double rate, double seconds,
                      const std::string& backend = {}) {
    SimulationOptions options;
    options.backend = backend;
    ComponentOptions component;
    component.type = controller;
    component.settings = parseYaml(settings, "test");
    component.rate = rate;
    options.components.push_back(component);
    Simulation simulation(world, *registry, &loader, log, options);
    Positions positions;
    while (simulation.time() < seconds) {
      const std::int64_t tick = simulation.tick();
      EXPECT_NE(simulation.step(), StepStatus::error) << simulation.fault();
      const SensorReading* q = findReading(simulation.sensorReadings(0), "q");
      positions[tick].assign(q->values.begin(), q->values.end());
    }
    return positions;
  }

  DriveOptions options(const std::string& controller, const std::string& settings, double rate, double seconds) {
    DriveOptions options;
    options.hardware = "simulated";
    options.hardwareSettings.set("rate", rate);
    options.controller = controller;
    options.settings = parseYaml(settings, "test");
    options.duration = seconds;
    options.world = &world;
    options.robotIndex = 0;
    return options;
  }
  Positions driven(DriveOptions options) {
    Positions positions;
    options.observe = [&](double time, const VectorXd& q) {
      positions[std::llround(time / world.simulation.timeStep)] = {q.begin(), q.end()};
    };
    result = drive(*world.robots[0].robot, *registry, &loader, log, options);
    return positions;
  }
  /// At every state of the drive, and `count` of them.
  static void expectSame(const Positions& driven, const Positions& simulated, std::size_t count) {
    EXPECT_EQ(driven.size(), count);
    for (const auto& [tick, q] : driven) {
      ASSERT_TRUE(simulated.contains(tick)) << tick;
      ASSERT_EQ(q, simulated.at(tick)) << tick;
    }
  }

  test::MemoryLog log;
  std::unique_ptr<Registry> registry = test::makeRegistry(log);
  FormatLoader loader{*registry, log};
  World world;
  DriveResult result;
};

TEST_F(SimulatedHardwareTest, MovesAsInASimulation) {
  for (const auto& [type, settings] :
       {std::pair<std::string, std::string>("PathFollowingController", "{path: '" + kPath + "'}"),
        std::pair<std::string, std::string>("JointTrackingController", "{enableGravityCompensation: true}"),
        std::pair<std::string, std::string>("FeedforwardJointTrackingController", "{}")}) {
    SCOPED_TRACE(type);
    const Positions plain = simulated(type, settings, 100, 1);
    expectSame(driven(options(type, settings, 100, 1)), plain, 100);
    EXPECT_EQ(result.updates, 100);
    EXPECT_EQ(result.limited, 0);
    EXPECT_EQ(result.overruns, 0);
  }
}

TEST_F(SimulatedHardwareTest, MovesAsOnEachEngine) {
  const std::string settings = "{path: '" + kPath + "'}";
  for (const std::string backend : {"mortise", "ode", "kinematic"}) {
    if (registry->find(Kind::physics, backend) == nullptr) continue;
    SCOPED_TRACE(backend);
    DriveOptions chosen = options("PathFollowingController", settings, 100, 0.5);
    chosen.hardwareSettings.set("backend", backend);
    expectSame(driven(chosen), simulated("PathFollowingController", settings, 100, 0.5, backend), 50);
  }
}

/// Steps of 1 ms make no even period of 300 Hz: updates come 4, 3 and 3 steps after each other.
TEST_F(SimulatedHardwareTest, KeepsTheTicksOfRatesThatTheStepDoesNotDivide) {
  const std::string settings = "{path: '" + kPath + "'}";
  const Positions plain = simulated("PathFollowingController", settings, 300, 0.5);
  const Positions same = driven(options("PathFollowingController", settings, 300, 0.5));
  expectSame(same, plain, 150);
  EXPECT_TRUE(same.contains(4));
  EXPECT_TRUE(same.contains(7));
  EXPECT_TRUE(same.contains(10));
}

/// The same noise, drawn once a reading. The controller keeps to its path wherever the robot seems to begin.
TEST_F(SimulatedHardwareTest, NoiseIsThatOfTheSimulation) {
  world.simulation.sensors.emplace_back(
      0, ComponentRequest{"JointPositionSensor", parseYaml("{name: q, qvariance: 1e-6}", "test"), {}});
  const std::string settings = "{path: '" + kPath + "', ramp: false}";
  const Positions plain = simulated("PathFollowingController", settings, 100, 0.3);
  const Positions noisy = driven(options("PathFollowingController", settings, 100, 0.3));
  expectSame(noisy, plain, 30);
  EXPECT_NE(noisy.at(0), noisy.at(10));
  EXPECT_EQ(driven(options("PathFollowingController", settings, 100, 0.3)), noisy) << "twice the same";
  DriveOptions other = options("PathFollowingController", settings, 100, 0.3);
  other.hardwareSettings.set("seed", 7);
  EXPECT_NE(driven(other), noisy);
}

TEST_F(SimulatedHardwareTest, TheClockSetsThePaceAndChangesNothing) {
  const std::string settings = "{path: '" + kPath + "'}";
  const Positions fast = driven(options("PathFollowingController", settings, 100, 0.5));
  test::FakeClock clock;
  DriveOptions paced = options("PathFollowingController", settings, 100, 0.5);
  paced.hardwareSettings.set("realtime", true);
  paced.clock = &clock;
  EXPECT_EQ(driven(paced), fast);
  ASSERT_EQ(clock.waits.size(), 50u);
  EXPECT_NEAR(clock.waits.back(), 100.5, 1e-9);
}

TEST_F(SimulatedHardwareTest, ARobotStandsAloneWhereNoWorldIsGiven) {
  DriveOptions alone = options("JointTrackingController", "{}", 100, 0.1);
  const Positions among = driven(alone);
  alone.world = nullptr;
  alone.robotIndex = -1;
  EXPECT_EQ(driven(alone), among);
}

TEST_F(SimulatedHardwareTest, SaysWhatIsWrong) {
  const auto failure = [&](const DriveOptions& wrong) { return test::errorText([&] { driven(wrong); }); };
  const auto expectSays = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expectSays(failure(options("JointTrackingController", "{}", 5000, 1)),
             "the robot is to be read at 5000 Hz, but steps of 0.001 s give 1000 states a second");
  expectSays(failure(options("JointTrackingController", "{}", -1, 1)), "rate");
  DriveOptions wrong = options("JointTrackingController", "{}", 100, 1);
  wrong.hardwareSettings.set("backend", "mortis");
  expectSays(failure(wrong), "mortise");
  wrong = options("JointTrackingController", "{}", 100, 1);
  wrong.robotIndex = -1;
  expectSays(failure(wrong), "not which of its robots is the one to drive");
}

/// Without motors, a rod falls from the horizontal with m g L/2 over its moment of inertia; with them, it stays.
TEST(SimulatedHardware, TheEmergencyStopSwitchesMotorsOff) {
  test::MemoryLog log;
  const auto registry = test::makeRegistry(log);
  const RobotPtr rod = Robot::compile(test::armDescription(1));
  for (const bool emergency : {false, true}) {
    ChannelTable channels;
    ComponentHost host("rod/hardware", 0, log, nullptr, channels, {}, {}, registry.get());
    const ComponentInfo& info = registry->require(Kind::hardware, "simulated");
    Diagnostics diagnostics;
    const auto hardware =
        registry->create<Hardware>(info, registry->completeSettings(info, Value::map(), diagnostics), host);
    hardware->connect({*rod, 0, nullptr, -1, registry.get(), nullptr});
    const HardwareDescription about = hardware->description();
    HardwareState state;
    std::size_t q = about.sensors.size();
    for (const HardwareSensor& sensor : about.sensors) {
      if (sensor.name == "q") q = state.sensors.size();
      state.sensors.push_back({std::vector<double>(static_cast<std::size_t>(sensor.size)), true});
    }
    ASSERT_LT(q, about.sensors.size());
    EXPECT_EQ(about.period, 0.01);
    EXPECT_TRUE(about.setsPace);
    const std::vector<ActuatorCommand> hold{{ActuatorCommand::Mode::pid, 1e5, 0, 1e3, 0, 0, 0}};
    ASSERT_EQ(hardware->read(state), HardwareRead::state);
    hardware->start(VectorXd::Zero(1), 0.01);
    hardware->write(hold, 0.01);
    ASSERT_EQ(hardware->read(state), HardwareRead::state);
    EXPECT_NEAR(state.sensors[q].values[0], 0, 1e-4);
    if (emergency)
      hardware->emergencyStop();
    else
      hardware->stop();
    const double start = state.sensors[q].values[0];
    for (int i = 0; i < 5; ++i) ASSERT_EQ(hardware->read(state), HardwareRead::state);
    EXPECT_NEAR(state.time, 0.06, 1e-9);
    const double inertia = (0.25 + 0.0025) / 12 + 0.0625, acceleration = 9.8 * 0.25 / inertia;
    const double fall = emergency ? 0.5 * acceleration * 0.05 * 0.05 : 0;
    EXPECT_NEAR(state.sensors[q].values[0] - start, fall, emergency ? 0.05 * fall : 1e-4);
  }
}

/// timeout(1) sends its signal to the program and to its group: that is one request, to come to rest.
TEST(SimulatedHardware, ATimeoutIsNoEmergency) {
  const test::Ran ran = test::runProgram(
      {"/usr/bin/env", "timeout", "--preserve-status", "--signal=INT", "2", MORTISE_BINARY_DIR "/bin/mortise", "drive",
       kRobot, "--plugin-path", MORTISE_BINARY_DIR "/lib/mortise/plugins", "--hardware", "simulated", "--hardware-set",
       "realtime=true", "--controller", "JointTrackingController", "--json"});
  EXPECT_EQ(ran.exitCode, 130) << ran.err;
  if (ran.out.empty()) GTEST_SKIP() << "the program had not begun when the signal came";
  const Value result = parseYaml(ran.out, "output");
  EXPECT_EQ(result.at("ended").asString(), "stopped");
  EXPECT_FALSE(result.at("emergency_stop").asBool());
}

TEST(SimulatedHardware, TheProgramDrivesIt) {
  const test::Ran ran =
      test::runMortise({"drive", kRobot, "--plugin-path", MORTISE_BINARY_DIR "/lib/mortise/plugins", "--hardware",
                        "simulated", "--hardware-set", "rate=200", "--controller", "PathFollowingController", "--set",
                        "path=" + kPath, "--duration", "0.5", "--json"});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  const Value result = parseYaml(ran.out, "output");
  EXPECT_EQ(result.at("hardware").asString(), "mortise.SimulatedHardware");
  EXPECT_EQ(result.at("updates").asInteger(), 100);
  EXPECT_EQ(result.at("overruns").asInteger(), 0);
  EXPECT_EQ(result.at("limited").asInteger(), 0);
  EXPECT_NEAR(result.at("time").asReal(), 0.5, 1e-9);
  EXPECT_EQ(result.at("ended").asString(), "the duration is over");
  const test::Ran wrong = test::runMortise({"drive", kRobot, "--plugin-path", MORTISE_BINARY_DIR "/lib/mortise/plugins",
                                            "--hardware", "simulated", "--hardware-set", "rate", "--controller", "X"});
  EXPECT_EQ(wrong.exitCode, 2);
  EXPECT_NE(wrong.err.find("--hardware-set takes NAME=VALUE, a setting of the hardware"), std::string::npos)
      << wrong.err;
}

}  // namespace
}  // namespace mortise
