#include "mortise/benchmark/benchmark.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/benchmark/benchmark_plots.h"
#include "mortise/benchmark/benchmark_report.h"
#include "mortise/benchmark/benchmark_run.h"
#include "mortise/json/json_writer.h"
#include "mortise/plugin/plugin.h"
#include "tests/support/plugins.h"

namespace mortise {
namespace {

/// Ends its process, or never ends, for one seed; has no path for all others.
class BadPlanner final : public Planner {
 public:
  explicit BadPlanner(const ComponentContext& context) : how_(context.settings.at("how").asString()) {}
  void start(const PlanningProblem&, RandomStream&) override {}
  PlanningOutcome plan(PlanningStop& stop) override {
    if (how_ == "crash") std::raise(SIGKILL);
    if (how_ == "throw") throw Error("no idea");
    while (!stop.reached(std::numeric_limits<double>::infinity())) {
    }
    return {};
  }

 private:
  std::string how_;
};

}  // namespace
}  // namespace mortise

MORTISE_PLUGIN_AS(mortise_test_bad_planner, __attribute__((visibility("hidden"))), "mortise_test_bad_planner", "1.0") {
  plugin.planner<mortise::BadPlanner>("test.Bad").summary("Fails.").parameter("how", "wait", "How it fails.");
}

