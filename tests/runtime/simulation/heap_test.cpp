/// Heaps on the project's own engine: Newton's method is not tried again and again where it fails.

#include <gtest/gtest.h>
#include <random>

#include "mortise/simulation/simulation.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

World heap(int boxes) {
  World world;
  world.terrains.push_back(test::groundTerrain());
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(-0.04, 0.04);
  for (int i = 0; i < boxes; ++i) {
    const Vector3d p(0.24 * (i % 3), 0.24 * (i / 3 % 3), 0.15 + 0.24 * (i / 9));
    world.objects.push_back(test::boxObject("box " + std::to_string(i), p + Vector3d(unit(random), unit(random), 0)));
  }
  return world;
}

std::int64_t count(const Simulation& simulation, const char* key) {
  return simulation.effectiveSettings().at("engine").at(key).asInteger();
}

TEST(Heap, NewtonsMethodPausesWhereItKeepsFailingAndContinuesBitForBit) {
  const World world = heap(54);
  test::MemoryLog log;
  const std::unique_ptr<Registry> registry = test::makeRegistry(log);
  SimulationOptions options;
  options.backend = "mortise";
  options.timeStep = 0.005;
  Simulation first(world, *registry, nullptr, log, options);
  const auto isPaused = [&] {
    const std::int64_t before = count(first, "newton_pauses");
    first.step();
    return count(first, "newton_pauses") > before && count(first, "newton_pauses") > 8;
  };
  int steps = 0;
  while (steps < 300 && !isPaused()) ++steps;
  ASSERT_LT(steps, 300) << "it failed " << count(first, "newton_failures") << " times";
  EXPECT_TRUE(first.boundsHit()[static_cast<std::size_t>(StepBound::directSolve)]);
  EXPECT_GT(first.boundCounts()[static_cast<std::size_t>(StepBound::directSolve)], 0);
  const std::vector<std::byte> middle = first.save();
  first.advance(0.1);
  Simulation second(world, *registry, nullptr, log, options);
  second.restore(middle);
  second.advance(0.1);
  EXPECT_EQ(second.stateHash(), first.stateHash());
}

}  // namespace
}  // namespace mortise
