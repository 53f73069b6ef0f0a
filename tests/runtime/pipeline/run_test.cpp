#include <sstream>

#include "mortise/base/files.h"
#include "mortise/base/value_text.h"
#include "mortise/pipeline/file/lock_file.h"
#include "mortise/pipeline/record/result_text.h"
#include "support.h"
#include "tests/support/engines.h"

namespace mortise::test {
namespace {

namespace fs = std::filesystem;

using PipelineRun = PipelineTest;

const std::string kCompare =
    "name: short comparison\nseed: 3\nstages:\n"
    "  - simulate: {duration: 20 ms, record: [robots, objects, contacts], record_rate: 500, save: alone}\n"
    "  - compare: {backends: [mortise, bullet], duration: 20 ms}\n"
    "  - report: {to: [report.txt, sub/report.json]}\n";

TEST_F(PipelineRun, LeavesResultsLogsReportAndLock) {
  MORTISE_NEEDS_ENGINES("bullet");
  const RunOutcome outcome = run(good(write(kCompare)), "out");
  EXPECT_EQ(outcome.status, RunStatus::done) << outcome.failure;
  for (const char* name :
       {"result.json", "run.lock.yaml", "report.txt", "sub/report.json", "alone_state.csv", "alone_contacts.csv"})
    EXPECT_TRUE(fs::exists(path("out") + "/" + name)) << name;

  const Value result = loadYaml(path("out/result.json"));
  EXPECT_EQ(result.at("status").asString(), "done");
  EXPECT_EQ(result.at("stages").size(), 3u);
  const Value& alone = *result.findPath("results.alone");
  EXPECT_EQ(alone.at("steps").asInteger(), 20);
  EXPECT_EQ(alone.at("worst_status").asString(), "normal");
  EXPECT_EQ(alone.at("logs").size(), 2u);
  EXPECT_GT(alone.findPath("energy.start.potential")->asReal(), 0);
  const Value& compare = *result.findPath("results.compare");
  ASSERT_EQ(compare.at("backends").size(), 2u);
  EXPECT_EQ(compare.findPath("backends.1.backend")->asString(), "bullet");
  EXPECT_EQ(compare.findPath("backends.1.component")->asString(), "mortise.BulletPhysics");
  EXPECT_EQ(compare.findPath("backends.0.state_hash")->asString(), alone.at("state_hash").asString());
  EXPECT_EQ(compare.findPath("differences.0.objects")->size(), 7u);
  EXPECT_LT(compare.findPath("differences.0.max_position")->asReal(), 0.05);

  // 20 steps of 1 ms recorded every 2 ms: the start, ten rows, and the header.
  std::istringstream log(readFile(path("out/alone_state.csv")));
  int lines = 0;
  for (std::string line; std::getline(log, line);) ++lines;
  EXPECT_EQ(lines, 12);
}

TEST_F(PipelineRun, TheTableFitsATerminal) {
  MORTISE_NEEDS_ENGINES("bullet");
  const RunOutcome outcome = run(good(write(kCompare)), "out");
  const std::string text = renderResult("compare", *outcome.result.findPath("results.compare"));
  for (const char* expected : {"mortise", "bullet", "energy at start", "apart, m", "h/2", "block_top", "worst status"})
    EXPECT_NE(text.find(expected), std::string::npos) << expected << "\n" << text;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 110u) << line;
}

TEST_F(PipelineRun, ALockFileRepeatsTheRun) {
  MORTISE_NEEDS_ENGINES("ode", "bullet");
  const RunOutcome first =
      run(good(write(kCompare), {"simulation.step=2 ms", "simulation.settings.iterations=30"}), "out");
  const Pipeline again = good(path("out/run.lock.yaml"));
  EXPECT_EQ(again.seed, 3u);
  EXPECT_EQ(again.name, "short comparison");
  const RunOutcome second = run(again, "again");
  EXPECT_TRUE(second.wasLocked);
  EXPECT_TRUE(second.notReproduced.empty()) << second.notReproduced.front();
  for (const char* key :
       {"results.alone.state_hash", "results.compare.backends.0.state_hash", "results.compare.backends.1.state_hash"})
    EXPECT_EQ(first.result.findPath(key)->asString(), second.result.findPath(key)->asString()) << key;
  EXPECT_EQ(second.result.findPath("results.alone.steps")->asInteger(), 10);

  // Also into the folder that it lies in, any number of times.
  run(good(path("again/run.lock.yaml")), "again");
  EXPECT_TRUE(run(good(path("again/run.lock.yaml")), "again").notReproduced.empty());

  // The lock of the repetition locks the same.
  const Value a = loadYaml(path("out/run.lock.yaml")), b = loadYaml(path("again/run.lock.yaml"));
  for (const char* key :
       {"simulation", "components", "stages", "seed", "locked.effective", "locked.state_hashes", "locked.file"})
    EXPECT_EQ(*a.findPath(key), *b.findPath(key)) << key;
}

TEST_F(PipelineRun, ALockFileTellsWhatChanged) {
  // A world of our own, to change it between the runs.
  for (const char* name : {"worlds", "objects", "robots", "terrains", "motions"})
    fs::copy(std::string(MORTISE_SOURCE_DIR "/data/") + name, folder_ / name, fs::copy_options::recursive);
  writeFile(path("p.yaml"), "mortise: 1\nworld: worlds/blocks.xml\nstages:\n  - simulate: {duration: 5 ms}\n");
  run(good(path("p.yaml")), "out");
  std::string ball = readFile(path("objects/ball.geom"));
  writeFile(path("objects/ball.geom"), ball + "\n");
  fs::remove(path("p.yaml"));
  const RunOutcome again = run(good(path("out/run.lock.yaml"), {"simulation.step=5 ms"}), "again");
  ASSERT_EQ(again.notReproduced.size(), 3u);
  EXPECT_NE(again.notReproduced[0].find("ball.geom' has changed since"), std::string::npos) << again.notReproduced[0];
  EXPECT_NE(again.notReproduced[1].find("p.yaml' was read then: cannot read"), std::string::npos)
      << again.notReproduced[1];
  EXPECT_NE(again.notReproduced[2].find("simulate.mortise: state hash"), std::string::npos) << again.notReproduced[2];
}

TEST_F(PipelineRun, TheSameRunTwiceHasTheSameHash) {
  MORTISE_NEEDS_ENGINES("ode", "bullet");
  const Pipeline p = good(write(kCompare));
  const RunOutcome a = run(p, "a"), b = run(p, "b");
  for (const char* key : {"results.alone.state_hash", "results.compare.backends.1.state_hash"})
    EXPECT_EQ(a.result.findPath(key)->asString(), b.result.findPath(key)->asString());
}

TEST_F(PipelineRun, InterruptionKeepsWhatIsThere) {
  MORTISE_NEEDS_ENGINES("ode", "bullet");
  int asked = 0;
  RunOptions options;
  // The world is prepared before its log is opened.
  options.stopRequested = [&] { return fs::exists(path("out/alone_state.csv")) && ++asked > 15; };
  const RunOutcome outcome = run(good(write(kCompare)), "out", options);
  EXPECT_EQ(outcome.status, RunStatus::interrupted);
  const Value result = loadYaml(path("out/result.json"));
  EXPECT_EQ(result.at("status").asString(), "interrupted");
  EXPECT_TRUE(result.findPath("results.alone.interrupted")->asBool());
  const auto steps = result.findPath("results.alone.steps")->asInteger();
  EXPECT_GT(steps, 5);
  EXPECT_LT(steps, 20);
  EXPECT_EQ(result.at("stages").size(), 1u);
  // The log ends with a whole line for the last recorded step.
  const std::string log = readFile(path("out/alone_state.csv"));
  EXPECT_EQ(log.back(), '\n');
  const std::size_t last = log.rfind('\n', log.size() - 2) + 1;
  EXPECT_NEAR(std::stod(log.substr(last)), 0.001 * static_cast<double>(steps - steps % 2), 1e-9);
}

TEST_F(PipelineRun, AFailureEndsTheRunAndIsKept) {
  const Pipeline p =
      good(write("components:\n  - {recorder: csv, record: [objects], file: x.csv}\n"
                 "stages:\n  - simulate: {duration: 5 ms}\n  - report\n"));
  fs::create_directories(path("out/simulate_x.csv"));
  const RunOutcome outcome = run(p, "out");
  EXPECT_EQ(outcome.status, RunStatus::failed);
  EXPECT_NE(outcome.failure.find("stage 'simulate': "), std::string::npos) << outcome.failure;
  const Value result = loadYaml(path("out/result.json"));
  EXPECT_EQ(result.at("status").asString(), "failed");
  EXPECT_EQ(result.at("stages").size(), 1u);
  EXPECT_FALSE(fs::exists(path("out/report.txt")));
}

TEST_F(PipelineRun, FollowsAMotion) {
  const std::string motion = MORTISE_SOURCE_DIR "/data/motions/reacher_sweep.path";
  const Pipeline still = good(write("stages:\n  - simulate: {duration: 800 ms}\n", "still.yaml"));
  const Pipeline moving = good(write("stages:\n  - simulate: {duration: 800 ms, follow: " + motion + "}\n"));
  const RunOutcome a = run(still, "a"), b = run(moving, "b");
  const auto q = [](const RunOutcome& outcome) {
    return outcome.result.findPath("results.simulate.robots.0.q")->asReals();
  };
  double apart = 0;
  for (std::size_t i = 0; i < q(a).size(); ++i) apart = std::max(apart, std::abs(q(a)[i] - q(b)[i]));
  EXPECT_GT(apart, 0.01);
  expectProblem(
      "components:\n  - {controller: JointTrackingController}\nstages:\n  - simulate: {duration: 1, follow: " + motion +
          "}\n",
      "cannot follow a motion: it has no parameter 'path'");
}

TEST_F(PipelineRun, DirectoriesAreNumbered) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  const Pipeline p = good(write("stages:\n  - simulate: {duration: 1 ms}\n", "drop.yaml"));
  const std::string first = runPipeline(p, *registry_, *loader_, log_, {}).directory;
  const std::string second = runPipeline(p, *registry_, *loader_, log_, {}).directory;
  const std::string third = runPipeline(good("runs/drop/run.lock.yaml"), *registry_, *loader_, log_, {}).directory;
  fs::current_path(before);
  EXPECT_EQ(first, "runs/drop");
  EXPECT_EQ(second, "runs/drop-2");
  EXPECT_EQ(third, "runs/drop-3");
}

