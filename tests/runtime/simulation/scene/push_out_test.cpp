/// Things that start deep inside each other: they come apart at a bounded speed, in bounded work.

#include "mortise/contacts/push_out.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "mortise/loading/assemble_world.h"
#include "mortise/simulation/simulation.h"
#include "mortise/simulation/summary.h"
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

/// A floor, which everybody knows the upper side of.
Terrain slab() {
  Terrain terrain = sheet();
  terrain.name = "slab";
  terrain.geometry = std::make_shared<Geometry>(AxisAlignedBoxShape{Vector3d(-5, -5, -1), Vector3d(5, 5, 0)});
  return terrain;
}

/// An engine, and who finds the contacts.
struct PushOutCase {
  const char* engine;
  ContactSource contacts;
};

std::string nameOf(const testing::TestParamInfo<PushOutCase>& info) {
  return info.param.engine + std::string(info.param.contacts == ContactSource::engine ? "_own" : "");
}

class PushOutOn : public testing::TestWithParam<PushOutCase> {
 protected:
  void SetUp() override {
    const char* engine = GetParam().engine;
    if (!test::hasEngine(engine)) GTEST_SKIP() << "this build has no physics backend '" << engine << "'";
    options.backend = engine;
    if (own()) options.contacts = ContactSource::engine;
  }
  bool own() const { return GetParam().contacts == ContactSource::engine; }
  /// Engines disagree about which side of a sheet is outside.
  Terrain floor() const { return own() ? slab() : sheet(); }
  SimulationOptions options;
  test::MemoryLog log;
  std::unique_ptr<Registry> registry = test::makeRegistry(log);
};

TEST_P(PushOutOn, ABoxInASheetComesOutSlowly) {
  World world;
  world.terrains.push_back(floor());
  world.objects.push_back(test::boxObject("box", Vector3d(0, 0, 0.02)));  // 8 cm below.
  Simulation simulation(world, *registry, nullptr, log, options);
  double speed = 0, height = 0.02;
  for (int i = 0; i < 1000; ++i) {
    simulation.step();
    const double next = simulation.objectState(0).X_WB.p.z();
    // Engines that correct positions apart from velocities move faster than they say.
    speed = std::max({speed, fastest(simulation), std::abs(next - height) / simulation.timeStep()});
    height = next;
  }
  EXPECT_LT(speed, kMaxPushOutSpeed + 0.02);
  EXPECT_EQ(simulation.statusCounts()[static_cast<int>(StepStatus::normal)], 1000);
  EXPECT_EQ(simulation.boundCounts()[static_cast<int>(StepBound::halvings)], 0);
  // DART has no soft contacts and corrects errors at 1 mm/s.
  if (options.backend == "dart") {
    EXPECT_GT(simulation.objectState(0).X_WB.p.z(), 0.02 + 0.9e-3);
  } else if (options.backend == "mujoco" && own()) {
    // It estimates what its own contacts weigh, and they push less.
    EXPECT_GT(simulation.objectState(0).X_WB.p.z(), 0.085);
  } else {
    EXPECT_NEAR(simulation.objectState(0).X_WB.p.z(), 0.1, 0.006);
  }
}

TEST_P(PushOutOn, ALegOnEachSideOfASheetIsHarmless) {
  World world;
  world.terrains.push_back(floor());
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
  world.terrains.push_back(floor());
  world.objects.push_back(test::boxObject("box", Vector3d(0, 0, 0.02)));
  Simulation first(world, *registry, nullptr, log, options);
  first.advance(0.02);
  const std::vector<std::byte> middle = first.save();
  first.advance(0.3);
  Simulation second(world, *registry, nullptr, log, options);
  second.restore(middle);
  second.advance(0.3);
  if (options.backend == "bullet" && own())  // Its contacts live in its caches, so it only goes on nearly the same.
    EXPECT_NEAR(second.objectState(0).X_WB.p.z(), first.objectState(0).X_WB.p.z(), 1e-3);
  else
    EXPECT_EQ(second.stateHash(), first.stateHash());
}

TEST_P(PushOutOn, WhatIsPutThereLaterComesOutSlowlyToo) {
  World world;
  world.terrains.push_back(floor());
  world.objects.push_back(test::boxObject("box", Vector3d(0, 0, 0.1)));
  Simulation simulation(world, *registry, nullptr, log, options);
  simulation.advance(0.05);
  BodyState state = simulation.objectState(0);
  state.X_WB.p.z() = 0.03;
  simulation.setObjectState(0, state);
  double speed = 0, height = 0.03;
  for (int i = 0; i < 300; ++i) {
    simulation.step();
    const double next = simulation.objectState(0).X_WB.p.z();
    speed = std::max({speed, fastest(simulation), std::abs(next - height) / simulation.timeStep()});
    height = next;
  }
  EXPECT_LT(speed, kMaxPushOutSpeed + 0.02);
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
  Simulation simulation(world, *registry, nullptr, log, options);
  simulation.advance(0.5);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(simulation.objectState(i).X_WB.p.z(), 0.1 + 0.2 * i, 0.02) << i;
}

