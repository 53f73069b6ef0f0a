// The stage `compare`: how far runs are apart, and what that means.

#include <algorithm>
#include <cmath>

#include "mortise/pipeline/compare/comparison_text.h"
#include "mortise/pipeline/compare/motion_record.h"
#include "mortise/pipeline/compare/reading.h"
#include "mortise/pipeline/stages/compare_stage.h"
#include "support.h"
#include "tests/support/engines.h"

namespace mortise::test {
namespace {

/// Two backends that are `apart` from each other, and move by so much when their step is halved and their start
/// disturbed.
ComparisonReading readingOf(double apart, double stepA, double stepB, double disturbedA = 0, double disturbedB = 0) {
  ComparisonEvidence evidence;
  evidence.backends = {"ode", "bullet"};
  evidence.apart = {0, apart};
  evidence.step = {stepA, stepB};
  evidence.disturbed = {disturbedA, disturbedB};
  evidence.disturbance = 1e-9;
  return readComparison(evidence);
}

TEST(ComparisonReading, SaysWhatDistancesMean) {
  EXPECT_EQ(readingOf(0.0009, 0, 0).sentence, "the backends agree: never more than 1 mm apart");
  const ComparisonReading agreeing = readingOf(0.0009, 0.02, 0);
  EXPECT_EQ(agreeing.verdict, "agree");
  EXPECT_EQ(agreeing.sentence,
            "the backends agree: never more than 1 mm apart, though ode moves by 20 mm when its step is halved");
  const ComparisonReading step = readingOf(0.4, 0.5, 0.1);
  EXPECT_EQ(step.verdict, "step");
  EXPECT_EQ(step.sentence,
            "the backends differ by 0.4 m, but ode alone moves by 0.5 m when its step is halved: the step decides, not "
            "the engine");
  const ComparisonReading within = readingOf(0.005, 0.002, 0.001);
  EXPECT_EQ(within.verdict, "within_step");
  EXPECT_EQ(within.sentence,
            "within the step's own error: the backends differ by 5 mm; halving the step moves ode by 2 mm and bullet "
            "by 1 mm");
  const ComparisonReading engines = readingOf(0.0071, 0.0005, 0.0005, 0, 1e-4);
  EXPECT_EQ(engines.verdict, "engines");
  EXPECT_EQ(engines.sentence,
            "the engines differ: 5 mm beyond what step and disturbance explain (7.1 mm apart, 2.1 mm explained)");
  const ComparisonReading chaotic = readingOf(0.4, 0.5, 0.1, 0, 0.12);
  EXPECT_EQ(chaotic.verdict, "chaotic");
  EXPECT_EQ(chaotic.sentence,
            "chaotic: a disturbance of 1e-09 grows to 0.1 m on bullet: where it goes says nothing about a backend");
}

TEST(ComparisonReading, TakesTheBackendThatIsFarthestAway) {
  ComparisonEvidence evidence;
  evidence.backends = {"a", "b", "c"};
  evidence.apart = {0, 0.002, 0.01};
  evidence.step = {0.0001, 0.5, 0.0001};  // That b is sensitive to its step does not excuse c.
  EXPECT_EQ(readComparison(evidence).verdict, "engines");
  evidence.step[2] = 0.02;
  EXPECT_EQ(readComparison(evidence).sentence,
            "a and c differ by 10 mm, but c alone moves by 20 mm when its step is halved: the step decides, not the "
            "engine");
  evidence.step.clear();
  EXPECT_NE(readComparison(evidence).sentence.find("was not asked"), std::string::npos);
}

TEST(ComparisonReading, OfOneBackendItIsItsStep) {
  ComparisonEvidence evidence;
  evidence.backends = {"ode"};
  evidence.apart = {0};
  evidence.step = {0.003};
  EXPECT_EQ(readComparison(evidence).sentence, "halving the step moves it by 3 mm on ode: the step is too long for it");
  evidence.step = {0.0003};
  EXPECT_EQ(readComparison(evidence).verdict, "agree");
}

TEST(ComparisonReading, DistancesHaveTwoDigits) {
  EXPECT_EQ(distanceText(1.234, "m"), "1.2 m");
  EXPECT_EQ(distanceText(0.01234, "rad"), "12 mrad");
  EXPECT_EQ(distanceText(1e-7, "m"), "less than 0.001 mm");
  EXPECT_EQ(distanceText(HUGE_VAL, "m"), "no finite number of m");
}

TEST(MotionRecords, KeepAtMostFourThousandSamples) {
  EXPECT_DOUBLE_EQ(MotionRecord::intervalFor(4, 0.001), 0.001);
  EXPECT_DOUBLE_EQ(MotionRecord::intervalFor(10, 0.001), 0.003);
}

class CompareRun : public PipelineTest {
 protected:
  /// The result of a stage `compare` with these settings.
  Value compare(const std::string& settings, const std::string& folder = "out") {
    const RunOutcome outcome = run(good(write("seed: 5\nstages:\n  - compare: {" + settings + "}\n")), folder);
    EXPECT_EQ(outcome.status, RunStatus::done) << outcome.failure;
    return *outcome.result.findPath("results.compare");
  }
};

TEST_F(CompareRun, TellsHowFarEachIsFromItself) {
  MORTISE_NEEDS_ENGINES("ode", "bullet");
  const Value result = compare("backends: [ode, bullet], duration: 50 ms, bound: 1e-6");
  ASSERT_EQ(result.at("step_halved").size(), 2u);
  ASSERT_EQ(result.at("disturbed").size(), 2u);
  ASSERT_EQ(result.at("readings").size(), 8u);
  EXPECT_EQ(result.findPath("step_halved.1.from")->asString(), "bullet");
  // The ball lies apart from all others: it stays where the disturbance put it.
  const Value& ball = *result.findPath("disturbed.0.objects.5");
  EXPECT_EQ(ball.at("name").asString(), "ball");
  EXPECT_NEAR(ball.at("max").asReal(), 1e-9, 5e-10);
  EXPECT_FALSE(ball.contains("beyond"));
  // The arm holds on; half a step later it sags by other micrometers.
  const Value& arm = *result.findPath("step_halved.0.robots.0");
  EXPECT_GE(arm.at("max").asReal(), arm.at("joint").asReal());
  EXPECT_GE(arm.at("max").asReal(), arm.at("rms").asReal());
  // Blocks fall half a millimeter, by a step more or less ahead.
  const Value& top = *result.findPath("step_halved.0.objects.2");
  EXPECT_GT(top.at("max").asReal(), 1e-6);
  EXPECT_GT(top.at("beyond").asReal(), 0);
  EXPECT_LT(top.at("beyond").asReal(), 0.05);
  EXPECT_EQ(result.findPath("readings.0.name")->asString(), "block_bottom");
  EXPECT_NE(comparisonText(result).find("ode h/2"), std::string::npos);
}

TEST_F(CompareRun, TheSeedDecidesTheDisturbance) {
  MORTISE_NEEDS_ENGINES("ode");
  const auto ofBall = [](const Value& result) { return result.findPath("disturbed.0.objects.5.max")->asReal(); };
  const double first = ofBall(compare("backends: [ode], duration: 10 ms", "a"));
  EXPECT_EQ(first, ofBall(compare("backends: [ode], duration: 10 ms", "b")));
  const RunOutcome other = run(good(write("seed: 6\nstages:\n  - compare: {backends: [ode], duration: 10 ms}\n")), "c");
  EXPECT_NE(first, other.result.findPath("results.compare.disturbed.0.objects.5.max")->asReal());
  EXPECT_NEAR(ofBall(compare("backends: [ode], duration: 10 ms, disturbance: 1e-6", "d")), 1e-6, 5e-7);
}

TEST_F(CompareRun, WhatIsNotAskedIsNotRun) {
  MORTISE_NEEDS_ENGINES("ode", "bullet");
  const Value result = compare("backends: [ode, bullet], duration: 10 ms, halve_step: false, disturbance: 0");
  EXPECT_EQ(result.at("step_halved").size(), 0u);
  EXPECT_EQ(result.at("disturbed").size(), 0u);
  const std::string text = comparisonText(result);
  EXPECT_EQ(text.find("h/2"), std::string::npos) << text;
  EXPECT_NE(text.find("the backends agree"), std::string::npos) << text;
}

TEST_F(CompareRun, OnlyTheRunItselfIsRecordedAndSaved) {
  MORTISE_NEEDS_ENGINES("ode");
  const Value result = compare("backends: [ode], duration: 10 ms, record: [objects], save_state: end.state");
  EXPECT_EQ(result.findPath("backends.0.logs")->asStrings(), std::vector<std::string>{"compare_ode_state.csv"});
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path("out")))
    files += entry.path().filename().string().starts_with("compare") ? 1 : 0;
  EXPECT_EQ(files, 2);
}

