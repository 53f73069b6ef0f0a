#include "mortise/planning/planning_run.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <thread>

#include "mortise/base/error.h"
#include "mortise/math/constants.h"
#include "mortise/planning/goals/goals.h"

namespace mortise {
namespace {

/// The unit square without a disc in its middle.
class Square final : public PlanningSpace {
 public:
  int dimension() const override { return 2; }
  void bounds(VectorXd& low, VectorXd& high) const override {
    low = VectorXd::Zero(2);
    high = VectorXd::Ones(2);
  }
  double distance(const VectorXd& a, const VectorXd& b) const override { return (a - b).norm(); }
  void interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const override {
    q = (1 - u) * a + u * b;
  }
  void sample(RandomStream& random, VectorXd& q) override {
    q.resize(2);
    q[0] = random.uniform();
    q[1] = random.uniform();
  }
  void sampleNear(RandomStream& random, const VectorXd& center, double radius, VectorXd& q) override {
    q = center;
    for (int i = 0; i < 2; ++i) q[i] += random.uniform(-radius, radius) / std::sqrt(2.0);
  }
  std::span<const std::string> constraints() const override { return names_; }
  bool satisfies(int constraint, const VectorXd& q) override {
    if (constraint == 0) return q.minCoeff() >= 0 && q.maxCoeff() <= 1;
    return (q - VectorXd::Constant(2, 0.5)).norm() > 0.2;
  }
  bool visible(const VectorXd& a, const VectorXd& b) override {
    for (int k = 1; k < 100; ++k)
      if (!feasible((1 - k / 100.0) * a + k / 100.0 * b)) return false;
    return true;
  }
  double extent() const override { return std::sqrt(2.0); }
  std::unique_ptr<PlanningSpace> copy() const override { return std::make_unique<Square>(); }

 private:
  std::vector<std::string> names_ = {"bounds", "disc"};
};

/// Gives back a path that it was told, after some rounds.
class Reported final : public Planner {
 public:
  Reported(std::vector<VectorXd> path, int rounds) : path_(std::move(path)), rounds_(rounds) {}
  void start(const PlanningProblem&, RandomStream&) override {}
  PlanningOutcome plan(PlanningStop& stop) override {
    PlanningOutcome outcome;
    double cost = kInfinity;
    for (int i = 0; !stop.reached(cost); ++i)
      if (i >= rounds_) cost = 1;
    if (cost < kInfinity) {
      outcome.status = PlanningStatus::solved;
      outcome.path = path_;
    }
    return outcome;
  }

 private:
  std::vector<VectorXd> path_;
  int rounds_;
};

VectorXd point(double x, double y) { return Eigen::Vector2d(x, y); }

TEST(StopClock, FiresByWhatComesFirst) {
  StopConditions conditions;
  conditions.iterations = 3;
  StopClock counted(conditions);
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(counted.reached(kInfinity));
  EXPECT_TRUE(counted.reached(kInfinity));
  EXPECT_EQ(counted.fired(), "maxIters");
  EXPECT_EQ(counted.iterations(), 3);
  EXPECT_TRUE(counted.reached(kInfinity)) << "for ever";

  StopClock found(StopConditions{});
  EXPECT_FALSE(found.reached(kInfinity));
  EXPECT_TRUE(found.reached(5));
  EXPECT_EQ(found.fired(), "foundSolution");

  conditions = {};
  conditions.foundSolution = false;
  conditions.cost = 2;
  StopClock cheap(conditions);
  EXPECT_FALSE(cheap.reached(3));
  EXPECT_TRUE(cheap.reached(2));
  EXPECT_EQ(cheap.fired(), "costThreshold");

  conditions = {};
  conditions.foundSolution = false;
  conditions.improvement = 0.5;
  conditions.improvementPeriod = 4;
  StopClock stuck(conditions);
  double cost = 10;
  int rounds = 0;
  for (; rounds < 100 && !stuck.reached(cost); ++rounds) cost = std::max(7.0, cost - 0.3);
  EXPECT_EQ(stuck.fired(), "costImprovementThreshold");
  EXPECT_GE(rounds, 12);
  EXPECT_LE(rounds, 20);

  StopClock asked(StopConditions{}, [] { return true; });
  EXPECT_TRUE(asked.reached(kInfinity));
  EXPECT_EQ(asked.fired(), "stopRequested");

  conditions.seconds = -1;
  EXPECT_THROW(StopClock{conditions}, Error);
}

TEST(StopClock, ARunLimitedByTimeRepeatsByItsIterations) {
  StopConditions conditions;
  conditions.seconds = 0.02;
  StopClock timed(conditions);
  while (!timed.reached(kInfinity)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(timed.fired(), "timeLimit");
  StopConditions again;
  again.iterations = timed.iterations();
  StopClock counted(again);
  std::int64_t rounds = 0;
  while (!counted.reached(kInfinity)) ++rounds;
  EXPECT_EQ(rounds, timed.iterations());
}

class RunPlanner : public testing::Test {
 protected:
  PlanningRun run(std::vector<VectorXd> path, const VectorXd& start, const VectorXd& goal) {
    ConfigurationGoal region(space, {goal});
    const PlanningProblem problem{space, {start}, region};
    Reported planner(std::move(path), 2);
    StopClock stop(StopConditions{});
    RandomStream random(1);
    return runPlanner(planner, problem, random, stop);
  }
  Square space;
};

TEST_F(RunPlanner, GivesBackWhatHolds) {
  const PlanningRun good = run({point(0.1, 0.5), point(0.5, 0.9), point(0.9, 0.5)}, point(0.1, 0.5), point(0.9, 0.5));
  EXPECT_EQ(good.outcome.status, PlanningStatus::solved);
  EXPECT_EQ(good.stoppedBy, "foundSolution");
  EXPECT_EQ(good.iterations, 3);
  EXPECT_NEAR(good.outcome.cost, 2 * std::sqrt(0.32), 1e-12);
}

TEST_F(RunPlanner, RefusesPathsThatDoNot) {
  const VectorXd start = point(0.1, 0.5), goal = point(0.9, 0.5);
  for (const auto& [path, text] :
       {std::pair(std::vector<VectorXd>{start, goal}, "the edge from configuration 0 to 1 is not free"),
        std::pair(std::vector<VectorXd>{start, point(0.5, 0.5), goal}, "disc"),
        std::pair(std::vector<VectorXd>{point(0.1, 0.6), goal}, "begin at a start"),
        std::pair(std::vector<VectorXd>{start, point(0.5, 0.9)}, "end in the goal")}) {
    try {
      run(path, start, goal);
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  }
}

TEST_F(RunPlanner, SaysWhichConstraintRulesStartOrGoalOut) {
  const PlanningRun start = run({}, point(0.5, 0.5), point(0.9, 0.5));
  EXPECT_EQ(start.outcome.status, PlanningStatus::startInfeasible);
  EXPECT_NE(start.outcome.message.find("disc"), std::string::npos) << start.outcome.message;
  const PlanningRun goal = run({}, point(0.1, 0.5), point(0.9, 1.5));
  EXPECT_EQ(goal.outcome.status, PlanningStatus::goalInfeasible);
  EXPECT_NE(goal.outcome.message.find("bounds"), std::string::npos) << goal.outcome.message;
  EXPECT_THROW(run({}, VectorXd::Zero(3), point(0.9, 0.5)), Error);
}

}  // namespace
}  // namespace mortise