TEST_F(PipelineRun, AFolderThatCannotBeMadeIsAnError) {
  const Pipeline p = good(write("stages: [report]\n"));
  writeFile(path("file"), "x");
  RunOptions options;
  options.directory = path("file");
  EXPECT_THROW(runPipeline(p, *registry_, *loader_, log_, options), Error);
  options.directory = path("file/below");
  EXPECT_THROW(runPipeline(p, *registry_, *loader_, log_, options), Error);
}

TEST_F(PipelineRun, AnotherRunIntoTheFolderReplacesTheFirst) {
  const auto stage = [](const std::string& settings) {
    return "stages:\n  - simulate: {duration: 2 ms" + settings + "}\n";
  };
  fs::create_directories(path("out"));
  writeFile(path("out/notes.txt"), "mine");
  const Pipeline first = good(write(stage(", record: [robots, contacts], save: old, save_state: end.state")));
  try {
    run(first, "out");
    FAIL() << "files of the same names would be gone";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("no run of a pipeline made this folder, and it holds files: 'notes.txt'"),
              std::string::npos)
        << error.what();
    EXPECT_NE(error.hint().find("--force"), std::string::npos);
  }
  RunOptions force;
  force.force = true;
  run(first, "out", force);
  EXPECT_TRUE(fs::exists(path("out/old_state.csv")));
  writeFile(path("out/later.txt"), "mine, too");
  const RunOutcome again = run(good(write(stage(", record: [robots], save: new"))), "out");
  EXPECT_EQ(again.status, RunStatus::done) << again.failure;
  for (const char* gone : {"out/old_state.csv", "out/old_contacts.csv", "out/old_end.state"})
    EXPECT_FALSE(fs::exists(path(gone))) << gone;
  for (const char* there : {"out/new_state.csv", "out/notes.txt", "out/later.txt", "out/result.json"})
    EXPECT_TRUE(fs::exists(path(there))) << there;
  EXPECT_EQ(again.result.at("files").asStrings(),
            (std::vector<std::string>{"new_state.csv", "result.json", "run.lock.yaml"}));
  EXPECT_EQ(loadYaml(path("out/result.json")).at("files"), again.result.at("files"));
}

