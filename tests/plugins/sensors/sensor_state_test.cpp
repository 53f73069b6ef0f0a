// Saving, restoring, hostile bytes and allocations of sensors.

#include <cmath>
#include <cstring>
#include <limits>

#include "mortise/math/rotation.h"
#include "tests/plugins/sensors/sensor_bench.h"
#include "tests/plugins/sensors/sensor_simulation.h"
#include "tests/support/allocation_counter.h"

namespace mortise {
namespace {

struct Example {
  const char* type;
  const char* settings;
  const char* change;  ///< A setting that may change while running.
  const char* to;
};

std::ostream& operator<<(std::ostream& out, const Example& example) { return out << example.type; }

const Example kExamples[] = {
    {"JointPositionSensor", "{qvariance: [0.1, 0.2]}", "qvariance", "0.3"},
    {"JointVelocitySensor", "{dqvariance: 0.1, dqresolution: 0.01}", "dqresolution", "0.1 0.2"},
    {"DriverTorqueSensor", "{tvariance: 0.1}", "tvariance", ""},
    {"ContactSensor",
     "{link: 1, patchMin: [-1, -1], patchMax: [1, 1], patchTolerance: 1, hasForce: 1, fVariance: [1, 2, 3]}",
     "fSaturation", "1 inf 2"},
    {"ForceTorqueSensor", "{link: 0, hasForce: 1, hasTorque: 1, tVariance: [1, 2, 3]}", "fVariance", "3 2 1"},
    {"Accelerometer", "{link: 1, hasAxis: 1, accelVariance: [1, 0, 0]}", "accelVariance", "0 0 2"},
    {"TiltSensor", "{link: 1, hasVelocity: true, variance: [1, 1, 1]}", "resolution", "0.1 0.1 0.1"},
    {"GyroSensor",
     "{link: 1, hasRotation: 1, hasAngVel: 1, hasAngAccel: 1, angVelVariance: [1, 0, 0, 0, 1, 0, 0, 0, 1]}",
     "rotationVariance", "1 0 0 0 1 0 0 0 1"},
    {"IMUSensor", "{link: 1, hasAxis: 1, hasAngVel: 1, accelVariance: [1, 2, 3]}", "accelVariance", "0 1 0"}};

class SensorState : public test::SensorBench, public testing::WithParamInterface<Example> {
 protected:
  ComponentPtr<Sensor> make() { return started(GetParam().type, GetParam().settings); }

  void put(int tick) {
    const double t = tick * step;
    time = t;
    state.q << std::sin(t), std::cos(2 * t);
    state.dq << std::cos(t), -2 * std::sin(2 * t);
    driverTorques = {t, -t};
    for (int i = 0; i < 2; ++i) {
      state.X_WL[i] = {rotationX(t) * rotationY(i + 0.5 * t), Vector3d(std::sin(3 * t), t * t, i)};
      twists[i] = {Vector3d(3 * std::cos(3 * t), 2 * t, 0), Vector3d(1, 0.5 * i, std::sin(t))};
    }
    contacts.resize(2);
    contacts[0].idA = world.linkId(0, 1);
    contacts[0].idB = 0;
    contacts[1].idA = 1;
    contacts[1].idB = world.linkId(0, 0);
    for (ContactForce& contact : contacts) {
      contact.point = state.X_WL[1] * Vector3d(0.1 * std::sin(40 * t), 0.2, 0.01);
      contact.force = Vector3d(t, 1, -2);
    }
    wrenches.assign(1, {world.linkId(0, 1), Vector3d(0, 1, t), Vector3d(t, 0, 0), Vector3d(1, 2, 3)});
  }
  /// Readings every ten ticks of those in [from, to).
  void run(Sensor& sensor, int from, int to, std::vector<double>& values) {
    values.resize(sensor.channels().size());
    for (int tick = from; tick < to; ++tick) {
      put(tick);
      if (tick > 0 && sensor.observesSteps()) sensor.observe(view(), step);
      if (tick % 10 == 0) sensor.simulate(view(), period, values);
    }
  }
  std::vector<std::byte> saved(const Sensor& sensor) const {
    ByteWriter out;
    sensor.save(out);
    return out.bytes();
  }
};

TEST_P(SensorState, ContinuesBitForBit) {
  auto first = make(), second = make();
  std::vector<double> a, b;
  run(*first, 0, 133, a);
  ASSERT_TRUE(first->changeSetting(GetParam().change, Value(GetParam().to)));
  run(*first, 133, 257, a);
  run(*second, 0, 41, b);
  const RandomStream random = host.random();
  const std::vector<std::byte> bytes = saved(*first);
  ByteReader in(bytes);
  second->restore(in);
  EXPECT_TRUE(in.atEnd());
  EXPECT_EQ(saved(*second), bytes);
  EXPECT_EQ(second->settings(), first->settings());
  run(*first, 257, 400, a);
  host.random() = random;
  run(*second, 257, 400, b);
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(double)), 0);
  EXPECT_EQ(saved(*first), saved(*second));
}

