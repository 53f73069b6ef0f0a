// Sensors that are asked ahead of a step: the step is the same, and so is what they measured.

#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "mortise/simulation/simulation.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

class MeasureTest : public testing::Test {
 protected:
  MeasureTest() {
    world.simulation.sensors.emplace_back(
        0, ComponentRequest{"JointPositionSensor", parseYaml("{name: q, qvariance: 1e-6}", "test"), {}});
  }
  static std::vector<double> reading(const Simulation& simulation) {
    const SensorReading& q = simulation.sensorReadings(0)[0];
    return {q.values.begin(), q.values.end()};
  }

  test::MemoryLog log;
  std::unique_ptr<Registry> registry = test::makeRegistry(log);
  World world = test::smallWorld();
};

TEST_F(MeasureTest, ChangesNoStepAndDrawsNoNoiseTwice) {
  Simulation plain(world, *registry, nullptr, log), measured(world, *registry, nullptr, log);
  std::vector<double> last;
  for (int tick = 0; tick < 60; ++tick) {
    EXPECT_EQ(measured.measure(), StepStatus::normal);
    EXPECT_EQ(measured.measure(), StepStatus::normal);  // There is nothing left to do.
    const std::vector<double> before = reading(measured);
    if (tick % 10 == 0) {
      EXPECT_NE(before, last) << tick;
    }
    plain.step();
    measured.step();
    EXPECT_EQ(reading(measured), before) << tick;
    EXPECT_EQ(reading(plain), before) << tick;
    EXPECT_EQ(plain.stateHash(), measured.stateHash()) << tick;
    last = before;
  }
}

/// Measurements ahead of a step belong to the state that is put back, and not to the one that takes its place.
TEST_F(MeasureTest, ARestoredStateIsMeasuredAnew) {
  Simulation simulation(world, *registry, nullptr, log);
  simulation.advance(0.01);
  const std::vector<std::byte> state = simulation.save();
  simulation.step();
  const std::uint64_t hash = simulation.stateHash();
  simulation.restore(state);
  simulation.measure();
  simulation.restore(state);
  simulation.step();
  EXPECT_EQ(simulation.stateHash(), hash);
  simulation.reset();
  simulation.measure();
  simulation.reset();
  EXPECT_EQ(simulation.advance(0.01), StepStatus::normal);
}

/// Holds its robot by springs of its own.
class Springs final : public Controller {
 public:
  void start(const ControllerSetup&) override { ++starts; }
  void update(const ControllerInput& input, double, std::span<ActuatorCommand> commands) override {
    ++updates;
    for (ActuatorCommand& command : commands) command = {ActuatorCommand::Mode::pid, 50, 0, 5, 0.2, 0, 0};
  }
  int starts = 0, updates = 0;
};

TEST_F(MeasureTest, ACallersOwnControllerRunsInPlaceOfAPlugins) {
  Springs springs;
  SimulationOptions options;
  ComponentOptions own;
  own.type = "springs";
  own.rate = 50;
  own.instance = &springs;
  options.components.push_back(own);
  {
    Simulation simulation(world, *registry, nullptr, log, options);
    EXPECT_EQ(simulation.controller(0), &springs);
    simulation.advance(0.1);
    EXPECT_EQ(simulation.fault(), "");
    EXPECT_EQ(springs.updates, 5);
    EXPECT_EQ(springs.starts, 1);
    simulation.reset();
    EXPECT_EQ(springs.starts, 2);
  }
  EXPECT_EQ(springs.updates, 5) << "the simulation has not destroyed it";
}

}  // namespace
}  // namespace mortise
