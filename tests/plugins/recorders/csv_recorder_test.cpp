#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/resource.h>

#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/value_text.h"
#include "mortise/simulation/context/component_host.h"
#include "mortise/simulation/simulation.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

std::vector<std::vector<std::string>> readCsv(const std::string& path) {
  std::vector<std::vector<std::string>> rows;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    rows.emplace_back();
    std::stringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

class CsvRecorderTest : public testing::Test {
 protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() /
             (std::string("mortise_csv_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  ComponentPtr<Recorder> open(std::vector<std::string> what, const Value& settings = Value::map()) {
    const ComponentInfo& info = registry->require(Kind::recorder, "csv");
    Diagnostics diagnostics;
    auto recorder = registry->create<Recorder>(info, registry->completeSettings(info, settings, diagnostics), host);
    diagnostics.throwIfErrors();
    recorder->open({world, folder.string(), "t_", std::move(what)});
    return recorder;
  }

  std::filesystem::path folder;
  test::MemoryLog log;
  std::unique_ptr<Registry> registry = test::makeRegistry(log);
  ChannelTable channels;
  ComponentHost host{"test", 1, log, nullptr, channels, {}, {}};
  World world = test::smallWorld();
};

TEST_F(CsvRecorderTest, WritesARowATickWithKlamptsColumns) {
  Simulation simulation(world, *registry, nullptr, log, {});
  simulation.addRecorder(open({"robots", "objects", "sensors"}), 10);
  simulation.advance(0.1);
  simulation.closeRecorders();
  const auto rows = readCsv((folder / "t_state.csv").string());
  ASSERT_EQ(rows.size(), 12u) << "header, start, ten rows";
  const std::vector<std::string>& header = rows[0];
  for (const char* name : {"time", "arm_cmx", "arm_qcmd[rod0]", "arm_dqcmd[rod1]", "arm_q[rod0]", "arm_dq[rod0]",
                           "arm_t[0]", "low_comx", "low_x", "low_rz", "low_dx", "high_wz", "arm_q[q[rod0]]"})
    EXPECT_NE(std::find(header.begin(), header.end(), name), header.end()) << name;
  for (const auto& row : rows) EXPECT_EQ(row.size(), header.size());
  const auto z = std::find(header.begin(), header.end(), "high_z") - header.begin();
  EXPECT_EQ(std::stod(rows[1][z]), 0.35);
  EXPECT_EQ(std::stod(rows[11][z]), simulation.objectState(1).X_WB.p.z()) << "numbers read back to the same bits";
}

TEST_F(CsvRecorderTest, NumbersEntitiesThatShareAName) {
  world.objects[1].name = "low";
  Simulation simulation(world, *registry, nullptr, log, {});
  simulation.addRecorder(open({"objects"}));
  simulation.closeRecorders();
  const auto header = readCsv((folder / "t_state.csv").string()).at(0);
  EXPECT_NE(std::find(header.begin(), header.end(), "low#1_x"), header.end());
  EXPECT_NE(std::find(header.begin(), header.end(), "low#2_x"), header.end());
}

TEST_F(CsvRecorderTest, RecordsSingleRobotsAndObjectsByName) {
  Simulation simulation(world, *registry, nullptr, log, {});
  simulation.addRecorder(open({"high", "arm"}));
  simulation.closeRecorders();
  const auto rows = readCsv((folder / "t_state.csv").string());
  const std::vector<std::string>& header = rows.at(0);
  const auto has = [&](const char* name) { return std::find(header.begin(), header.end(), name) != header.end(); };
  EXPECT_TRUE(has("high_x"));
  EXPECT_FALSE(has("low_x"));
  EXPECT_TRUE(has("arm_q[rod0]"));
  EXPECT_EQ(rows.at(1).size(), header.size());
}

TEST_F(CsvRecorderTest, ContactForcesCarryTheWeight) {
  Simulation simulation(world, *registry, nullptr, log, {});
  simulation.advance(2);
  simulation.addRecorder(open({"contacts"}));
  simulation.advance(0.2);
  simulation.closeRecorders();
  const auto rows = readCsv((folder / "t_contacts.csv").string());
  const std::vector<std::string>& header = rows.at(0);
  const auto column = [&](const char* name) { return std::find(header.begin(), header.end(), name) - header.begin(); };
  double sum = 0;
  int count = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i][column("body1")] != "0" || rows[i][column("body2")] != "1") continue;
    sum += std::stod(rows[i][column("fz_avg")]) * std::stod(rows[i][column("numContacts")]);
    // At rest the surfaces touch.
    EXPECT_GT(std::stod(rows[i][column("depth_max")]), -2e-3);
    EXPECT_LT(std::stod(rows[i][column("depth_max")]), 2e-3);
    ++count;
  }
  ASSERT_GT(count, 100);
  EXPECT_NEAR(sum / count, -2 * 9.8, 0.5) << "force on the ground from two boxes of 1 kg";
}