TEST_F(PipelineRun, WhatAnotherPipelineLeftIsReplacedOnRequestOnly) {
  const std::string stages = "stages:\n  - simulate: {duration: 2 ms, save_state: end.state}\n";
  run(good(write(stages, "one.yaml")), "out");
  const Pipeline two = good(write(stages, "two.yaml"));
  try {
    run(two, "out");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("the results of another pipeline, 'one'"), std::string::npos) << error.what();
  }
  RunOptions force;
  force.force = true;
  EXPECT_EQ(run(two, "out", force).status, RunStatus::done);
  EXPECT_THROW(
      run(good(write("stages:\n  - simulate: {duration: 2 ms, state: out/simulate_end.state}\n", "two.yaml")), "out"),
      Error)
      << "it reads what would be removed";
  fs::create_directories(path("other"));
  writeFile(path("other/result.json"), "{}");
  EXPECT_THROW(run(two, "other"), Error) << "no run wrote this result.json";
  EXPECT_EQ(readFile(path("other/result.json")), "{}");
}

TEST_F(PipelineRun, TwoRunsDoNotShareAFolder) {
  const Pipeline inner = good(write("stages:\n  - simulate: {duration: 1 ms}\n", "p.yaml"));
  std::string refusal;
  RunOptions options;
  options.stopRequested = [&] {
    if (refusal.empty()) {
      const Value running = loadYaml(path("out/result.json"));
      EXPECT_EQ(running.at("status").asString(), "running");
      EXPECT_EQ(running.at("pid").asInteger(), ::getpid());
      try {
        run(inner, "out");
        refusal = "none";
      } catch (const Error& error) {
        refusal = error.what();
      }
    }
    return false;
  };
  const RunOutcome outer = run(inner, "out", options);
  EXPECT_EQ(outer.status, RunStatus::done) << outer.failure;
  EXPECT_NE(refusal.find("another run is writing into this folder: process " + std::to_string(::getpid())),
            std::string::npos)
      << refusal;
  EXPECT_FALSE(outer.result.contains("pid"));
}

