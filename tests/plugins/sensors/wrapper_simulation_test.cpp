// Wrappers in a simulation: order, rates, switching off, states, and worlds that name them.

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/simulation/simulation.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

class WrapperSimulation : public testing::Test {
 protected:
  static ComponentOptions sensor(const char* type, const char* name, const char* settings, double rate = 0) {
    ComponentOptions component;
    component.kind = Kind::sensor;
    component.type = type;
    component.name = name;
    component.rate = rate;
    component.settings = parseYaml(settings, "test.yaml");
    return component;
  }
  /// An arm with servos, and what sensors make of it.
  std::unique_ptr<Simulation> make() {
    SimulationOptions options;
    options.seed = 5;
    options.components = {
        sensor("JointPositionSensor", "q", "{}"),
        sensor("CorruptedSensor", "worn", "{of: q, variance: 1e-4, resolution: 0.001}"),
        sensor("TimeDelayedSensor", "late", "{of: worn, delay: 0.03, jitter: 0.012}", 500),
        sensor("FilteredSensor", "smooth", "{of: late, smoothing: 0.8}", 200),
        sensor("TransformedSensor", "counts", "{of: q, scale: 1000}"),
    };
    return std::make_unique<Simulation>(world, *registry, nullptr, log, options);
  }
  static std::vector<double> values(const Simulation& simulation, std::string_view name) {
    const SensorReading* reading = findReading(simulation.sensorReadings(0), name);
    return reading == nullptr ? std::vector<double>{}
                              : std::vector<double>(reading->values.begin(), reading->values.end());
  }

  test::MemoryLog log;
  std::unique_ptr<Registry> registry = test::makeRegistry(log);
  World world = test::smallWorld();
};

TEST_F(WrapperSimulation, ContinuesBitForBitFromTheMiddle) {
  auto first = make();
  first->advance(0.153);
  EXPECT_TRUE(first->sensor(0, "late")->changeSetting("delay", Value("50 ms")));
  first->setSensorRate(0, "smooth", 100);
  first->advance(0.05);
  const std::vector<std::byte> bytes = first->save();
  first->advance(0.2);
  auto second = make();
  second->restore(bytes);
  second->advance(0.2);
  EXPECT_EQ(second->stateHash(), first->stateHash());
  for (const char* name : {"worn", "late", "smooth", "counts"}) EXPECT_EQ(values(*first, name), values(*second, name));
  EXPECT_EQ(second->sensor(0, "late")->settings().at("delay").asReal(), 0.05);
}

TEST_F(WrapperSimulation, ReadsWhatTheWrappedSensorShows) {
  auto simulation = make();
  simulation->advance(0.1);
  const std::vector<double> before = values(*simulation, "q");
  EXPECT_EQ(values(*simulation, "counts"), (std::vector<double>{1000 * before[0], 1000 * before[1]}))
      << "of the same tick";
  simulation->setSensorEnabled(0, "q", false);
  simulation->advance(0.1);
  EXPECT_EQ(values(*simulation, "q"), before) << "a sensor that is off keeps its values";
  EXPECT_EQ(values(*simulation, "counts"), (std::vector<double>{1000 * before[0], 1000 * before[1]}));
}

TEST_F(WrapperSimulation, WorldsNameTheWrappedOneAsKlamptDoes) {
  const auto add = [&](const char* type, const char* settings) {
    ComponentRequest request;
    request.type = type;
    request.settings = parseYaml(settings, "world.xml");
    world.simulation.sensors.emplace_back(0, request);
  };
  add("JointVelocitySensor", "{name: speeds}");
  add("FilteredSensor", "{name: calm, sensor: speeds, smoothing: '0.5'}");
  add("TransformedSensor", "{name: scaled, sensor: calm, scale: '1 2', bias: '0.5'}");
  Simulation simulation(world, *registry, nullptr, log, {});
  simulation.advance(0.2);
  const std::vector<double> calm = values(simulation, "calm"), scaled = values(simulation, "scaled");
  ASSERT_EQ(scaled.size(), 2u);
  EXPECT_EQ(scaled[0], calm[0] + 0.5);
  EXPECT_EQ(scaled[1], 2 * calm[1] + 0.5);
}

TEST_F(WrapperSimulation, AWrapperBeforeItsSensorIsRefused) {
  SimulationOptions options;
  options.components = {sensor("FilteredSensor", "smooth", "{of: q}"), sensor("JointPositionSensor", "q", "{}")};
  try {
    Simulation simulation(world, *registry, nullptr, log, options);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("must be declared before"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("test.yaml:1"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace mortise
