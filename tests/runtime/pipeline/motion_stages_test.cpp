#include <gtest/gtest.h>

#include "support.h"

namespace mortise::test {
namespace {

class MotionStages : public PipelineTest {
 protected:
  /// A pipeline of the arm's world, with a path of three milestones.
  std::string pipeline(const std::string& stages) {
    writeFile(path("way.path"), "0\t6\t0 0 0 0 0 0\n1\t6\t0 0.2 0.1 0 0 0\n2\t6\t0 0.2 0.4 0 0 0\n");
    writeFile(path("p.yaml"), "mortise: 1\nworld: " MORTISE_SOURCE_DIR "/data/worlds/blocks.xml\nstages:\n" + stages);
    return path("p.yaml");
  }
};

TEST_F(MotionStages, EachLeavesAPathToTheNext) {
  const RunOutcome outcome = run(good(pipeline("  - smooth: {path: way.path}\n"
                                               "  - discretize: {path: smooth, resolution: 0.005}\n"
                                               "  - evaluate: {path: discretize, every: 500 ms}\n"
                                               "  - convert: {path: evaluate, to: even.milestones}\n"
                                               "  - split: {path: smooth, at: [0.5, 1.5], to: part.xml}\n")),
                                 "out");
  ASSERT_EQ(outcome.status, RunStatus::done) << outcome.failure;
  const Value& results = outcome.result.at("results");
  EXPECT_EQ(results.at("smooth").at("milestones_before").asInteger(), 3);
  EXPECT_EQ(results.at("smooth").at("duration").asReal(), 2);
  EXPECT_GT(results.at("discretize").at("milestones").asInteger(), 3);
  EXPECT_EQ(results.at("evaluate").at("samples").size(), 5u);
  EXPECT_EQ(results.at("split").at("parts").size(), 3u);
  for (const char* file : {"smooth.xml", "smooth.path", "evaluate.path", "even.milestones", "part_2.xml"})
    EXPECT_TRUE(std::filesystem::exists(path("out") + "/" + file)) << file;
}

TEST_F(MotionStages, TimesAreAskedFor) {
  Diagnostics diagnostics;
  check(pipeline("  - evaluate: {path: way.path}\n"), diagnostics);
  EXPECT_NE(textOf(diagnostics).find("missing 'at' or 'every'"), std::string::npos) << textOf(diagnostics);
}

TEST_F(MotionStages, InverseKinematicsFindsAConfiguration) {
  const RunOutcome outcome =
      run(good(pipeline("  - ik: {goals: {joints: {shoulder_pitch: 0.3}}, near: [0, 0, 0.2, 0, 0, 0]}\n"
                        "  - evaluate: {path: ik, at: [0]}\n")),
          "out");
  ASSERT_EQ(outcome.status, RunStatus::done) << outcome.failure;
  const Value& result = outcome.result.at("results").at("ik");
  EXPECT_TRUE(result.at("solved").asBool());
  EXPECT_NEAR(result.at("q").asReals()[1], 0.3, 1e-9);
  EXPECT_EQ(result.at("q").asReals()[2], 0.2);
  EXPECT_EQ(result.at("method").asString(), "numeric");
}

TEST_F(MotionStages, WhatCannotBeReachedFailsThePipeline) {
  const RunOutcome outcome =
      run(good(pipeline("  - ik: {goals: {link: tool, position: [50, 0, 0]}, restarts: 2}\n")), "out");
  EXPECT_NE(outcome.status, RunStatus::done);
  EXPECT_NE(outcome.failure.find("no configuration meets the goals"), std::string::npos) << outcome.failure;
}

}  // namespace
}  // namespace mortise::test
