#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

class PlanBenchmarkCommand : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("mortise_plan_benchmark_") + info->name() + "_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "two.yaml") << "planners: [rrt, any]\nseeds: 1\niterations: 3000\nproblems:\n"
                                           "  - {world: " MORTISE_SOURCE_DIR
                                           "/data/worlds/heron_shelf.xml, pairs: 2}\n";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  Ran run(std::vector<std::string> more) const {
    std::vector<std::string> words = {"plan", "benchmark", (folder_ / "two.yaml").string(), "-o",
                                      (folder_ / "out").string()};
    words.insert(words.end(), more.begin(), more.end());
    return runMortise(words);
  }
  std::filesystem::path folder_;
};

TEST_F(PlanBenchmarkCommand, WritesTablesAndPlotsAndGoesOn) {
  const Ran ran = run({"--json"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const Value report = parseYaml(ran.out, "out");
  EXPECT_EQ(report.at("cases").asInteger(), 4);
  EXPECT_EQ(report.at("run").asInteger(), 4);
  ASSERT_EQ(report.at("rows").size(), 2u);
  EXPECT_EQ(report.at("rows")[0].at("solved").asInteger(), 2);
  for (const char* file :
       {"results.jsonl", "table.md", "results.csv", "solved.svg", "times.svg", "lengths.svg", "report.html"})
    EXPECT_GT(std::filesystem::file_size(folder_ / "out" / file), 100u) << file;
  EXPECT_EQ(parseYaml(run({"--json"}).out, "out").at("run").asInteger(), 0);
  const Ran more = run({"--set", "seeds=2"});
  EXPECT_EQ(more.exitCode, 0) << more.err;
  EXPECT_NE(more.out.find("8 of 8 cases, 4 of them run now"), std::string::npos) << more.out;
  EXPECT_EQ(parseYaml(run({"--json", "--fresh"}).out, "out").at("run").asInteger(), 4);
}

TEST_F(PlanBenchmarkCommand, WrongInputSaysSo) {
  const Ran unknown = run({"--set", "planners=[rrt, rtr]"});
  EXPECT_EQ(unknown.exitCode, 1);
  EXPECT_NE(unknown.err.find("rtr"), std::string::npos) << unknown.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out")) << "nothing is written before all is read";
  EXPECT_EQ(run({"--jobs", "0"}).exitCode, 2);
  EXPECT_EQ(run({"--fresh", "--report-only"}).exitCode, 2);
  EXPECT_EQ(runMortise({"plan", "benchmark"}).exitCode, 2);
  EXPECT_EQ(runMortise({"plan", "benchmark", (folder_ / "none.yaml").string()}).exitCode, 1);
}

}  // namespace
}  // namespace mortise::test
