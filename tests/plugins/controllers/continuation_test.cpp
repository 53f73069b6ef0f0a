// Every controller and every sensor, in a simulation: a state taken in the middle of a motion continues
// to the same bits in another simulation.

#include <algorithm>
#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "mortise/loading/format_loader.h"
#include "mortise/simulation/simulation.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise::test {
namespace {

struct Case {
  const char* name;
  const char* components;  ///< As in a pipeline.
  const char* command;     ///< For the controller, at 0.1 s; empty: none.
  const char* arguments;
};

void PrintTo(const Case& what, std::ostream* out) { *out << what.name; }

constexpr const char* kPath = "{times: [0.2, 0.6], configurations: [[0.8, -0.5], [0.1, 0.3]]}";

const Case kCases[] = {
    {"JointTracking", "[{controller: JointTrackingController}]", "set_q", "[0.5, -0.4]"},
    {"FeedforwardJointTracking", "[{controller: FeedforwardJointTrackingController}]", "set_q", "[0.5, -0.4]"},
    {"PolynomialPath", "[{controller: PolynomialPathController}]", "append_q", "[0.9, -0.4]"},
    {"MilestonePath", "[{controller: MilestonePathController}]", "set_q", "[0.9, -0.4]"},
    {"FeedforwardPolynomialPath",
     "[{controller: FeedforwardPolynomialPathController, enableFeedforwardAcceleration: true}]", "set_path", kPath},
    {"RealTimePlanning", "[{controller: RealTimePlanningController, velocity_limit: 1, acceleration_limit: 4}]",
     "set_q", "[0.9, -0.4]"},
    {"OperationalSpace",
     "[{controller: OperationalSpaceController, rate: 500, tasks: [{type: link, name: tip, link: rod1, point: [0.5, 0, "
     "0], axes: xz}, {type: joint, name: posture, priority: 2}]}]",
     "set_target", "{task: tip, position: [0.6, 0, 0.4]}"},
    {"MultiPart",
     "[{controller: MultiPartController, parts: [{name: upper, links: [rod0], controller: PolynomialPathController}, "
     "{name: lower, links: [rod1], controller: FeedforwardJointTrackingController, rate: 50 Hz}]}]",
     "upper.append_q", "[0.7, 0]"},
    {"StateMachine",
     "[{controller: StateMachineController, states: [{name: a, controller: PolynomialPathController, on_enter: "
     "[{command: append_q, arguments: [0.6, -0.3]}]}, {name: b, controller: JointTrackingController}], transitions: "
     "[{from: a, to: b, after: 0.45 s}]}]",
     "", ""},
    {"TimedSequence",
     "[{controller: TimedSequenceController, loop: true, steps: [{name: one, controller: PolynomialPathController, "
     "duration: 0.3 s}, {name: two, controller: JointTrackingController, duration: 0.15 s}]}]",
     "", ""},
    {"InertialSensors",
     "[{sensor: Accelerometer, name: a, link: rod1, hasAxis: [1, 1, 1], accelVariance: [0.01, 0.01, 0.01]}, {sensor: "
     "IMUSensor, name: imu, link: rod1, hasAxis: [1, 1, 1], hasAngVel: 1, hasAngAccel: 1, hasRotation: 1, rate: 30}, "
     "{sensor: TiltSensor, name: t, link: rod0, hasVelocity: 1}, {sensor: GyroSensor, name: g, link: rod0, hasAngVel: "
     "1}]",
     "set_q", "[0.9, -0.4]"},
    {"ForceSensors",
     "[{sensor: ForceTorqueSensor, name: ft, link: rod1, hasForce: [1, 1, 1], hasTorque: [1, 1, 1], rate: 40}, "
     "{sensor: "
     "ContactSensor, name: c, link: rod1, patchMin: [-1, -1], patchMax: [1, 1], hasForce: [1, 1, 1]}, {sensor: "
     "DriverTorqueSensor, name: dt, tvariance: [0.1]}]",
     "set_q", "[0.9, -0.4]"},
    {"Wrappers",
     "[{sensor: JointPositionSensor, name: q}, {sensor: CorruptedSensor, name: noisy, of: q, variance: [0.01]}, "
     "{sensor: "
     "FilteredSensor, name: smooth, of: noisy, smoothing: 0.7}, {sensor: TimeDelayedSensor, name: late, of: smooth, "
     "delay: 0.05, jitter: 0.01}, {sensor: TransformedSensor, name: scaled, of: late, scale: [2]}]",
     "set_q", "[0.9, -0.4]"},
    {"CameraAndLaser",
     "[{sensor: CameraSensor, name: eye, link: rod1, xres: 16, yres: 12, rate: 25, zvarianceLinear: 0.001}, {sensor: "
     "LaserRangeSensor, name: scan, link: rod0, measurementCount: 20, depthVarianceConstant: 0.001, xSweepPeriod: "
     "0.7}]",
     "set_q", "[0.9, -0.4]"},
    {"Estimators",
     "[{controller: OperationalSpaceController, estimator: OmniscientStateEstimator, tasks: [{type: joint, name: "
     "posture, kP: 50, kD: 10}]}]",
     "set_target", "{task: posture, position: [0.5, 0.2]}"},
};

class Continuation : public testing::TestWithParam<std::tuple<Case, std::string>> {};

TEST_P(Continuation, GoesOnToTheSameBits) {
  const auto& [what, backend] = GetParam();
  MemoryLog log;
  const std::unique_ptr<Registry> registry = makeRegistry(log);
  FormatLoader loader(*registry, log);
  const World world = smallWorld();
  SimulationOptions options;
  options.backend = backend;
  options.seed = 5;
  const Value list = parseYaml(what.components, what.name);
  for (const Value& entry : list.items()) {
    ComponentOptions component;
    component.kind = entry.contains("sensor") ? Kind::sensor : Kind::controller;
    component.type = entry.at(kindName(component.kind)).asString();
    component.name = entry.string("name", "");
    component.rate = entry.real("rate", 0);
    component.estimator = entry.string("estimator", "");
    for (const Value::Entry& setting : entry.entries())
      if (setting.key != kindName(component.kind) && setting.key != "name" && setting.key != "rate" &&
          setting.key != "estimator")
        component.settings.set(setting.key, setting.value);
    options.components.push_back(std::move(component));
  }
  Simulation first(world, *registry, &loader, log, options);
  first.advance(0.1);
  if (*what.command != 0) {
    ASSERT_TRUE(first.controller(0)->command(what.command, parseYaml(what.arguments, "arguments")));
  }
  first.advance(0.237);
  const std::vector<std::byte> snapshot = first.save();
  const VectorXd middle = first.configuration(0);
  first.advance(0.4);
  ASSERT_EQ(first.fault(), "");
  EXPECT_NE(first.configuration(0), middle) << "it moves";

  Simulation second(world, *registry, &loader, log, options);
  second.restore(snapshot);
  second.advance(0.4);
  EXPECT_EQ(second.stateHash(), first.stateHash());
  ASSERT_EQ(second.sensorReadings(0).size(), first.sensorReadings(0).size());
  for (std::size_t i = 0; i < first.sensorReadings(0).size(); ++i)
    EXPECT_TRUE(std::ranges::equal(first.sensorReadings(0)[i].values, second.sensorReadings(0)[i].values))
        << first.sensorReadings(0)[i].name;
  second.reset();
  first.reset();
  EXPECT_EQ(second.stateHash(), first.stateHash()) << "at the start again";
}

INSTANTIATE_TEST_SUITE_P(Everything, Continuation,
                         testing::Combine(testing::ValuesIn(kCases), testing::Values(std::string("mortise"))),
                         [](const auto& instance) {
                           return std::get<0>(instance.param).name + ("_" + std::get<1>(instance.param));
                         });

}  // namespace
}  // namespace mortise::test
