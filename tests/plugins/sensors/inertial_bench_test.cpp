// Accelerometer, tilt sensor, gyroscope and inertial measurement unit on links that move as formulas say.

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "mortise/math/constants.h"
#include "mortise/math/rotation.h"
#include "tests/plugins/sensors/sensor_bench.h"

namespace mortise {
namespace {

class InertialBench : public test::SensorBench {
 protected:
  /// A motion in closed form of link 1: it turns about a fixed axis and its origin swings.
  struct Course {
    Vector3d axis = Vector3d(1, 2, -0.5).normalized();
    Matrix3d R0 = rotationX(0.4) * rotationY(-0.7);
    double turn = 1.2, turnRate = 2.1;  ///< rad, rad/s
    Vector3d swing = Vector3d(0.3, -0.2, 0.25);
    Vector3d rates = Vector3d(1.7, 2.3, 1.1);

    double angle(double t) const { return turn * (1 - std::cos(turnRate * t)); }
    Vector3d w(double t) const { return axis * turn * turnRate * std::sin(turnRate * t); }
    Vector3d dw(double t) const { return axis * turn * turnRate * turnRate * std::cos(turnRate * t); }
    RigidTransform X(double t) const {
      Vector3d p;
      for (int i = 0; i < 3; ++i) p[i] = swing[i] * (1 - std::cos(rates[i] * t));
      return {rotationAboutAxis(axis, angle(t)) * R0, p};
    }
    Vector3d v(double t) const {
      Vector3d v;
      for (int i = 0; i < 3; ++i) v[i] = swing[i] * rates[i] * std::sin(rates[i] * t);
      return v;
    }
    Vector3d a(double t) const {
      Vector3d a;
      for (int i = 0; i < 3; ++i) a[i] = swing[i] * rates[i] * rates[i] * std::cos(rates[i] * t);
      return a;
    }
    /// Position, velocity and acceleration of a point of the link.
    Vector3d pointPosition(double t, const Vector3d& p_L) const { return X(t) * p_L; }
    Vector3d pointVelocity(double t, const Vector3d& p_L) const { return v(t) + w(t).cross(X(t).R * p_L); }
    Vector3d pointAcceleration(double t, const Vector3d& p_L) const {
      const Vector3d r = X(t).R * p_L;
      return a(t) + dw(t).cross(r) + w(t).cross(w(t).cross(r));
    }
  };

  void put(double t) {
    time = t;
    state.X_WL[1] = course.X(t);
    twists[1] = {course.v(t), course.w(t)};
  }
  /// From tick 0: a reading every so many steps. The last one.
  std::vector<double> run(Sensor& sensor, int ticks, int every = 10) {
    std::vector<double> values;
    for (int k = 0; k <= ticks; ++k) {
      put(k * step);
      if (k > 0) sensor.observe(view(), step);
      if (k % every == 0) values = read(sensor);
    }
    return values;
  }
  static Vector3d vectorOf(const std::vector<double>& values, int first) {
    return Eigen::Map<const Vector3d>(values.data() + first);
  }
  static Matrix3d matrixOf(const std::vector<double>& values, int first) {
    return Eigen::Map<const Matrix3d>(values.data() + first).transpose();
  }

