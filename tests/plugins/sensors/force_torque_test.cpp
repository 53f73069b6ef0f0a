// ForceTorqueSensor against closed forms, on each backend.

#include <cmath>

#include "mortise/math/rotation.h"
#include "tests/plugins/sensors/sensor_simulation.h"

namespace mortise {
namespace {

using test::addDriven;
using test::addFloatingBase;
using test::addFree;
using test::addWelded;
using test::close;
using test::linkAt;

constexpr double kG = 9.8;
constexpr const char* kAll = "hasForce: [1, 1, 1], hasTorque: [1, 1, 1]";

class ForceTorque : public test::SensorSimulation {
 protected:
  void addWrist(const std::string& link, double rate = 100, const std::string& more = "") {
    add("ForceTorqueSensor", "wrist", rate, "{link: " + link + ", " + kAll + more + "}");
  }
  Vector3d force() { return vector("wrist", 0); }
  Vector3d torque() { return vector("wrist", 3); }
};

/// Two driven rods and a hand welded to the end; x along each, z up.
RobotDescription arm() {
  RobotDescription robot;
  addDriven(robot, linkAt("upper", -1, Vector3d(0, 0, 1), Vector3d::UnitY(), 2, Vector3d(0.25, 0, 0),
                          Vector3d(0.001, 0.04, 0.04)));
  addDriven(robot, linkAt("lower", 0, Vector3d(0.5, 0, 0), Vector3d::UnitY(), 1, Vector3d(0.2, 0, 0),
                          Vector3d(0.001, 0.02, 0.02)));
  addWelded(robot, linkAt("hand", 1, Vector3d(0.4, 0, 0), Vector3d::UnitY(), 0.5, Vector3d(0.05, 0.02, -0.01),
                          Vector3d(0.001, 0.001, 0.001)));
  addWelded(robot, linkAt("tool", 2, Vector3d(0.1, 0, 0), Vector3d::UnitY(), 0.3, Vector3d(0.1, 0, 0),
                          Vector3d(1e-4, 1e-3, 1e-3)));
  return robot;
}

TEST_P(ForceTorque, AtRestEachJointBearsWhatHangsOnIt) {
  // The links carry 3.8, 1.8, 0.8 and 0.3 kg; each torque is that of the weights about the link's origin.
  place(arm());
  for (const char* link : {"upper", "lower", "hand", "tool"})
    add("ForceTorqueSensor", link, 100, std::string("{link: ") + link + ", " + kAll + "}");
  start();
  for (const char* link : {"upper", "lower", "hand", "tool"}) {
    EXPECT_EQ(vector(link), Vector3d::Zero()) << "nothing observed yet";
  }
  simulation->advance(2);
  const RobotState& state = *simulation->view().robots[0].state;
  const Robot& robot = *world.robots[0].robot;
  for (int i = 0; i < 4; ++i) {
    Vector3d expectedForce = Vector3d::Zero(), expectedTorque = Vector3d::Zero();
    for (int k = i; k < 4; ++k) {
      const BodyInertia& body = robot.link(k).inertia;
      const Vector3d lift(0, 0, body.mass * kG);
      expectedForce += lift;
      expectedTorque += (state.X_WL[k] * body.com - state.X_WL[i].p).cross(lift);
    }
    const Matrix3d R = state.X_WL[i].R.transpose();
    EXPECT_TRUE(close(vector(robot.link(i).name, 0), R * expectedForce, 1e-3)) << robot.link(i).name;
    EXPECT_TRUE(close(vector(robot.link(i).name, 3), R * expectedTorque, 1e-3)) << robot.link(i).name;
  }
  EXPECT_NEAR(vector("upper").norm(), 3.8 * kG, 0.01);
}

TEST_P(ForceTorque, TurningAtConstantSpeedNeedsTheCentripetalForce) {
  // A skew body on a vertical axis: m w^2 c towards the axis, the weight, and the torque w x I w of the imbalance.
  const double w = 6;
  const Vector3d com(0.3, 0, 0.1);
  RobotDescription robot;
  addFree(robot, linkAt("mast", -1, Vector3d(0.2, -0.1, 1), Vector3d::UnitZ(), 3, Vector3d::Zero(),
                        Vector3d(0.01, 0.01, 0.01)));
  Link body = linkAt("body", 0, Vector3d(0.1, 0, 0.05), Vector3d::UnitZ(), 2, com, Vector3d(0.01, 0.05, 0.05));
  body.inertia.inertia(0, 2) = body.inertia.inertia(2, 0) = -0.02;
  const Matrix3d inertia = body.inertia.inertia;
  addWelded(robot, body);
  place(robot, {0.4}, {w});
  addWrist("body");
  start();
  simulation->advance(0.5);
  const Vector3d arm = Vector3d(0.1, 0, 0.05) + com;  // From a point of the axis.
  const Vector3d W(0, 0, simulation->velocity(0)[0]);
  EXPECT_NEAR(W.z(), w, 0.01 * w);
  const Vector3d expectedForce = 2.0 * (W.cross(W.cross(arm)) + Vector3d(0, 0, kG));
  const Vector3d expectedTorque = com.cross(expectedForce) + W.cross(inertia * W);
  EXPECT_TRUE(close(force(), expectedForce, 0.01));
  EXPECT_TRUE(close(torque(), expectedTorque, 0.01));
}

TEST_P(ForceTorque, SwingingFreelyGivesTheForcesOfAPendulum) {
  // From horizontal: w^2 = 2 m g c sin(a) / I about the pivot, and so the force along and across the rod.
  const double m = 1.5, c = 0.4, I = 0.03 + m * c * c;
  RobotDescription robot;
  addFree(robot,
          linkAt("rod", -1, Vector3d(0, 0, 1), Vector3d::UnitY(), m, Vector3d(c, 0, 0), Vector3d(0.001, 0.03, 0.03)));
  place(robot);
  addWrist("rod", 1000);
  start();
  for (const double until : {0.1, 0.2, 0.3, 0.4}) {
    simulation->advance(until - simulation->time());
    // The reading that `step` takes first is about the step before it.
    const double angle = simulation->configuration(0)[0] - 0.0005 * simulation->velocity(0)[0];
    simulation->step();
    const double s = std::sin(angle), w2 = 2 * m * kG * c * s / I, acceleration = m * kG * c * std::cos(angle) / I;
    // Rod's axes: x down along it at 90 degrees; turning about y takes x to -z.
    const Vector3d expected(-m * w2 * c - m * kG * s, 0, m * kG * std::cos(angle) - m * acceleration * c);
    EXPECT_TRUE(close(force(), expected, 0.01, m * kG)) << "at " << until << " s, " << angle << " rad";
    EXPECT_TRUE(close(torque(), Vector3d::Zero(), 0.01, m * kG * c)) << "a free joint at " << until << " s";
  }
}

TEST_P(ForceTorque, AcceleratedByADriveThroughAWeld) {
  // A slide driven with a constant force of 30 N: 5 kg move at 6 m/s^2, of which 2 kg are beyond the weld.
  RobotDescription robot;
  addFree(robot,
          linkAt("slide", -1, Vector3d(0, 0, 1), Vector3d::UnitX(), 3, Vector3d::Zero(), Vector3d::Constant(0.01)),
          LinkMotion::prismatic);
  addWelded(robot, linkAt("load", 0, Vector3d(0, 0, 0.2), Vector3d::UnitX(), 2, Vector3d(0, 0.1, 0.3),
                          Vector3d(0.01, 0.02, 0.03)));
  place(robot);
  addWrist("load");
  start();
  const int id = world.linkId(0, 0);
  for (int i = 0; i < 100; ++i) {
    simulation->applyWrench(id, Vector3d(30, 0, 0), Vector3d::Zero(), Vector3d(0, 0, 1));
    simulation->step();
  }
  const Vector3d expected(2 * 6, 0, 2 * kG);
  EXPECT_TRUE(close(force(), expected, 0.01));
  EXPECT_TRUE(close(torque(), Vector3d(0, 0.1, 0.3).cross(expected), 0.01));
}

TEST_P(ForceTorque, AWeldOnTheWorldBearsEverything) {
  RobotDescription robot;
  addWelded(robot, linkAt("foot", -1, Vector3d(1, 2, 0), Vector3d::UnitZ(), 10, Vector3d(0, 0, 0.1), Vector3d::Ones()));
  addFree(robot,
          linkAt("wheel", 0, Vector3d(0, 0, 0.5), Vector3d::UnitZ(), 1, Vector3d(0.3, 0, 0), Vector3d::Constant(0.01)));
  const double w = 5;
  place(robot, {0, 0}, {0, w});
  addWrist("foot", 1000);
  start();
  simulation->advance(0.2);
  const double angle = simulation->configuration(0)[1] - 0.0005 * w;
  simulation->step();
  const Vector3d spin = -0.3 * w * w * Vector3d(std::cos(angle), std::sin(angle), 0);
  const Vector3d expected = spin + Vector3d(0, 0, 11 * kG);
  EXPECT_TRUE(close(force(), expected, 0.01));
}

TEST_P(ForceTorque, FlyingAndSpinningAFloatingBase) {
  // In free fall the weights are no load; only the spin about the common center of mass is.
  const double w = 6;
  RobotDescription robot;
  addFloatingBase(robot, 4, Vector3d(0.2, 0.2, 0.2));
  addWelded(robot,
            linkAt("left", 5, Vector3d(0.5, 0, 0), Vector3d::UnitZ(), 1, Vector3d::Zero(), Vector3d::Constant(0.01)));
  addWelded(robot,
            linkAt("right", 5, Vector3d(-0.5, 0, 0), Vector3d::UnitZ(), 1, Vector3d::Zero(), Vector3d::Constant(0.01)));
  place(robot, {0, 0, 5, 0.3}, {1, 0.5, 2, w});
  addWrist("left");
  add("ForceTorqueSensor", "base", 100, std::string("{link: base, ") + kAll + "}");
  start();
  simulation->advance(0.5);
  EXPECT_TRUE(close(force(), Vector3d(-w * w * 0.5, 0, 0), 0.01));
  EXPECT_TRUE(close(torque(), Vector3d::Zero(), 0.01, 9));
  EXPECT_TRUE(close(vector("base", 0), Vector3d::Zero(), 0.01, 60)) << "nothing holds a floating base";
  EXPECT_TRUE(close(vector("base", 3), Vector3d::Zero(), 0.01, 60));
}

TEST_P(ForceTorque, StandingOnAFootItCountsWhatThePartsAboveWeigh) {
  world.terrains.push_back(test::groundTerrain());
  RobotDescription robot;
  addFloatingBase(robot, 6, Vector3d(0.1, 0.1, 0.1));
  Link foot = linkAt("foot", 5, Vector3d(0, 0, -0.3), Vector3d::UnitZ(), 1, Vector3d::Zero(), Vector3d::Constant(0.01));
  foot.geometry = test::boxGeometry(Vector3d(0.4, 0.4, 0.1));
  addWelded(robot, foot);
  place(robot, {0, 0, 0.36});
  addWrist("foot");
  start();
  simulation->advance(2);
  // On the foot, from above: the weight of the base, downwards.
  EXPECT_TRUE(close(force(), Vector3d(0, 0, -6 * kG), 0.01));
  EXPECT_TRUE(close(torque(), Vector3d::Zero(), 0.01, 6 * kG * 0.2));
}

TEST_P(ForceTorque, APushOnTheHandIsBorneByTheJoint) {
  place(arm());
  addWrist("hand");
  start();
  const Vector3d push(3, -5, 2), twist(0.5, 0, 0.2);
  Vector3d at;
  for (int i = 0; i < 2000; ++i) {
    at = simulation->view().robots[0].state->X_WL[3].p;
    simulation->applyWrench(world.linkId(0, 3), push, twist, at);
    simulation->step();
  }
  const RobotState& state = *simulation->view().robots[0].state;
  const Robot& robot = *world.robots[0].robot;
  Vector3d expectedForce = -push, expectedTorque = -twist - (at - state.X_WL[2].p).cross(push);
  for (int k = 2; k < 4; ++k) {
    const Vector3d lift(0, 0, robot.link(k).inertia.mass * kG);
    expectedForce += lift;
    expectedTorque += (state.X_WL[k] * robot.link(k).inertia.com - state.X_WL[2].p).cross(lift);
  }
  const Matrix3d R = state.X_WL[2].R.transpose();
  EXPECT_TRUE(close(force(), R * expectedForce, 0.01));
  EXPECT_TRUE(close(torque(), R * expectedTorque, 0.01));
}

TEST_P(ForceTorque, TorquesAreAboutThePointThatIsAskedFor) {
  place(arm());
  addWrist("tool", 100, ", localPos: [0.1, 0, 0]");  // Its center of mass.
  start();
  simulation->advance(2);
  EXPECT_NEAR(force().norm(), 0.3 * kG, 0.003 * kG);
  EXPECT_TRUE(close(torque(), Vector3d::Zero(), 0.01, 0.3 * kG * 0.1));
}

TEST_P(ForceTorque, AboutTheJointsAxisItIsTheDrivesTorque) {
  // Joints without friction, far from where their servos want them: whatever the rest of the robot does.
  for (const bool flying : {false, true}) {
    world = World();
    options = SimulationOptions();
    RobotDescription robot = arm();
    if (flying) {
      RobotDescription flyer;
      addFloatingBase(flyer, 5, Vector3d(0.3, 0.4, 0.5));
      for (Link link : robot.links) {
        link.parent = link.parent < 0 ? 5 : link.parent + 6;
        flyer.links.push_back(link);
      }
      for (Joint joint : robot.joints) {
        joint.link += 6;
        flyer.joints.push_back(joint);
      }
      for (Driver driver : robot.drivers) {
        driver.links[0] += 6;
        flyer.drivers.push_back(driver);
      }
      robot = flyer;
    }
    for (Driver& driver : robot.drivers) {
      driver.servoP = 60;
      driver.servoD = 1;
    }
    const int first = flying ? 6 : 0;
    std::vector<double> speeds;
    for (int i = 0; i < first; ++i) speeds.push_back(0.5);
    speeds.push_back(2);
    speeds.push_back(-3);
    place(robot, {}, speeds);
    for (const char* link : {"upper", "lower"})
      add("ForceTorqueSensor", link, 1000, std::string("{link: ") + link + ", " + kAll + "}");
    add("DriverTorqueSensor", "effort", 1000, "{}");
    start();
    double largest = 0;
    for (int step = 0; step < 500; ++step) {
      simulation->step();
      for (int k = 0; k < 2; ++k) {
        const double effort = reading("effort").values[k];
        largest = std::max(largest, std::abs(effort));
        ASSERT_NEAR(vector(k == 0 ? "upper" : "lower", 3).y(), effort, 0.01 * std::max(std::abs(effort), 7.0))
            << "link " << k << " at step " << step << (flying ? " in flight" : "");
      }
    }
    EXPECT_GT(largest, 3);
  }
}

TEST_P(ForceTorque, LeavesOutTheAxesThatAreOff) {
  place(arm());
  add("ForceTorqueSensor", "wrist", 100, "{link: 2, hasForce: '0 0 1', fVariance: [1, 1, 0], tVariance: [1, 1, 1]}");
  start();
  simulation->advance(1);
  ASSERT_EQ(reading("wrist").channels.size(), 6u);
  EXPECT_EQ(reading("wrist").channels[4], "torque_y");
  EXPECT_EQ(force().x(), 0);
  EXPECT_EQ(force().y(), 0);
  EXPECT_NEAR(force().z(), 0.8 * kG, 0.1);
  EXPECT_EQ(torque(), Vector3d::Zero());
}

TEST_P(ForceTorque, MovedByHandIsNoForce) {
  RobotDescription robot;
  addFree(robot,
          linkAt("mast", -1, Vector3d(0, 0, 1), Vector3d::UnitZ(), 1, Vector3d(0.5, 0, 0), Vector3d::Constant(0.01)));
  place(robot);
  addWrist("mast");
  start();
  simulation->advance(0.1);
  VectorXd q(1), dq(1);
  q << 1;
  dq << 4;
  simulation->setRobotState(0, q, dq);
  simulation->advance(0.02);
  // A jump of 2 m/s within one step would be 200 N for a whole period. (The first step after it may not know the spin
  // yet, which is a tenth of the period.)
  EXPECT_TRUE(close(force(), Vector3d(-0.5 * 16, 0, kG), 0.1));
}

INSTANTIATE_TEST_SUITE_P(Backends, ForceTorque, testing::Values("mortise"));

}  // namespace
}  // namespace mortise
