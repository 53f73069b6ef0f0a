#include <cmath>
#include <gtest/gtest.h>

#include "mortise/simulation/simulation.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

/// Two fingers on sliders along y, moved apart and together by one motor: q = (v/2, -v/2), at most 20 N for v.
RobotDescription gripper() {
  RobotDescription robot;
  robot.name = "gripper";
  for (const double side : {1.0, -1.0}) {
    Link finger;
    finger.name = side > 0 ? "left" : "right";
    finger.motion = LinkMotion::prismatic;
    finger.axis = Vector3d::UnitY();
    finger.inertia = test::boxInertia(0.05, Vector3d(0.02, 0.01, 0.05));
    finger.geometry = test::boxGeometry(Vector3d(0.02, 0.01, 0.05));
    finger.q = 0.05 * side;
    finger.qMin = side > 0 ? 0.0 : -0.1;
    finger.qMax = side > 0 ? 0.1 : 0.0;
    robot.links.push_back(finger);
    robot.joints.push_back({JointType::normal, static_cast<int>(robot.links.size()) - 1, -1});
  }
  Driver driver;
  driver.name = "opening";
  driver.type = DriverType::affine;
  driver.links = {0, 1};
  driver.scale = {0.5, -0.5};
  driver.offset = {0, 0};
  driver.servoP = 4000;
  driver.servoD = 80;
  driver.dryFriction = 0.5;
  driver.viscousFriction = 1;
  driver.torqueMin = -20;
  driver.torqueMax = 20;
  robot.drivers = {driver};
  return robot;
}

class CoupledFingers : public testing::TestWithParam<const char*> {
 protected:
  test::MemoryLog log;
  std::unique_ptr<Registry> registry = test::makeRegistry(log);
};

TEST_P(CoupledFingers, CenterWhatStandsAsideAndStayTogether) {
  World world;
  world.simulation.gravity.setZero();
  world.robots.push_back(test::placedRobot(gripper()));
  RigidObject block = test::boxObject("block", Vector3d(0, 0.012, 0));
  block.geometry = test::boxGeometry(Vector3d(0.03, 0.04, 0.03));
  block.inertia = test::boxInertia(0.2, Vector3d(0.03, 0.04, 0.03));
  world.objects.push_back(block);
  SimulationOptions options;
  options.backend = GetParam();
  Simulation simulation(world, *registry, nullptr, log, options);
  Value closed = Value::list();
  closed.push_back(0.0);
  closed.push_back(0.0);
  ASSERT_TRUE(simulation.controller(0)->command("set_q", closed));
  double apart = 0;
  for (int i = 0; i < 1500; ++i) {
    ASSERT_NE(simulation.step(), StepStatus::error) << simulation.fault();
    apart = std::max(apart, std::abs(simulation.configuration(0).sum()));
  }
  // The coupling is a spring of a quarter of servoP a link: it gives way when the left finger meets the block.
  EXPECT_LT(apart, 0.015);
  EXPECT_LT(std::abs(simulation.configuration(0).sum()), 1e-3) << "together again";
  EXPECT_LT(std::abs(simulation.objectState(0).X_WB.p.y()), 1e-3) << "the block is in the middle";
  EXPECT_LT(simulation.velocity(0).norm(), 1e-3) << "and nothing trembles";
  const double press = simulation.contactSummary(world.linkId(0, 0), world.objectId(0)).force.y();
  EXPECT_NEAR(press, 10, 0.6) << "each finger presses with half the motor's force, dry friction apart";
}

TEST_P(CoupledFingers, MoveTogetherWithTheMotorsForceAndNoMore) {
  World world;
  world.simulation.gravity.setZero();
  world.robots.push_back(test::placedRobot(gripper()));
  SimulationOptions options;
  options.backend = GetParam();
  Simulation simulation(world, *registry, nullptr, log, options);
  Value open = Value::list();
  open.push_back(0.08);
  open.push_back(-0.08);
  ASSERT_TRUE(simulation.controller(0)->command("set_q", open));
  simulation.advance(0.003);
  // 10 N less 0.25 N of friction on each 0.05 kg.
  EXPECT_NEAR(simulation.velocity(0)[0], 0.003 * (10 - 0.25) / 0.05, 0.025);
  EXPECT_NEAR(simulation.velocity(0)[0], -simulation.velocity(0)[1], 1e-6);
  simulation.advance(1);
  EXPECT_NEAR(simulation.configuration(0)[0], 0.08, 1e-3);
  EXPECT_NEAR(simulation.configuration(0)[1], -0.08, 1e-3);
  EXPECT_LT(simulation.velocity(0).norm(), 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Backends, CoupledFingers, testing::Values("mortise"),
                         [](const auto& backend) { return std::string(backend.param); });

}  // namespace
}  // namespace mortise