  Course course;
};

// ---------------------------------------------------------------------------------------------------------------------
// Accelerometer

TEST_F(InertialBench, AccelerometerFeelsWhatThePointDoesInItsOwnAxes) {
  const Matrix3d R_LS = rotationZ(0.5);
  auto sensor = started("Accelerometer", "{link: 1, hasAxis: [1, 1, 1], Tsensor: [" + formatReal(std::cos(0.5)) + ", " +
                                             formatReal(-std::sin(0.5)) + ", 0, " + formatReal(std::sin(0.5)) + ", " +
                                             formatReal(std::cos(0.5)) + ", 0, 0, 0, 1, 0.2, -0.1, 0.3]}");
  const std::vector<double> values = run(*sensor, 1500);
  const double middle = 1.5 - 0.005;
  const Vector3d expected =
      (course.X(middle).R * R_LS).transpose() * (course.pointAcceleration(middle, Vector3d(0.2, -0.1, 0.3)) - gravity);
  EXPECT_LT((vectorOf(values, 0) - expected).norm(), 1e-3 * expected.norm());
}

TEST_F(InertialBench, AccelerometerAtTheFirstReadingIsAtRest) {
  auto sensor = started("Accelerometer", "{link: 1, hasAxis: [1, 1, 1]}");
  put(0.7);
  EXPECT_LT((vectorOf(read(*sensor), 0) - state.X_WL[1].R.transpose() * Vector3d(0, 0, 9.8)).norm(), 1e-12);
}

TEST_F(InertialBench, AccelerometerHasTheAxesAndNoiseThatAreAskedFor) {
  EXPECT_EQ(channelsOf(*started("Accelerometer", "{}")), (std::vector<std::string>{"accel_x", "accel_y", "accel_z"}));
  auto off = started("Accelerometer", "{accelVariance: [1, 1, 1]}");
  EXPECT_EQ(read(*off), (std::vector<double>{0, 0, 0}));
  auto sensor = started("Accelerometer", "{link: 1, hasAxis: [1, 0, 1], accelVariance: [0.04, 1, 0.5]}");
  state.X_WL[1] = {};
  test::Statistics x, z;
  for (int i = 0; i < 10000; ++i) {
    const std::vector<double> values = read(*sensor);
    ASSERT_EQ(values[1], 0);
    x.add(values[0]);
    z.add(values[2]);
  }
  test::expectNoise(x, 0, 0.04, "x");
  test::expectNoise(z, 9.8, 0.5, "z");
  EXPECT_TRUE(sensor->changeSetting("accelVariance", Value("0 0 0")));
  EXPECT_EQ(read(*sensor), (std::vector<double>{0, 0, 9.8}));
}

// ---------------------------------------------------------------------------------------------------------------------
// Tilt

TEST_F(InertialBench, TiltIsTheAngleAboutEachAxis) {
  auto sensor = started("TiltSensor", "{link: 1, hasAxis: [1, 1, 1]}");
  EXPECT_EQ(channelsOf(*sensor), (std::vector<std::string>{"a_x", "a_y", "a_z", "w_x", "w_y", "w_z"}));
  for (const double angle : {-1.5, -0.3, 0.0, 0.01, 0.8, 1.5}) {
    state.X_WL[1].R = rotationX(angle);
    EXPECT_NEAR(read(*sensor)[0], angle, 1e-12);
    EXPECT_NEAR(read(*sensor)[2], kPi / 2 - std::abs(angle), 1e-7);
    state.X_WL[1].R = rotationY(angle);
    EXPECT_NEAR(read(*sensor)[1], angle, 1e-12);
    EXPECT_NEAR(read(*sensor)[0], 0, 1e-12);
    state.X_WL[1].R = rotationZ(angle);
    EXPECT_NEAR(read(*sensor)[0], 0, 1e-12) << "turning about the upright is no tilt";
  }
}

TEST_F(InertialBench, TiltAgainstAnotherDirectionAndInAnotherFrame) {
  // The reference, as the sensor sees it, whatever its length.
  const Matrix3d R_LS = rotationZ(kPi / 2);
  auto sensor = started("TiltSensor", "{link: 1, referenceDir: [0, 2, 0], Rsensor: [0, -1, 0, 1, 0, 0, 0, 0, 1]}");
  const Matrix3d R = rotationZ(0.2) * rotationX(1.1);
  state.X_WL[1].R = R;
  const Vector3d d = (R * R_LS).transpose() * Vector3d::UnitY();
  const std::vector<double> values = read(*sensor);
  EXPECT_NEAR(values[0], std::asin(d.y()), 1e-12);
  EXPECT_NEAR(values[1], std::asin(-d.x()), 1e-12);
  EXPECT_EQ(values[2], 0) << "off by default";
}

TEST_F(InertialBench, TiltReportsVelocityOnRequest) {
  put(0.9);
  const Vector3d w = state.X_WL[1].R.transpose() * course.w(0.9);
  EXPECT_EQ(vectorOf(read(*started("TiltSensor", "{link: 1}")), 3), Vector3d::Zero());
  const std::vector<double> values = read(*started("TiltSensor", "{link: 1, hasVelocity: true}"));
  EXPECT_NEAR(values[3], w.x(), 1e-12);
  EXPECT_NEAR(values[4], w.y(), 1e-12);
  EXPECT_EQ(values[5], 0);
}

TEST_F(InertialBench, TiltHasNoiseAndResolution) {
  auto sensor =
      started("TiltSensor", "{link: 1, hasVelocity: true, variance: [1e-4, 4e-6, 1], resolution: [0, 0.001, 0]}");
  state.X_WL[1].R = rotationX(0.5);
  twists[1].w_WL = Vector3d(0.3, 0, 0);
  test::Statistics x, y, w;
  for (int i = 0; i < 10000; ++i) {
    const std::vector<double> values = read(*sensor);
    x.add(values[0]);
    y.add(values[1]);
    w.add(values[3]);
    ASSERT_NEAR(values[1], 0.001 * std::round(values[1] / 0.001), 1e-15);
  }
  test::expectNoise(x, 0.5, 1e-4, "angle");
  test::expectNoise(y, 0, 4e-6 + 1e-6 / 12, "angle, with the noise of rounding");
  test::expectNoise(w, 0.3, 1e-4, "velocity");
}

// ---------------------------------------------------------------------------------------------------------------------
// Gyroscope

TEST_F(InertialBench, GyroMeasuresWhatIsSwitchedOn) {
  auto nothing = started("GyroSensor", "{link: 1}");
  EXPECT_EQ(channelsOf(*nothing),
            (std::vector<std::string>{"R_xx", "R_xy", "R_xz", "R_yx", "R_yy", "R_yz", "R_zx", "R_zy", "R_zz",
                                      "angVel_x", "angVel_y", "angVel_z", "angAccel_x", "angAccel_y", "angAccel_z"}));
  put(0.8);
  EXPECT_EQ(read(*nothing), (std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}));

