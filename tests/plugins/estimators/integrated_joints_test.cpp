#include <limits>

#include "estimator_test.h"
#include "mortise/simulation/context/component_host.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/hostile_bytes.h"

namespace mortise {
namespace {

class IntegratedJointsTest : public test::EstimatorTest {
 protected:
  /// A known motion of link i.
  static double position(int i, double t) { return 0.2 * i + 0.5 * std::sin((1 + i) * t); }
  static double velocity(int i, double t) { return 0.5 * (1 + i) * std::cos((1 + i) * t); }
  static double acceleration(int i, double t) { return -0.5 * (1 + i) * (1 + i) * std::sin((1 + i) * t); }
};

TEST_F(IntegratedJointsTest, TakesWhatIsMeasuredAsItIs) {
  auto& positions = sensors.add("q", "JointPositionSensor", {"q[rod0]", "q[rod1]", "q[rod2]"});
  auto& velocities = sensors.add("dq", "JointVelocitySensor", {"dq[rod0]", "dq[rod1]", "dq[rod2]"});
  auto estimator = create("IntegratedStateEstimator");
  start(*estimator, false);
  for (int k = 0; k < 50; ++k) {
    for (int i = 0; i < 3; ++i) {
      positions[i] = position(i, 0.01 * k);
      velocities[i] = velocity(i, 0.01 * k);
    }
    read(*estimator, 0.01 * k);
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(q[i], positions[i]);
      ASSERT_EQ(dq[i], velocities[i]);
    }
    estimator->advance(0.01);
  }
}

TEST_F(IntegratedJointsTest, FindsLinksByTheNamesOfChannelsInAnyOrder) {
  auto& elbow = sensors.add("wrist encoder", "acme.JointPositionSensor", {"q[rod2]", "q[0]"});
  auto estimator = create("IntegratedStateEstimator");
  start(*estimator);
  elbow = {0.7, -0.3};
  read(*estimator, 0);
  EXPECT_EQ(q[2], 0.7);
  EXPECT_EQ(q[0], -0.3);
  EXPECT_EQ(q[1], q0[1]) << "nothing is known of it";
}

TEST_F(IntegratedJointsTest, DifferencesPositionsWhereVelocitiesAreMissing) {
  auto& positions = sensors.add("q", "JointPositionSensor", {"q[rod0]", "q[rod1]", "q[rod2]"});
  auto& velocities = sensors.add("dq", "JointVelocitySensor", {"dq[rod1]"});
  auto plain = create("IntegratedStateEstimator", "{velocityFilter: 0}");
  auto filtered = create("IntegratedStateEstimator", "{velocityFilter: 50 ms}");
  start(*plain);
  start(*filtered);
  const double dt = 0.01;
  double expected = 0;
  for (int k = 0; k < 100; ++k) {
    for (int i = 0; i < 3; ++i) positions[i] = position(i, dt * k);
    velocities[0] = 17;
    read(*plain, dt * k);
    const double difference = (position(2, dt * k) - position(2, dt * (k - 1))) / dt;
    EXPECT_EQ(dq[1], 17);
    if (k == 0) {
      EXPECT_EQ(dq[2], 0);
    } else {
      EXPECT_NEAR(dq[2], difference, 1e-12);
    }
    plain->advance(dt);
    read(*filtered, dt * k);
    if (k == 1) expected = difference;
    if (k > 1) expected += (1 - std::exp(-dt / 0.05)) * (difference - expected);
    if (k > 0) {
      EXPECT_NEAR(dq[2], expected, 1e-12) << k;
    }
    filtered->advance(dt);
  }
}

/// Links without a sensor do what was asked of their motors, as far as anybody knows, and that is said.
TEST_F(IntegratedJointsTest, LinksThatNobodyMeasuresAreNamed) {
  ChannelTable channels;
  ComponentHost own("test", 1, log, nullptr, channels, {}, {});
  const ComponentInfo& info = registry->require(Kind::estimator, "IntegratedStateEstimator");
  Diagnostics diagnostics;
  const Value settings = registry->completeSettings(info, Value::map(), diagnostics);
  sensors.add("q", "JointPositionSensor", {"q[rod0]"});
  start(*registry->create<Estimator>(info, settings, own));
  EXPECT_TRUE(
      log.mentions("no sensor measures link 'rod1' (and 1 more): what is asked of its motor is taken for what "
                   "it does"));
  log.lines.clear();
  sensors.add("q2", "JointPositionSensor", {"q[rod1]", "q[rod2]"});
  start(*registry->create<Estimator>(info, settings, own));
  EXPECT_FALSE(log.mentions("no sensor measures"));
}

TEST_F(IntegratedJointsTest, SensorsMayBeSlowerThanTheController) {
  // A tenth of the controller's rate; and two thirds of it, so that one or two updates see the same reading.
  for (const auto& [rate, tolerance] : {std::pair(10.0, 1e-9), std::pair(200.0 / 3, 0.15)}) {
    sensors.sensors.clear();
    auto& positions = sensors.add("q", "JointPositionSensor", {"q[rod0]", "q[rod1]", "q[rod2]"});
    auto estimator = create("IntegratedStateEstimator", "{velocityFilter: 0}");
    start(*estimator);
    double sum = 0;
    int count = 0;
    for (int k = 0; k < 300; ++k) {
      positions[1] = 1.2 * std::floor(0.01 * k * rate + 1e-9) / rate;
      read(*estimator, 0.01 * k);
      estimator->advance(0.01);
      if (k < 20) continue;
      ASSERT_NEAR(dq[1], 1.2, tolerance) << rate << " Hz, " << k;
      sum += dq[1];
      ++count;
    }
    EXPECT_NEAR(sum / count, 1.2, 0.03);
  }
}

TEST_F(IntegratedJointsTest, WhatSaysNothingNewRests) {
  auto& positions = sensors.add("q", "JointPositionSensor", {"q[rod0]", "q[rod1]", "q[rod2]"});
  auto estimator = create("IntegratedStateEstimator", "{velocityFilter: 0}");
  start(*estimator);
  const auto go = [&](int from, int to, double velocity) {
    for (int k = from; k < to; ++k) {
      positions[0] += 0.01 * velocity;
      read(*estimator, 0.01 * k);
      estimator->advance(0.01);
    }
  };
  go(0, 20, 2);
  EXPECT_NEAR(dq[0], 2, 1e-9);
  go(20, 22, 0);
  EXPECT_NEAR(dq[0], 2, 1e-9) << "a reading may come late";
  go(22, 23, 0);
  EXPECT_EQ(dq[0], 0);
  go(23, 500, 0);
  EXPECT_EQ(dq[0], 0);
  go(500, 501, -3);
  EXPECT_NEAR(dq[0], -3, 1e-9) << "not the mean over the rest";
}

TEST_F(IntegratedJointsTest, FilterLessensNoiseAsItsTimeConstantSays) {
  // White noise of variance s^2 on positions makes differences d_k = (n_k - n_(k-1)) / dt; the filter
  // y += a (d - y) turns them into variance 2 s^2 / dt^2 * a^2 / (2 - a) * ... = 2 a^2 s^2 / (dt^2 (2 - a)):
  // the autocorrelation of d is 2, -1 at lags 0, 1, so var y = a / (2 - a) * (2 - 2 (1 - a)) s^2 / dt^2.
  auto& positions = sensors.add("q", "JointPositionSensor", {"q[rod0]", "q[rod1]", "q[rod2]"});
  const double dt = 0.01, sigma = 1e-3, T = 0.05, a = 1 - std::exp(-dt / T);
  auto estimator = create("IntegratedStateEstimator", "{velocityFilter: 50 ms}");
  start(*estimator);
  RandomStream random(7, "noise");
  double sum = 0, square = 0;
  constexpr int kCount = 40000;
  for (int k = 0; k < kCount + 100; ++k) {
    positions[0] = 0.3 * dt * k + sigma * random.gaussian();
    read(*estimator, dt * k);
    estimator->advance(dt);
    if (k < 100) continue;
    sum += dq[0] - 0.3;
    square += (dq[0] - 0.3) * (dq[0] - 0.3);
  }
  const double variance = 2 * a * a / (2 - a) * sigma * sigma / (dt * dt);
  EXPECT_NEAR(square / kCount, variance, 0.04 * variance);
  EXPECT_NEAR(sum / kCount, 0, 1e-4);
}

TEST_F(IntegratedJointsTest, IntegratesVelocitiesWherePositionsAreMissing) {
  auto& velocities = sensors.add("dq", "JointVelocitySensor", {"dq[rod0]", "dq[rod1]", "dq[rod2]"});
  auto estimator = create("IntegratedStateEstimator");
  for (int i = 0; i < 3; ++i) q0[i] = position(i, 0);
  start(*estimator);
  const double dt = 0.01;
  for (int k = 0; k <= 200; ++k) {
    for (int i = 0; i < 3; ++i) velocities[i] = velocity(i, dt * k);
    read(*estimator, dt * k);
    // Trapezoidal rule: error at most T dt^2 / 12 times the largest third derivative.
    for (int i = 0; i < 3; ++i) ASSERT_NEAR(q[i], position(i, dt * k), 2 * dt * dt / 12 * 0.5 * std::pow(1 + i, 3));
    estimator->advance(dt);
  }
}

TEST_F(IntegratedJointsTest, IntegratesConstantAccelerationExactly) {
  auto& velocities = sensors.add("dq", "JointVelocitySensor", {"dq[rod0]"});
  auto estimator = create("IntegratedStateEstimator");
  start(*estimator);
  for (int k = 0; k <= 100; ++k) {
    velocities[0] = 3 * 0.01 * k;
    read(*estimator, 0.01 * k);
    estimator->advance(0.01);
  }
  EXPECT_NEAR(q[0], 1.5, 1e-12);
}

TEST_F(IntegratedJointsTest, SpinJointsDifferTheShortWay) {
  RobotDescription description = test::armDescription(1);
  description.joints[0].type = JointType::spin;
  use(description);
  auto& positions = sensors.add("q", "JointPositionSensor", {"q[rod0]"});
  auto estimator = create("IntegratedStateEstimator", "{velocityFilter: 0}");
  start(*estimator);
  positions[0] = 6.28;
  read(*estimator, 0);
  positions[0] = 6.29 - 2 * M_PI;
  read(*estimator, 0.01);
  EXPECT_NEAR(dq[0], 1, 1e-9);
}

TEST_F(IntegratedJointsTest, AsksTheMotorsWhereNoSensorIs) {
  auto estimator = create("IntegratedStateEstimator");
  start(*estimator);
  read(*estimator, 0);
  EXPECT_EQ(q, q0);
  std::vector<ActuatorCommand> commands(3);
  commands[0].mode = ActuatorCommand::Mode::pid;
  commands[0].position = 0.4;
  commands[0].velocity = 0.1;
  commands[1].mode = ActuatorCommand::Mode::velocity;
  commands[1].velocity = -2;
  commands[2].mode = ActuatorCommand::Mode::torque;
  commands[2].torque = 5;
  estimator->readCommand(commands);
  estimator->advance(0.01);
  read(*estimator, 0.01);
  EXPECT_EQ(q[0], 0.4);
  EXPECT_EQ(dq[0], 0.1);
  EXPECT_NEAR(q[1], q0[1] - 0.02, 1e-15);
  EXPECT_EQ(dq[1], -2);
  EXPECT_EQ(q[2], q0[2]);
  EXPECT_EQ(dq[2], 0);
}

TEST_F(IntegratedJointsTest, FollowersOfADriverGoWithItsMeasuredLink) {
  RobotDescription description = test::armDescription(2);
  Driver finger;
  finger.name = "fingers";
  finger.type = DriverType::affine;
  finger.links = {0, 1};
  finger.scale = {1, -2};
  finger.offset = {0, 0.5};
  description.drivers = {finger};
  use(description);
  auto& positions = sensors.add("q", "JointPositionSensor", {"q[rod0]"});
  auto& velocities = sensors.add("dq", "JointVelocitySensor", {"dq[rod0]"});
  auto estimator = create("IntegratedStateEstimator");
  start(*estimator);
  positions[0] = 0.3;
  velocities[0] = 0.7;
  read(*estimator, 0);
  EXPECT_NEAR(q[1], 0.5 - 0.6, 1e-15);
  EXPECT_NEAR(dq[1], -1.4, 1e-15);
}

TEST_F(IntegratedJointsTest, HoldsOnWhenAReadingIsInfinite) {
  auto& positions = sensors.add("q", "JointPositionSensor", {"q[rod0]", "q[rod1]", "q[rod2]"});
  auto estimator = create("IntegratedStateEstimator", "{velocityFilter: 0}");
  start(*estimator);
  for (int k = 0; k < 3; ++k) {
    positions[1] = 0.02 * k;
    read(*estimator, 0.01 * k);
    estimator->advance(0.01);
  }
  positions[1] = std::numeric_limits<double>::infinity();
  read(*estimator, 0.03);
  EXPECT_NEAR(q[1], 0.06, 1e-12) << "goes on with the last velocity";
  EXPECT_NEAR(dq[1], 2, 1e-9);
}

TEST_F(IntegratedJointsTest, TakesTheSensorThatIsNamed) {
  auto& raw = sensors.add("q", "JointPositionSensor", {"q[rod0]", "q[rod1]", "q[rod2]"});
  auto& delayed = sensors.add("late", "TimeDelayedSensor", {"q[rod0]", "q[rod1]", "q[rod2]"});
  auto estimator = create("IntegratedStateEstimator", "{positionSensor: late}");
  start(*estimator);
  raw[0] = 1;
  delayed[0] = 2;
  read(*estimator, 0);
  EXPECT_EQ(q[0], 2);
  auto unknown = create("IntegratedStateEstimator", "{positionSensor: lat}");
  try {
    start(*unknown);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("did you mean 'late'?"), std::string::npos) << e.what();
  }
}

