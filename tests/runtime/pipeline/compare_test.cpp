// The stage `compare`: how far runs are apart, and what that means.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "mortise/pipeline/compare/comparison_text.h"
#include "mortise/pipeline/compare/motion_record.h"
#include "mortise/pipeline/compare/verdict.h"
#include "mortise/pipeline/compare/verdict_over_time.h"
#include "mortise/pipeline/stages/compare_stage.h"
#include "support.h"
#include "tests/support/engines.h"

namespace mortise::test {
namespace {

/// Backends of which each two are `apart` by the difference of their places.
ComparisonEvidence evidenceOf(std::vector<std::string> backends, const std::vector<double>& places) {
  ComparisonEvidence evidence;
  evidence.backends = std::move(backends);
  for (const double a : places) {
    evidence.apart.emplace_back();
    for (const double b : places) evidence.apart.back().push_back(std::abs(a - b));
  }
  evidence.disturbance = 1e-9;
  return evidence;
}

/// Two backends that are `apart` from each other, and move by so much when their step is halved and their start
/// disturbed.
ComparisonReading readingOf(double apart, double stepA, double stepB, double disturbedA = 0, double disturbedB = 0) {
  ComparisonEvidence evidence = evidenceOf({"ode", "bullet"}, {0, apart});
  evidence.step = {stepA, stepB};
  evidence.disturbed = {disturbedA, disturbedB};
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
}

TEST(ComparisonReading, ChaosOnOneBackendExcusesNoOther) {
  const ComparisonReading one = readingOf(0.4, 0.5, 0.1, 0, 0.12);
  EXPECT_EQ(one.verdict, "chaotic");
  EXPECT_EQ(one.sentence,
            "chaotic on bullet: a disturbance of 1e-09 grows to 0.1 m there, but to less than 0.001 mm at most on ode; "
            "the backends are 0.4 m apart");
  EXPECT_EQ(one.backends[1].verdict, "chaotic");
  const ComparisonReading both = readingOf(0.4, 0.5, 0.1, 0.2, 0.12);
  EXPECT_EQ(both.sentence,
            "chaotic: a disturbance of 1e-09 grows to 0.2 m on ode and beyond 1 mm on all: where it goes says nothing "
            "about a backend");
  // A stack that four hold and one topples.
  ComparisonEvidence stack = evidenceOf({"mortise", "ode", "bullet", "dart", "mujoco"}, {0, 1e-5, 2e-4, 1e-5, 0.9});
  stack.step = {1e-6, 1e-6, 1e-4, 1e-6, 0.7};
  stack.disturbed = {1e-9, 1e-9, 1e-8, 1e-9, 0.8};
  const ComparisonReading reading = readComparison(stack);
  EXPECT_EQ(reading.verdict, "chaotic");
  EXPECT_EQ(reading.against, std::vector<std::size_t>{4});
  EXPECT_EQ(reading.backends[0].verdict, "agree");
  EXPECT_EQ(reading.backends[4].verdict, "chaotic");
  EXPECT_EQ(reading.sentence,
            "mortise, ode, bullet and dart agree within 1 mm; mujoco is 0.9 m from them: a disturbance of 1e-09 grows "
            "to 0.8 m on mujoco and to less than 0.001 mm at most on them");
  // Chaotic on three of five: the motion is.
  stack.disturbed = {1e-9, 0.2, 0.3, 1e-9, 0.8};
  EXPECT_EQ(readComparison(stack).verdict, "chaotic");
  EXPECT_TRUE(readComparison(stack).against.empty());
}

TEST(ComparisonReading, NamesTheOneThatTheOthersAgreeAgainst) {
  ComparisonEvidence arm = evidenceOf({"mortise", "mujoco", "ode", "bullet", "dart"}, {0, 1.6, 5e-4, 1e-4, 8e-4});
  arm.unit = "rad";
  arm.step = {2e-4, 1.7, 2e-4, 3e-4, 1e-4};
  arm.disturbed = {0, 0, 0, 0, 0};
  ComparisonReading reading = readComparison(arm);
  EXPECT_EQ(reading.verdict, "step");
  EXPECT_EQ(reading.against, std::vector<std::size_t>{1});
  EXPECT_EQ(reading.sentence,
            "mortise, ode, bullet and dart agree within 1 mrad; mujoco is 1.6 rad from them and moves by 1.7 rad when "
            "its step is halved: its step is too long for it");
  // Whoever comes first.
  arm = evidenceOf({"mujoco", "ode", "bullet"}, {1.6, 0, 1e-4});
  arm.unit = "rad";
  arm.step = {0.1, 2e-4, 3e-4};
  reading = readComparison(arm);
  EXPECT_EQ(reading.verdict, "engines");
  EXPECT_EQ(reading.against, std::vector<std::size_t>{0});
  EXPECT_EQ(reading.backends[2].verdict, "agree");
  EXPECT_EQ(reading.sentence,
            "the engines differ: ode and bullet agree within 1 mrad; mujoco is 1.6 rad from them, 1.4 rad beyond what "
            "step and disturbance explain");
  // Agreement within the step's own error, and the one beyond it.
  ComparisonEvidence steps = evidenceOf({"a", "b", "c"}, {0, 0.006, 0.4});
  steps.step = {0.002, 0.003, 0.002};
  reading = readComparison(steps);
  EXPECT_EQ(reading.verdict, "engines");
  EXPECT_EQ(
      reading.sentence,
      "the engines differ: a and b agree within their steps' own error, 6 mm apart; c is 0.39 m from them, 0.38 m "
      "beyond what step and disturbance explain");
  steps.step.clear();
  EXPECT_NE(readComparison(steps).sentence.find("was not asked"), std::string::npos);
}

TEST(ComparisonReading, WithoutMajorityItSaysWhoAgreesWithWhom) {
  ComparisonEvidence evidence = evidenceOf({"a", "b", "c", "d", "e"}, {0, 1e-4, 0.1, 0.1, 0.5});
  evidence.step = {1e-5, 1e-5, 1e-5, 1e-5, 1e-5};
  const ComparisonReading reading = readComparison(evidence);
  EXPECT_EQ(reading.verdict, "engines");
  EXPECT_TRUE(reading.against.empty());
  EXPECT_EQ(reading.sentence,
            "the engines differ: a and e by 0.5 m beyond what step and disturbance explain (0.5 m apart, 0.04 mm "
            "explained); c and d agree with each other; a and b agree with each other; e agrees with none");
}

TEST(ComparisonReading, WithoutMajorityAFarPairDoesNotExcuseANearOne) {
  ComparisonEvidence evidence = evidenceOf({"a", "b", "c"}, {0, 0.05, 0.6});
  evidence.step = {0.0001, 0.0001, 0.5};
  const ComparisonReading reading = readComparison(evidence);
  EXPECT_EQ(reading.verdict, "engines");
  EXPECT_NE(reading.sentence.find("a and b by 50 mm"), std::string::npos) << reading.sentence;
}

TEST(ComparisonReading, AStepThatIsTooLongDoesNotExcuseOthers) {
  ComparisonEvidence evidence = evidenceOf({"a", "b", "c"}, {0, 0.002, 0.01});
  evidence.step = {0.0001, 0.5, 0.0001};  // That b is sensitive to its step does not excuse c.
  EXPECT_EQ(readComparison(evidence).verdict, "engines");
}

/// Two backends over 10 samples of 0.1 s; distances grow by so much a sample.
ComparisonSeries seriesOf(float apart, float stepA, float stepB, float disturbedFrom = 100) {
  ComparisonSeries series;
  series.backends = {"a", "b"};
  series.disturbance = 1e-9;
  const auto growing = [](float each) {
    std::vector<float> list;
    for (int k = 0; k < 10; ++k) list.push_back(each * static_cast<float>(k));
    return list;
  };
  for (int k = 0; k < 10; ++k) series.times.push_back(0.1 * k);
  series.apart = {{{}, growing(apart)}, {{}, {}}};
  series.step = {growing(stepA), growing(stepB)};
  std::vector<float> disturbed(10, 0);
  for (std::size_t k = 0; k < 10; ++k)
    if (static_cast<float>(k) >= disturbedFrom) disturbed[k] = 0.3F;
  series.disturbed = {disturbed, disturbed};
  return series;
}

TEST(ComparisonOverTime, SaturatedDistancesExcuseNobody) {
  // Three radians apart and three from themselves: angles come back from pi, so that nothing follows from the end.
  ComparisonSeries series = seriesOf(0.9F, 0.05F, 0.05F);
  series.unit = "rad";
  for (std::vector<float>* list : {&series.apart[0][1], &series.step[0], &series.step[1]}) list->back() = 3.1F;
  EXPECT_NE(readOverTime(series).verdict, "engines");
  series.saturation = 1;
  const ReadingOverTime reading = readOverTime(series);
  EXPECT_EQ(reading.verdict, "engines");
  ASSERT_TRUE(reading.until.has_value());
  EXPECT_NEAR(*reading.until, 0.2, 1e-9);
  EXPECT_NE(reading.sentence.find("(up to 0.2 s, where the first distance is beyond 1 rad)"), std::string::npos)
      << reading.sentence;
}

TEST(ComparisonOverTime, ChaosThatComesLaterExcusesNothingBefore) {
  const ReadingOverTime reading = readOverTime(seriesOf(0.1F, 1e-5F, 1e-5F, 6));
  EXPECT_EQ(reading.verdict, "engines");
  EXPECT_NE(reading.sentence.find("before 0.6 s, from when on the motion is chaotic"), std::string::npos)
      << reading.sentence;
  EXPECT_EQ(readOverTime(seriesOf(0.1F, 1e-5F, 1e-5F, 0)).verdict, "chaotic");
  EXPECT_EQ(readOverTime(seriesOf(1e-5F, 1e-5F, 1e-5F, 6)).verdict, "chaotic");
}

TEST(ComparisonReading, OfOneBackendItIsItsStep) {
  ComparisonEvidence evidence;
  evidence.backends = {"ode"};
  evidence.apart = {{0}};
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
  EXPECT_NE(comparisonText("compare", result).find("ode h/2"), std::string::npos);
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
  const std::string text = comparisonText("compare", result);
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
  int asked = 0, maximum = std::numeric_limits<int>::max();
  options.stopRequested = [&] { return ++asked > maximum; };
  const Pipeline p = good(write("stages:\n  - compare: {backends: [ode, bullet], duration: 50 ms}\n"));
  run(p, "whole", options);
  maximum = std::exchange(asked, 0) / 4;  // Behind the first run of the first backend, which makes two more.
  const RunOutcome outcome = run(p, "out", options);
  EXPECT_EQ(outcome.status, RunStatus::interrupted);
  const Value& result = *outcome.result.findPath("results.compare");
  EXPECT_TRUE(result.at("interrupted").asBool());
  EXPECT_EQ(result.at("backends").size(), 1u);
  EXPECT_FALSE(result.contains("readings"));
  maximum = 3;  // While the world of the first one is prepared.
  asked = 0;
  const RunOutcome early = run(p, "early", options);
  EXPECT_EQ(early.status, RunStatus::interrupted);
  EXPECT_EQ(early.result.findPath("results.compare.backends")->size(), 0u);
}

TEST_F(CompareRun, WritesItsDistancesAsTable) {
  MORTISE_NEEDS_ENGINES("ode", "bullet");
  const std::string csv = comparisonCsv(compare("backends: [ode, bullet], duration: 10 ms"));
  // Seven objects and a robot: apart, half the step and disturbed of both.
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 8 * 5);
  EXPECT_NE(csv.find("\nobject,3,block_bottom,backends,ode,bullet,m,"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\nrobot,10,reacher,disturbed start,bullet,\"bullet, disturbed\",rad or m,"), std::string::npos);
}

TEST_F(CompareRun, TakesABackendWithOtherSettings) {
  MORTISE_NEEDS_ENGINES("ode");
  const Value result = compare(
      "backends: [ode, ode, 'ode:solver=quick'], duration: 10 ms, record: [objects], settings: {ode_2: {erp: 0.5}}");
  std::vector<std::string> names;
  for (const Value& run : result.at("backends").items()) names.push_back(run.at("backend").asString());
  EXPECT_EQ(names, (std::vector<std::string>{"ode", "ode_2", "ode:solver=quick"}));
  EXPECT_EQ(result.findPath("backends.1.effective.engine.erp")->asReal(), 0.5);
  EXPECT_EQ(result.findPath("backends.2.logs")->asStrings(),
            std::vector<std::string>{"compare_ode_solver_quick_state.csv"});
  EXPECT_EQ(result.findPath("readings.0.backends")->size(), 3u);
}

/// A free body with three different moments of inertia, turning about the middle one: engines keep its place to the
/// bit, and turn it each in its own way.
TEST_F(CompareRun, SaysHowObjectsAreTurned) {
  MORTISE_NEEDS_ENGINES("ode", "mujoco");
  writeFile(path("long.geom"), "AABB -0.3 -0.2 -0.1  0.3 0.2 0.1");
  writeFile(
      path("spin.xml"),
      "<world><rigidObject name='free'><geometry file='long.geom'/><physics mass='6' "
      "inertia='0.1 0.2 0.26'/></rigidObject><rigidObject name='still' position='5 0 0'><geometry "
      "file='long.geom'/><physics mass='6' inertia='0.1 0.2 0.26'/></rigidObject>"
      "<simulation><globals gravity='0 0 0'/><object index='0'><velocity linear='0 0 0' angular='0.2 20 0.2'/></object>"
      "</simulation></world>");
  writeFile(path("p.yaml"),
            "mortise: 1\nworld: spin.xml\nstages:\n"
            "  - compare: {backends: [ode, mujoco], duration: 400 ms, halve_step: false}\n");
  const RunOutcome outcome = run(good(path("p.yaml")), "out");
  ASSERT_EQ(outcome.status, RunStatus::done) << outcome.failure;
  const Value& result = *outcome.result.findPath("results.compare");
  const Value& free = *result.findPath("differences.0.objects.0");
  EXPECT_LT(free.at("max").asReal(), 1e-9);
  // The point at the corner of the box, on its arc.
  const double reach = std::sqrt(0.09 + 0.04 + 0.01);
  EXPECT_NEAR(free.at("reach").asReal(), reach, 1e-12);
  const Value& turned = free.at("turned");
  EXPECT_NEAR(turned.at("max").asReal(), free.at("max_orientation").asReal() * 3.14159265358979 / 180 * reach, 1e-12);
  EXPECT_GT(turned.at("max").asReal(), 1e-3);
  EXPECT_GE(turned.at("max").asReal(), turned.at("rms").asReal());
  EXPECT_GT(turned.at("beyond").asReal(), 0);
  EXPECT_LT(turned.at("beyond").asReal(), 0.4);
  EXPECT_NE(result.findPath("readings.0.verdict")->asString(), "agree");
  EXPECT_NE(result.findPath("readings.0.sentence")->asString().find("but not in how it is turned"), std::string::npos);
  EXPECT_EQ(result.findPath("readings.1.verdict")->asString(), "agree");
  EXPECT_EQ(result.findPath("readings.1.sentence")->asString(),
            "the backends agree: never more than 1 mm apart; turning moves no point of it by more");
  const std::string whole = comparisonText("compare", result);
  const std::string text = whole.substr(whole.find("apart over time"));
  const std::size_t row = text.find("\n  0 free"), below = text.find('\n', row + 1);
  ASSERT_NE(row, std::string::npos) << text;
  EXPECT_EQ(text.substr(below, 12), "\n    turned ") << text;
  EXPECT_EQ(text.find("  turned ", below + 12), std::string::npos) << text;  // The other one does not turn.
  EXPECT_NE(text.find("turned: how far turning moves"), std::string::npos) << text;
  EXPECT_NE(comparisonCsv(result).find("," + turned.at("end").text() + "," + turned.at("max").text() + "\n"),
            std::string::npos);
}

TEST_F(CompareRun, RefusesBadSettings) {
  expectProblem("stages:\n  - compare: {backends: ['ode:solver'], duration: 1}\n", "is no setting");
  expectProblem("stages:\n  - compare: {backends: ['ode:erp=1'], duration: 1, settings: {'ode:erp=1': {erp: 1}}}\n",
                "is set twice");
  expectProblem("stages:\n  - compare: {backends: [ode], duration: 1, disturbance: -1}\n", "'disturbance'");
  expectProblem("stages:\n  - compare: {backends: [ode], duration: 1, bound: 1 kg}\n", "'bound'");
}

}  // namespace
}  // namespace mortise::test