  auto all = started("GyroSensor", "{link: 1, hasRotation: 1, hasAngVel: true, hasAngAccel: yes}");
  const std::vector<double> values = run(*all, 800);
  EXPECT_EQ(matrixOf(values, 0), course.X(0.8).R);
  EXPECT_EQ(vectorOf(values, 9), course.w(0.8));
  EXPECT_LT((vectorOf(values, 12) - course.dw(0.795)).norm(), 1e-3);
  EXPECT_LT((vectorOf(values, 12) - (course.w(0.8) - course.w(0.79)) / 0.01).norm(), 1e-9) << "mean since the last one";
}

TEST_F(InertialBench, GyroNoiseHasTheCovarianceThatIsAskedFor) {
  auto sensor = started("GyroSensor",
                        "{link: 1, hasRotation: true, hasAngVel: true, hasAngAccel: true,"
                        " rotationVariance: [1e-4, 5e-5, 0,  5e-5, 4e-4, 0,  0, 0, 0],"
                        " angVelVariance: [0.04, 0.01, -0.02,  0.01, 0.09, 0.03,  -0.02, 0.03, 0.25],"
                        " angAccelVariance: [1, 0, 0, 0, 4, 0, 0, 0, 9]}");
  put(0.6);
  const Matrix3d R = course.X(0.6).R;
  Matrix3d rotation = Matrix3d::Zero(), velocity = Matrix3d::Zero(), acceleration = Matrix3d::Zero();
  constexpr int kCount = 20000;
  for (int i = 0; i < kCount; ++i) {
    const std::vector<double> values = read(*sensor);
    const Matrix3d measured = matrixOf(values, 0);
    ASSERT_LT((measured.transpose() * measured - Matrix3d::Identity()).norm(), 1e-12);
    const Vector3d r = momentFromRotation(measured * R.transpose()), w = vectorOf(values, 9) - course.w(0.6),
                   a = vectorOf(values, 12);
    rotation += r * r.transpose() / kCount;
    velocity += w * w.transpose() / kCount;
    acceleration += a * a.transpose() / kCount;
  }
  Matrix3d rotationExpected, velocityExpected;
  rotationExpected << 1e-4, 5e-5, 0, 5e-5, 4e-4, 0, 0, 0, 0;
  velocityExpected << 0.04, 0.01, -0.02, 0.01, 0.09, 0.03, -0.02, 0.03, 0.25;
  const Matrix3d accelerationExpected = Vector3d(1, 4, 9).asDiagonal();
  const auto compare = [](const Matrix3d& found, const Matrix3d& expected, const char* what) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        // Four standard errors of a sample covariance.
        const double error = std::sqrt((expected(i, i) * expected(j, j) + expected(i, j) * expected(i, j)) / kCount);
        EXPECT_NEAR(found(i, j), expected(i, j), 4 * error + 1e-12) << what << " " << i << j;
      }
  };
  compare(rotation, rotationExpected, "rotation");
  compare(velocity, velocityExpected, "velocity");
  compare(acceleration, accelerationExpected, "acceleration");
}

