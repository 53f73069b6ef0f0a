#include "mortise/simulation/simulation.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <limits>

#include "mortise/base/error.h"
#include "mortise/simulation/context/simulation_clock.h"
#include "mortise/simulation/stepping/energy.h"
#include "mortise/simulation/summary.h"
#include "tests/runtime/simulation/backend_fixture.h"
#include "tests/support/engines.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

class SimulationOn : public test::OnBackend {};

TEST_P(SimulationOn, SettlesBoxesAndHoldsTheArm) {
  const World world = test::smallWorld();
  Simulation simulation(world, *registry, nullptr, log, options());
  simulation.advance(2);
  EXPECT_EQ(simulation.tick(), 2000);
  EXPECT_DOUBLE_EQ(simulation.time(), 2.0);
  EXPECT_EQ(simulation.worstStatus(), StepStatus::normal);
  EXPECT_EQ(simulation.statusCounts()[0], 2000);
  // Objects carry a padding of 2.5 mm, terrain none.
  EXPECT_NEAR(simulation.objectState(0).X_WB.p.z(), 0.1025, 0.001);
  EXPECT_NEAR(simulation.objectState(1).X_WB.p.z(), 0.3075, 0.002);
  // Gravity compensation leaves nothing for the PD to carry.
  EXPECT_NEAR(simulation.configuration(0)[0], 0.3, 1e-3);
  EXPECT_NEAR(simulation.configuration(0)[1], 0.0, 1e-3);
  EXPECT_GE(simulation.maxContacts(), 2);
}

TEST_P(SimulationOn, GivesTheSameBitsTwiceAndAfterReset) {
  const World world = test::smallWorld();
  Simulation first(world, *registry, nullptr, log, options());
  const std::uint64_t start = first.stateHash();
  first.advance(0.5);
  const std::uint64_t end = first.stateHash();
  EXPECT_NE(start, end);
  Simulation second(world, *registry, nullptr, log, options());
  EXPECT_EQ(second.stateHash(), start);
  second.advance(0.5);
  EXPECT_EQ(second.stateHash(), end);
  second.reset();
  EXPECT_EQ(second.tick(), 0);
  EXPECT_EQ(second.stateHash(), start);
}

TEST_P(SimulationOn, RunsHooksSensorsAndControllersInTime) {
  const World world = test::smallWorld();
  Simulation simulation(world, *registry, nullptr, log, options());
  int before = 0, after = 0;
  simulation.addHookBefore([&](Simulation& s) { EXPECT_EQ(s.tick(), before++); });
  simulation.addHookAfter([&](Simulation& s) { EXPECT_EQ(s.tick(), ++after); });
  simulation.advance(0.05);
  EXPECT_EQ(before, 50);
  EXPECT_EQ(after, 50);
}

TEST_P(SimulationOn, KeepsEnergyBounded) {
  World world = test::smallWorld();
  Simulation simulation(world, *registry, nullptr, log, options());
  const double start = simulation.energy().total();
  simulation.advance(1);
  EXPECT_LT(simulation.energy().total(), start + 0.5);
  EXPECT_LT(simulation.energy().kinetic, 0.05) << "everything has come to rest";
}

INSTANTIATE_TEST_SUITE_P(Backends, SimulationOn, testing::Values("mortise"),
                         [](const auto& backend) { return std::string(backend.param); });

class SimulationTest : public testing::Test {
 protected:
  test::MemoryLog log;
  std::unique_ptr<Registry> registry = test::makeRegistry(log);
};

TEST_F(SimulationTest, ContinuesBitForBitAfterRestoreOnOde) {
  const World world = test::smallWorld();
  Simulation simulation(world, *registry, nullptr, log, {});
  simulation.advance(0.15);
  const std::vector<std::byte> snapshot = simulation.save();
  simulation.advance(0.1);
  const std::uint64_t expected = simulation.stateHash();
  simulation.advance(0.3);
  simulation.restore(snapshot);
  EXPECT_EQ(simulation.tick(), 150);
  simulation.advance(0.1);
  EXPECT_EQ(simulation.stateHash(), expected);
  Simulation fresh(world, *registry, nullptr, log, {});
  fresh.restore(snapshot);
  fresh.advance(0.1);
  EXPECT_EQ(fresh.stateHash(), expected) << "also in a simulation that never ran before";
}

