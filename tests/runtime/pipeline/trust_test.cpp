// What files of others may have done: nothing is removed, read or run on the word of a file alone.

#include <atomic>
#include <future>
#include <sys/stat.h>

#include "mortise/base/value_text.h"
#include "mortise/settings/permissions.h"
#include "support.h"
#include "tests/support/error_text.h"

namespace mortise::test {
namespace {

namespace fs = std::filesystem;

class PipelineTrust : public PipelineTest {
 protected:
  void TearDown() override {
    checkOnly(false);
    PipelineTest::TearDown();
  }
  /// A record of an earlier run of p.yaml with these further lines.
  void record(const std::string& lines) {
    writeFile(path("out/result.json"),
              "{\"name\": \"p\", \"pipeline\": \"p.yaml\", \"status\": \"done\", \"stages\": [],\n" + lines + "}\n");
  }
};

const std::string kShort = "stages:\n  - simulate: {duration: 2 ms, record: [robots]}\n";

TEST_F(PipelineTrust, ARecordRemovesNothingThatItDidNotWrite) {
  fs::create_directories(path("out/sub"));
  writeFile(path("out/thesis.tex"), "years of work");
  writeFile(path("out/sub/data.csv"), "1,2,3");
  writeFile(path("precious"), "keep");
  const Pipeline p = good(write(kShort));
  for (const std::string& files :
       {std::string(R"([".//"])"), std::string(R"(["./"])"), std::string(R"(["", ".", "sub/..//"])"),
        std::string(R"(["thesis.tex", "sub/", "sub/data.csv", "../precious"])")})
    for (const std::string& more :
         {std::string(), std::string(R"(, "written": {"thesis.tex": [13, 0, 0], "sub/data.csv": [5, 1, 2]})"),
          std::string(R"(, "written": {".//": [0, 0, 0], "../precious": [4, 0, 0], "sub": [0, 0, 0]})"),
          std::string(R"(, "written": ["thesis.tex"])"), std::string(R"(, "written": {"thesis.tex": "13"})")}) {
      record("\"files\": " + files + more);
      EXPECT_EQ(run(p, "out").status, RunStatus::done);
      EXPECT_EQ(readFile(path("out/thesis.tex")), "years of work") << files << more;
      EXPECT_EQ(readFile(path("out/sub/data.csv")), "1,2,3") << files << more;
      EXPECT_EQ(readFile(path("precious")), "keep") << files << more;
    }
}

TEST_F(PipelineTrust, WhatChangedSinceTheRunStays) {
  const Pipeline p = good(write(kShort));
  run(p, "out");
  EXPECT_TRUE(loadYaml(path("out/result.json")).at("written").contains("simulate_state.csv"));
  writeFile(path("out/simulate_state.csv"), "mine now");
  fs::remove(path("out/simulate_state.csv.bak"));
  const Pipeline other = good(write("stages:\n  - simulate: {duration: 2 ms, save: b, record: [robots]}\n"));
  log_.lines.clear();
  EXPECT_EQ(run(other, "out").status, RunStatus::done);
  EXPECT_EQ(readFile(path("out/simulate_state.csv")), "mine now");
  EXPECT_TRUE(log_.mentions("simulate_state.csv' stays"));
}

TEST_F(PipelineTrust, FoldersOfARunAreEmptiedOfItsOwnFilesOnly) {
  const Pipeline p = good(write("stages:\n  - report: {to: [sub/a.txt, sub/deep/b.json]}\n"));
  EXPECT_EQ(run(p, "out").status, RunStatus::done);
  writeFile(path("out/sub/note.txt"), "mine");
  const Pipeline other = good(write("stages:\n  - report: {to: c.txt}\n"));
  EXPECT_EQ(run(other, "out").status, RunStatus::done);
  EXPECT_EQ(readFile(path("out/sub/note.txt")), "mine");
  EXPECT_FALSE(fs::exists(path("out/sub/a.txt")));
  EXPECT_FALSE(fs::exists(path("out/sub/deep")));
}

TEST_F(PipelineTrust, ALockFileReadsNoPipe) {
  run(good(write(kShort)), "out");
  std::string lock = readFile(path("out/run.lock.yaml"));
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const std::size_t at = lock.find("inputs:");
  ASSERT_NE(at, std::string::npos);
  lock.insert(lock.find('\n', at) + 1, "    - file: " + path("pipe") + "\n      hash: \"0\"\n      bytes: 3\n");
  writeFile(path("hostile.yaml"), lock);
  const RunOutcome outcome = run(good(path("hostile.yaml")), "again");
  ASSERT_FALSE(outcome.notReproduced.empty());
  EXPECT_NE(outcome.notReproduced.front().find("is a pipe"), std::string::npos) << outcome.notReproduced.front();
}

TEST_F(PipelineTrust, ChecksFindWhatRunsWould) {
  const std::string motion = MORTISE_SOURCE_DIR "/data/motions/reacher_sweep.path";
  for (const char* stage : {"convert", "split"}) {
    const auto to = [&](const std::string& file) {
      return "stages:\n  - " + std::string(stage) + ": {path: " + motion + ", to: '" + file + "'}\n";
    };
    expectProblem(to("../x.xml"), "p.yaml:4:");
    expectProblem(to("../x.xml"), "would be written outside of the folder of the run");
    expectProblem(to("/tmp/x.xml"), "would be written outside of the folder of the run");
    expectProblem(to("result.json"), "'result.json' is written by every run");
    expectProblem(to("./run.lock.yaml"), "is written by every run");
  }
  expectProblem("stages:\n  - report: {to: ''}\n", "'to' of stage 'report'");
  expectProblem("stages:\n  - report: {to: []}\n", "'to' of stage 'report'");
  expectProblem("stages:\n  - simulate: {duration: 1 ms, state: " MORTISE_SOURCE_DIR "/data/objects/cube.off}\n",
                "this is not a state that was saved here");
  expectProblem(
      "components:\n  - controller: OperationalSpaceController\n    robot: reacher\n"
      "    tasks: [{name: hand, type: link, link: tool, position: [0.5, 0, 0.5], kP: -1}]\n" +
          kShort,
      "p.yaml:6:");
  expectProblem("plugins: [" MORTISE_SOURCE_DIR "/data/objects/cube.off]\nstages: [report]\n",
                "is no plugin: it is neither a shared library nor Python");
}

TEST_F(PipelineTrust, ALogOfAWorldStaysInTheFolderOfTheRun) {
  const std::string here = std::string(MORTISE_SOURCE_DIR) + "/data/";
  for (const char* name : {"w.xml", "--w.xml"}) {
    writeFile(path(name),
              "<world><robot name=\"arm\" file=\"" + here +
                  "robots/reacher.rob\"/>\n<simulation><robot index=\"0\">\n<controller type=\"LoggingController\" "
                  "file=\"" +
                  path("stolen.log") + "\" save=\"1\"/></robot></simulation></world>\n");
    writeFile(path("q.yaml"),
              "mortise: 1\nworld: '" + std::string(name) + "'\nstages:\n  - simulate: {duration: 2 ms}\n");
    Diagnostics diagnostics;
    check(path("q.yaml"), diagnostics);
    EXPECT_NE(textOf(diagnostics).find("would be written outside"), std::string::npos) << textOf(diagnostics);
    EXPECT_FALSE(fs::exists(path("stolen.log")));
  }
}

/// However deep controllers hold each other, a check finds where they would write, with the line.
TEST_F(PipelineTrust, ALogOfAControllerWithinAControllerStaysInTheFolderOfTheRun) {
  const std::string head = "components:\n  - controller: ";
  const std::string bad = path("stolen.log");
  const std::string part =
      head +
      "MultiPartController\n    robot: reacher\n    parts:\n      - name: all\n        drivers: [0, 1, 2, "
      "3, 4, 5]\n        controller: LoggingController\n        file: " +
      bad + "\n        save: true\n" + kShort;
  expectProblem(part, "p.yaml:10:");
  expectProblem(part, "'file' of controller 'all': '" + bad + "' would be written outside of the folder of the run");
  const std::string deep =
      head +
      "TimedSequenceController\n    robot: reacher\n    steps:\n      - controller: LoggingController\n"
      "        inner:\n          type: LoggingController\n          file: ../up.log\n" +
      kShort;
  expectProblem(deep, "p.yaml:10:");
  expectProblem(deep, "'../up.log' would be written outside of the folder of the run");
  std::string good = part;
  good.replace(good.find(bad), bad.size(), "own.log");
  EXPECT_EQ(problems(good).find("would be written"), std::string::npos) << problems(good);
  EXPECT_FALSE(fs::exists(bad));
}

TEST_F(PipelineTrust, AStageThatHeedsNothingIsLeftWithATrueRecord) {
  const Pipeline p = good(write(kShort));
  std::promise<void> left;
  std::atomic<bool> insisted = false;
  RunOptions options;
  options.stopInsisted = [&] { return insisted.load(); };
  options.leave = [&, done = false](const std::string& directory) mutable {
    if (std::exchange(done, true)) return;
    EXPECT_EQ(loadYaml(directory + "/result.json").at("status").asString(), "interrupted");
    left.set_value();
  };
  options.onStage = [&](const PipelineStage&, std::size_t, const std::string&, const Value* result) {
    if (result != nullptr || insisted) return;
    insisted = true;  // The second signal comes while a stage is busy.
    left.get_future().wait();
    insisted = false;
  };
  run(p, "out", options);
}

TEST_F(PipelineTrust, PreparingAWorldHeedsThatTheRunShallEnd) {
  const std::string goal = "stages:\n  - plan: {robot: reacher, goal: [0.2, -0.5, 1.1, 0, 0.4, 0], iterations: 10}\n";
  for (const std::string& stages : {kShort, goal}) {
    const Pipeline p = good(write(stages));
    RunOptions options;
    int asked = 0;
    options.stopRequested = [&] { return ++asked > 1; };  // The stage begins, and then somebody wants the end.
    const RunOutcome outcome = run(p, "out", options);
    EXPECT_EQ(outcome.status, RunStatus::interrupted) << stages;
    EXPECT_EQ(outcome.result.at("stages")[0].at("status").asString(), "interrupted") << stages;
    EXPECT_TRUE(outcome.result.at("results").entries().empty()) << "nothing was computed: " << stages;
  }
}

TEST_F(PipelineTrust, VariablesWithoutUseAreNotToldWithoutEnd) {
  std::string variables = "variables:\n";
  for (int i = 0; i < 1000; ++i) variables += "  k" + std::to_string(i) + ": 1\n";
  Diagnostics diagnostics;
  check(write(variables + kShort), diagnostics);
  EXPECT_EQ(diagnostics.warningCount(), 101);
  EXPECT_NE(textOf(diagnostics).find("900 further variables are used nowhere"), std::string::npos);
}

}  // namespace
}  // namespace mortise::test