// ---------------------------------------------------------------------------------------------------------------------
// Inertial measurement unit

constexpr int kAccel = 0, kVel = 3, kTrans = 6, kAngAccel = 9, kAngVel = 12, kR = 15;

class ImuGaps : public InertialBench, public testing::WithParamInterface<const char*> {};

TEST_P(ImuGaps, IntegratesAKnownMotion) {
  // Whatever of the gyro is there, the rest follows from it.
  auto imu =
      started("IMUSensor", std::string("{link: 1, hasAxis: [1, 1, 1], Tsensor: [0, -1, 0, 1, 0, 0, 0, 0, 1, 0.2, ") +
                               "-0.1, 0.3]" + GetParam() + "}");
  const Vector3d p_L(0.2, -0.1, 0.3);
  const std::vector<double> values = run(*imu, 3000);
  const double t = 3, middle = t - 0.005;
  // Angular accelerations leave open how the velocity went between two readings; everything else sums up exactly.
  const bool exact = GetParam() != std::string(", hasAngAccel: true");
  EXPECT_LT((matrixOf(values, kR) - course.X(t).R).norm(), exact ? 1e-9 : 1e-3);
  EXPECT_LT((vectorOf(values, kAccel) - course.pointAcceleration(middle, p_L)).norm(), exact ? 1e-3 : 0.01);
  EXPECT_LT((vectorOf(values, kVel) - course.pointVelocity(t, p_L)).norm(), exact ? 1e-9 : 0.01);
  EXPECT_LT((vectorOf(values, kTrans) - (course.pointPosition(t, p_L) - course.pointPosition(0, p_L))).norm(),
            exact ? 1e-5 : 0.01);
  if (std::string(GetParam()).empty()) return;
  EXPECT_LT((vectorOf(values, kAngVel) - course.w(t)).norm(), 0.03);
  EXPECT_LT((vectorOf(values, kAngAccel) - course.dw(middle)).norm(), 0.03);
}

INSTANTIATE_TEST_SUITE_P(Gyros, ImuGaps,
                         testing::Values(", hasRotation: true, hasAngVel: true, hasAngAccel: true",
                                         ", hasAngVel: true, hasAngAccel: true", ", hasAngVel: true",
                                         ", hasAngAccel: true", ", hasRotation: true", ""));

TEST_F(InertialBench, ImuChannels) {
  auto imu = started("IMUSensor", "{link: 1}");
  const std::vector<std::string> channels = channelsOf(*imu);
  ASSERT_EQ(channels.size(), 24u);
  for (const auto& [index, name] :
       {std::pair(0, "accel_x"), std::pair(5, "vel_z"), std::pair(6, "trans_x"), std::pair(10, "angAccel_y"),
        std::pair(12, "angVel_x"), std::pair(15, "R_xx"), std::pair(16, "R_xy"), std::pair(23, "R_zz")})
    EXPECT_EQ(channels[index], name);
}

TEST_F(InertialBench, ImuWithoutAxesStaysWhereItIs) {
  auto imu = started("IMUSensor", "{link: 1, hasAngVel: true}");
  const std::vector<double> values = run(*imu, 500);
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(values[i], 0, 1e-12);
}

TEST_F(InertialBench, ImuThatIsReadSeldomIsAsGood) {
  auto imu = started("IMUSensor", "{link: 1, hasAxis: [1, 1, 1], hasAngVel: true}");
  const std::vector<double> values = run(*imu, 3000, 500);
  EXPECT_LT((matrixOf(values, kR) - course.X(3).R).norm(), 1e-9);
  EXPECT_LT((vectorOf(values, kVel) - course.v(3)).norm(), 1e-9);
  EXPECT_LT((vectorOf(values, kTrans) - course.X(3).p).norm(), 1e-5);
}

