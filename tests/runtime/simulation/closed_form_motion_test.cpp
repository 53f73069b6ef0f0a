// Motion without contacts: pendulums, free flight, stops.

#include "tests/runtime/simulation/closed_form.h"

namespace mortise::test {
namespace {

class MotionOn : public ClosedForm {};

/// Mean over `swings` of them.
double measuredPeriod(Simulation& simulation, int swings, const std::function<double()>& angle) {
  return truth::measuredPeriod(
      swings, kDt, 100, [&] { simulation.step(); }, angle);
}

constexpr double kAmplitude = 0.5;

TEST_P(MotionOn, PendulumOfARobotKeepsItsPeriod) {
  RobotDescription rod = armDescription(1);
  rod.drivers.clear();
  rod.links[0].q = std::numbers::pi / 2 - kAmplitude;  // It hangs down at pi / 2.
  world.robots.push_back(placedRobot(rod));
  const auto simulation = simulate();
  const double inertia = boxInertia(1, Vector3d(0.5, 0.05, 0.05)).inertia(1, 1) + 0.25 * 0.25;
  const double expected = truth::pendulumPeriod(inertia, kG * 0.25, kAmplitude);
  const double measured =
      measuredPeriod(*simulation, 5, [&] { return simulation->configuration(0)[0] - std::numbers::pi / 2; });
  EXPECT_NEAR(measured, expected, 1e-3 * expected);
}

TEST_P(MotionOn, PendulumOnAHingeOfTheWorldKeepsItsPeriod) {
  const Vector3d size(0.05, 0.05, 0.5);
  const Vector3d p = rotationY(kAmplitude) * Vector3d(0, 0, -0.25);
  const int rod = addObject(boxMesh(size), boxInertia(1, size), {rotationY(kAmplitude), p});
  WorldJoint hinge;
  hinge.type = WorldJoint::Type::hinge;
  hinge.idA = world.objectId(rod);
  hinge.axis = Vector3d::UnitY();
  world.simulation.joints.push_back(hinge);
  const auto simulation = simulate();
  const double inertia = boxInertia(1, size).inertia(1, 1) + 0.25 * 0.25;
  const double expected = truth::pendulumPeriod(inertia, kG * 0.25, kAmplitude);
  const double measured = measuredPeriod(*simulation, 5, [&] {
    const Matrix3d& R = simulation->objectState(rod).X_WB.R;
    return std::atan2(R(0, 2), R(2, 2));
  });
  EXPECT_NEAR(measured, expected, 1e-3 * expected);
  EXPECT_LT(simulation->objectState(rod).X_WB.p.norm(), 0.2505) << "it still hangs on its hinge";
}

/// A body with two arms of two rods each, in flight.
RobotDescription flyer(bool motors) {
  RobotDescription robot;
  robot.name = "flyer";
  for (int i = 0; i < 6; ++i) {
    Link link;
    link.name = "base" + std::to_string(i);
    link.parent = i - 1;
    link.motion = i < 3 ? LinkMotion::prismatic : LinkMotion::revolute;
    link.axis = Vector3d::Unit(i < 3 ? i : 5 - i);
    robot.links.push_back(link);
  }
  robot.links[5].inertia = boxInertia(5, Vector3d(0.4, 0.3, 0.2));
  robot.joints.push_back({JointType::floating, 5, -1});
  for (int arm = 0; arm < 2; ++arm)
    for (int k = 0; k < 2; ++k) {
      Link link;
      link.name = "arm" + std::to_string(arm) + std::to_string(k);
      link.parent = k == 0 ? 5 : static_cast<int>(robot.links.size()) - 1;
      link.axis = k == 0 ? Vector3d::UnitY() : Vector3d::UnitZ();
      link.X_PL0 =
          k == 0 ? RigidTransform{rotationZ(arm == 0 ? 0.0 : std::numbers::pi), Vector3d(arm == 0 ? 0.2 : -0.2, 0, 0)}
                 : RigidTransform::translation({0.4, 0, 0});
      link.inertia = boxInertia(1, Vector3d(0.4, 0.06, 0.06));
      link.inertia.com = Vector3d(0.2, 0, 0);
      robot.links.push_back(link);
      const int index = static_cast<int>(robot.links.size()) - 1;
      robot.joints.push_back({JointType::normal, index, -1});
      if (!motors) continue;
      Driver driver;
      driver.name = link.name;
      driver.links = {index};
      driver.torqueMin = -20;
      driver.torqueMax = 20;
      driver.servoP = 30;
      driver.servoD = 1;
      robot.drivers.push_back(driver);
    }
  return robot;
}

truth::Momentum momentumOf(Simulation& simulation) {
  const Robot& robot = *simulation.world().robots[0].robot;
  const RobotState& state = *simulation.view().robots[0].state;
  std::vector<Vector3d> v(robot.numLinks()), w(robot.numLinks());
  linkVelocities(robot, state, v, w);
  truth::Momentum sum;
  for (int i = 0; i < robot.numLinks(); ++i)
    truth::addMomentum(sum, robot.link(i).inertia, {state.X_WL[i], v[i], w[i]});
  return sum;
}

TEST_P(MotionOn, FreeFlightKeepsMomentum) {
  for (const bool motors : {false, true}) {
    SCOPED_TRACE(motors ? "with motors" : "limp");
    world = World();
    world.simulation.gravity.setZero();
    world.robots.push_back(placedRobot(flyer(motors)));
    world.robots[0].dq << 0.5, -0.2, 0.3, 0.9, 0.3, -0.4, 0.7, -0.5, 0.2, 0.6;
    const auto simulation = simulate();
    const truth::Momentum start = momentumOf(*simulation);
    double linear = 0, angular = 0;
    for (int i = 0; i < 5000; ++i) {
      simulation->step();
      if (i % 10 != 9) continue;
      const truth::Momentum now = momentumOf(*simulation);
      linear = std::max(linear, (now.linear - start.linear).norm());
      angular = std::max(angular, (now.angular - start.angular).norm());
    }
    EXPECT_LT(linear, 2e-3 * start.linear.norm());
    EXPECT_LT(angular, 2e-3 * start.angular.norm());
  }
}

TEST_P(MotionOn, FreeFallIsAParabola) {
  const int ball = addBall(0.05, 0.5, Vector3d(0, 0, 10));
  world.objects[ball].v_WO = Vector3d(2, 0, 3);
  const auto simulation = simulate();
  simulation->advance(1);
  const BodyState& state = simulation->objectState(ball);
  EXPECT_NEAR(state.v_WB.z(), 3 - kG, 1e-9);
  EXPECT_NEAR(state.X_WB.p.x(), 2, 1e-9);
  EXPECT_NEAR(state.X_WB.p.z(), 10 + 3 - kG / 2, 0.5 * kG * kDt + 1e-9) << "first order: half a step";
}

TEST_P(MotionOn, FallingOnAStopLeavesTheLinkThere) {
  RobotDescription rod = armDescription(1);
  rod.drivers.clear();
  rod.links[0].qMin = -0.2;
  rod.links[0].qMax = 0.6;  // Gravity turns the rod towards pi / 2.
  world.robots.push_back(placedRobot(rod));
  const auto simulation = simulate();
  double highest = 0;
  for (int i = 0; i < 1000; ++i) {
    simulation->step();
    highest = std::max(highest, simulation->configuration(0)[0]);
  }
  EXPECT_NEAR(simulation->configuration(0)[0], 0.6, 1e-3);
  EXPECT_LT(highest, 0.601);
  EXPECT_NEAR(simulation->velocity(0)[0], 0, 1e-4);
}

TEST_P(MotionOn, StopsCarryWhatLeansOnThem) {
  // One rod leans on its upper stop, one on its lower; both at 0.6 rad from the horizontal.
  for (const bool upper : {true, false}) {
    SCOPED_TRACE(upper ? "upper stop" : "lower stop");
    world = World();
    RobotDescription rod = armDescription(1);
    rod.drivers.clear();
    if (!upper) rod.links[0].axis = -Vector3d::UnitY();
    rod.links[0].q = upper ? 0.55 : -0.55;
    (upper ? rod.links[0].qMax : rod.links[0].qMin) = upper ? 0.6 : -0.6;
    world.robots.push_back(placedRobot(rod));
    const auto simulation = simulate();
    simulation->advance(0.5);
    double mean = 0;
    for (int i = 0; i < 200; ++i) {
      simulation->step();
      mean += simulation->jointStates()[0].stop / 200;
    }
    const double torque = kG * 0.25 * std::cos(0.6);
    EXPECT_NEAR(mean, upper ? -torque : torque, 0.02 * torque);
  }
}

TEST_P(MotionOn, StopsOfWorldJointsCarryWhatLeansOnThem) {
  const Vector3d size(0.5, 0.05, 0.05);
  const int rod = addObject(boxMesh(size), boxInertia(1, size), RigidTransform::translation({0.25, 0, 0}));
  WorldJoint hinge;
  hinge.type = WorldJoint::Type::hinge;
  hinge.idA = world.objectId(rod);
  hinge.axis = Vector3d::UnitY();
  hinge.min = -0.3;
  hinge.max = 0.3;
  world.simulation.joints.push_back(hinge);
  const auto simulation = simulate();
  simulation->advance(0.7);
  double mean = 0;
  for (int i = 0; i < 200; ++i) {
    simulation->step();
    mean += simulation->worldJointStates()[0].stop / 200;
  }
  const double torque = kG * 0.25 * std::cos(0.3);
  EXPECT_NEAR(std::abs(mean), torque, 0.02 * torque);
  EXPECT_NEAR(std::abs(simulation->worldJointStates()[0].position), 0.3, 2e-3);
  EXPECT_LT(simulation->objectState(rod).v_WB.norm(), 1e-3);
}

MORTISE_CLOSED_FORM(MotionOn);

}  // namespace
}  // namespace mortise::test
