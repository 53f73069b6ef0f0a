// The trees of planning while moving, on their own.

#include "tests/plugins/planners/planners_test.h"

namespace mortise::test {
namespace {

class RealTimeTreeTest : public PlannersTest {};

TEST_F(RealTimeTreeTest, FindsTheWayThroughAMazeTheSameEachTime) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    Maze maze = windingMaze();
    ConfigurationGoal goal(maze, {point(9, 9)});
    const PlanningProblem problem{maze, {point(1, 1)}, goal};
    const PlanningRun found = run(*create("RealTimeTree"), problem, seed, rounds(100000, true));
    ASSERT_EQ(found.outcome.status, PlanningStatus::solved) << found.outcome.message;
    EXPECT_GE(found.outcome.cost, kWindingLength - 1e-9);
    const PlanningRun again = run(*create("RealTimeTree"), problem, seed, rounds(100000, true));
    EXPECT_TRUE(sameBits(found.outcome.path, again.outcome.path));
    EXPECT_EQ(found.iterations, again.iterations);
  }
}

TEST_F(RealTimeTreeTest, StraightWaysAndStartsInTheGoalTakeNoSearch) {
  Maze maze = windingMaze();
  ConfigurationGoal goal(maze, {point(1, 3)});
  const PlanningProblem straight{maze, {point(1, 1)}, goal};
  EXPECT_EQ(run(*create("RealTimeTree"), straight, 1, rounds(10)).outcome.path.size(), 2u);
  const PlanningProblem there{maze, {point(1, 3)}, goal};
  const PlanningRun found = run(*create("RealTimeTree"), there, 1, rounds(10));
  EXPECT_EQ(found.outcome.status, PlanningStatus::solved);
  EXPECT_EQ(found.outcome.cost, 0);
}

TEST_F(RealTimeTreeTest, WhatIsNotConnectedEndsByTheStop) {
  Maze maze({{4.9, 5.1, -1, 11}});
  ConfigurationGoal goal(maze, {point(9, 2)});
  const PlanningProblem problem{maze, {point(1, 8)}, goal};
  const PlanningRun stopped = run(*create("RealTimeTree"), problem, 5, rounds(200, true));
  EXPECT_EQ(stopped.outcome.status, PlanningStatus::stopped);
  EXPECT_EQ(stopped.iterations, 200);
  EXPECT_TRUE(stopped.outcome.path.empty());
}

}  // namespace
}  // namespace mortise::test
