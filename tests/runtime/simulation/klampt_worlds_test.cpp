// Real worlds against what Klamp't itself computes for them.

#include <cmath>
#include <gtest/gtest.h>
#include <string>

#include "mortise/base/value_text.h"
#include "mortise/loading/format_loader.h"
#include "mortise/simulation/simulation.h"
#include "tests/support/plugins.h"
#include "tests/support/reference.h"

namespace mortise {
namespace {

struct Case {
  const char* backend;
  const char* world;   ///< Below klampt-data/.
  const char* oracle;  ///< Below reference/klampt-oracle/.
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.backend << " " << c.world; }

class KlamptWorlds : public testing::TestWithParam<Case> {};

TEST_P(KlamptWorlds, StandWhereKlamptsStandAfterTwoSeconds) {
  MORTISE_NEEDS_REFERENCE();
  test::MemoryLog log;
  auto registry = test::makeRegistry(log);
  FormatLoader loader(*registry, log);
  Diagnostics diagnostics;
  const World world = loader.world(test::referenceDir() + "/klampt-data/" + GetParam().world, {}, diagnostics);
  SimulationOptions options;
  options.backend = GetParam().backend;
  Simulation simulation(world, *registry, &loader, log, options);
  simulation.advance(2);
  // stacktest's constraint force mixing lets the lowest boxes sink through their layers for a moment.
  EXPECT_LE(simulation.worstStatus(), StepStatus::contactUnreliable) << simulation.fault();
  EXPECT_GE(simulation.statusCounts()[0] + simulation.statusCounts()[1], 0.99 * simulation.tick());

  const Value oracle = loadYaml(test::referenceDir() + "/reference/klampt-oracle/" + GetParam().oracle);
  const Value* checkpoint = nullptr;
  for (const Value& candidate : oracle.at("checkpoints").items())
    if (std::abs(candidate.real("t", 0) - 2) < 1e-6) checkpoint = &candidate;
  ASSERT_NE(checkpoint, nullptr);
  const Value& objects = checkpoint->at("objects");
  ASSERT_EQ(objects.size(), world.objects.size());
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const BodyState& ours = simulation.objectState(static_cast<int>(i));
    ASSERT_TRUE(ours.X_WB.allFinite());
    EXPECT_NEAR(ours.X_WB.p.z(), objects[i][11].asReal(), 0.02) << world.objects[i].name;
  }
  const Value& robots = checkpoint->at("robots_q");
  for (std::size_t r = 0; r < world.robots.size(); ++r) {
    ASSERT_TRUE(simulation.configuration(static_cast<int>(r)).allFinite());
    if (world.robots[r].robot->floatingBaseLink() < 0) continue;
    EXPECT_NEAR(simulation.configuration(static_cast<int>(r))[2], robots[r][2].asReal(), 0.02)
        << "height of the floating base of " << world.robots[r].name;
  }
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const char* backend = "mortise";
  for (const auto& [world, oracle] :  // Without block.xml: Klamp't passes over the `translate` of its block.
       {std::pair("tx90blocks.xml", "sim_tx90blocks.json"),
        std::pair("tx90cups_simple.xml", "sim_tx90cups_simple.json"),
        std::pair("tx90cuptable.xml", "sim_tx90cuptable.json"), std::pair("hubo_plane.xml", "sim_hubo_plane.json"),
        std::pair("simulation_test_worlds/stacktest.xml", "sim_stacktest.json")})
    all.push_back({backend, world, oracle});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Worlds, KlamptWorlds, testing::ValuesIn(cases()), [](const auto& parameter) {
  std::string name = std::string(parameter.param.backend) + "_" + (parameter.param.oracle + 4);
  return name.substr(0, name.size() - 5);
});

}  // namespace
}  // namespace mortise
