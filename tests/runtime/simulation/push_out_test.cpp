/// Things that start deep inside each other: they come apart at a bounded speed, in bounded work.

#include "mortise/simulation/scene/push_out.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "mortise/loading/assemble_world.h"
#include "mortise/simulation/simulation.h"
#include "tests/support/engines.h"
#include "tests/support/plugins.h"
#include "tests/support/reference.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

/// An open sheet at z = 0: nobody knows which side of it is outside.
Terrain sheet() {
  TriangleMesh mesh;
  mesh.vertices = {{-5, -5, 0}, {5, -5, 0}, {5, 5, 0}, {-5, 5, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  Terrain terrain;
  terrain.name = "sheet";
  terrain.geometry = std::make_shared<Geometry>(mesh);
  terrain.friction = {0.5};
  terrain.surface.restitution = 0;
  return terrain;
}

/// A body of 10 kg on both sides of whose hips hangs a leg; free. The sheet's plane is above the middle of the legs and
/// below that of the body, so that the ways out of it contradict each other.
WorldRobot straddler() {
  RobotDescription robot;
  robot.name = "straddler";
  const char* names[] = {"tx", "ty", "tz", "rz", "ry", "rx"};
  for (int i = 0; i < 6; ++i) {
    Link link;
    link.name = names[i];
    link.parent = i - 1;
    link.motion = i < 3 ? LinkMotion::prismatic : LinkMotion::revolute;
    link.axis = Vector3d::Unit(i < 3 ? i : 5 - i);
    link.inertia.mass = 0;
    robot.links.push_back(link);
  }
  robot.links[5].name = "body";
  robot.links[5].inertia = test::boxInertia(10, Vector3d(0.4, 0.3, 0.2));
  robot.links[5].geometry = test::boxGeometry(Vector3d(0.4, 0.3, 0.2));
  robot.joints.push_back({JointType::floating, 5, -1});
  for (int side = 0; side < 2; ++side) {
    Link leg;
    leg.name = side == 0 ? "left" : "right";
    leg.parent = 5;
    leg.axis = Vector3d::UnitY();
    leg.X_PL0.p = Vector3d(0, side == 0 ? 0.2 : -0.2, 0);
    leg.inertia = test::boxInertia(2, Vector3d(0.08, 0.08, 0.5));
    leg.inertia.com = Vector3d(0, 0, -0.22);
    leg.geometry =
        std::make_shared<Geometry>(AxisAlignedBoxShape{Vector3d(-0.04, -0.04, -0.47), Vector3d(0.04, 0.04, 0.03)});
    robot.links.push_back(leg);
    robot.joints.push_back({JointType::normal, 6 + side, -1});
    Driver driver;
    driver.name = leg.name;
    driver.links = {6 + side};
    driver.torqueMin = -100;
    driver.torqueMax = 100;
    driver.servoP = 400;
    driver.servoD = 40;
    robot.drivers.push_back(driver);
  }
  return test::placedRobot(std::move(robot));
}

double fastest(const Simulation& simulation) {
  double speed = 0;
  for (std::size_t i = 0; i < simulation.world().objects.size(); ++i)
    speed = std::max(speed, simulation.objectState(static_cast<int>(i)).v_WB.norm());
  return speed;
}

std::int64_t engineCount(const Simulation& simulation, const char* key) {
  return simulation.effectiveSettings().at("engine").at(key).asInteger();
}

class PushOutOn : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!test::hasEngine(GetParam())) GTEST_SKIP() << "this build has no physics backend '" << GetParam() << "'";
    options.backend = GetParam();
  }
  SimulationOptions options;
  test::MemoryLog log;
  std::unique_ptr<Registry> registry = test::makeRegistry(log);
};

TEST_P(PushOutOn, ABoxInASheetComesOutSlowly) {
  World world;
  world.terrains.push_back(sheet());
  world.objects.push_back(test::boxObject("box", Vector3d(0, 0, 0.02)));  // 8 cm below.
  Simulation simulation(world, *registry, nullptr, log, options);
  double speed = 0;
  for (int i = 0; i < 1000; ++i) {
    simulation.step();
    speed = std::max(speed, fastest(simulation));
  }
  EXPECT_LT(speed, kMaxPushOutSpeed + 0.02);
  EXPECT_EQ(simulation.statusCounts()[static_cast<int>(StepStatus::normal)], 1000);
  EXPECT_EQ(simulation.boundCounts()[static_cast<int>(StepBound::halvings)], 0);
  // DART has no soft contacts and corrects errors at 1 mm/s.
  if (options.backend == "dart") {
    EXPECT_GT(simulation.objectState(0).X_WB.p.z(), 0.02 + 0.9e-3);
  } else {
    EXPECT_NEAR(simulation.objectState(0).X_WB.p.z(), 0.1, 0.006);
  }
}