TEST_F(SimulationTest, RefusesSnapshotsOfSomethingElse) {
  const World world = test::smallWorld();
  World other = world;
  other.objects.pop_back();
  Simulation simulation(world, *registry, nullptr, log, {});
  Simulation stranger(other, *registry, nullptr, log, {});
  EXPECT_THROW(simulation.restore(stranger.save()), Error);
  EXPECT_THROW(simulation.restore({}), Error);
  std::vector<std::byte> cut = simulation.save();
  cut.resize(cut.size() / 2);
  EXPECT_THROW(simulation.restore(cut), Error);
}

TEST_F(SimulationTest, NamesWhatItDoesNotKnow) {
  MORTISE_NEEDS_ENGINES("bullet");
  const World world = test::smallWorld();
  SimulationOptions options;
  options.backend = "bulet";
  ComponentOptions controller;
  controller.type = "JointTrakingController";
  options.components.push_back(controller);
  try {
    Simulation simulation(world, *registry, nullptr, log, options);
    FAIL() << "no error";
  } catch (const DiagnosticsError& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("'bulet'"), std::string::npos) << text;
    EXPECT_NE(text.find("'bullet'"), std::string::npos) << text;
    EXPECT_NE(text.find("JointTrackingController"), std::string::npos) << "both problems in one go: " << text;
  }
}

TEST_F(SimulationTest, LeavesOutOptionalComponentsWithANotice) {
  const World world = test::smallWorld();
  SimulationOptions options;
  ComponentOptions sensor;
  sensor.kind = Kind::sensor;
  sensor.type = "SeventhSense";
  sensor.optional = true;
  options.components.push_back(sensor);
  Simulation simulation(world, *registry, nullptr, log, options);
  EXPECT_TRUE(log.mentions("SeventhSense"));
}

TEST_F(SimulationTest, SaysWhichBodyBlewUp) {
  const World world = test::smallWorld();
  Simulation simulation(world, *registry, nullptr, log, {});
  simulation.advance(0.01);
  simulation.applyWrench(1, Vector3d(1e308, 0, 0), Vector3d::Zero(), Vector3d(0, 1e10, 0));
  EXPECT_EQ(simulation.advance(0.1), StepStatus::error);
  EXPECT_FALSE(simulation.fault().empty());
  const std::int64_t tick = simulation.tick();
  EXPECT_EQ(simulation.step(), StepStatus::error);
  EXPECT_EQ(simulation.tick(), tick) << "a broken simulation stands still";
}

TEST_F(SimulationTest, SeesAnObjectThatGainsEnergyFromNowhere) {
  World world = test::smallWorld();
  world.simulation.onUnstable = OnUnstable::scale;
  Simulation simulation(world, *registry, nullptr, log, {});
  simulation.advance(0.01);
  simulation.applyWrench(world.objectId(0), Vector3d(0, 0, 1e9), Vector3d::Zero(), simulation.objectState(0).X_WB.p);
  EXPECT_EQ(simulation.step(), StepStatus::unstable);
  // Without measures it would have got 5e11 J in the step; slowed down, it keeps below what counts as stable.
  EXPECT_LT(kineticEnergy(world.objects[0].inertia, simulation.objectState(0)), 0.5e5);
  EXPECT_EQ(simulation.worstStatus(), StepStatus::unstable);
  ASSERT_FALSE(simulation.unstableBodies().empty()) << "it pushes another one along";
  EXPECT_EQ(simulation.unstableBodies()[0].name, "low");
}

TEST_F(SimulationTest, SummaryHasTheKeysThatScriptsStandOn) {
  const World world = test::smallWorld();
  Simulation simulation(world, *registry, nullptr, log, {});
  simulation.advance(0.01);
  const Value summary = summarize(simulation);
  for (const char* key : {"backend", "time", "steps", "status", "worst_status", "status_counts", "objects", "robots",
                          "max_contacts", "state_hash"})
    EXPECT_TRUE(summary.contains(key)) << key;
  EXPECT_EQ(summary.at("objects")[0].at("T").size(), 12u);
  EXPECT_EQ(summary.at("objects")[0].integer("id", -1), 1);
  EXPECT_EQ(summary.at("robots")[0].at("q").size(), 2u);
  EXPECT_EQ(summary.string("state_hash", "").size(), 16u);
}

TEST(DueAt, CountsWholePeriods) {
  int at100 = 0, at30 = 0, every = 0;
  for (int tick = 0; tick < 1000; ++tick) {
    if (dueAt(tick, 0.001, 100)) {
      EXPECT_EQ(tick % 10, 0);
      ++at100;
    }
    at30 += dueAt(tick, 0.001, 30);
    every += dueAt(tick, 0.001, 1000);
  }
  EXPECT_EQ(at100, 100);
  EXPECT_EQ(at30, 30);
  EXPECT_EQ(every, 1000);
}

}  // namespace
}  // namespace mortise