INSTANTIATE_TEST_SUITE_P(
    Engines, PushOutOn,
    testing::Values(PushOutCase{"mortise", ContactSource::external}, PushOutCase{"ode", ContactSource::external},
                    PushOutCase{"bullet", ContactSource::external}, PushOutCase{"mujoco", ContactSource::external},
                    PushOutCase{"dart", ContactSource::external}, PushOutCase{"ode", ContactSource::engine},
                    PushOutCase{"bullet", ContactSource::engine}, PushOutCase{"mujoco", ContactSource::engine},
                    PushOutCase{"dart", ContactSource::engine}),
    nameOf);

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

/// Many bodies that are shot at a sheet, each of them in it at another moment of one step.
World volley() {
  World world;
  world.terrains.push_back(sheet());
  for (int i = 0; i < 40; ++i) {
    RigidObject box =
        test::boxObject("shot " + std::to_string(i), Vector3d(0.4 * (i % 8), 0.4 * (i / 8), 0.105 + 0.075 * i));
    box.v_WO = Vector3d(0, 0, -3000);
    world.objects.push_back(box);
  }
  return world;
}

TEST(PushOut, AStepIsDividedOnlySoOften) {
  test::MemoryLog log;
  const std::unique_ptr<Registry> registry = test::makeRegistry(log);
  SimulationOptions options;
  options.backend = "mortise";
  const World world = volley();
  Simulation simulation(world, *registry, nullptr, log, options);
  simulation.step();
  EXPECT_TRUE(simulation.boundsHit()[static_cast<std::size_t>(StepBound::halvings)]);
  EXPECT_EQ(simulation.status(), StepStatus::contactUnreliable);
  // 60 parts are taken back, then the rest of the step is made in the parts it is in, 1024 at most.
  EXPECT_LE(engineCount(simulation, "steps"), 60 + 1024);
  const Value summary = summarize(simulation);
  ASSERT_TRUE(summary.contains("bounds_hit"));
  ASSERT_TRUE(summary.at("bounds_hit").contains("halvings"));
  EXPECT_EQ(summary.at("bounds_hit").at("halvings").asInteger(), 1);
  simulation.advance(0.02);
  for (std::size_t i = 0; i < simulation.world().objects.size(); ++i)
    EXPECT_TRUE(simulation.objectState(static_cast<int>(i)).X_WB.p.allFinite());
}

/// What engines bound by themselves is told as well.
TEST(PushOut, EnginesTellWhichOfTheirBoundsAStepHit) {
  test::MemoryLog log;
  const std::unique_ptr<Registry> registry = test::makeRegistry(log);
  World world;
  world.terrains.push_back(slab());
  for (int i = 0; i < 4; ++i)
    world.objects.push_back(test::boxObject("box " + std::to_string(i), Vector3d(0.02 * i, 0, 0.099 + 0.199 * i)));
  struct Bounded {
    const char* engine;
    const char* key;
    int value;
    StepBound bound;
    ContactSource contacts;
  };
  const Bounded cases[] = {
      {"mujoco", "iterations", 1, StepBound::sweeps, ContactSource::external},
      {"bullet", "num_iterations", 1, StepBound::sweeps, ContactSource::external},
      {"ode", "exact_limit", 1, StepBound::directSolve, ContactSource::external},
      {"dart", "max_num_contacts", 3, StepBound::contacts, ContactSource::engine},
  };
  for (const Bounded& bounded : cases) {
    if (!test::hasEngine(bounded.engine)) continue;
    SCOPED_TRACE(bounded.engine);
    const auto at = static_cast<std::size_t>(bounded.bound);
    SimulationOptions options;
    options.backend = bounded.engine;
    options.contacts = bounded.contacts;
    options.backendSettings.set(bounded.key, bounded.value);
    Simulation tight(world, *registry, nullptr, log, options);
    tight.advance(0.02);
    EXPECT_GT(tight.boundCounts()[at], 0);
    options.backendSettings = Value::map();
    World alone = world;
    alone.objects.resize(1);
    Simulation loose(alone, *registry, nullptr, log, options);
    loose.advance(0.02);
    EXPECT_EQ(loose.boundCounts()[at], 0);
  }
  if (!test::hasEngine("ode")) return;
  SimulationOptions options;
  options.backend = "ode";
  options.contacts = ContactSource::engine;
  world.simulation.maxContacts = 2;
  Simulation simulation(world, *registry, nullptr, log, options);
  simulation.advance(0.02);
  EXPECT_GT(simulation.boundCounts()[static_cast<std::size_t>(StepBound::contacts)], 0);
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
