// What the loop adds to an engine: forces for a call, contact queries, changes while running, adaptive steps.

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/simulation/simulation.h"
#include "tests/runtime/simulation/backend_fixture.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

class Loop : public test::OnBackend {
 protected:
  /// With Klamp't's rule.
  SimulationOptions scaling() const {
    SimulationOptions o = options();
    o.onUnstable = OnUnstable::scale;
    return o;
  }
  /// One box that stands on the ground, sides of 0.2 m, 1 kg.
  static World standingBox() {
    World world;
    world.terrains.push_back(test::groundTerrain());
    world.objects.push_back(test::boxObject("box", Vector3d(0, 0, 0.1026)));
    return world;
  }
};

TEST_P(Loop, WrenchesActDuringOneCallAtAPointOfTheBody) {
  World world = standingBox();
  world.objects[0].X_WO.p.z() = 2;
  world.simulation.gravity.setZero();
  Simulation simulation(world, *registry, nullptr, log, options());
  simulation.applyWrench(world.objectId(0), Vector3d(3, 0, 0), Vector3d::Zero(), simulation.objectState(0).X_WB.p);
  simulation.advance(0.1);
  EXPECT_NEAR(simulation.objectState(0).v_WB.x(), 0.3, 1e-9);
  EXPECT_LT(simulation.objectState(0).w_WB.norm(), 1e-9) << "the point has moved along";
  simulation.advance(0.1);
  EXPECT_NEAR(simulation.objectState(0).v_WB.x(), 0.3, 1e-9) << "the force has ended";
  simulation.applyWrench(world.objectId(0), Vector3d::Zero(), Vector3d(0, 0, 0.01), Vector3d::Zero());
  simulation.step();
  EXPECT_NEAR(simulation.objectState(0).w_WB.z(), 0.01 * 0.001 / world.objects[0].inertia.inertia(2, 2), 1e-9);
  EXPECT_THROW(simulation.applyWrench(99, Vector3d::Zero(), Vector3d::Zero(), Vector3d::Zero()), Error);
}

TEST_P(Loop, WrenchesOfHooksActDuringOneStep) {
  World world = standingBox();
  world.objects[0].X_WO.p.z() = 2;
  world.simulation.gravity.setZero();
  Simulation simulation(world, *registry, nullptr, log, options());
  simulation.addHookBefore([&](Simulation& s) {
    s.applyWrench(world.objectId(0), Vector3d(3, 0, 0), Vector3d::Zero(), s.objectState(0).X_WB.p);
  });
  simulation.advance(0.1);
  EXPECT_NEAR(simulation.objectState(0).v_WB.x(), 0.3, 1e-9) << "forces of hooks do not pile up";
}

TEST_P(Loop, ContactSummariesTellTheWeight) {
  const World world = standingBox();
  Simulation simulation(world, *registry, nullptr, log, options());
  const int box = world.objectId(0), ground = world.terrainId(0);
  simulation.advance(0.5);
  simulation.advance(0.2);
  const ContactSummary summary = simulation.contactSummary(box, ground);
  EXPECT_TRUE(summary.inContact);
  EXPECT_TRUE(summary.hadContact);
  EXPECT_FALSE(summary.hadSeparation);
  EXPECT_FALSE(summary.hadPenetration) << "only the padding touches";
  EXPECT_GE(summary.count, 3);
  EXPECT_NEAR(summary.force.z(), 9.8, 0.01);
  EXPECT_NEAR(summary.meanForce.z(), 9.8, 0.005);
  EXPECT_LT(summary.meanTorque.norm(), 0.01);
  EXPECT_NEAR((simulation.contactSummary(ground, box).force + summary.force).norm(), 0, 1e-12);
  EXPECT_NEAR((simulation.contactSummary(box).meanForce - summary.meanForce).norm(), 0, 1e-12);
  EXPECT_THROW(simulation.contactSummary(99), Error);
}

TEST_P(Loop, ContactSummariesTellWhenABodyLandedAndLeft) {
  World world = standingBox();
  world.objects[0].X_WO.p.z() = 0.15;
  Simulation simulation(world, *registry, nullptr, log, options());
  const int box = world.objectId(0), ground = world.terrainId(0);
  simulation.advance(0.05);
  EXPECT_FALSE(simulation.contactSummary(box, ground).hadContact);
  EXPECT_TRUE(simulation.contactSummary(box, ground).hadSeparation);
  simulation.advance(0.45);
  EXPECT_TRUE(simulation.contactSummary(box, ground).inContact);
  EXPECT_TRUE(simulation.contactSummary(box, ground).hadSeparation);
  simulation.advance(0.1);
  simulation.setGravity(Vector3d(0, 0, 5));
  simulation.advance(0.3);
  EXPECT_FALSE(simulation.contactSummary(box, ground).inContact);
}

