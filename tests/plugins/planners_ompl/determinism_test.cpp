#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <thread>

#include "tests/plugins/planners_ompl/plans.h"

namespace mortise {
namespace {

using test::planners;
using test::planSquare;

StopConditions rounds(std::int64_t iterations, bool first = false) {
  StopConditions conditions;
  conditions.foundSolution = first;
  conditions.iterations = iterations;
  return conditions;
}

/// What a planner does in 600 rounds, or with its first path.
std::uint64_t workOf(const std::string& name, std::uint64_t seed) {
  // These look at many samples before they find anything.
  const std::string settings = name.ends_with("FMT")       ? "{num_samples: 100}"
                               : name.ends_with("AITstar") ? "{samples_per_batch: 25}"
                                                           : "{}";
  return test::hashOf(planSquare(name, seed, rounds(600), settings).outcome.path);
}

/// One line a planner: its name and the hash of its paths.
std::string allWork() {
  std::ostringstream text;
  for (const std::string& name : planners().names())
    text << name << " " << workOf(name, 5) + 31 * workOf(name, 6) << "\n";
  return text.str();
}

std::string outputOf(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  std::array<char, 4096> buffer;
  while (const std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe)) text.append(buffer.data(), count);
  EXPECT_EQ(pclose(pipe), 0) << command;
  return text;
}

/// The lines between the marks, of this program in another process.
std::string workOfAnotherProcess(const std::string& environment) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string text =
      outputOf(environment + " MORTISE_PRINT_WORK=1 '" + self + "' --gtest_filter=OmplDeterminism.PrintsItsWork");
  const auto begin = text.find("WORK\n"), end = text.find("END\n");
  if (begin == std::string::npos || end == std::string::npos) return "no work in: " + text;
  return text.substr(begin + 5, end - begin - 5);
}

TEST(OmplDeterminism, PrintsItsWork) {
  if (std::getenv("MORTISE_PRINT_WORK") == nullptr) GTEST_SKIP() << "for other tests";
  std::printf("WORK\n%sEND\n", allWork().c_str());
}

TEST(OmplDeterminism, SameSeedSamePathAgain) {
  for (const std::string& name : planners().names()) {
    std::vector<std::unique_ptr<char[]>> heap;
    std::uint64_t first = 0;
    for (int run = 0; run < 3; ++run) {
      // Memory elsewhere, and holes in it.
      for (int i = 0; i < 40 * run; ++i) heap.emplace_back(new char[static_cast<std::size_t>(16 + 37 * i % 900)]);
      for (std::size_t i = 0; i < heap.size(); i += 3) heap[i].reset();
      const std::uint64_t hash = workOf(name, 7);
      if (run == 0) first = hash;
      EXPECT_EQ(hash, first) << name;
    }
    EXPECT_NE(workOf(name, 8), first) << name << " does not look at its seed";
  }
}

TEST(OmplDeterminism, SamePathInAnotherProcess) { EXPECT_EQ(workOfAnotherProcess(""), allWork()); }

TEST(OmplDeterminism, SamePathWhereTheProgramLoadedOmplFirst) {
  // OMPL's calls are bound before the plugin comes; then planners take turns and seed OMPL's own generator.
  EXPECT_EQ(workOfAnotherProcess("LD_PRELOAD=libompl.so.16"), allWork());
}

TEST(OmplDeterminism, SamePathBesideAnotherPlanner) {
  const std::string alone = allWork();
  std::atomic<bool> done = false;
  std::thread other([&] {
    for (std::uint64_t seed = 0; !done; ++seed) {
      workOf("ompl.KPIECE1", seed);
      workOf("ompl.BITstar", seed);
    }
  });
  const std::string beside = allWork();
  done = true;
  other.join();
  EXPECT_EQ(beside, alone);
}

TEST(OmplDeterminism, AStartedPlannerForgetsWhatItDid) {
  for (const std::string& name : planners().names()) {
    test::QuietHost host;
    const auto planner = planners().create(name, host);
    std::uint64_t hash[2] = {};
    for (int run = 0; run < 2; ++run) {
      test::SquareProblem square;
      RandomStream random(3, "plan");
      StopClock stop(rounds(600));
      hash[run] = test::hashOf(runPlanner(*planner, square.problem, random, stop).outcome.path);
    }
    EXPECT_EQ(hash[0], hash[1]) << name;
  }
}

TEST(OmplDeterminism, ARunLimitedByTimeIsRepeatedByItsIterations) {
  for (const std::string& name : planners().names()) {
    StopConditions timed;
    timed.foundSolution = false;
    timed.seconds = 0.015;
    const PlanningRun run = planSquare(name, 11, timed);
    const PlanningRun replay = planSquare(name, 11, rounds(run.iterations));
    EXPECT_EQ(replay.iterations, run.iterations) << name;
    EXPECT_EQ(test::hashOf(replay.outcome.path), test::hashOf(run.outcome.path)) << name;
    EXPECT_EQ(replay.counts.configurations, run.counts.configurations) << name;
  }
}

}  // namespace
}  // namespace mortise