namespace mortise {
namespace {

class BenchmarkTest : public testing::Test {
 protected:
  void SetUp() override {
    registry_ = std::make_unique<Registry>(log_);
    registry_->addFolder(MORTISE_BINARY_DIR "/lib/mortise/plugins", "build");
    registry_->addBuiltIn(mortise_test_bad_planner);
    registry_->discover();
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = (std::filesystem::temp_directory_path() /
               (std::string("mortise_benchmark_") + info->name() + "_" + std::to_string(::getpid())))
                  .string();
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& text) const {
    const std::string path = folder_ + "/benchmark.yaml";
    std::ofstream(path) << text;
    return path;
  }
  Benchmark make(const std::string& text) {
    const std::string path = file(text);
    Diagnostics diagnostics;
    const Value root = readBenchmarkFile(path, {}, diagnostics);
    Benchmark benchmark = makeBenchmark(root, path, *registry_, log_, {}, diagnostics);
    diagnostics.throwIfErrors();
    return benchmark;
  }
  std::string faultOf(const std::string& text) {
    try {
      make(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "no fault";
  }
  std::string problem(const std::string& more) const {
    return "  - {name: shelf, world: " MORTISE_SOURCE_DIR "/data/worlds/heron_shelf.xml, " + more + "}\n";
  }
  std::string withPlanners(const std::string& planners, const std::string& more = "pairs: 3") const {
    return "planners: " + planners + "\nseeds: 2\niterations: 3000\nproblems:\n" + problem(more);
  }

  test::MemoryLog log_;
  std::unique_ptr<Registry> registry_;
  std::string folder_;
};

/// Without what may differ from run to run.
std::vector<std::string> lasting(const std::vector<BenchmarkResult>& results) {
  std::vector<std::string> lines;
  for (BenchmarkResult result : results) {
    result.seconds = result.cpuSeconds = result.memory = 0;
    lines.push_back(toJson(result.toValue(), -1));
  }
  return lines;
}

TEST_F(BenchmarkTest, CasesAreProblemsByPlannersBySeeds) {
  const Benchmark benchmark = make(withPlanners("[rrt, {type: rrt, name: short, perturbationRadius: 0.2}]"));
  EXPECT_EQ(benchmark.problems.size(), 3u);
  EXPECT_EQ(benchmark.cases.size(), 3u * 2u * 2u);
  EXPECT_EQ(benchmark.problems[1].part, "pair 2");
  std::set<std::string> ids;
  for (const BenchmarkCase& each : benchmark.cases) ids.insert(each.id);
  EXPECT_EQ(ids.size(), benchmark.cases.size());
  // The same cases by another name and in other company.
  const Benchmark other = make(withPlanners("[{type: mortise.RRT, name: trees}]"));
  for (const BenchmarkCase& each : other.cases) EXPECT_EQ(ids.count(each.id), 1u);
  // Another pair is another case.
  const Benchmark moved = make(withPlanners("[rrt]", "pairs: {count: 3, seed: 2}"));
  for (const BenchmarkCase& each : moved.cases) EXPECT_EQ(ids.count(each.id), 0u);
}

/// The name of a format that reads planning problems is a key.
TEST_F(BenchmarkTest, ProblemsMayComeFromFiles) {
  const std::string folder = MORTISE_SOURCE_DIR "/data/planning/heron";
  const std::string head = "planners: [rrt]\nseeds: 1\ntime_limit: 3\nproblems:\n";
  const Benchmark benchmark = make(head + "  - {moveit: " + folder + "}\n  - {name: first, moveit: {folder: " + folder +
                                   ", requests: " + folder + "/request0001.yaml}}\n");
  ASSERT_EQ(benchmark.problems.size(), 4u);
  EXPECT_EQ(benchmark.problems[1].name, "moveit");
  EXPECT_EQ(benchmark.problems[1].part, "request0002");
  EXPECT_EQ(benchmark.problems[3].name, "first");
  EXPECT_EQ(benchmark.problems[3].request.stop.seconds, 3);
  EXPECT_FALSE(benchmark.problems[3].request.goal.configurations.empty());
  EXPECT_EQ(benchmark.problems[3].fingerprint, benchmark.problems[0].fingerprint) << "the same files";
  EXPECT_NE(faultOf(head + "  - {moveit: " + folder + ", goal: [0]}\n").find("'goal' does not go with 'moveit'"),
            std::string::npos);
  EXPECT_NE(faultOf(head + "  - {moveit: {urdf: a, requets: b}}\n").find("did you mean 'requests'?"),
            std::string::npos);
}

TEST_F(BenchmarkTest, GoesOnWhereItEndedAndComesToTheSame) {
  const Benchmark benchmark = make(withPlanners("[rrt, any]"));
  BenchmarkResultFile one(folder_ + "/one.jsonl", false);
  EXPECT_EQ(runBenchmark(benchmark, *registry_, log_, one), 12);
  one.sort(benchmark);
  const std::vector<BenchmarkResult> first = one.of(benchmark);
  ASSERT_EQ(first.size(), 12u);
  for (const BenchmarkResult& result : first) {
    EXPECT_TRUE(result.solved) << result.message;
    EXPECT_GT(result.length, 0);
    EXPECT_FALSE(result.pathHash.empty());
    const auto& problem = *std::find_if(benchmark.problems.begin(), benchmark.problems.end(),
                                        [&](const BenchmarkProblem& each) { return each.part == result.part; });
    const VectorXd &start = problem.request.starts[0], &goal = problem.request.goal.configurations[0];
    EXPECT_EQ(result.start, std::vector<double>(start.begin(), start.end()));
    EXPECT_EQ(result.goal, std::vector<double>(goal.begin(), goal.end()));
  }
  EXPECT_NE(benchmarkCsv(first).find(",start,goal\n"), std::string::npos);
  EXPECT_EQ(runBenchmark(benchmark, *registry_, log_, one), 0) << "nothing is left to do";

  // In the middle of the sixth line the disk was full.
  const std::string text = readFile(folder_ + "/one.jsonl");
  std::size_t cut = 0;
  for (int lines = 0; lines < 5; ++lines) cut = text.find('\n', cut) + 1;
  std::ofstream(folder_ + "/two.jsonl") << text.substr(0, cut + 40);
  BenchmarkResultFile two(folder_ + "/two.jsonl", false);
  EXPECT_EQ(two.discardedLines(), 1);
  EXPECT_EQ(two.of(benchmark).size(), 5u);
  EXPECT_EQ(runBenchmark(benchmark, *registry_, log_, two, {.jobs = 2}), 7);
  two.sort(benchmark);
  EXPECT_EQ(lasting(two.of(benchmark)), lasting(first));
  BenchmarkResultFile again(folder_ + "/two.jsonl", false);
  EXPECT_EQ(again.discardedLines(), 0);
  EXPECT_EQ(lasting(again.of(benchmark)), lasting(first));
  EXPECT_EQ(BenchmarkResultFile(folder_ + "/two.jsonl", true).of(benchmark).size(), 0u);
}

TEST_F(BenchmarkTest, PlannersThatFailCostTheirOwnCaseAlone) {
  const Benchmark benchmark = make(
      withPlanners("[rrt, {type: test.Bad, name: crashes, how: crash}, {type: test.Bad, name: throws, how: throw}, "
                   "{type: test.Bad, name: waits}]"));
  BenchmarkResultFile file(folder_ + "/results.jsonl", false);
  runBenchmark(benchmark, *registry_, log_, file, {.jobs = 3});
  std::map<std::string, int> statuses;
  for (const BenchmarkResult& result : file.of(benchmark)) ++statuses[result.planner + " " + result.status];
  EXPECT_EQ(statuses, (std::map<std::string, int>{
                          {"rrt solved", 6}, {"crashes crashed", 6}, {"throws error", 6}, {"waits stopped", 6}}));
  const std::vector<BenchmarkRow> rows = benchmarkRows(benchmark, file.of(benchmark));
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[1].errors, 6);
  EXPECT_EQ(rows[3].errors, 0);
  EXPECT_TRUE(std::isinf(rows[3].medianTime));
  EXPECT_NE(benchmarkHtml(benchmark, file.of(benchmark)).find("no idea"), std::string::npos);
}

TEST_F(BenchmarkTest, EndsWhenAskedAndKeepsWhatIsDone) {
  const Benchmark benchmark = make(withPlanners("[rrt]"));
  BenchmarkResultFile file(folder_ + "/results.jsonl", false);
  int asked = 0;
  const int run = runBenchmark(benchmark, *registry_, log_, file, {.stopRequested = [&] { return ++asked > 3; }});
  EXPECT_LT(run, 6);
  EXPECT_EQ(static_cast<int>(file.of(benchmark).size()), run);
}

TEST_F(BenchmarkTest, SaysAllThatIsWrong) {
  const std::string fault = faultOf("planners: [rrt, nonsense]\nseeds: 0\nspeed: 3\nproblems:\n" +
                                    problem("pairs: {count: 2, sead: 3}") + "  - {goal: [1]}\n  - 7\n");
  for (const char* part : {"nonsense", "number of seeds", "'speed'", "'sead'", "names no world", "a problem is a map"})
    EXPECT_NE(fault.find(part), std::string::npos) << part << " is not in:\n" << fault;
  EXPECT_NE(faultOf(withPlanners("[rrt]", "pairs: 2, goal: [0]")).find("does not go with 'pairs'"), std::string::npos);
  EXPECT_NE(faultOf(withPlanners("[rrt]", "pairs: 2, planner: any")).find("for all problems"), std::string::npos);
  EXPECT_NE(faultOf(withPlanners("[rrt, rrt]")).find("two planners"), std::string::npos);
  EXPECT_NE(faultOf("planners: [rrt]\nproblems:\n" + problem("pairs: 1") + problem("pairs: 1")).find("two problems"),
            std::string::npos);
  EXPECT_NE(faultOf(withPlanners("[{type: rrt, sped: 1}]")).find("sped"), std::string::npos);
  EXPECT_NE(faultOf("- 1\n").find("a map"), std::string::npos);
}

TEST(BenchmarkPlots, ShowEveryCurveAndBox) {
  const std::string utilization = plotFractions("a < b", "s", {{"one", {0.1, 1, 10}, 4}, {"two & three", {}, 4}});
  EXPECT_NE(utilization.find("a &lt; b"), std::string::npos);
  EXPECT_NE(utilization.find("two &amp; three"), std::string::npos);
  std::size_t curves = 0;
  for (std::size_t at = 0; (at = utilization.find("<polyline", at)) != std::string::npos; ++at) ++curves;
  EXPECT_EQ(curves, 2u);
  EXPECT_EQ(utilization.find("nan"), std::string::npos);
  // The far value is a point of its own.
  const std::string boxes =
      plotBoxes("t", "s", {{"g", "one", {1, 2, 3, 4, 100}, "5/5"}, {"g", "none", {}, "0/5"}}, true);
  std::size_t points = 0;
  for (std::size_t at = 0; (at = boxes.find("<circle", at)) != std::string::npos; ++at) ++points;
  EXPECT_EQ(points, 1u);
  EXPECT_NE(boxes.find("0/5"), std::string::npos);
  EXPECT_EQ(boxes.find("nan"), std::string::npos);
  EXPECT_EQ(plotBoxes("t", "s", {}, false).find("nan"), std::string::npos);
}

}  // namespace
}  // namespace mortise