TEST_F(CompareRun, GoesOnFromASavedState) {
  MORTISE_NEEDS_ENGINES("ode", "bullet");
  const RunOutcome outcome =
      run(good(write("stages:\n"
                     "  - simulate: {duration: 20 ms, save: first, save_state: end.state}\n"
                     "  - compare: {backends: [ode, bullet], duration: 20 ms, state: first, settle: 10 ms}\n")),
          "out");
  ASSERT_EQ(outcome.status, RunStatus::done) << outcome.failure;
  const Value& result = *outcome.result.findPath("results.compare");
  EXPECT_LT(result.findPath("step_halved.0.objects.0.max")->asReal(), 1e-3);
  const double moved = result.findPath("disturbed.0.objects.5.max")->asReal();
  EXPECT_GT(moved, 1e-10);
  EXPECT_LT(moved, 1e-8);
}

TEST_F(CompareRun, InterruptedRunsKeepWhatThereIs) {
  MORTISE_NEEDS_ENGINES("ode", "bullet");
  RunOptions options;
  int asked = 0;
  options.stopRequested = [&] { return ++asked > 150; };
  const RunOutcome outcome =
      run(good(write("stages:\n  - compare: {backends: [ode, bullet], duration: 50 ms}\n")), "out", options);
  EXPECT_EQ(outcome.status, RunStatus::interrupted);
  const Value& result = *outcome.result.findPath("results.compare");
  EXPECT_TRUE(result.at("interrupted").asBool());
  EXPECT_EQ(result.at("backends").size(), 1u);
  EXPECT_FALSE(result.contains("readings"));
}

TEST_F(CompareRun, WritesItsDistancesAsTable) {
  MORTISE_NEEDS_ENGINES("ode", "bullet");
  const std::string csv = comparisonCsv(compare("backends: [ode, bullet], duration: 10 ms"));
  // Seven objects and a robot: apart, half the step and disturbed of both.
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 8 * 5);
  EXPECT_NE(csv.find("\nobject,3,block_bottom,backends,ode,bullet,m,"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\nrobot,10,reacher,disturbed start,bullet,\"bullet, disturbed\",rad or m,"), std::string::npos);
}

TEST_F(CompareRun, RefusesBadSettings) {
  expectProblem("stages:\n  - compare: {backends: [ode], duration: 1, disturbance: -1}\n", "'disturbance'");
  expectProblem("stages:\n  - compare: {backends: [ode], duration: 1, bound: 1 kg}\n", "'bound'");
}

}  // namespace
}  // namespace mortise::test
