/// Settings of planners: what is refused, what they change.

#include "mortise/planning/spaces/robot_space.h"
#include "planners_test.h"

namespace mortise {
namespace {

using test::Maze;
using test::PlannersTest;
using test::point;

class Options : public PlannersTest {
 protected:
  std::string errorOf(const std::string& name, const std::string& settings) {
    try {
      create(name, settings);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }
};

TEST_F(Options, NamesOfKlamptAndOurs) {
  const std::pair<const char*, const char*> names[] = {{"any", "mortise.Any"},
                                                       {"rrt", "mortise.RRT"},
                                                       {"rrt*", "mortise.RRTStar"},
                                                       {"prm", "mortise.PRM"},
                                                       {"prm*", "mortise.PRMStar"},
                                                       {"lazyprm", "mortise.LazyPRM"},
                                                       {"lazyprm*", "mortise.LazyPRMStar"},
                                                       {"lazyrrg*", "mortise.LazyRRGStar"},
                                                       {"sbl", "mortise.SBL"},
                                                       {"sblprt", "mortise.SBLPRT"},
                                                       {"SBL-PRT", "mortise.SBLPRT"},
                                                       {"Lazy-PRM", "mortise.LazyPRM"},
                                                       {"est", "mortise.EST"},
                                                       {"perturbation", "mortise.PerturbationTree"},
                                                       {"fmm", "mortise.FMM"},
                                                       {"fmm*", "mortise.FMMStar"}};
  for (const auto& [alias, name] : names) {
    const ComponentInfo& info = registry->require(Kind::planner, alias);
    EXPECT_EQ(info.name, name);
    EXPECT_FALSE(info.summary.empty());
    EXPECT_NE(info.documentation.find("```yaml"), std::string::npos) << name;
    EXPECT_NE(info.documentation.find("Source: "), std::string::npos) << name;
  }
}

TEST_F(Options, WhatContradictsItselfIsRefused) {
  EXPECT_NE(errorOf("sbl", "{useGrid: false, gridResolution: 0.1}").find("use_grid"), std::string::npos);
  EXPECT_NE(errorOf("sbl", "{restartTermCond: '{maxIters:10}'}").find("restart is off"), std::string::npos);
  EXPECT_NE(errorOf("rrt*", "{restart: true}").find("restart"), std::string::npos);
  EXPECT_NE(errorOf("rrt", "{perturbationRadius: -1}").find("perturbation_radius"), std::string::npos);
  EXPECT_NE(errorOf("rrt", "{perturbationradius: 1}").find("perturbation_radius"), std::string::npos);
  EXPECT_NE(errorOf("prm", "{knn: -1}").find("knn"), std::string::npos);
  EXPECT_NE(errorOf("prm", "{pointLocation: octree}").find("octree"), std::string::npos);
  EXPECT_NE(errorOf("prm", "{pointLocation: randombest}").find("how many"), std::string::npos);
  EXPECT_NE(errorOf("prm", "{pointLocation: random 3}").find("too much"), std::string::npos);
  EXPECT_EQ(errorOf("sbl", "{grid: true, gridResolution: 0.1, perturbationIters: 3, randomizeFrequency: 10}"), "");
}

TEST_F(Options, RestartConditionsAsKlamptWritesThem) {
  const auto with = [&](const std::string& text) {
    return errorOf("rrt", "{restart: true, restartTermCond: " + text + "}");
  };
  EXPECT_EQ(with("'{foundSolution:1;maxIters:1000}'"), "");
  EXPECT_EQ(with("'{\"foundSolution\":1,\"maxIters\":1000,\"timeLimit\":inf}'"), "");
  EXPECT_EQ(with("'{ foundSolution = true ; costThreshold : 3.5 }'"), "");
  EXPECT_EQ(with("{foundSolution: false, maxIters: 50}"), "");
  EXPECT_NE(with("'foundSolution:1'").find("a map is needed"), std::string::npos);
  EXPECT_NE(with("'{foundSolution:1'").find("'{' is not closed"), std::string::npos);
  EXPECT_NE(with("'{foundSolution}'").find("no value"), std::string::npos);
  EXPECT_NE(with("'{foundSolution:}'").find("no value"), std::string::npos);
  EXPECT_NE(with("'{maxIters:1;maxIters:2}'").find("twice"), std::string::npos);
  EXPECT_NE(with("'{maxIters:1} x'").find("more after"), std::string::npos);
  EXPECT_NE(with("'{maxIter:1}'").find("maxIters"), std::string::npos);
  EXPECT_NE(with("'{maxIters:0}'").find("at least 1"), std::string::npos);
  EXPECT_NE(with("'{timeLimit:2}'").find("repeated"), std::string::npos);
  EXPECT_NE(with("'{foundSolution:0}'").find("ever end"), std::string::npos);
  EXPECT_NE(with("'{costThreshold:-1}'").find("at least 0"), std::string::npos);
}

TEST_F(Options, LocationsOfPointsAllFindAWay) {
  for (const char* location : {"kdtree", "balltree", "linear", "random", "randombest 5"})
    for (const std::string name : {"rrt", "prm", "rrt*", "lazyprm*"}) {
      Maze maze = test::windingMaze();
      ConfigurationGoal goal(maze, {point(9, 9)});
      const PlanningProblem problem{maze, {point(1, 1)}, goal};
      const auto planner = create(name, std::string("{pointLocation: ") + location + "}");
      EXPECT_EQ(run(*planner, problem, 3, rounds(100000, true)).outcome.status, PlanningStatus::solved)
          << name << " " << location;
    }
}

TEST_F(Options, TheSearchForNeighborsMakesNoDifferenceToThePath) {
  for (const std::string name : {"rrt", "prm", "lazyprm"}) {
    Maze maze({{4.8, 5.2, -1, 5}, {4.8, 5.2, 5.1, 11}});
    ConfigurationGoal goal(maze, {point(9, 2)});
    const PlanningProblem problem{maze, {point(1, 8)}, goal};
    const auto trees = create(name, "{pointLocation: kdtree}"), all = create(name, "{pointLocation: linear}");
    const PlanningRun a = run(*trees, problem, 3, rounds(100000, true)),
                      b = run(*all, problem, 3, rounds(100000, true));
    EXPECT_GT(a.outcome.statistics.integer("nodes", 0), 70) << "too few for trees";
    EXPECT_TRUE(test::sameBits(a.outcome.path, b.outcome.path)) << name;
  }
}

TEST_F(Options, ThresholdsAndRadiiAreKept) {
  Maze maze = test::windingMaze();
  ConfigurationGoal goal(maze, {point(9, 9)});
  const PlanningProblem problem{maze, {point(1, 1)}, goal};
  const std::pair<const char*, const char*> cases[] = {
      {"rrt", "{perturbationRadius: 0.5, connectionThreshold: 0.5}"},
      {"rrt", "{perturbationRadius: 0.5, connectionThreshold: 0.5, bidirectional: false}"},
      {"prm", "{connectionThreshold: 0.5, knn: 0}"},
      {"lazyprm", "{connectionThreshold: 0.5, knn: 20}"},
      {"lazyprm*", "{connectionThreshold: 0.5}"},
      {"rrt*", "{perturbationRadius: 0.5, connectionThreshold: 0.5}"},
      {"sbl", "{perturbationRadius: 0.5, connectionThreshold: 0.5}"},
      {"est", "{perturbationRadius: 0.5, connectionThreshold: 0.5}"}};
  for (const auto& [name, settings] : cases) {
    const auto planner = create(name, settings);
    const PlanningRun found = run(*planner, problem, 2, rounds(200000, true));
    ASSERT_EQ(found.outcome.status, PlanningStatus::solved) << name;
    for (std::size_t i = 1; i < found.outcome.path.size(); ++i)
      EXPECT_LE(maze.distance(found.outcome.path[i - 1], found.outcome.path[i]), 0.5 + 1e-9) << name << settings;
  }
}

TEST_F(Options, GridsOfFmm) {
  Maze maze = test::windingMaze();
  ConfigurationGoal goal(maze, {point(9, 9)});
  const PlanningProblem problem{maze, {point(1, 1)}, goal};
  const PlanningRun fine = run(*create("fmm", "{gridResolution: 0.1}"), problem, 2, rounds(1000000, true));
  ASSERT_EQ(fine.outcome.status, PlanningStatus::solved) << fine.outcome.message;
  EXPECT_LE(fine.outcome.cost, 1.02 * test::kWindingLength);
  EXPECT_EQ(fine.outcome.statistics.integer("nodes", 0), 101 * 101);

  // A wall thinner than a step, which only the ways between nodes run into.
  Maze thin({{4.97, 5.03, -1, 8}});
  ConfigurationGoal across(thin, {point(9, 1)});
  const PlanningProblem wall{thin, {point(1, 1)}, across};
  const PlanningRun over = run(*create("fmm", "{gridResolution: 0.4}"), wall, 2, rounds(1000000, true));
  ASSERT_EQ(over.outcome.status, PlanningStatus::solved) << over.outcome.message;
  EXPECT_LE(over.outcome.cost, 1.1 * 2 * std::hypot(4, 7));

  // A gap that a coarse grid does not see, and no way at all.
  Maze gap({{4.8, 5.2, -1, 5.03}, {4.8, 5.2, 5.07, 11}});
  ConfigurationGoal beyond(gap, {point(9, 1)});
  const PlanningProblem narrow{gap, {point(1, 1)}, beyond};
  const PlanningRun none = run(*create("fmm", "{gridResolution: 0.5}"), narrow, 2, rounds(1000000, true));
  EXPECT_EQ(none.outcome.status, PlanningStatus::exhausted);
  EXPECT_NE(none.outcome.message.find("20 x 20"), std::string::npos) << none.outcome.message;
  EXPECT_EQ(run(*create("fmm*"), narrow, 2, rounds(1000000, true)).outcome.status, PlanningStatus::solved);

  const PlanningRun large = run(*create("fmm", "{gridResolution: 0.001}"), problem, 2, rounds(10, true));
  EXPECT_EQ(large.outcome.status, PlanningStatus::unsuitable);
  EXPECT_NE(large.outcome.message.find("MB"), std::string::npos) << large.outcome.message;
}

TEST_F(Options, StartsAndGoalsThatAreNotFeasibleSayWhy) {
  Maze maze = test::windingMaze();
  for (const std::string& name : test::samplingPlanners()) {
    ConfigurationGoal goal(maze, {point(9, 9)}), inside(maze, {point(6.7, 5)});
    const auto planner = create(name);
    RandomStream random(1);
    StopClock stop(rounds(100)), again(rounds(100));
    const PlanningProblem bad{maze, {point(3.2, 2)}, goal}, worse{maze, {point(1, 1)}, inside};
    planner->start(bad, random);
    const PlanningOutcome start = planner->plan(stop);
    EXPECT_EQ(start.status, PlanningStatus::startInfeasible) << name;
    EXPECT_NE(start.message.find("boxes"), std::string::npos) << start.message;
    planner->start(worse, random);
    const PlanningOutcome end = planner->plan(again);
    EXPECT_EQ(end.status, PlanningStatus::goalInfeasible) << name;
    EXPECT_NE(end.message.find("boxes"), std::string::npos) << end.message;
    const PlanningProblem wrong{maze, {VectorXd::Zero(3)}, goal};
    EXPECT_THROW(planner->start(wrong, random), Error) << name;
  }
}

}  // namespace
}  // namespace mortise
