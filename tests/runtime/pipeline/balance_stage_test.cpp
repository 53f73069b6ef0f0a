#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "support.h"

namespace mortise::test {
namespace {

class BalanceStages : public PipelineTest {
 protected:
  /// A motion of the humanoid that shifts its base along x, standing.
  std::string shifted(double meters) {
    Diagnostics diagnostics;
    const auto q = loader_->load<VectorXd>(MORTISE_SOURCE_DIR "/data/planning/humanoid/stand.config", {}, diagnostics);
    std::string text;
    for (int k = 0; k < 2; ++k) {
      text += "36\t";
      for (Eigen::Index i = 0; i < q.size(); ++i) text += formatReal(q[i] + (i == 0 ? k * meters : 0)) + " ";
      text += "\n";
    }
    writeFile(path("shift.configs"), text);
    return path("shift.configs");
  }
  std::string pipeline(const std::string& stage) {
    writeFile(path("p.yaml"), "mortise: 1\nworld: " MORTISE_SOURCE_DIR
                              "/data/worlds/humanoid_beam.xml\nstages:\n  - balance: {" +
                                  stage + "}\n");
    return path("p.yaml");
  }
  const std::string stance_ = ", stance: " MORTISE_SOURCE_DIR "/data/planning/humanoid/feet.stance";
};

TEST_F(BalanceStages, AMotionThatStaysAboveItsFeet) {
  const RunOutcome outcome = run(good(pipeline("path: " + shifted(0.05) + stance_ + ", margin: 5 cm")), "out");
  ASSERT_EQ(outcome.status, RunStatus::done) << outcome.failure;
  const Value* result = outcome.result.findPath("results.balance");
  ASSERT_NE(result, nullptr);
  EXPECT_EQ(result->at("balanced").asInteger(), 2);
  EXPECT_EQ(result->at("balanced_fraction").asReal(), 1);
  EXPECT_NEAR(result->at("margin").asReal(), 0.15 - 0.01838 - 0.05, 1e-4);
}

TEST_F(BalanceStages, OneThatDoesNotFailsThePipeline) {
  const std::string motion = shifted(0.2);
  const RunOutcome outcome = run(good(pipeline("path: " + motion + stance_)), "out");
  EXPECT_NE(outcome.status, RunStatus::done);
  EXPECT_NE(outcome.failure.find("at milestone 1 of section 0 the margin is -0.068"), std::string::npos)
      << outcome.failure;
  const RunOutcome touching = run(good(pipeline("path: " + motion)), "out2");
  EXPECT_EQ(touching.status, RunStatus::done) << "the world's contacts go with the feet: " << touching.failure;
}

TEST_F(BalanceStages, TheExampleKeepsItsBalance) {
  const RunOutcome outcome = run(good(MORTISE_SOURCE_DIR "/data/pipelines/balance.yaml"), "out");
  ASSERT_EQ(outcome.status, RunStatus::done) << outcome.failure;
  const Value* result = outcome.result.findPath("results.balance");
  ASSERT_NE(result, nullptr);
  EXPECT_EQ(result->at("balanced").asInteger(), result->at("milestones").asInteger());
  EXPECT_EQ(result->at("faults").size(), 0u);
  EXPECT_GE(result->at("margin").asReal(), 0.02 - 1e-5);
}

TEST_F(BalanceStages, WhatIsWrongIsFoundBeforeItRuns) {
  const auto problem = [&](const std::string& stage) {
    Diagnostics diagnostics;
    check(pipeline(stage), diagnostics);
    return textOf(diagnostics);
  };
  EXPECT_NE(problem("path: nothing.path").find("nothing.path"), std::string::npos);
  EXPECT_NE(problem("path: " + shifted(0) + ", robot: huboo").find("huboo"), std::string::npos);
  EXPECT_NE(problem("path: " + shifted(0) + stance_ + ", contacts: a.yaml").find("exclude"), std::string::npos);
  EXPECT_NE(problem("path: " + shifted(0) + ", margins: 1").find("margin"), std::string::npos);
}

}  // namespace
}  // namespace mortise::test