TEST_P(PushOutOn, ALegOnEachSideOfASheetIsHarmless) {
  World world;
  world.terrains.push_back(sheet());
  world.robots.push_back(straddler());
  world.robots[0].q[2] = 0.06;
  Simulation simulation(world, *registry, nullptr, log, options);
  double speed = 0;
  for (int i = 0; i < 100; ++i) {
    simulation.step();
    speed = std::max(speed, simulation.velocity(0).head(3).norm());
  }
  EXPECT_LT(speed, 3 * kMaxPushOutSpeed);
  EXPECT_EQ(simulation.statusCounts()[static_cast<int>(StepStatus::unstable)], 0);
  EXPECT_EQ(simulation.statusCounts()[static_cast<int>(StepStatus::error)], 0);
  if (options.backend == "mortise") {
    EXPECT_LT(engineCount(simulation, "steps"), 300);
  }
}

TEST_P(PushOutOn, ContinuesBitForBitWhilePushing) {
  World world;
  world.terrains.push_back(sheet());
  world.objects.push_back(test::boxObject("box", Vector3d(0, 0, 0.02)));
  Simulation first(world, *registry, nullptr, log, options);
  first.advance(0.02);
  const std::vector<std::byte> middle = first.save();
  first.advance(0.3);
  Simulation second(world, *registry, nullptr, log, options);
  second.restore(middle);
  second.advance(0.3);
  EXPECT_EQ(second.stateHash(), first.stateHash());
}

TEST_P(PushOutOn, BoundsDoNotBoundWhatSoftContactsCarry) {
  // As in Klamp't's stacktest.xml, which softens all contacts of the world.
  World world;
  world.terrains.push_back(test::groundTerrain());
  world.simulation.errorReduction = 0.2;
  world.simulation.constraintForceMixing = 0.01;
  for (int i = 0; i < 3; ++i) {
    world.objects.push_back(test::boxObject("box" + std::to_string(i), Vector3d(0, 0, 0.1 + 0.2 * i)));
    world.objects.back().inertia.mass *= 10;
    world.objects.back().inertia.inertia *= 10;
  }
  SimulationOptions options;
  options.backend = GetParam();
  Simulation simulation(world, *registry, nullptr, log, options);
  simulation.advance(0.5);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(simulation.objectState(i).X_WB.p.z(), 0.1 + 0.2 * i, 0.02) << i;
}

INSTANTIATE_TEST_SUITE_P(Engines, PushOutOn, testing::Values("mortise", "ode", "bullet", "mujoco", "dart"),
                         [](const testing::TestParamInfo<const char*>& engine) { return std::string(engine.param); });

/// As Klamp't's manual runs SimTest: the robot's pelvis is where the floor is.
TEST(PushOut, ARobotSetDownInAFloorTakesNoMoreStepsThanAnyOther) {
  MORTISE_NEEDS_REFERENCE();
  test::MemoryLog log;
  const std::unique_ptr<Registry> registry = test::makeRegistry(log);
  FormatLoader loader(*registry, log);
  Diagnostics diagnostics;
  const std::string data = test::referenceDir() + "/klampt-data/";
  const World world = assembleWorld(loader, {data + "robots/atlas.rob", data + "terrains/plane.env"}, diagnostics);
  SimulationOptions options;
  options.backend = "mortise";
  Simulation simulation(world, *registry, &loader, log, options);
  simulation.advance(0.033);
  EXPECT_EQ(simulation.statusCounts()[static_cast<int>(StepStatus::unstable)], 0);
  EXPECT_LT(engineCount(simulation, "steps"), 2 * 33);
  EXPECT_LT(simulation.velocity(0).cwiseAbs().maxCoeff(), 10);
}

SceneContact contactOf(int a, int b, double gap) {
  SceneContact contact;
  contact.idA = a;
  contact.idB = b;
  contact.gap = gap;
  return contact;
}

TEST(PushOut, TheContactsOfTwoThingsShareAForceInProportionToTheHeavierOne) {
  SceneDescription scene;
  scene.maxPushOutSpeed = 0.5;
  scene.surfaces.resize(2);
  scene.bodies.resize(2);
  for (int i = 0; i < 2; ++i) {
    scene.bodies[i].motion = BodyMotion::dynamic;
    scene.bodies[i].inertia.mass = i == 0 ? 1 : 3;
    scene.bodies[i].shapes.emplace_back().id = i;
  }
  PushOut pushOut(scene);
  ContactPairReport pair;
  pair.a = 0;
  pair.b = 1;
  pair.minGap = -0.05;
  std::vector<SceneContact> contacts = {contactOf(0, 1, -0.05), contactOf(0, 1, -0.02)};
  const double rigid = contacts[0].material.stiffness;
  pushOut.update(std::span(&pair, 1), false);
  pushOut.soften(contacts);
  EXPECT_EQ(contacts[0].material.stiffness, rigid) << "what physics leads into each other stays as it is";
  pushOut.update(std::span(&pair, 1), true);
  pushOut.soften(contacts);
  double force = 0;
  for (const SceneContact& contact : contacts) {
    force += contact.material.stiffness * -contact.gap;
    EXPECT_NEAR(contact.material.stiffness * -contact.gap, contact.material.damping * 0.5, 1e-9);
  }
  EXPECT_NEAR(force, 3 * 100, 1e-9);
  pair.minGap = 0;
  pushOut.update(std::span(&pair, 1), false);
  EXPECT_TRUE(pushOut.deep().empty());
}

}  // namespace
}  // namespace mortise
