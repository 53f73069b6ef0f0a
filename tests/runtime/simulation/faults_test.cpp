// Components that misbehave while a simulation runs.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/simulation/simulation.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

class FaultsTest : public testing::Test {
 protected:
  FaultsTest() {
    registry->addFile(MORTISE_BINARY_DIR "/tests/plugins/faulty_controllers.so");
    registry->discover();
  }
  SimulationOptions with(const char* type, OnError onError, int after = 0) const {
    ComponentOptions controller;
    controller.type = type;
    controller.onError = onError;
    controller.rate = 1000;
    if (after > 0) controller.settings.set("after", after);
    SimulationOptions options;
    options.components.push_back(controller);
    return options;
  }

  test::MemoryLog log;
  std::unique_ptr<Registry> registry = test::makeRegistry(log);
  World world = test::smallWorld();
};

TEST_F(FaultsTest, StopsByDefaultAndNamesTheComponent) {
  Simulation simulation(world, *registry, nullptr, log, with("fixture.ThrowsInUpdate", OnError::stop, 5));
  EXPECT_EQ(simulation.advance(0.1), StepStatus::error);
  EXPECT_EQ(simulation.tick(), 5);
  EXPECT_NE(simulation.fault().find("fixture.ThrowsInUpdate"), std::string::npos) << simulation.fault();
  EXPECT_NE(simulation.fault().find("lost the encoder"), std::string::npos) << simulation.fault();
}

TEST_F(FaultsTest, SurvivesWhatIsNoException) {
  Simulation simulation(world, *registry, nullptr, log, with("fixture.ThrowsNumberInUpdate", OnError::stop));
  EXPECT_EQ(simulation.advance(0.1), StepStatus::error);
  EXPECT_FALSE(simulation.fault().empty());
}

TEST_F(FaultsTest, HoldsOrDisablesWhenAsked) {
  for (OnError onError : {OnError::hold, OnError::disable}) {
    Simulation simulation(world, *registry, nullptr, log, with("fixture.ThrowsInUpdate", onError, 5));
    EXPECT_EQ(simulation.advance(0.1), StepStatus::normal);
    EXPECT_EQ(simulation.tick(), 100);
    EXPECT_FALSE(simulation.fault().empty()) << "the run still says what happened";
  }
  EXPECT_TRUE(log.mentions("its last output holds"));
  EXPECT_TRUE(log.mentions("faults of one component, each time its last output held"));
  EXPECT_EQ(std::count_if(log.lines.begin(), log.lines.end(),
                          [](const auto& entry) { return entry.second.find("output holds") != std::string::npos; }),
            1)
      << "not at every update";
  EXPECT_TRUE(log.mentions("is disabled"));
}

TEST_F(FaultsTest, NeverHandsANumberThatIsNoneToTheEngine) {
  Simulation stopped(world, *registry, nullptr, log, with("fixture.ReturnsNan", OnError::stop, 3));
  EXPECT_EQ(stopped.advance(0.1), StepStatus::error);
  EXPECT_NE(stopped.fault().find("rod0"), std::string::npos) << "names the driver: " << stopped.fault();
  Simulation held(world, *registry, nullptr, log, with("fixture.ReturnsNan", OnError::hold, 3));
  EXPECT_EQ(held.advance(0.1), StepStatus::normal);
  EXPECT_TRUE(held.configuration(0).allFinite());
}

TEST_F(FaultsTest, NamesEstimatorsThatEstimateAStateOfTheWrongSize) {
  registry = test::makeRegistry(log);
  registry->addFile(MORTISE_BINARY_DIR "/tests/plugins/wrong_sizes.so");
  registry->discover();
  for (const int size : {0, 3, 1000}) {
    SimulationOptions options = with("JointTrackingController", OnError::stop);
    options.components[0].estimator = "fixture.WrongEstimator";
    options.components[0].estimatorSettings.set("size", size);
    Simulation simulation(world, *registry, nullptr, log, options);
    EXPECT_EQ(simulation.advance(0.1), StepStatus::error);
    const std::string& fault = simulation.fault();
    EXPECT_NE(fault.find("fixture.WrongEstimator of fixture_wrong_sizes"), std::string::npos) << fault;
    EXPECT_NE(fault.find("the estimate has " + std::to_string(size) + " positions and"), std::string::npos) << fault;
    EXPECT_NE(fault.find("' has " + std::to_string(world.robots[0].robot->numLinks()) + " links"), std::string::npos)
        << fault;
    options.components[0].onError = OnError::hold;
    Simulation held(world, *registry, nullptr, log, options);
    EXPECT_EQ(held.advance(0.02), StepStatus::normal);
  }
}

TEST_F(FaultsTest, RefusesToStartWithWhatThrowsBefore) {
  for (const auto& [type, text] : {std::pair("fixture.ThrowsInCreate", "no socket to the motor driver"),
                                   std::pair("fixture.ThrowsErrorInCreate", "gains of opposite sign"),
                                   std::pair("fixture.ThrowsInStart", "robot has no wrist")}) {
    try {
      Simulation simulation(world, *registry, nullptr, log, with(type, OnError::stop));
      FAIL() << type << ": no error";
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(text), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find(type), std::string::npos) << e.what();
    }
  }
}

TEST_F(FaultsTest, LeavesACompleteLog) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "mortise_fault_log";
  std::filesystem::create_directories(folder);
  {
    Simulation simulation(world, *registry, nullptr, log, with("fixture.ThrowsInUpdate", OnError::stop, 5));
    ChannelTable channels;
    ComponentHost host("recorder", 0, log, nullptr, channels, {}, {});
    const ComponentInfo& info = registry->require(Kind::recorder, "csv");
    Diagnostics diagnostics;
    auto recorder = registry->create<Recorder>(info, registry->completeSettings(info, Value::map(), diagnostics), host);
    recorder->open({world, folder.string(), "", {"objects"}});
    simulation.addRecorder(std::move(recorder));
    simulation.advance(0.1);
  }
  std::ifstream file(folder / "state.csv");
  int lines = 0;
  std::string line;
  std::size_t commas = 0;
  while (std::getline(file, line)) {
    ++lines;
    const auto count = static_cast<std::size_t>(std::count(line.begin(), line.end(), ','));
    if (lines == 1) commas = count;
    EXPECT_EQ(count, commas);
  }
  EXPECT_EQ(lines, 7) << "header, start, five ticks";
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace mortise