TEST_F(CsvRecorderTest, WrenchesHaveKlamptsColumnsAndTheWholeForce) {
  Simulation simulation(world, *registry, nullptr, log, {});
  simulation.advance(2);
  simulation.addRecorder(open({"wrenches"}));
  simulation.advance(0.2);
  simulation.closeRecorders();
  const auto rows = readCsv((folder / "t_wrenches.csv").string());
  const std::vector<std::string>& header = rows.at(0);
  ASSERT_GE(header.size(), 12u);
  EXPECT_EQ(std::vector<std::string>(header.begin(), header.begin() + 12),
            (std::vector<std::string>{"time", "body1", "body2", "cop x", "cop y", "cop z", "fx", "fy", "fz", "tx", "ty",
                                      "tz"}));
  double force = 0, x = 0;
  int count = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i][1] != "ground" || rows[i][2] != "low") continue;
    force += std::stod(rows[i][8]);
    x += std::stod(rows[i][3]);
    ++count;
  }
  ASSERT_GT(count, 100);
  EXPECT_NEAR(force / count, -2 * 9.8, 0.2) << "force on the ground from two boxes of 1 kg";
  EXPECT_NEAR(x / count, 2.01, 0.002) << "under the center of mass of both, which stand 2 cm apart";
}

TEST_F(CsvRecorderTest, JsonLinesHoldTheSameNumbers) {
  world.objects[1].name = "a \"high\" one";
  const ComponentInfo& info = registry->require(Kind::recorder, "jsonl");
  Diagnostics diagnostics;
  auto recorder = registry->create<Recorder>(info, registry->completeSettings(info, Value::map(), diagnostics), host);
  recorder->open({world, folder.string(), "t_", {"robots", "objects", "sensors", "contacts", "wrenches"}});
  Simulation simulation(world, *registry, nullptr, log, {});
  simulation.addRecorder(std::move(recorder), 10);
  simulation.advance(0.1);
  simulation.closeRecorders();
  std::ifstream file(folder / "t_log.jsonl");
  int lines = 0;
  Value last;
  for (std::string line; std::getline(file, line); ++lines) last = parseYaml(line, "log");
  EXPECT_EQ(lines, 11);
  EXPECT_EQ(last.at("tick").asInteger(), 100);
  EXPECT_EQ(last.findPath("objects.1.name")->asString(), "a \"high\" one");
  EXPECT_EQ(last.findPath("objects.1.T")->asReals()[11], simulation.objectState(1).X_WB.p.z())
      << "numbers read back to the same bits";
  EXPECT_EQ(last.findPath("robots.0.q")->asReals()[0], simulation.configuration(0)[0]);
  EXPECT_EQ(last.findPath("robots.0.sensors.q")->size(), 2u);
  ASSERT_GT(last.at("contacts").size(), 0u);
  EXPECT_EQ(last.findPath("contacts.0.name1")->asString(), "ground");
  double sum = 0;
  for (const Value& contact : last.at("contacts").items())
    if (contact.at("id1").asInteger() == 0) sum += contact.at("force").asReals()[2];
  EXPECT_NEAR(last.findPath("wrenches.0.force")->asReals()[2], sum, 1e-9);
}

TEST_F(CsvRecorderTest, SaysWhatCannotBeRecordedOrWritten) {
  {
    Simulation simulation(world, *registry, nullptr, log, {});
    EXPECT_THROW(simulation.addRecorder(open({"dreams"})), Error);
  }
  Value settings = Value::map();
  settings.set("file", (folder / "no/such/folder/x.csv").string());
  EXPECT_THROW(open({"objects"}, settings), Error);
  if (!std::filesystem::exists("/dev/full")) return;
  settings.set("file", "/dev/full");
  auto recorder = open({"objects"}, settings);
  Simulation simulation(world, *registry, nullptr, log, {});
  simulation.addRecorder(std::move(recorder));
  EXPECT_THROW(simulation.closeRecorders(), Error) << "a full disk is not silent";
}

TEST_F(CsvRecorderTest, EndsWithAWholeRowWhenTheDiskIsFull) {
  // A limit of the size of files makes a write stop in the middle, as a full disk does.
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 100003;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  Simulation simulation(world, *registry, nullptr, log, {});
  simulation.addRecorder(open({"robots", "objects"}));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  simulation.advance(1);
  std::string message;
  try {
    simulation.closeRecorders();
  } catch (const Error& error) {
    message = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_NE(message + simulation.fault(), "") << "it is said";
  const std::string file = (folder / "t_state.csv").string();
  const std::string text = readFile(file);
  ASSERT_GT(text.size(), 90000u);
  EXPECT_EQ(text.back(), '\n');
  const auto rows = readCsv(file);
  for (const auto& row : rows) ASSERT_EQ(row.size(), rows.front().size());
}

}  // namespace
}  // namespace mortise
