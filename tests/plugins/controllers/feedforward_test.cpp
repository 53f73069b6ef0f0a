#include <cmath>

#include "mortise/configuration/drivers.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/simulation/simulation.h"
#include "tests/plugins/controllers/controller_fixture.h"

namespace mortise::test {
namespace {

class FeedforwardTest : public ControllerFixture {};

TEST_F(FeedforwardTest, GravityIsThatOfTheSettingOrTheWorld) {
  for (const auto& [settings, g] :
       std::vector<std::pair<std::string, double>>{{"{}", 9.8}, {"{gravity: [0, 0, -1.62]}", 1.62}}) {
    auto controller = started("FeedforwardJointTrackingController", settings);
    state.q.setZero();
    updateAt(*controller, 0);
    // Rods of 1 kg and 0.5 m along x, turning about y: the last one's center is 0.25 m away.
    EXPECT_NEAR(commands[2].torque, -g * 0.25, 1e-12);
    EXPECT_NEAR(commands[1].torque, -g * (0.25 + 0.75), 1e-12);
    EXPECT_NEAR(commands[0].torque, -g * (0.25 + 0.75 + 1.25), 1e-12);
  }
}

TEST_F(FeedforwardTest, AFloatingBaseTurnsItOffUnlessItIsAskedFor) {
  RobotDescription arm = armDescription(1);
  RobotDescription floating;
  floating.name = "floating";
  for (int i = 0; i < 6; ++i) {
    Link link;
    link.name = "base" + std::to_string(i);
    link.parent = i - 1;
    link.axis = Vector3d::Unit(i < 3 ? i : 5 - i);
    link.motion = i < 3 ? LinkMotion::prismatic : LinkMotion::revolute;
    if (i == 5) link.inertia = boxInertia(2, Vector3d(0.2, 0.2, 0.2));
    floating.links.push_back(link);
  }
  arm.links[0].parent = 5;
  floating.links.push_back(arm.links[0]);
  floating.joints = {{JointType::floating, 5, -1}, {JointType::normal, 6, -1}};
  arm.drivers[0].links = {6};
  floating.drivers = arm.drivers;
  robot = Robot::compile(floating);
  q = VectorXd::Zero(7);
  state = RobotState(*robot);
  commands.resize(1);
  auto automatic = started("FeedforwardPolynomialPathController");
  updateAt(*automatic, 0);
  EXPECT_EQ(commands[0].torque, 0);
  EXPECT_FALSE(automatic->settings().at("enable_gravity_compensation").asBool());
  auto asked = started("FeedforwardPolynomialPathController", "{enableGravityCompensation: true}");
  updateAt(*asked, 0);
  EXPECT_NEAR(commands[0].torque, -9.8 * 0.25, 1e-12);
}

TEST_F(FeedforwardTest, ExternalForcesAreHeldAndGoAlongWithTheirLink) {
  auto controller = started("JointTrackingController");
  state.q.setZero();
  updateAt(*controller, 0);
  EXPECT_EQ(commands[0].torque, 0);
  // 10 N down at the tip, 1.5 m out: motors about y (x forward, z up) hold it with -15 N*m.
  give(*controller, "add_ext_force", "{link: rod2, force: [0, 0, -10], point: [1.5, 0, 0]}");
  updateAt(*controller, 10);
  EXPECT_NEAR(commands[0].torque, -15, 1e-12);
  EXPECT_NEAR(commands[2].torque, -5, 1e-12);
  // The arm hangs down: the force, still downwards, pulls along it.
  state.q << M_PI / 2, 0, 0;
  updateAt(*controller, 20);
  EXPECT_NEAR(commands[0].torque, 0, 1e-12);
  state.q.setZero();
  updateAt(*controller, 25);
  give(*controller, "add_ext_force", "'1  0 0 -20  0.5 0 0'");
  updateAt(*controller, 30);
  EXPECT_NEAR(commands[0].torque, -25, 1e-12);
  EXPECT_NEAR(commands[1].torque, -10, 1e-12) << "the second acts in the axis of rod1";
  give(*controller, "add_ext_force", "[rod1, 0, 0, 20, 0.5, 0, 0]");
  updateAt(*controller, 35);
  EXPECT_NEAR(commands[0].torque, -15, 1e-12) << "a link by name";
  give(*controller, "zero_ext_forces", "");
  updateAt(*controller, 40);
  EXPECT_EQ(commands[0].torque, 0);
}

TEST_F(FeedforwardTest, AccelerationsOfTheReferenceBecomeTorques) {
  auto controller = started("PolynomialPathController", "{enableFeedforwardAcceleration: true}");
  updateAt(*controller, 0);
  give(*controller, "set_q", "[1.2, 0, 0]");
  state.q << 0.1, 0.2, -0.3;
  state.dq << 0.5, -0.1, 0.2;
  updateAt(*controller, 100);
  RobotDynamics dynamics(robot);
  dynamics.setState(state.q, state.dq);
  VectorXd ddq(3), tau(3);
  ddq << 4, 0, 0;
  dynamics.inverseDynamics(ddq, Vector3d::Zero(), tau);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(commands[static_cast<std::size_t>(i)].torque, tau[i], 1e-12);
}

TEST_F(FeedforwardTest, FrictionOfTheMotorsAtTheVelocityOfTheReference) {
  RobotDescription arm = armDescription(2);
  arm.drivers[0].viscousFriction = 3;
  arm.drivers[0].dryFriction = 0.5;
  robot = Robot::compile(arm);
  q = VectorXd::Zero(2);
  state = RobotState(*robot);
  commands.resize(2);
  auto controller = started("PolynomialPathController", "{enableFrictionCompensation: true}");
  updateAt(*controller, 0);
  EXPECT_EQ(commands[0].torque, 0);
  give(*controller, "set_tv", "[1, [-2, 1]]");
  updateAt(*controller, 500);
  EXPECT_NEAR(commands[0].torque, -6.5, 1e-12);
  EXPECT_EQ(commands[1].torque, 0);
}

TEST_F(FeedforwardTest, AffineDriversGetTheNearestTorque) {
  RobotDescription arm = armDescription(2);
  arm.drivers.pop_back();
  arm.drivers[0].type = DriverType::affine;
  arm.drivers[0].links = {0, 1};
  arm.drivers[0].scale = {1, -0.5};
  arm.drivers[0].offset = {0, 0};
  robot = Robot::compile(arm);
  q = VectorXd::Zero(2);
  state = RobotState(*robot);
  commands.resize(1);
  auto controller = started("FeedforwardJointTrackingController");
  updateAt(*controller, 0);
  EXPECT_NEAR(commands[0].torque, (-9.8 * 1.0 + 0.5 * 9.8 * 0.25) / 1.25, 1e-12);
}

TEST_F(FeedforwardTest, ItTracksBetterInSimulation) {
  World world;
  RobotDescription arm = armDescription(2);
  arm.links[0].X_PL0.p = Vector3d(0, 0, 2);
  for (Link& link : arm.links) {
    link.velocityMin = -2;
    link.velocityMax = 2;
    link.accelerationMax = 8;
  }
  world.robots.push_back(placedRobot(arm));
  const char* backend = "mortise";
  double errors[3];
  int k = 0;
  for (const char* settings : {"{enableGravityCompensation: false}", "{enableGravityCompensation: true}",
                               "{enableGravityCompensation: true, enableFeedforwardAcceleration: true}"}) {
    SimulationOptions options;
    options.backend = backend;
    ComponentOptions component;
    component.type = "PolynomialPathController";
    component.rate = 1000;
    component.settings = parseYaml(settings, "test");
    options.components.push_back(component);
    Simulation simulation(world, *registry, nullptr, log, options);
    simulation.controller(0)->command("set_q", parseYaml("[1, -0.5]", "test"));
    double worst = 0;
    for (int tick = 0; tick < 1500; ++tick) {
      simulation.step();
      const ActuatorCommand& command = simulation.view().robots[0].commands[0];
      worst = std::max(worst, std::abs(simulation.configuration(0)[0] - command.position));
    }
    errors[k++] = worst;
  }
  EXPECT_LT(errors[1], errors[0]) << backend;
  EXPECT_LT(errors[2], 0.1 * errors[1]) << backend << ": " << errors[0] << " " << errors[1] << " " << errors[2];
  EXPECT_LT(errors[2], 4e-3) << backend;
}

}  // namespace
}  // namespace mortise::test
