// Inertial sensors on bodies that physics moves, on each backend.

#include <cmath>

#include "mortise/math/rotation.h"
#include "tests/plugins/sensors/sensor_simulation.h"

namespace mortise {
namespace {

using test::addFloatingBase;
using test::addFree;
using test::addWelded;
using test::close;
using test::linkAt;

constexpr double kGravity = 9.8;
constexpr const char* kAxes = "hasAxis: [1, 1, 1]";

class Inertial : public test::SensorSimulation {};

TEST_P(Inertial, AtRestTheAccelerometerFeelsTheGroundPushUp) {
  RobotDescription robot;
  Link shelf = linkAt("shelf", -1, Vector3d(0, 0, 1), Vector3d::UnitZ(), 1, Vector3d::Zero(), Vector3d::Ones());
  shelf.X_PL0.R = rotationX(0.5) * rotationY(-0.3);
  addWelded(robot, shelf);
  place(robot);
  add("Accelerometer", "accelerometer", 100, std::string("{link: shelf, ") + kAxes + "}");
  add("Accelerometer", "oneAxis", 100, "{link: shelf, hasAxis: [0, 1, 0]}");
  start();
  const Vector3d expected = shelf.X_PL0.R.transpose() * Vector3d(0, 0, kGravity);
  simulation->step();
  EXPECT_TRUE(close(vector("accelerometer"), expected, 1e-12)) << "from the first reading on";
  simulation->advance(0.5);
  EXPECT_TRUE(close(vector("accelerometer"), expected, 1e-9));
  EXPECT_TRUE(close(vector("oneAxis"), Vector3d(0, expected.y(), 0), 1e-9));
}

TEST_P(Inertial, InFreeFallTheAccelerometerFeelsNothing) {
  RobotDescription robot;
  addFloatingBase(robot, 2, Vector3d(0.1, 0.1, 0.1));
  addWelded(robot, linkAt("side", 5, Vector3d(0.3, 0, 0), Vector3d::UnitZ()));
  place(robot, {0, 0, 10}, {3, -2, 1});
  add("Accelerometer", "accelerometer", 100, std::string("{link: base, ") + kAxes + "}");
  add("Accelerometer", "side", 100, std::string("{link: side, ") + kAxes + "}");
  start();
  simulation->advance(0.5);
  EXPECT_TRUE(close(vector("accelerometer"), Vector3d::Zero(), 1e-6, kGravity));
  EXPECT_TRUE(close(vector("side"), Vector3d::Zero(), 1e-6, kGravity));
}

TEST_P(Inertial, TurningTheAccelerometerFeelsTheCentripetalAcceleration) {
  for (const double w : {2.0, 6.0, 15.0}) {
    world = World();
    options = SimulationOptions();
    RobotDescription robot;
    addFree(robot, linkAt("mast", -1, Vector3d(0, 0, 1), Vector3d::UnitZ(), 3, Vector3d::Zero(), Vector3d::Ones()));
    addWelded(robot, linkAt("arm", 0, Vector3d(0.2, 0, 0), Vector3d::UnitZ(), 0.1, Vector3d::Zero(),
                            Vector3d::Constant(1e-4)));
    place(robot, {0.3}, {w});
    add("Accelerometer", "accelerometer", 100,
        std::string("{link: arm, Tsensor: [0, -1, 0, 1, 0, 0, 0, 0, 1, 0.3, 0, 0], ") + kAxes + "}");
    add("Accelerometer", "axis", 100, std::string("{link: mast, ") + kAxes + "}");
    add("GyroSensor", "gyro", 100, "{link: arm, hasAngVel: true, hasRotation: true}");
    start();
    simulation->advance(0.3);
    const double speed = simulation->velocity(0)[0];
    // The sensor's y axis points to the axis of rotation: -x of the arm.
    EXPECT_TRUE(close(vector("accelerometer"), Vector3d(0, speed * speed * 0.5, kGravity), 0.01)) << w;
    EXPECT_TRUE(close(vector("axis"), Vector3d(0, 0, kGravity), 0.01, speed * speed * 0.5)) << w;
    EXPECT_TRUE(close(vector("gyro", 9), Vector3d(0, 0, w), 0.01)) << w;
  }
}

TEST_P(Inertial, PushedTheAccelerometerFeelsForceOverMass) {
  RobotDescription robot;
  addFree(robot, linkAt("slide", -1, Vector3d(0, 0, 1), Vector3d::UnitX(), 4, Vector3d::Zero(), Vector3d::Ones()),
          LinkMotion::prismatic);
  place(robot);
  add("Accelerometer", "accelerometer", 50, std::string("{link: slide, ") + kAxes + "}");
  add("IMUSensor", "imu", 50, std::string("{link: slide, hasAngVel: true, ") + kAxes + "}");
  start();
  for (int i = 0; i < 101; ++i) {
    simulation->applyWrench(world.linkId(0, 0), Vector3d(20, 0, 0), Vector3d::Zero(), Vector3d(0, 0, 1));
    simulation->step();
  }
  EXPECT_TRUE(close(vector("accelerometer"), Vector3d(5, 0, kGravity), 1e-3));
  EXPECT_TRUE(close(vector("imu", 0), Vector3d(5, 0, 0), 1e-3));
  EXPECT_TRUE(close(vector("imu", 3), Vector3d(0.5, 0, 0), 1e-3)) << "velocity after 0.1 s";
  EXPECT_TRUE(close(vector("imu", 6), Vector3d(0.025, 0, 0), 0.02)) << "way after 0.1 s";
}

TEST_P(Inertial, ABumpBetweenTwoReadingsIsNotLost) {
  RobotDescription robot;
  addFree(robot, linkAt("slide", -1, Vector3d(0, 0, 1), Vector3d::UnitX(), 1, Vector3d::Zero(), Vector3d::Ones()),
          LinkMotion::prismatic);
  place(robot);
  add("Accelerometer", "accelerometer", 100, std::string("{link: slide, ") + kAxes + "}");
  start();
  double sum = 0;
  for (int i = 0; i < 31; ++i) {
    if (i == 13) simulation->applyWrench(world.linkId(0, 0), Vector3d(400, 0, 0), Vector3d::Zero(), Vector3d(0, 0, 1));
    simulation->step();
    if (i % 10 == 0) sum += 0.01 * vector("accelerometer").x();
  }
  EXPECT_NEAR(sum, 0.4, 1e-6) << "the change of velocity";
}

TEST_P(Inertial, TiltOfALinkThatHangs) {
  RobotDescription robot;
  Link link =
      linkAt("link", -1, Vector3d(0, 0, 1), Vector3d::UnitX(), 1, Vector3d(0, 0, -0.2), Vector3d::Constant(0.01));
  addFree(robot, link);
  place(robot, {0.4});
  add("TiltSensor", "tilt", 1000, "{link: link, hasVelocity: true}");
  start();
  simulation->advance(0.3);
  const double angle = simulation->configuration(0)[0], speed = simulation->velocity(0)[0];
  simulation->step();  // Reads first.
  EXPECT_NEAR(vector("tilt").x(), angle, 1e-9);
  EXPECT_NEAR(vector("tilt", 3).x(), speed, 1e-9);
}

TEST_P(Inertial, TheUnitFollowsABodyThatIsThrownSpinning) {
  RobotDescription robot;
  addFloatingBase(robot, 3, Vector3d(0.1, 0.15, 0.2));
  place(robot, {0, 0, 5, 0.4, -0.3, 0.2}, {0, 0, 0, 2, 1, -1.5});
  const Vector3d p_L(0.1, 0.2, -0.05);
  for (const char* gyro : {"hasAngVel: true", "hasRotation: true"})
    add("IMUSensor", gyro, 200,
        std::string("{link: base, Tsensor: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0.1, 0.2, -0.05], ") + kAxes + ", " + gyro +
            "}");
  start();
  // The unit sets out from what it calls rest.
  const SimulationView first = simulation->view();
  const RigidTransform X0 = first.robots[0].state->X_WL[5];
  const Vector3d v0 = first.robots[0].twists[5].v_WL + first.robots[0].twists[5].w_WL.cross(X0.R * p_L);
  simulation->advance(0.8);
  const SimulationView last = simulation->view();
  const RigidTransform X = last.robots[0].state->X_WL[5];
  const Vector3d v = last.robots[0].twists[5].v_WL + last.robots[0].twists[5].w_WL.cross(X.R * p_L);
  simulation->step();
  for (const char* gyro : {"hasAngVel: true", "hasRotation: true"}) {
    EXPECT_TRUE(close(vector(gyro, 3), v - v0, 0.01)) << gyro;
    EXPECT_TRUE(close(vector(gyro, 6), X * p_L - X0 * p_L - 0.8 * v0, 0.01)) << gyro;
    const auto values = reading(gyro).values;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) EXPECT_NEAR(values[15 + 3 * i + j], X.R(i, j), 0.01) << gyro;
    EXPECT_TRUE(close(vector(gyro, 12), last.robots[0].twists[5].w_WL, 0.01)) << gyro;
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, Inertial, testing::Values("mortise"));

}  // namespace
}  // namespace mortise
