/// Planners in mazes whose shortest path is known.

#include "planners_test.h"

namespace mortise {
namespace {

using test::kFinders;
using test::kImprovers;
using test::kWindingLength;
using test::Maze;
using test::PlannersTest;
using test::point;
using test::samplingPlanners;

class Mazes : public PlannersTest {
 protected:
  /// A tree that grows from all of its nodes alike hardly gets out of the first corridor.
  static std::vector<std::string> farReaching() {
    std::vector<std::string> names = samplingPlanners();
    std::erase(names, "perturbation");
    return names;
  }
};

TEST_F(Mazes, AllFindTheirWayAndSayWhatTheyDid) {
  for (const std::string& name : farReaching())
    for (const std::uint64_t seed : {1, 2, 3}) {
      Maze maze = test::windingMaze();
      ConfigurationGoal goal(maze, {point(9, 9)});
      const PlanningProblem problem{maze, {point(1, 1)}, goal};
      const auto planner = create(name);
      const PlanningRun found = run(*planner, problem, seed, rounds(100000, true));
      ASSERT_EQ(found.outcome.status, PlanningStatus::solved) << name << " " << found.outcome.message;
      EXPECT_EQ(found.stoppedBy, "foundSolution") << name;
      EXPECT_GE(found.outcome.cost, kWindingLength - 1e-9) << name;
      EXPECT_GT(found.outcome.statistics.integer("nodes", 0), 2) << name;
      EXPECT_GT(found.outcome.statistics.integer("edges_prechecked", 0) +
                    found.outcome.statistics.integer("edges_checked", 0),
                2)
          << name;
      Roadmap roadmap;
      ASSERT_TRUE(planner->roadmap(roadmap)) << name;
      EXPECT_FALSE(roadmap.starts.empty()) << name;
      EXPECT_FALSE(roadmap.goals.empty()) << name;
      for (const Roadmap::Edge& edge : roadmap.edges) {
        ASSERT_LT(std::max(edge.a, edge.b), static_cast<int>(roadmap.configurations.size())) << name;
        ASSERT_GE(std::min(edge.a, edge.b), 0) << name;
        if (edge.checked) {
          EXPECT_TRUE(maze.visible(roadmap.configurations[edge.a], roadmap.configurations[edge.b])) << name;
        }
      }
    }
}

TEST_F(Mazes, ImproversComeNearTheShortestAndNeverGiveAWorsePath) {
  std::vector<std::string> names = kImprovers;
  names.push_back("any");
  names.push_back("fmm*");
  for (const std::string& name : names) {
    Maze maze = test::windingMaze();
    ConfigurationGoal goal(maze, {point(9, 9)});
    const PlanningProblem problem{maze, {point(1, 1)}, goal};
    const auto planner = create(name);
    EXPECT_TRUE(planner->optimizing()) << name;
    double before = std::numeric_limits<double>::infinity();
    RandomStream random(3);
    planner->start(problem, random);
    // Rounds of the lazy ones are longer.
    const std::int64_t each = name.starts_with("lazy") ? 1000 : 10000;
    for (int part = 0; part < 6; ++part) {
      StopClock stop(rounds(each));
      const PlanningOutcome outcome = planner->plan(stop);
      EXPECT_LE(outcome.cost, before) << name << " in part " << part;
      before = outcome.cost;
    }
    EXPECT_GE(before, kWindingLength - 1e-9) << name;
    EXPECT_LE(before, 1.03 * kWindingLength) << name;
  }
}

TEST_F(Mazes, FindersGoOnWithShortcutsAndRestarts) {
  for (const std::string& name : kFinders) {
    if (name == "perturbation") continue;
    for (const char* settings :
         {"{shortcut: true}", "{restart: true, restartTermCond: '{foundSolution:1;maxIters:2000}'}",
          "{shortcut: true, restart: true, restartTermCond: {foundSolution: true, maxIters: 3000}}"}) {
      Maze maze = test::windingMaze();
      ConfigurationGoal goal(maze, {point(9, 9)});
      const PlanningProblem problem{maze, {point(1, 1)}, goal};
      const auto plain = create(name), improved = create(name, settings);
      EXPECT_FALSE(plain->optimizing()) << name;
      EXPECT_TRUE(improved->optimizing()) << name;
      const PlanningRun once = run(*plain, problem, 7, rounds(100000)),
                        more = run(*improved, problem, 7, rounds(30000));
      ASSERT_FALSE(once.outcome.path.empty()) << name;
      ASSERT_FALSE(more.outcome.path.empty()) << name << settings;
      if (std::string(settings).find("shortcut") != std::string::npos) {
        EXPECT_LE(more.outcome.cost, 1.2 * kWindingLength) << name << settings;
        EXPECT_GT(more.outcome.statistics.integer("shortcuts", 0), 0) << name << settings;
      }
      if (std::string(settings).find("restart:") != std::string::npos) {
        EXPECT_GT(more.outcome.statistics.integer("restarts", 0), 1) << name << settings;
      }
    }
  }
}

TEST_F(Mazes, NarrowPassage) {
  for (const std::string& name : samplingPlanners()) {
    Maze maze({{4.8, 5.2, -1, 5}, {4.8, 5.2, 5.1, 11}});
    ConfigurationGoal goal(maze, {point(9, 2)});
    const PlanningProblem problem{maze, {point(1, 8)}, goal};
    const auto planner = create(name);
    const PlanningRun found = run(*planner, problem, 5, rounds(1000000, true));
    ASSERT_EQ(found.outcome.status, PlanningStatus::solved) << name << " " << found.outcome.message;
    EXPECT_GE(found.outcome.path.size(), 3u) << name;
  }
}

TEST_F(Mazes, WhatIsNotConnectedEndsByTheStop) {
  for (const std::string& name : samplingPlanners()) {
    Maze maze({{4.9, 5.1, -1, 11}});
    ConfigurationGoal goal(maze, {point(9, 2)});
    const PlanningProblem problem{maze, {point(1, 8)}, goal};
    const auto planner = create(name);
    const PlanningRun stopped = run(*planner, problem, 5, rounds(1000, true));
    EXPECT_EQ(stopped.outcome.status, PlanningStatus::stopped) << name;
    EXPECT_EQ(stopped.stoppedBy, "maxIters") << name;
    EXPECT_EQ(stopped.iterations, 1000) << name;
    EXPECT_TRUE(stopped.outcome.path.empty()) << name;
    EXPECT_FALSE(stopped.outcome.message.empty()) << name;
  }
}

TEST_F(Mazes, StraightWaysAreFoundAtOnceAndEndTheRun) {
  std::vector<std::string> names = samplingPlanners();
  names.push_back("fmm");
  names.push_back("fmm*");
  for (const std::string& name : names) {
    Maze maze = test::windingMaze();
    ConfigurationGoal goal(maze, {point(2, 9)});
    const PlanningProblem problem{maze, {point(1, 1)}, goal};
    const auto planner = create(name);
    const PlanningRun found = run(*planner, problem, 5, rounds(100));
    ASSERT_EQ(found.outcome.status, PlanningStatus::solved) << name;
    EXPECT_EQ(found.outcome.path.size(), 2u) << name;
    EXPECT_LT(found.iterations, 20) << name << ": nothing could be better";
  }
}

TEST_F(Mazes, AStartInTheGoalIsAPath) {
  std::vector<std::string> names = samplingPlanners();
  names.push_back("fmm");
  for (const std::string& name : names) {
    Maze maze = test::windingMaze();
    ConfigurationGoal goal(maze, {point(1, 1)});
    const PlanningProblem problem{maze, {point(1, 1)}, goal};
    const auto planner = create(name);
    const PlanningRun found = run(*planner, problem, 5, rounds(100));
    ASSERT_EQ(found.outcome.status, PlanningStatus::solved) << name;
    EXPECT_EQ(found.outcome.cost, 0) << name;
  }
}

TEST_F(Mazes, SeveralStartsAndGoals) {
  std::vector<std::string> names = samplingPlanners();
  names.push_back("fmm*");
  for (const std::string& name : names) {
    Maze maze({{4.9, 5.1, -1, 8}, {4.9, 5.1, 8.5, 9}, {0, 4.9, 4.9, 5.1}});
    // One start is shut in with one of the goals; one of each is in a box.
    ConfigurationGoal goal(maze, {point(5, 1), point(9, 1), point(9, 9)});
    const PlanningProblem problem{maze, {point(5, 2), point(1, 9), point(1, 1)}, goal};
    const auto planner = create(name);
    const PlanningRun found = run(*planner, problem, 5, rounds(20000));
    ASSERT_EQ(found.outcome.status, PlanningStatus::solved) << name << found.outcome.message;
    EXPECT_GT(found.outcome.path.front()[1], 5) << name;
    EXPECT_EQ(found.outcome.statistics.integer("goals", 0), 2) << name;
  }
}

TEST_F(Mazes, GoalsThatAreFoundByAndBy) {
  for (const std::string& name : farReaching()) {
    Maze maze = test::windingMaze();
    RegionGoal goal(maze, {"corner", [](const VectorXd& q) { return q[0] > 9 && q[1] > 9; }}, 1);
    const PlanningProblem problem{maze, {point(1, 1)}, goal};
    const auto planner = create(name);
    const PlanningRun found = run(*planner, problem, 5, rounds(100000, true));
    ASSERT_EQ(found.outcome.status, PlanningStatus::solved) << name << found.outcome.message;

    RegionGoal nowhere(maze, {"nowhere", [](const VectorXd& q) { return q[0] > 11; }}, 1);
    const PlanningProblem impossible{maze, {point(1, 1)}, nowhere};
    const PlanningRun none = run(*planner, impossible, 5, rounds(2000));
    EXPECT_EQ(none.outcome.status, PlanningStatus::goalUnsampled) << name;
    EXPECT_NE(none.outcome.message.find("nowhere"), std::string::npos) << none.outcome.message;
  }
}

TEST_F(Mazes, GoalsThatCannotBeSampledAreGrownInto) {
  /// Says where it is, but gives no configuration.
  class Mute final : public PlanningGoal {
   public:
    bool contains(const VectorXd& q) override { return q[0] > 8 && q[1] > 8; }
    double distance(const VectorXd& q) override { return contains(q) ? 0 : 1; }
    bool sample(RandomStream&, VectorXd&) override { return false; }
    std::unique_ptr<PlanningGoal> copy() const override { return std::make_unique<Mute>(); }
  };
  for (const std::string& name : farReaching()) {
    Maze maze = test::windingMaze();
    Mute goal;
    const PlanningProblem problem{maze, {point(1, 1)}, goal};
    const auto planner = create(name);
    const PlanningRun found = run(*planner, problem, 5, rounds(100000, true));
    ASSERT_EQ(found.outcome.status, PlanningStatus::solved) << name << found.outcome.message;
    EXPECT_GT(found.outcome.path.back()[0], 8) << name;
  }
}

/// Going up costs three times as much as going down or along, and ends near the top cost more.
class Uphill final : public PlanningObjective {
 public:
  double edgeCost(const VectorXd& a, const VectorXd& b) const override {
    return (b - a).norm() + 2 * std::max(0.0, b[1] - a[1]);
  }
  double terminalCost(const VectorXd& q) const override { return q[1] > 8 ? 20 : 0; }
  double lowerBound(const VectorXd& a, const VectorXd& b) const override { return edgeCost(a, b); }
};

TEST_F(Mazes, ObjectivesCountByDirectionAndByEnd) {
  for (const std::string name : {"any", "rrt*", "prm*", "lazyprm*", "lazyrrg*"}) {
    // Open ground, a wall in the middle that can be passed at both ends; two goals, of which the nearer is the dearer.
    Maze maze({{4.5, 5.5, 1, 9}});
    ConfigurationGoal goal(maze, {point(9, 8.5), point(9, 5)});
    const PlanningProblem problem{maze, {point(1, 7)}, goal};
    Uphill uphill;
    const std::int64_t each = name.starts_with("lazy") ? 3000 : 15000;
    const PlanningProblem costly{maze, {point(1, 7)}, goal, &uphill};
    const auto planner = create(name);
    const PlanningRun byLength = run(*planner, problem, 11, rounds(each)),
                      byCost = run(*planner, costly, 11, rounds(each));
    ASSERT_FALSE(byLength.outcome.path.empty()) << name;
    ASSERT_FALSE(byCost.outcome.path.empty()) << name;
    EXPECT_NEAR(byLength.outcome.path.back()[1], 8.5, 1e-9) << name;
    EXPECT_NEAR(byCost.outcome.path.back()[1], 5, 1e-9) << name;
    // Over the top: up by 2 at three times the price, down for nothing more.
    const double over = std::hypot(3.5, 2) + 4 + 1 + std::hypot(3.5, 4);
    EXPECT_GE(byCost.outcome.cost, over - 1e-9) << name;
    EXPECT_LE(byCost.outcome.cost, 1.05 * over) << name;
  }
}

}  // namespace
}  // namespace mortise
