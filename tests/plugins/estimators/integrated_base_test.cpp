
#include "estimator_test.h"
#include "mortise/math/rotation.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/hostile_bytes.h"

namespace mortise {
namespace {

const std::vector<std::string> kRotationChannels = {"R_xx", "R_xy", "R_xz", "R_yx", "R_yy",
                                                    "R_yz", "R_zx", "R_zy", "R_zz"};
const std::vector<std::string> kVelocityChannels = {"angVel_x", "angVel_y", "angVel_z"};

class IntegratedBaseTest : public test::EstimatorTest {
 protected:
  IntegratedBaseTest() {
    use(test::floatingArm(2));
    q0.head<6>() << 0.1, -0.2, 0.9, 0.3, 0.2, -0.1;
  }

  /// Orientation of the base as q has it.
  Matrix3d baseRotation() const {
    RobotState state(*robot);
    state.q = q;
    updateFrames(*robot, state);
    return state.X_WL[5].R;
  }
  /// Angular velocity of the base as q and dq have it.
  Vector3d baseVelocity() const {
    RobotState state(*robot);
    state.q = q;
    state.dq = dq;
    updateFrames(*robot, state);
    std::vector<Vector3d> v(robot->numLinks()), w(robot->numLinks());
    linkVelocities(*robot, state, v, w);
    return w[5];
  }
  static void putRotation(const Matrix3d& R, std::vector<double>& values) {
    for (int i = 0; i < 9; ++i) values[i] = R(i / 3, i % 3);
  }
  static void put(const Vector3d& v, std::vector<double>& values) { values.assign(v.data(), v.data() + 3); }
  static void putTilt(const Matrix3d& R_WS, std::vector<double>& values) {
    const Vector3d up = R_WS.transpose() * Vector3d::UnitZ();
    values[0] = std::asin(up.y());
    values[1] = std::asin(-up.x());
  }
  static double angleBetween(const Matrix3d& a, const Matrix3d& b) {
    return momentFromRotation(a.transpose() * b).norm();
  }
  Matrix3d startRotation() const {
    RobotState state(*robot);
    state.q = q0;
    updateFrames(*robot, state);
    return state.X_WL[5].R;
  }
};

TEST_F(IntegratedBaseTest, HoldsTheBaseThatNothingMeasures) {
  std::vector<std::string> all;
  for (const Link& link : robot->links()) all.push_back("q[" + link.name + "]");
  auto& positions = sensors.add("q", "JointPositionSensor", all);
  auto estimator = create("IntegratedStateEstimator");
  auto believing = create("IntegratedStateEstimator", "{baseFromJointSensors: true}");
  start(*estimator);
  start(*believing);
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = 1 + 0.1 * static_cast<double>(i);
  read(*estimator, 0);
  EXPECT_EQ(VectorXd(q.head<6>()), VectorXd(q0.head<6>()));
  EXPECT_EQ(q[6], positions[6]);
  EXPECT_TRUE(dq.head<6>().isZero(0));
  read(*believing, 0);
  EXPECT_EQ(q[2], positions[2]);
}

TEST_F(IntegratedBaseTest, TakesAMeasuredOrientation) {
  auto& gyro = sensors.add("gyro", "GyroSensor", kRotationChannels);
  auto estimator = create("IntegratedStateEstimator");
  start(*estimator);
  const Vector3d w(0.4, -1.1, 0.7);
  for (int k = 0; k < 100; ++k) {
    const Matrix3d R = rotationFromMoment(w * 0.01 * k) * startRotation();
    putRotation(R, gyro);
    read(*estimator, 0.01 * k);
    ASSERT_LT(angleBetween(baseRotation(), R), 1e-12);
    if (k > 0) {
      ASSERT_LT((baseVelocity() - w).norm(), 1e-9) << "the velocity is the difference of orientations";
    }
    ASSERT_LT((VectorXd(q.head<3>()) - VectorXd(q0.head<3>())).norm(), 1e-14);
    estimator->advance(0.01);
  }
}

TEST_F(IntegratedBaseTest, IntegratesTheAngularVelocity) {
  for (const bool inLink : {false, true}) {
    sensors.sensors.clear();
    auto& gyro = sensors.add("gyro", "GyroSensor", kVelocityChannels);
    auto estimator =
        create("IntegratedStateEstimator", inLink ? "{angularVelocityFrame: link}" : "{angularVelocityFrame: world}");
    start(*estimator);
    // Turns with constant velocity about a fixed axis: integrated exactly. Passes the singular pitch of 90 degrees.
    const Vector3d w = Vector3d(0.3, 1, -0.2).normalized() * 2;
    for (int k = 0; k <= 200; ++k) {
      const Matrix3d R = rotationFromMoment(w * 0.01 * k) * startRotation();
      put(inLink ? Vector3d(R.transpose() * w) : w, gyro);
      read(*estimator, 0.01 * k);
      ASSERT_LT(angleBetween(baseRotation(), R), 1e-9) << inLink << " " << k;
      if (std::abs(std::cos(q[4])) > 1e-2) {
        ASSERT_LT((baseVelocity() - w).norm(), 1e-9);
      }
      estimator->advance(0.01);
    }
  }
}

TEST_F(IntegratedBaseTest, IntegrationIsOfSecondOrder) {
  // The axis turns too: R(t) = Rz(a t) Rx(b t).
  const auto error = [&](double dt) {
    sensors.sensors.clear();
    auto& gyro = sensors.add("gyro", "GyroSensor", kVelocityChannels);
    const Matrix3d R0 = startRotation();
    const auto rotation = [&](double t) { return Matrix3d(rotationZ(1.5 * t) * rotationX(2 * t) * R0); };
    auto estimator = create("IntegratedStateEstimator");
    start(*estimator);
    const int count = static_cast<int>(std::lround(1 / dt));
    for (int k = 0; k <= count; ++k) {
      put(Vector3d(Vector3d(0, 0, 1.5) + rotationZ(1.5 * dt * k) * Vector3d(2, 0, 0)), gyro);
      read(*estimator, dt * k);
      estimator->advance(dt);
    }
    return angleBetween(baseRotation(), rotation(1));
  };
  const double coarse = error(0.02), fine = error(0.01);
  EXPECT_LT(coarse, 1e-3);
  EXPECT_NEAR(coarse / fine, 4, 0.4);
}

TEST_F(IntegratedBaseTest, TiltCorrectsWhatTheGyroDrifts) {
  for (const bool tilted : {true, false}) {
    sensors.sensors.clear();
    auto& gyro = sensors.add("gyro", "GyroSensor", kVelocityChannels);
    std::vector<double> none(2);
    auto& tilt = tilted ? sensors.add("tilt", "TiltSensor", {"a_x", "a_y"}) : none;
    auto estimator = create("IntegratedStateEstimator", "{tiltTime: 0.2 s}");
    start(*estimator);
    // The base stands still, and the gyro has a bias about a horizontal axis.
    const Matrix3d R = startRotation();
    putTilt(R, tilt);
    put(Vector3d(0.02, 0, 0), gyro);
    for (int k = 0; k <= 1000; ++k) {
      read(*estimator, 0.01 * k);
      estimator->advance(0.01);
    }
    const double drift = angleBetween(baseRotation(), R);
    if (tilted) {
      EXPECT_NEAR(drift, 0.02 * 0.2, 5e-4) << "bias times time constant";
    } else {
      EXPECT_NEAR(drift, 0.2, 1e-6);
    }
  }
}

TEST_F(IntegratedBaseTest, TiltAloneIsBelievedAtOnceAndLeavesTheHeading) {
  auto& tilt = sensors.add("tilt", "TiltSensor", {"a_x", "a_y", "a_z", "w_x", "w_y", "w_z"});
  auto estimator = create("IntegratedStateEstimator");
  start(*estimator);
  const Matrix3d R = rotationFromRollPitchYaw(Vector3d(0.4, -0.3, 0)) * rotationZ(0.3);
  putTilt(R, tilt);
  read(*estimator, 0);
  EXPECT_LT((baseRotation().row(2) - R.row(2)).norm(), 1e-12);
  // Shortest turn: no more than the angle between the verticals.
  const Matrix3d R0 = startRotation();
  EXPECT_NEAR(angleBetween(R0, baseRotation()), std::acos(R0.row(2).dot(R.row(2))), 1e-9);
}

TEST_F(IntegratedBaseTest, SensorsOnALimbTellOfTheBaseThroughTheJoints) {
  auto& gyro = sensors.add("gyro", "GyroSensor", [] {
    auto names = kRotationChannels;
    names.insert(names.end(), kVelocityChannels.begin(), kVelocityChannels.end());
    return names;
  }());
  auto& positions = sensors.add("q", "JointPositionSensor", {"q[rod0]", "q[rod1]"});
  auto& velocities = sensors.add("dq", "JointVelocitySensor", {"dq[rod0]", "dq[rod1]"});
  auto estimator = create("IntegratedStateEstimator", "{inertialLink: rod1}");
  start(*estimator);
  RobotState truth(*robot);
  truth.q << 0.1, -0.2, 0.9, 0.8, -0.5, 0.4, 0.3, -1.2;
  truth.dq << 0, 0, 0, 0.3, -0.6, 0.2, 1.1, -0.4;
  updateFrames(*robot, truth);
  std::vector<Vector3d> v(robot->numLinks()), w(robot->numLinks());
  linkVelocities(*robot, truth, v, w);
  positions = {0.3, -1.2};
  velocities = {1.1, -0.4};
  putRotation(truth.X_WL[7].R, gyro);
  for (int i = 0; i < 3; ++i) gyro[9 + i] = w[7][i];
  read(*estimator, 0);
  EXPECT_LT(angleBetween(baseRotation(), truth.X_WL[5].R), 1e-12);
  read(*estimator, 0.01);
  EXPECT_LT((q - truth.q).norm(), 1e-9);
  EXPECT_LT((dq - truth.dq).norm(), 1e-9);
  auto wrong = create("IntegratedStateEstimator", "{inertialLink: tx}");
  EXPECT_THROW(start(*wrong), Error);
}

TEST_F(IntegratedBaseTest, PositionComesFromWhatAnImuIntegrated) {
  auto& imu = sensors.add("imu", "IMUSensor", {"vel_x", "vel_y", "vel_z", "trans_x", "trans_y", "trans_z"});
  auto estimator = create("IntegratedStateEstimator");
  auto without = create("IntegratedStateEstimator", "{imuTranslation: false}");
  start(*estimator);
  start(*without);
  imu = {1, 2, 3, 0.5, -0.25, 0.125};
  read(*estimator, 0);
  EXPECT_LT((Vector3d(q.head<3>()) - Vector3d(0.6, -0.45, 1.025)).norm(), 1e-12);
  EXPECT_LT((Vector3d(dq.head<3>()) - Vector3d(1, 2, 3)).norm(), 1e-12);
  read(*without, 0);
  EXPECT_LT((Vector3d(q.head<3>()) - Vector3d(q0.head<3>())).norm(), 1e-12);
}

TEST_F(IntegratedBaseTest, WhatASensorDoesNotMeasureIsNoMeasurement) {
  // All channels are there, but neither orientation nor velocity are enabled.
  auto names = kRotationChannels;
  names.insert(names.end(), kVelocityChannels.begin(), kVelocityChannels.end());
  auto& gyro = sensors.add("gyro", "GyroSensor", names);
  putRotation(Matrix3d::Identity(), gyro);
  auto estimator = create("IntegratedStateEstimator");
  start(*estimator);
  for (int k = 0; k < 10; ++k) read(*estimator, 0.01 * k);
  EXPECT_LT((q - q0).norm(), 1e-12);
  EXPECT_LT(dq.norm(), 1e-12);
}

TEST_F(IntegratedBaseTest, ContinuesBitForBitAndSurvivesHostileBytes) {
  auto& gyro = sensors.add("gyro", "GyroSensor", kVelocityChannels);
  auto& tilt = sensors.add("tilt", "TiltSensor", {"a_x", "a_y"});
  const auto drive = [&](Estimator& estimator, int k) {
    put(Vector3d(std::sin(0.1 * k), 0.3, std::cos(0.07 * k)), gyro);
    tilt = {0.1 * std::sin(0.05 * k), 0.2};
    read(estimator, 0.01 * k);
    estimator.advance(0.01);
  };
  auto estimator = create("IntegratedStateEstimator");
  start(*estimator);
  for (int k = 0; k < 30; ++k) drive(*estimator, k);
  ByteWriter out;
  estimator->save(out);
  for (int k = 30; k < 60; ++k) drive(*estimator, k);
  const VectorXd qEnd = q, dqEnd = dq;
  auto other = create("IntegratedStateEstimator");
  start(*other);
  ByteReader in(out.bytes());
  other->restore(in);
  EXPECT_TRUE(in.atEnd());
  for (int k = 30; k < 60; ++k) drive(*other, k);
  EXPECT_EQ(q, qEnd);
  EXPECT_EQ(dq, dqEnd);

  test::restoreDamaged(*other, out.bytes(), 5, 2000, [&] { drive(*other, 60); });
}

TEST_F(IntegratedBaseTest, DoesNotAllocate) {
  auto& gyro = sensors.add("gyro", "GyroSensor", kVelocityChannels);
  sensors.add("tilt", "TiltSensor", {"a_x", "a_y"});
  auto estimator = create("IntegratedStateEstimator", "{inertialLink: rod0}");
  start(*estimator);
  put(Vector3d(0.1, 0.2, 0.3), gyro);
  read(*estimator, 0);
  const std::size_t before = test::allocationCount;
  for (int k = 1; k < 20; ++k) {
    read(*estimator, 0.01 * k);
    estimator->advance(0.01);
  }
  EXPECT_EQ(test::allocationCount - before, 0u);
}

}  // namespace
}  // namespace mortise
