#include <gtest/gtest.h>

#include "mortise/simulation/simulation.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

class KinematicBackend : public testing::Test {
 protected:
  static SimulationOptions options() {
    SimulationOptions o;
    o.backend = "kinematic";
    return o;
  }
  /// From now on, all links at these positions; driven as a controller does it.
  static void command(Simulation& simulation, std::initializer_list<double> q) {
    Value list = Value::list();
    for (const double x : q) list.push_back(x);
    ASSERT_TRUE(simulation.controller(0)->command("set_q", list));
  }
  test::MemoryLog log;
  std::unique_ptr<Registry> registry = test::makeRegistry(log);
};

TEST_F(KinematicBackend, RobotsAreWhereTheirControllersWantThem) {
  const World world = test::smallWorld();
  Simulation simulation(world, *registry, nullptr, log, options());
  simulation.advance(0.1);
  EXPECT_EQ(simulation.configuration(0), world.robots[0].q) << "holds, to the bit";
  command(simulation, {1.1, -0.4});
  simulation.advance(0.02);
  EXPECT_NEAR(simulation.configuration(0)[0], 1.1, 1e-12);
  EXPECT_NEAR(simulation.configuration(0)[1], -0.4, 1e-12);
  EXPECT_EQ(simulation.objectState(0).X_WB.p, world.objects[0].X_WO.p);
  EXPECT_EQ(simulation.objectState(1).X_WB.p, world.objects[1].X_WO.p) << "nothing falls";
}

TEST_F(KinematicBackend, CommandsMayLeadThroughThings) {
  World world = test::smallWorld();
  RobotDescription arm = world.robots[0].robot->description();
  for (Link& link : arm.links) {
    link.geometry =
        std::make_shared<Geometry>(AxisAlignedBoxShape{Vector3d(0, -0.02, -0.02), Vector3d(0.5, 0.02, 0.02)});
  }
  world.robots[0] = test::placedRobot(arm);
  world.objects[0].X_WO.p = Vector3d(0.6, 0, 1.2);
  Simulation simulation(world, *registry, nullptr, log, options());
  bool touched = false;
  for (int i = 0; i < 120; ++i) {
    command(simulation, {0.01 * i, 0.0});
    simulation.advance(0.01);
    for (const ContactForce& contact : simulation.contacts()) {
      touched = touched || (contact.idA == world.objectId(0) && contact.idB > world.robotId(0));
      EXPECT_EQ(contact.force, Vector3d::Zero());
    }
  }
  EXPECT_TRUE(touched) << "logs show what the motion would touch";
  EXPECT_EQ(simulation.worstStatus(), StepStatus::normal);
  EXPECT_NEAR(simulation.configuration(0)[0], 1.19, 1e-12);
}

TEST_F(KinematicBackend, AffineLinksGoTogether) {
  World world = test::smallWorld();
  RobotDescription arm = test::armDescription(2);
  arm.drivers.resize(1);
  arm.drivers[0].type = DriverType::affine;
  arm.drivers[0].links = {0, 1};
  arm.drivers[0].scale = {1, -2};
  arm.drivers[0].offset = {0.1, 0.2};
  arm.links[0].q = 0.1;
  arm.links[1].q = 0.2;
  world.robots[0] = test::placedRobot(arm);
  Simulation simulation(world, *registry, nullptr, log, options());
  command(simulation, {0.4, -0.4});
  simulation.advance(0.05);
  EXPECT_NEAR(simulation.configuration(0)[0], 0.4, 1e-12);
  EXPECT_NEAR(simulation.configuration(0)[1], -0.4, 1e-12);
}

TEST_F(KinematicBackend, KinematicObjectsMoveAndSnapshotsContinue) {
  const World world = test::smallWorld();
  Simulation simulation(world, *registry, nullptr, log, options());
  simulation.setDynamics(0, false);
  simulation.setObjectState(0, {world.objects[0].X_WO, Vector3d(0.5, 0, 0), Vector3d(0, 0, 1)});
  simulation.advance(0.1);
  const std::vector<std::byte> middle = simulation.save();
  command(simulation, {0.7, 0.1});
  simulation.advance(0.1);
  EXPECT_NEAR(simulation.objectState(0).X_WB.p.x(), world.objects[0].X_WO.p.x() + 0.1, 1e-12);
  const std::uint64_t end = simulation.stateHash();
  Simulation again(world, *registry, nullptr, log, options());
  again.restore(middle);
  command(again, {0.7, 0.1});
  again.advance(0.1);
  EXPECT_EQ(again.stateHash(), end);
}

}  // namespace
}  // namespace mortise
