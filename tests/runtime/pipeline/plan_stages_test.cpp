#include <gtest/gtest.h>

#include "mortise/base/files.h"
#include "mortise/component/resource.h"
#include "support.h"
#include "tests/support/engines.h"

namespace mortise::test {
namespace {

class PlanStages : public PipelineTest {
 protected:
  /// Stages in the world of the arm before a shelf.
  std::string shelf(const std::string& stages, const std::string& more = "") {
    const std::string file = path("plan.yaml");
    writeFile(file, "mortise: 1\nseed: 3\nworld: " MORTISE_SOURCE_DIR "/data/worlds/heron_shelf.xml\n" + more +
                        "stages:\n" + stages);
    return file;
  }
  static std::string plan(const std::string& more = "") {
    return "  - plan: {goal: " MORTISE_SOURCE_DIR "/data/motions/heron_shelf_goal.config, save: path" + more + "}\n";
  }
  static const Value& result(const RunOutcome& outcome, const std::string& path) {
    static const Value none;
    const Value* value = outcome.result.findPath("results." + path);
    EXPECT_NE(value, nullptr) << path << ": " << outcome.failure;
    return value == nullptr ? none : *value;
  }
};

TEST_F(PlanStages, APlanIsShortenedTimedCheckedAndFollowed) {
  const RunOutcome outcome =
      run(good(shelf(plan(", margin: 5 mm") +
                     "  - shortcut: {path: path, save: shorter}\n"
                     "  - retime: {path: shorter, velocity_scaling: 0.5, acceleration_scaling: 0.3, save: motion}\n"
                     "  - check: {path: motion, clearance: true}\n"
                     "  - simulate: {duration: 6 s, follow: motion, save: moved}\n")),
          "out");
  ASSERT_EQ(outcome.status, RunStatus::done) << outcome.failure;
  EXPECT_TRUE(result(outcome, "path.solved").asBool());
  EXPECT_LT(result(outcome, "shorter.length").asReal(), result(outcome, "shorter.length_before").asReal());
  EXPECT_LT(result(outcome, "motion.duration").asReal(), result(outcome, "motion.duration_before").asReal());
  EXPECT_LE(result(outcome, "motion.velocity_usage").asReal(), 1 + 1e-9);
  // What the plan kept, the check looks for, though it names neither margin nor robot.
  EXPECT_TRUE(result(outcome, "check.valid").asBool());
  EXPECT_GE(result(outcome, "check.clearance").asReal(), 0.005);
  EXPECT_EQ(result(outcome, "check.problem.margin").asReal(), 0.005);
  // The arm is where the path ends, as far as its motors hold it.
  const std::vector<double> q = result(outcome, "moved.robots.0.q").asReals();
  Diagnostics diagnostics;
  const Trajectory path = loader_->load<Trajectory>(outcome.directory + "/path.path", {}, diagnostics);
  ASSERT_EQ(path.configurations.size(), static_cast<std::size_t>(result(outcome, "path.milestones").asInteger()));
  for (std::size_t i = 0; i < q.size(); ++i)
    EXPECT_NEAR(q[i], path.configurations.back()[static_cast<Eigen::Index>(i)], 0.05) << i;
  const Resource motion =
      loader_->load(FileContent::hermiteTrajectory, outcome.directory + "/motion.json", {}, diagnostics);
  EXPECT_EQ(std::get<HermiteTrajectory>(motion).endTime(), result(outcome, "motion.duration").asReal());
}

TEST_F(PlanStages, TheLockOfARunThatTimeEndedCountsItsRounds) {
  MORTISE_NEEDS_PLUGIN("planners_ompl");
  // A goal next to the start: there is a path at once, however busy the machine. No path is known to be the best.
  const RunOutcome timed = run(
      good(shelf(
          "  - plan: {goal: {region: {shoulder: [0.2, 0.3], upper_arm: [0.78, 0.85], elbow: [0.3, 0.4], forearm: "
          "[1.45, 1.5], "
          "forearm_roll: [-2.6, -2.5], wrist: [0.9, 0.95], hand: [1.15, 1.2]}}, planner: ompl.RRTstar, optimize: true, "
          "stop: {time_limit: 250 ms}, save: path}\n"
          "  - shortcut: {path: path, idle: 0, time_limit: 30 ms, save: shorter}\n")),
      "timed");
  ASSERT_EQ(timed.status, RunStatus::done) << timed.failure;
  EXPECT_EQ(result(timed, "path.stopped_by").asString(), "timeLimit");
  const std::string lock = timed.directory + "/run.lock.yaml";
  EXPECT_EQ(readFile(lock).find("0.25"), std::string::npos);
  const RunOutcome again = run(good(lock), "again");
  ASSERT_EQ(again.status, RunStatus::done) << again.failure;
  EXPECT_TRUE(again.notReproduced.empty()) << again.notReproduced.front();
  EXPECT_EQ(result(again, "path.stopped_by").asString(), "maxIters");
  EXPECT_EQ(result(again, "path.iterations"), result(timed, "path.iterations"));
  EXPECT_EQ(readFile(again.directory + "/path.path"), readFile(timed.directory + "/path.path"));
  EXPECT_EQ(readFile(again.directory + "/shorter.path"), readFile(timed.directory + "/shorter.path"));
  // And the lock of that run once more.
  const RunOutcome third = run(good(again.directory + "/run.lock.yaml"), "third");
  EXPECT_EQ(readFile(third.directory + "/shorter.path"), readFile(timed.directory + "/shorter.path"));
}

TEST_F(PlanStages, AnotherPlanStartsWhereTheFirstEnds) {
  const RunOutcome outcome =
      run(good(shelf(plan() + "  - plan: {start: path, goal: {motion: path, at: start}, save: back}\n")), "out");
  ASSERT_EQ(outcome.status, RunStatus::done) << outcome.failure;
  Diagnostics diagnostics;
  const Trajectory there = loader_->load<Trajectory>(outcome.directory + "/path.path", {}, diagnostics);
  const Trajectory back = loader_->load<Trajectory>(outcome.directory + "/back.path", {}, diagnostics);
  EXPECT_EQ(back.configurations.front(), there.configurations.back());
  EXPECT_EQ(back.configurations.back(), there.configurations.front());
}

TEST_F(PlanStages, NoPathFailsThePipelineAndKeepsTheReason) {
  const RunOutcome outcome = run(
      good(shelf("  - plan: {goal: [0, 0, 9, 0, 0, 0, 0, 0, 0], save: path}\n  - shortcut: {path: path}\n")), "out");
  EXPECT_EQ(outcome.status, RunStatus::failed);
  EXPECT_NE(outcome.failure.find("goal_infeasible"), std::string::npos) << outcome.failure;
  EXPECT_NE(outcome.failure.find("'upper_arm'"), std::string::npos) << outcome.failure;
  EXPECT_FALSE(result(outcome, "path.solved").asBool());
}

TEST_F(PlanStages, ACheckThatFailsSaysWhereAndWho) {
  // Straight through the shelf's divider.
  Diagnostics diagnostics;
  const VectorXd start =
      loader_->load<VectorXd>(MORTISE_SOURCE_DIR "/data/motions/heron_shelf_start.config", {}, diagnostics);
  const VectorXd goal =
      loader_->load<VectorXd>(MORTISE_SOURCE_DIR "/data/motions/heron_shelf_goal.config", {}, diagnostics);
  loader_->write(Trajectory{{0, 1}, {start, goal}}, path("through.path"), diagnostics);
  const RunOutcome outcome = run(good(shelf("  - check: {path: through.path, max_faults: 3}\n")), "out");
  EXPECT_EQ(outcome.status, RunStatus::failed);
  EXPECT_NE(outcome.failure.find("'through.path' fails the check"), std::string::npos) << outcome.failure;
  EXPECT_NE(outcome.failure.find("shelf"), std::string::npos) << outcome.failure;
  const Value& faults = result(outcome, "check.faults");
  ASSERT_GE(faults.size(), 1u);
  EXPECT_EQ(faults[0].at("kind").asString(), "collision");
  EXPECT_GT(faults[0].at("u").asReal(), 0);
  // Nothing is said where the pair may collide.
  EXPECT_EQ(
      run(good(shelf("  - check: {path: through.path, ignore: [[heron, shelf], [heron, vase], [heron, post]]}\n")),
          "ignored")
          .status,
      RunStatus::done);
}

TEST_F(PlanStages, EachOfSeveralRobotsFollowsItsPart) {
  const std::string reacher = MORTISE_SOURCE_DIR "/data/robots/reacher.rob";
  writeFile(path("two.xml"), "<world><robot name='left' file='" + reacher +
                                 "' translation='0 0.5 0.5'/><robot name='right' file='" + reacher +
                                 "' translation='0 -0.5 0.5'/></world>");
  writeFile(
      path("two.yaml"),
      "mortise: 1\nworld: two.xml\nstages:\n"
      "  - plan: {robots: [left, right], links: {left: [0, 1, 2], right: [0, 1, 2]}, goal: [0.5, -0.5, 1, -0.6, -0.5, "
      "1], save: path}\n"
      "  - retime: {path: path, save: motion}\n"
      "  - simulate: {duration: 2 s, follow: motion}\n"
      "  - simulate: {duration: 2 s, follow: motion, robot: right, save: one}\n"
      "  - report: {to: [report.txt, report.json]}\n");
  const RunOutcome outcome = run(good(path("two.yaml")), "out");
  ASSERT_EQ(outcome.status, RunStatus::done) << outcome.failure;
  EXPECT_NEAR(result(outcome, "simulate.robots.0.q").asReals()[0], 0.5, 0.02);
  EXPECT_NEAR(result(outcome, "simulate.robots.1.q").asReals()[0], -0.6, 0.02);
  EXPECT_NEAR(result(outcome, "one.robots.0.q").asReals()[0], 0, 0.02);
  EXPECT_NEAR(result(outcome, "one.robots.1.q").asReals()[0], -0.6, 0.02);
  const std::string text = readFile(outcome.directory + "/report.txt");
  EXPECT_NE(text.find("path: mortise.Any: solved"), std::string::npos) << text;
  EXPECT_NE(text.find("retime       parabolic"), std::string::npos) << text;
}

TEST_F(PlanStages, EverythingWrongIsSaidBeforeAnythingRuns) {
  const auto faults = [&](const std::string& stages) {
    Diagnostics diagnostics;
    (void)check(shelf(stages), diagnostics);
    std::string text;
    for (const Diagnostic& problem : diagnostics.all()) text += problem.format() + "\n";
    return text;
  };
  const std::string text = faults(
      "  - plan: {robot: herron, goal: [1], save: path}\n"
      "  - plan: {links: [elbo], goal: [1], planner: rtt, margin: -1, save: other}\n"
      "  - shortcut: {path: pat, idle: -1}\n"
      "  - retime: {path: path, method: parabollic, velocity_scaling: 2}\n"
      "  - check: {path: path, links: [elbo]}\n");
  for (const char* word : {"plan.yaml:5:19", "'herron'", "plan.yaml:6:20", "'elbo'", "'rtt'", "margin",
                           "plan.yaml:7:22", "'pat'", "idle", "parabolic", "velocity_scaling", "plan.yaml:9:33"})
    EXPECT_NE(text.find(word), std::string::npos) << word << "\n" << text;
}

TEST_F(PlanStages, ResultsStayInTheRunDirectoryAndComeInTheirOrder) {
  const auto faults = [&](const std::string& stages) {
    Diagnostics diagnostics;
    (void)check(shelf(stages), diagnostics);
    std::string text;
    for (const Diagnostic& problem : diagnostics.all()) text += problem.format() + "\n";
    return text;
  };
  for (const char* name : {"../../evil", "/tmp/evil", "..", "a/b", "''"})
    for (const std::string stage : {"plan: {goal: [0, 0, 0, 0, 0, 0, 0, 0, 0]", "shortcut: {path: path",
                                    "retime: {path: path", "simulate: {duration: 1"}) {
      const std::string text = faults(plan() + "  - " + stage + ", save: " + name + "}\n");
      EXPECT_NE(text.find("'save' is a name in the run directory"), std::string::npos) << stage << name << text;
    }
  for (const std::string stage :
       {"shortcut: {path: path}", "plan: {goal: path, save: other}",
        "plan: {goal: {motion: path, at: start}, save: other}", "simulate: {duration: 1, follow: path}"}) {
    const std::string text = faults("  - " + stage + "\n" + plan());
    EXPECT_NE(text.find("'path' does not exist yet: the stage 'plan' in line 6 saves it"), std::string::npos)
        << stage << text;
    EXPECT_NE(text.find("put that stage before this one"), std::string::npos) << text;
    EXPECT_NE(text.find("plan.yaml:5:"), std::string::npos) << text;
  }
}

TEST_F(PlanStages, TheExampleOfTheDataRuns) {
  const RunOutcome outcome = run(good(MORTISE_SOURCE_DIR "/data/pipelines/plan_and_move.yaml"), "out");
  ASSERT_EQ(outcome.status, RunStatus::done) << outcome.failure;
  EXPECT_TRUE(outcome.notReproduced.empty());
}

}  // namespace
}  // namespace mortise::test