TEST_P(SensorState, StartsAnew) {
  auto used = make(), fresh = make();
  std::vector<double> a, b;
  run(*used, 0, 95, a);
  start(*used);
  host.random() = RandomStream(7);
  run(*used, 0, 60, a);
  host.random() = RandomStream(7);
  run(*fresh, 0, 60, b);
  EXPECT_EQ(a, b);
}

TEST_P(SensorState, AllocatesNothing) {
  auto sensor = make();
  std::vector<double> values;
  run(*sensor, 0, 50, values);
  const SimulationView shown = view();
  const std::size_t before = test::allocationCount;
  for (int i = 0; i < 100; ++i) {
    if (sensor->observesSteps()) sensor->observe(shown, step);
    if (i % 10 == 0) sensor->simulate(shown, period, values);
  }
  EXPECT_EQ(test::allocationCount - before, 0u);
}

TEST_P(SensorState, SurvivesHostileBytes) {
  auto sensor = make();
  std::vector<double> values;
  run(*sensor, 0, 55, values);
  const std::vector<std::byte> good = saved(*sensor);
  for (std::size_t length = 0; length < good.size(); length += 3) {
    ByteReader in(std::span<const std::byte>(good).first(length));
    EXPECT_THROW(make()->restore(in), Error) << length;
  }
  RandomStream random(3);
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<std::byte> bad = good;
    for (int k = 0; k < 4; ++k) bad[random.below(bad.size())] = static_cast<std::byte>(random.bits());
    if (trial % 3 == 0) {  // Numbers that are none, huge counts.
      const double special[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -1};
      std::memcpy(bad.data() + 8 * random.below(bad.size() / 8), &special[random.below(3)], 8);
    }
    auto target = make();
    ByteReader in(bad);
    try {
      target->restore(in);
    } catch (const Error&) {
      continue;  // What it then does must be safe too.
    }
    run(*target, 60, 90, values);
  }
}

INSTANTIATE_TEST_SUITE_P(All, SensorState, testing::ValuesIn(kExamples),
                         [](const auto& example) { return std::string(example.param.type); });

// ---------------------------------------------------------------------------------------------------------------------

class SensorSnapshot : public test::SensorSimulation {};

TEST_P(SensorSnapshot, AllSensorsContinueBitForBit) {
  RobotDescription robot = test::armDescription(2);
  place(robot, {0.3, -0.5});
  for (const Example& example : kExamples) add(example.type, example.type, 50, example.settings);
  start();
  simulation->advance(0.213);
  const std::vector<std::byte> snapshot = simulation->save();
  simulation->advance(0.2);
  std::vector<std::vector<double>> first;
  for (const SensorReading& sensor : simulation->view().robots[0].sensors)
    first.emplace_back(sensor.values.begin(), sensor.values.end());
  const std::uint64_t hash = simulation->stateHash();
  simulation->restore(snapshot);
  simulation->advance(0.2);
  std::size_t i = 0;
  for (const SensorReading& sensor : simulation->view().robots[0].sensors) {
    const std::vector<double> again(sensor.values.begin(), sensor.values.end());
    EXPECT_EQ(again, first[i++]) << sensor.name;
  }
  EXPECT_EQ(simulation->stateHash(), hash);
}

INSTANTIATE_TEST_SUITE_P(Backends, SensorSnapshot, testing::Values("mortise"));

}  // namespace
}  // namespace mortise