TEST_P(Loop, TheStepCanBeSetWhileRunning) {
  World world = standingBox();
  world.objects[0].X_WO.p.z() = 4;
  Simulation simulation(world, *registry, nullptr, log, options());
  const std::vector<std::byte> start = simulation.save();
  simulation.advance(0.1);
  simulation.setTimeStep(0.0005);
  EXPECT_DOUBLE_EQ(simulation.time(), 0.1);
  simulation.advance(0.1);
  EXPECT_EQ(simulation.tick(), 300);
  EXPECT_NEAR(simulation.time(), 0.2, 1e-15);
  EXPECT_NEAR(simulation.objectState(0).v_WB.z(), -9.8 * 0.2, 1e-9);
  EXPECT_THROW(simulation.setTimeStep(0), Error);
  EXPECT_THROW(simulation.setTimeStep(-1), Error);
  simulation.restore(start);
  EXPECT_EQ(simulation.timeStep(), 0.001);
  EXPECT_EQ(simulation.time(), 0);
}

TEST_P(Loop, StatesCanBeSetWhileRunning) {
  const World world = test::smallWorld();
  Simulation simulation(world, *registry, nullptr, log, options());
  simulation.advance(0.2);
  BodyState thrown;
  thrown.X_WB.p = Vector3d(-3, 0, 1);
  thrown.v_WB = Vector3d(0, 0, 2);
  simulation.setObjectState(0, thrown);
  simulation.setRobotState(0, Eigen::Vector2d(-0.4, 0.9), Eigen::Vector2d(0.1, 0));
  EXPECT_NEAR((simulation.objectState(0).X_WB.p - thrown.X_WB.p).norm(), 0, 1e-12);
  EXPECT_NEAR(simulation.configuration(0)[1], 0.9, 1e-12);
  EXPECT_NEAR(simulation.velocity(0)[0], 0.1, 1e-12);
  simulation.advance(0.1);
  EXPECT_NEAR(simulation.objectState(0).v_WB.z(), 2 - 0.98, 1e-6);
  EXPECT_THROW(simulation.setRobotState(0, Eigen::Vector3d::Zero(), Eigen::Vector2d::Zero()), Error);
}

TEST_P(Loop, CollisionsAndDynamicsCanBeSwitchedOff) {
  const World world = standingBox();
  Simulation simulation(world, *registry, nullptr, log, options());
  simulation.advance(0.2);
  simulation.setCollision(world.objectId(0), world.terrainId(0), false);
  const std::vector<std::byte> falling = simulation.save();
  simulation.advance(0.1);
  EXPECT_LT(simulation.objectState(0).v_WB.z(), -0.9) << "falls through the ground";
  simulation.setDynamics(0, false);
  const double v = simulation.objectState(0).v_WB.z();
  simulation.advance(0.1);
  EXPECT_NEAR(simulation.objectState(0).v_WB.z(), v, 1e-12) << "goes on as it went";
  const std::uint64_t hash = simulation.stateHash();
  simulation.restore(falling);
  simulation.advance(0.1);
  simulation.setDynamics(0, false);
  simulation.advance(0.1);
  EXPECT_EQ(simulation.stateHash(), hash) << "the switches are part of the snapshot";
  simulation.reset();
  simulation.advance(0.2);
  EXPECT_NEAR(simulation.objectState(0).X_WB.p.z(), 0.1025, 0.0005) << "and of the start";
}

TEST_P(Loop, SettlesUntilEverythingRests) {
  World world = test::smallWorld();
  Simulation simulation(world, *registry, nullptr, log, options());
  EXPECT_TRUE(simulation.settle(5));
  EXPECT_LT(simulation.time(), 3);
  EXPECT_GT(simulation.time(), 0.15);
  simulation.setGravity(Vector3d(1, 0, 5));
  EXPECT_FALSE(simulation.settle(0.3)) << "nothing rests";
  EXPECT_TRUE(simulation.fault().empty());
}

TEST_P(Loop, StatusHistoryCoversEveryStep) {
  const World world = test::smallWorld();
  Simulation simulation(world, *registry, nullptr, log, scaling());
  simulation.advance(0.1);
  simulation.applyWrench(world.objectId(0), Vector3d(0, 0, 1e9), Vector3d::Zero(), simulation.objectState(0).X_WB.p);
  simulation.step();
  simulation.advance(0.05);
  std::int64_t next = 0;
  bool unstable = false;
  for (const StatusSpan& span : simulation.statusHistory()) {
    EXPECT_EQ(span.first, next);
    EXPECT_GT(span.count, 0);
    next += span.count;
    unstable |= span.status == StepStatus::unstable && span.first == 100;
  }
  EXPECT_EQ(next, simulation.tick());
  EXPECT_TRUE(unstable);
}

