// Times that are no multiple of the step: the last step of a call is as long as what is left.

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/bytes.h"
#include "mortise/base/error.h"
#include "mortise/simulation/context/simulation_clock.h"
#include "mortise/simulation/simulation.h"
#include "tests/runtime/simulation/backend_fixture.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

TEST(StepCount, WhatIsLeftOverIsAStepOfItsOwn) {
  const auto is = [](double seconds, std::int64_t full, double last, double now = 0) {
    const StepCount count = stepsIn(seconds, 0.001, now);
    EXPECT_EQ(count.full, full) << seconds;
    EXPECT_NEAR(count.last, last, 1e-15) << seconds;
  };
  is(0, 0, 0);
  is(0.01, 10, 0);
  is(0.3, 300, 0);  // 300 * 0.001 is no 0.3.
  is(1.0 / 60, 16, 1.0 / 60 - 0.016);
  is(0.0004, 0, 0.0004);
  is(1e-7, 0, 1e-7);
  is(0.0100004, 9, 0.0010004);  // No step that is very short.
  is(0.0099999999999, 10, 0);
  is(0.01 + 1e-13, 10, 0);
  is(0.01 + 1e-11, 10, 0, 1e5);  // The difference of two large times.
  EXPECT_THROW(stepsIn(-1, 0.001, 0), Error);
  EXPECT_THROW(stepsIn(std::nan(""), 0.001, 0), Error);
  EXPECT_THROW(stepsIn(1e300, 0.001, 0), Error);
}

/// Times at which something runs, of `calls` calls of `seconds` each.
std::vector<double> duesOf(double rate, double seconds, int calls) {
  SimulationClock clock;
  std::vector<double> times;
  const auto step = [&](double size) {
    if (size > 0) clock.beginStepOf(size);
    if (clock.due(rate)) times.push_back(clock.time());
    clock.advance();
    clock.endStepOf();
  };
  for (int i = 0; i < calls; ++i) {
    const StepCount count = stepsIn(seconds, clock.timeStep(), clock.time());
    for (std::int64_t k = 0; k < count.full; ++k) step(0);
    if (count.last > 0) step(count.last);
  }
  EXPECT_NEAR(clock.time(), calls * seconds, 1e-9);
  return times;
}

TEST(SimulationClock, RatesGoOnThroughStepsOfOtherSizes) {
  for (const double rate : {1000.0, 250.0, 100.0, 37.0, 3.0}) {
    const std::vector<double> times = duesOf(rate, 1.0 / 60, 600);
    EXPECT_NEAR(static_cast<double>(times.size()), 10 * rate, 1) << rate;
    // Each in the first step that begins at or after its period, or later in the same millisecond.
    for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(times[i], i / rate, 1.001e-3) << rate;
  }
}

TEST(SimulationClock, IsKeptAndRestoredWithinAPeriod) {
  SimulationClock clock;
  for (int i = 0; i < 7; ++i) clock.advance();
  ByteWriter plain;
  clock.save(plain);
  clock.beginStepOf(0.0004);
  clock.advance();
  clock.endStepOf();
  clock.advance();
  ByteWriter out;
  clock.save(out);
  EXPECT_EQ(out.bytes().size(), plain.bytes().size() + 16);
  SimulationClock other;
  ByteReader in(out.bytes());
  other.restore(in);
  EXPECT_NO_THROW(other.requireSound());
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(other.time(), clock.time());
    EXPECT_EQ(other.due(100), clock.due(100));
    EXPECT_EQ(other.due(333), clock.due(333));
    clock.advance();
    other.advance();
  }
  ByteReader again(plain.bytes());
  other.restore(again);
  EXPECT_EQ(other.tick(), 7);
  EXPECT_EQ(other.time(), 0.007);
}

class PartialSteps : public test::OnBackend {};

TEST_P(PartialSteps, CallsMakeTheTimeThatTheyAreAskedFor) {
  const World world = test::smallWorld();
  Simulation simulation(world, *registry, nullptr, log, options());
  for (int i = 0; i < 60; ++i) simulation.advance(1.0 / 60);
  EXPECT_NEAR(simulation.time(), 1.0, 1e-12);
  EXPECT_EQ(simulation.tick(), 60 * 17);
  EXPECT_EQ(simulation.timeStep(), 0.001);
  simulation.reset();
  simulation.advance(0.0004);
  EXPECT_NEAR(simulation.time(), 0.0004, 1e-15);
  EXPECT_EQ(simulation.tick(), 1);
}

TEST_P(PartialSteps, ThingsFallAsFarAsInWholeOnes) {
  World world;
  world.objects.push_back(test::boxObject("box", Vector3d(0, 0, 9)));
  Simulation full(world, *registry, nullptr, log, options()), parts(world, *registry, nullptr, log, options());
  full.advance(1);
  for (int i = 0; i < 60; ++i) parts.advance(1.0 / 60);
  EXPECT_NEAR(parts.objectState(0).v_WB.z(), -9.8, 1e-9);
  EXPECT_NEAR(parts.objectState(0).X_WB.p.z(), full.objectState(0).X_WB.p.z(), 1e-3);
}

TEST_P(PartialSteps, ARobotStandsWhereItDoesInWholeOnes) {
  const World world = test::smallWorld();
  Simulation full(world, *registry, nullptr, log, options()), parts(world, *registry, nullptr, log, options());
  full.advance(1);
  for (int i = 0; i < 60; ++i) EXPECT_LE(parts.advance(1.0 / 60), StepStatus::adaptive);
  EXPECT_NEAR((parts.configuration(0) - full.configuration(0)).norm(), 0, 1e-3);
  EXPECT_NEAR((parts.objectState(1).X_WB.p - full.objectState(1).X_WB.p).norm(), 0, 1e-3);
}

TEST_P(PartialSteps, MultiplesOfTheStepAreWholeStepsBitForBit) {
  const World world = test::smallWorld();
  Simulation one(world, *registry, nullptr, log, options()), many(world, *registry, nullptr, log, options());
  for (int i = 0; i < 300; ++i) one.step();
  for (int i = 0; i < 30; ++i) many.advance(0.01);
  EXPECT_EQ(one.stateHash(), many.stateHash());
}

TEST_P(PartialSteps, SnapshotsBetweenThemGoOnBitForBit) {
  const World world = test::smallWorld();
  Simulation simulation(world, *registry, nullptr, log, options());
  for (int i = 0; i < 7; ++i) simulation.advance(1.0 / 60);
  const std::vector<std::byte> snapshot = simulation.save();
  for (int i = 0; i < 7; ++i) simulation.advance(1.0 / 60);
  const std::uint64_t hash = simulation.stateHash();
  Simulation other(world, *registry, nullptr, log, options());
  other.restore(snapshot);
  for (int i = 0; i < 7; ++i) other.advance(1.0 / 60);
  EXPECT_EQ(other.stateHash(), hash);
  other.reset();
  for (int i = 0; i < 14; ++i) other.advance(1.0 / 60);
  EXPECT_EQ(other.stateHash(), hash);
}

TEST_P(PartialSteps, AStepMayHaveAnySize) {
  const World world = test::smallWorld();
  Simulation simulation(world, *registry, nullptr, log, options());
  simulation.stepOf(0.0003);
  simulation.step();
  EXPECT_NEAR(simulation.time(), 0.0013, 1e-15);
  for (const double bad : {0.0, -1.0, HUGE_VAL, std::nan("")}) EXPECT_THROW(simulation.stepOf(bad), Error);
}

INSTANTIATE_TEST_SUITE_P(Backends, PartialSteps, testing::Values("mortise", "ode"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace mortise