TEST_F(PipelineRun, LinksThatLeadOutOfTheFolderAreRefused) {
  const Pipeline p = good(write("stages:\n  - simulate: {duration: 1 ms, record: [robots]}\n"));
  writeFile(path("precious"), "keep");
  fs::create_directories(path("out"));
  fs::create_symlink(path("precious"), path("out/result.json"));
  EXPECT_THROW(run(p, "out"), Error);
  EXPECT_EQ(readFile(path("precious")), "keep");
  fs::remove(path("out/result.json"));
  fs::create_symlink(path("precious"), path("out/simulate_state.csv"));
  RunOptions force;
  force.force = true;
  const RunOutcome outcome = run(p, "out", force);
  EXPECT_NE(outcome.failure.find("through a symbolic link"), std::string::npos) << outcome.failure;
  EXPECT_EQ(readFile(path("precious")), "keep");
}

TEST_F(PipelineRun, TheLockSaysWhenWhereAndHow) {
  RunOptions options;
  options.command = "mortise run p.yaml";
  run(good(write("stages:\n  - simulate: {duration: 1 ms}\n")), "out", options);
  const Value lock = loadYaml(path("out/run.lock.yaml"));
  EXPECT_EQ(lock.findPath("locked.made.command")->asString(), "mortise run p.yaml");
  EXPECT_EQ(lock.findPath("locked.made.date")->asString().size(), std::string("2025-01-31T12:00:00Z").size());
  EXPECT_FALSE(lock.findPath("locked.made.host")->asString().empty());
  const RunOutcome again = run(good(path("out/run.lock.yaml")), "again");
  EXPECT_TRUE(again.notReproduced.empty());
  EXPECT_TRUE(again.result.findPath("repeated.same")->asBool());
}

TEST_F(PipelineRun, AMovedRunFindsItsInputs) {
  fs::create_directories(path("project"));
  for (const char* name : {"worlds", "objects", "robots", "terrains", "motions"})
    fs::copy(std::string(MORTISE_SOURCE_DIR "/data/") + name, folder_ / "project" / name, fs::copy_options::recursive);
  writeFile(path("project/p.yaml"), "mortise: 1\nworld: worlds/blocks.xml\nstages:\n  - simulate: {duration: 5 ms}\n");
  run(good(path("project/p.yaml")), "project/runs/out");
  fs::create_directories(path("archive/of/runs"));
  fs::rename(path("project/runs/out"), path("archive/of/runs/out"));
  const RunOutcome moved = run(good(path("archive/of/runs/out/run.lock.yaml")), "again");
  EXPECT_EQ(moved.status, RunStatus::done) << moved.failure;
  EXPECT_TRUE(moved.notReproduced.empty()) << moved.notReproduced.front();
  // Moved together with what it reads, it takes the copy.
  fs::rename(path("archive/of/runs/out"), path("project/runs/out"));
  fs::rename(path("project"), path("elsewhere"));
  const Pipeline together = good(path("elsewhere/runs/out/run.lock.yaml"));
  EXPECT_TRUE(together.file.base.starts_with(path("elsewhere"))) << together.file.base;
}

}  // namespace
}  // namespace mortise::test