TEST_F(IntegratedJointsTest, RefusesChannelsOfNoLink) {
  sensors.add("q", "JointPositionSensor", {"q[rod9]"});
  auto estimator = create("IntegratedStateEstimator");
  EXPECT_THROW(start(*estimator), Error);
  RobotDescription twins = test::armDescription(3);
  twins.links[0].name = twins.links[1].name = "twin";
  use(twins);
  sensors.sensors[0].channels = {"q[twin]"};
  EXPECT_THROW(start(*estimator), Error);
  sensors.sensors[0].channels = {"q[twin]", "q[twin]", "q[rod2]"};
  sensors.sensors[0].values = {1, 2, 3};
  start(*estimator);
  read(*estimator, 0);
  EXPECT_EQ(q[1], 2) << "a sensor of all links needs no names";
}

TEST_F(IntegratedJointsTest, ContinuesBitForBitFromASnapshotAndRefusesBrokenOnes) {
  auto& positions = sensors.add("q", "JointPositionSensor", {"q[rod0]"});
  auto& velocities = sensors.add("dq", "JointVelocitySensor", {"dq[rod1]"});
  std::vector<ActuatorCommand> commands(3);
  commands[2].mode = ActuatorCommand::Mode::velocity;
  const auto drive = [&](Estimator& estimator, int k) {
    positions[0] = position(0, 0.01 * k);
    velocities[0] = velocity(1, 0.01 * k);
    commands[2].velocity = std::cos(0.1 * k);
    read(estimator, 0.01 * k);
    estimator.readCommand(commands);
    estimator.advance(0.01);
  };
  auto estimator = create("IntegratedStateEstimator");
  start(*estimator);
  for (int k = 0; k < 37; ++k) drive(*estimator, k);
  ByteWriter out;
  estimator->save(out);
  for (int k = 37; k < 60; ++k) drive(*estimator, k);
  const VectorXd qEnd = q, dqEnd = dq;
  auto other = create("IntegratedStateEstimator");
  start(*other);
  ByteReader in(out.bytes());
  other->restore(in);
  EXPECT_TRUE(in.atEnd());
  for (int k = 37; k < 60; ++k) drive(*other, k);
  EXPECT_EQ(q, qEnd);
  EXPECT_EQ(dq, dqEnd);

  test::restoreDamaged(*other, out.bytes(), 3, 2000, [&] { drive(*other, 60); });
}

TEST_F(IntegratedJointsTest, DoesNotAllocate) {
  auto& positions = sensors.add("q", "JointPositionSensor", {"q[rod0]"});
  sensors.add("dq", "JointVelocitySensor", {"dq[rod1]"});
  auto estimator = create("IntegratedStateEstimator");
  start(*estimator);
  std::vector<ActuatorCommand> commands(3);
  read(*estimator, 0);
  const std::size_t before = test::allocationCount;
  for (int k = 1; k < 20; ++k) {
    positions[0] = 0.1 * k;
    read(*estimator, 0.01 * k);
    estimator->readCommand(commands);
    estimator->advance(0.01);
  }
  EXPECT_EQ(test::allocationCount - before, 0u);
}

}  // namespace
}  // namespace mortise