/// A square sheet of two triangles at z = 0, and a box of triangles that flies at it.
World bulletAndSheet(double speed) {
  World world;
  Terrain sheet;
  sheet.name = "sheet";
  TriangleMesh flat;
  flat.vertices = {{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}};
  flat.triangles = {{0, 1, 2}, {0, 2, 3}};
  sheet.geometry = std::make_shared<Geometry>(flat);
  sheet.surface.restitution = 0;
  world.terrains.push_back(sheet);
  RigidObject box = test::boxObject("bullet", Vector3d(0.03, 0.02, 0.3));
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) mesh.vertices.push_back(0.02 * Vector3d(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  box.geometry = std::make_shared<Geometry>(mesh);
  box.inertia = test::boxInertia(0.1, Vector3d::Constant(0.04));
  box.v_WO = Vector3d(0, 0, -speed);
  world.objects.push_back(box);
  return world;
}

TEST_P(Loop, FastBodiesDoNotPassThroughSheets) {
  for (const double speed : {5.0, 20.0, 60.0}) {
    const World world = bulletAndSheet(speed);
    Simulation simulation(world, *registry, nullptr, log, options());
    simulation.advance(0.5);
    EXPECT_GT(simulation.objectState(0).X_WB.p.z(), 0.015) << speed << " m/s";
    EXPECT_LE(simulation.worstStatus(), StepStatus::contactUnreliable) << speed << " m/s";
  }
}

TEST_P(Loop, AStepThatGainsTooMuchIsDivided) {
  World world = standingBox();
  world.objects[0].X_WO.p.z() = 2;
  Simulation simulation(world, *registry, nullptr, log, scaling());
  // 5 m/s in one step from rest looks like an instability, but in parts it is a force like any other.
  simulation.applyWrench(world.objectId(0), Vector3d(5000, 0, 0), Vector3d::Zero(), simulation.objectState(0).X_WB.p);
  EXPECT_EQ(simulation.step(), StepStatus::adaptive);
  EXPECT_NEAR(simulation.objectState(0).v_WB.x(), 5, 1e-9);
  EXPECT_NEAR(simulation.objectState(0).v_WB.z(), -0.0098, 1e-9);
}

TEST_P(Loop, EverythingThatBlowsUpIsSlowedDown) {
  World world = standingBox();
  for (int i = 1; i < 4; ++i) world.objects.push_back(test::boxObject("more", Vector3d(i, 0, 2)));
  Simulation simulation(world, *registry, nullptr, log, scaling());
  for (int i = 0; i < 4; ++i)
    simulation.applyWrench(world.objectId(i), Vector3d(0, 0, 1e9), Vector3d::Zero(), simulation.objectState(i).X_WB.p);
  EXPECT_EQ(simulation.step(), StepStatus::unstable);
  for (int i = 0; i < 4; ++i) EXPECT_LT(simulation.objectState(i).v_WB.norm(), 1000) << i;
}

TEST_P(Loop, TimesThatAreNoneAreRefused) {
  const World world = standingBox();
  Simulation simulation(world, *registry, nullptr, log, options());
  for (const double seconds : {-1.0, 1e300, std::nan(""), HUGE_VAL}) {
    EXPECT_THROW(simulation.advance(seconds), Error) << seconds;
    EXPECT_THROW(simulation.settle(seconds), Error) << seconds;
  }
}

TEST_P(Loop, HeavyBodiesFallAsFastAsOthers) {
  World world = standingBox();
  world.objects[0].inertia = test::boxInertia(5000, Vector3d::Constant(0.2));
  world.objects[0].X_WO.p.z() = 50;
  Simulation simulation(world, *registry, nullptr, log, options());
  EXPECT_EQ(simulation.advance(2), StepStatus::normal);  // 960 kJ.
  EXPECT_NEAR(simulation.objectState(0).v_WB.z(), -19.6, 1e-6);
}

TEST_P(Loop, AdaptiveStepsContinueBitForBitAfterARestore) {
  const World world = bulletAndSheet(20);
  Simulation simulation(world, *registry, nullptr, log, options());
  simulation.advance(0.01);
  const std::vector<std::byte> snapshot = simulation.save();
  simulation.advance(0.1);
  const std::uint64_t hash = simulation.stateHash();
  simulation.advance(0.05);
  simulation.restore(snapshot);
  simulation.advance(0.1);
  EXPECT_EQ(simulation.stateHash(), hash);
}

INSTANTIATE_TEST_SUITE_P(Backends, Loop, testing::Values("mortise"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace mortise