TEST_F(InertialBench, ImuThatNeverMovesReadsNothing) {
  auto imu = started("IMUSensor", "{link: 1, hasAxis: [1, 1, 1], hasAngVel: true}");
  state.X_WL[1] = {rotationX(0.5) * rotationZ(1), Vector3d(3, 2, 1)};
  for (int k = 0; k <= 1000; ++k) {
    time = k * step;
    if (k > 0) imu->observe(view(), step);
    if (k % 10 != 0) continue;
    const std::vector<double> values = read(*imu);
    for (int i = 0; i < 15; ++i) ASSERT_NEAR(values[i], 0, 1e-10) << i;
    ASSERT_LT((matrixOf(values, kR) - state.X_WL[1].R).norm(), 1e-12);
  }
}

TEST_F(InertialBench, ImuDriftsWithNoise) {
  // White noise of the accelerometer becomes a random walk of the velocity: variance q T^2 n after n readings.
  auto imu = started("IMUSensor", "{link: 1, hasAxis: [1, 1, 1], accelVariance: [0.04, 0.04, 0.04]}");
  state.X_WL[1] = {};
  test::Statistics drift;
  for (int trial = 0; trial < 300; ++trial) {
    start(*imu);
    std::vector<double> values;
    for (int k = 0; k <= 100; ++k) {
      time = 0.01 * k;
      if (k > 0) imu->observe(view(), 0.01);
      values = read(*imu);
    }
    for (int i = 0; i < 3; ++i) drift.add(values[kVel + i]);
  }
  test::expectNoise(drift, 0, 0.04 * 1e-4 * 100, "velocity");
}

// ---------------------------------------------------------------------------------------------------------------------

TEST_F(InertialBench, RefuseWhatMakesNoSense) {
  for (const char* settings :
       {"{link: hand}", "{hasAxis: [1, 1]}", "{hasAxis: maybe}", "{accelVariance: 1}", "{accelVariance: [1, 1, -1]}",
        "{accelVariance: [1, 1, .nan]}", "{Tsensor: [2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]}", "{hasaxis: 1}"}) {
    EXPECT_NE(refusal("Accelerometer", settings).find("test.yaml:1:"), std::string::npos) << settings;
    EXPECT_NE(refusal("IMUSensor", settings).find("test.yaml:1:"), std::string::npos) << settings;
  }
  for (const char* settings : {"{referenceDir: [0, 0, 0]}", "{referenceDir: [0, 1]}", "{referenceDir: [.inf, 0, 0]}",
                               "{Rsensor: [1, 0, 0, 0, 1, 0, 0, 0, 0.5]}", "{Rsensor: [1, 0, 0]}",
                               "{variance: [-1, 0, 0]}", "{resolution: [0, 0, -1]}", "{hasVelocity: 2}"})
    EXPECT_NE(refusal("TiltSensor", settings).find("test.yaml:1:"), std::string::npos) << settings;
  for (const char* settings :
       {"{angVelVariance: [1, 0, 0]}", "{angVelVariance: [-1, 0, 0, 0, 1, 0, 0, 0, 1]}",
        "{angVelVariance: [1, 2, 0, 2, 1, 0, 0, 0, 1]}", "{angVelVariance: [1, 0.5, 0, 0, 1, 0, 0, 0, 1]}",
        "{rotationVariance: [0, 1e-3, 0, 1e-3, 1, 0, 0, 0, 1]}", "{angAccelVariance: [.inf, 0, 0, 0, 1, 0, 0, 0, 1]}",
        "{hasRotation: [1]}"})
    EXPECT_NE(refusal("GyroSensor", settings).find("test.yaml:1:"), std::string::npos) << settings;
  auto gyro = started("GyroSensor", "{hasAngVel: true}");
  EXPECT_THROW(gyro->changeSetting("angVelVariance", Value("1 2 0 2 1 0 0 0 1")), Error);
  EXPECT_TRUE(gyro->changeSetting("angVelVariance", Value("1 1 0 1 1 0 0 0 1"))) << "two that always agree";
  EXPECT_EQ(gyro->settings().at("ang_vel_variance").asReals()[1], 1);
}

}  // namespace
}  // namespace mortise
