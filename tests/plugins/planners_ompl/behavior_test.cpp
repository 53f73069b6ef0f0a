#include <gtest/gtest.h>
#include <set>

#include "tests/plugins/planners_ompl/plans.h"

namespace mortise {
namespace {

using test::at;
using test::planners;
using test::planSquare;

StopConditions firstPath(std::int64_t iterations = 200000) {
  StopConditions conditions;
  conditions.iterations = iterations;
  return conditions;
}

TEST(OmplPlanners, AreThirtyFourUnderOmplsAndKlamptsNames) {
  EXPECT_EQ(planners().names().size(), 34u);
  Registry& registry = planners().registry();
  const std::vector<std::pair<std::string, std::string>> klampt = {{"ompl:prm", "PRM"},
                                                                   {"ompl:lazyprm", "LazyPRM"},
                                                                   {"ompl:prm*", "PRMstar"},
                                                                   {"ompl:lazyprm*", "LazyPRMstar"},
                                                                   {"ompl:spars", "SPARS"},
                                                                   {"ompl:rrt", "RRT"},
                                                                   {"ompl:rrtconnect", "RRTConnect"},
                                                                   {"ompl:birrt", "RRTConnect"},
                                                                   {"ompl:lazyrrt", "LazyRRT"},
                                                                   {"ompl:lbtrrt", "LazyLBTRRT"},
                                                                   {"ompl:rrt*", "RRTstar"},
                                                                   {"ompl:informedrrt*", "InformedRRTstar"},
                                                                   {"ompl:est", "EST"},
                                                                   {"ompl:fmt", "FMT"},
                                                                   {"ompl:sbl", "SBL"},
                                                                   {"ompl:stride", "STRIDE"}};
  for (const auto& [alias, name] : klampt) EXPECT_EQ(registry.require(Kind::planner, alias).name, "ompl." + name);
  EXPECT_EQ(registry.require(Kind::planner, "BKPIECE1").name, "ompl.BKPIECE1");
}

TEST(OmplPlanners, FindAWayAroundAWallFromTenSeeds) {
  for (const std::string& name : planners().names()) {
    std::set<std::uint64_t> paths;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const PlanningRun run = planSquare(name, seed, firstPath());
      ASSERT_EQ(run.outcome.status, PlanningStatus::solved) << name << ", seed " << seed << ": " << run.outcome.message;
      // The shortest way goes over both upper corners of the wall.
      EXPECT_GE(run.outcome.cost, 2 * std::hypot(0.35, 0.65) + 0.1 - 1e-9) << name;
      EXPECT_EQ(run.outcome.path.front(), at(0.1, 0.1)) << name;
      EXPECT_LE((run.outcome.path.back() - at(0.9, 0.1)).norm(), 1e-9) << name;
      EXPECT_EQ(run.stoppedBy, "foundSolution") << name;
      paths.insert(test::hashOf(run.outcome.path));
    }
    EXPECT_GT(paths.size(), 7u) << name;
  }
}

TEST(OmplPlanners, OptimizingOnesGoOnToBetterPaths) {
  int optimizing = 0;
  for (const std::string& name : planners().names()) {
    test::QuietHost host;
    const auto planner = planners().create(name, host);
    if (!planner->optimizing()) continue;
    ++optimizing;
    const double first = planSquare(name, 1, firstPath()).outcome.cost;
    StopConditions longer = firstPath(20000);
    longer.foundSolution = false;
    longer.seconds = 3;
    longer.cost = 1.7;
    const PlanningRun run = planSquare(name, 1, longer);
    EXPECT_LE(run.outcome.cost, first) << name;
    EXPECT_LT(run.outcome.cost, 2.5) << name;
  }
  EXPECT_EQ(optimizing, 18);
}

/// Where the straight edge is feasible nothing is left to be found, and what samples only where a better path could
/// pass finds no place; nearly so where that way is next to the wall.
TEST(OmplPlanners, OptimizingOnesEndWhereNothingIsLeftToGain) {
  for (const std::string& name : planners().names()) {
    test::QuietHost host;
    const auto planner = planners().create(name, host);
    if (!planner->optimizing()) continue;
    test::SquareProblem square;
    ConfigurationGoal above(square.space, {test::at(0.1, 0.4)});
    const PlanningProblem problem{square.space, {test::at(0.1, 0.1)}, above, nullptr};
    RandomStream random(1, "plan");
    StopConditions conditions;
    conditions.foundSolution = false;
    conditions.iterations = 3000;
    StopClock stop(conditions);
    const PlanningRun run = runPlanner(*planner, problem, random, stop);
    ASSERT_EQ(run.outcome.status, PlanningStatus::solved) << name;
    EXPECT_LT(run.outcome.cost, 0.45) << name;
    if (run.outcome.path.size() == 2) {
      EXPECT_TRUE(run.stoppedBy.empty()) << name << " goes on after the straight edge";
    }
  }
}

TEST(OmplPlanners, GoOnWhereTheyStoppedAndNeverGetWorse) {
  for (const std::string& name : planners().names()) {
    test::QuietHost host;
    const auto planner = planners().create(name, host);
    test::SquareProblem square;
    RandomStream random(2, "plan");
    planner->start(square.problem, random);
    double best = std::numeric_limits<double>::infinity();
    for (int turn = 0; turn < 12; ++turn) {
      StopConditions some;
      some.foundSolution = false;
      some.iterations = 25 << turn;
      if (turn > 4 && best < 10) break;
      StopClock stop(some);
      const PlanningOutcome outcome = planner->plan(stop);
      EXPECT_LE(outcome.cost, best) << name;
      EXPECT_EQ(outcome.path.empty(), outcome.status != PlanningStatus::solved) << name;
      if (!outcome.path.empty()) {
        EXPECT_NEAR(outcome.cost, pathCost(square.problem, outcome.path), 1e-9) << name;
      }
      best = outcome.cost;
    }
    EXPECT_LT(best, 20) << name;
  }
}

TEST(OmplPlanners, StopAtOnceWhenAsked) {
  for (const std::string& name : planners().names()) {
    test::QuietHost host;
    const auto planner = planners().create(name, host);
    RandomStream random(2, "plan");
    for (const std::int64_t after : {0, 1, 2, 50, 700}) {
      test::SquareProblem square;
      square.space.top = 2;  // No way.
      std::int64_t asked = 0;
      PlanningSpace::Counts counts;
      StopClock stop({}, [&] {
        counts = square.space.counts();
        return asked++ >= after;
      });
      const PlanningRun run = runPlanner(*planner, square.problem, random, stop);
      EXPECT_EQ(run.outcome.status, PlanningStatus::stopped) << name << " after " << after;
      EXPECT_EQ(run.stoppedBy, "stopRequested") << name;
      // A batch that was begun is sampled to its end.
      const int batch = name.ends_with("BITstar") || name.ends_with("AITstar") ? 150 : 2;
      EXPECT_LE(square.space.counts().configurations - counts.configurations, batch) << name << " after " << after;
      EXPECT_LE(square.space.counts().edges - counts.edges, 2) << name << " after " << after;
    }
  }
}

TEST(OmplPlanners, StopWhereNextToNothingIsFree) {
  for (const std::string& name : planners().names()) {
    test::QuietHost host;
    const auto planner = planners().create(name, host);
    RandomStream random(2, "plan");
    test::SquareProblem square;
    square.space.room = 1e-6;
    std::int64_t halt = -1;
    StopClock stop({}, [&] {
      const std::int64_t tested = square.space.counts().configurations;
      if (halt < 0 && tested > 3000) halt = tested;
      return halt >= 0;
    });
    const PlanningRun run = runPlanner(*planner, square.problem, random, stop);
    EXPECT_NE(run.outcome.status, PlanningStatus::solved) << name;
    if (halt >= 0) {
      EXPECT_LE(square.space.counts().configurations - halt, 1000) << name;
    }
  }
}

TEST(OmplPlanners, RefuseWrongSettings) {
  test::QuietHost host;
  EXPECT_THROW(planners().create("ompl.RRT", host, "{rang: 1}"), Error);
  EXPECT_THROW(planners().create("ompl.RRT", host, "{goal_bias: 2}"), Error);
  EXPECT_THROW(planners().create("ompl.RRT", host, "{goal_bias: often}"), Error);
  EXPECT_THROW(planners().create("ompl.PRM", host, "{max_nearest_neighbors: 2.5}"), Error);
  EXPECT_THROW(planners().create("ompl.RRT", host, "{knn: 10}"), Error);
  EXPECT_THROW(planners().create("ompl.RRTstar", host, "{ordered_sampling: true}"), Error);
  EXPECT_THROW(planners().create("ompl.RRTstar", host, "{informed_sampling: true, sample_rejection: true}"), Error);
  EXPECT_THROW(planners().create("ompl.BITstar", host, "{use_just_in_time_sampling: true}"), Error);
  EXPECT_THROW(planners().create("ompl.STRIDE", host, "{min_degree: 17}"), Error);
  EXPECT_NO_THROW(planners().create("ompl.RRTstar", host, "{ordered_sampling: true, informed_sampling: true}"));
  EXPECT_NO_THROW(planners().create("ompl.RRT", host, "{perturbationRadius: 0.1}"));
  EXPECT_NO_THROW(planners().create("ompl.LazyPRM", host, "{connectionThreshold: 0.3, knn: 8}"));
}

TEST(OmplPlanners, SettingsReachOmpl) {
  const auto longest = [](const PlanningRun& run) {
    double maximum = 0;
    for (std::size_t i = 1; i < run.outcome.path.size(); ++i)
      maximum = std::max(maximum, (run.outcome.path[i] - run.outcome.path[i - 1]).norm());
    return maximum;
  };
  EXPECT_LE(longest(planSquare("ompl.RRT", 1, firstPath(), "{range: 0.05}")), 0.05 + 1e-9);
  EXPECT_LE(longest(planSquare("ompl.RRT", 1, firstPath())), 0.2 * std::sqrt(2.0) + 1e-9);
  EXPECT_GT(longest(planSquare("ompl.RRT", 1, firstPath())), 0.06);
  EXPECT_LE(longest(planSquare("ompl.LazyPRM", 1, firstPath(), "{range: 0.1, knn: 8}")), 0.1 + 1e-9);
  EXPECT_LE(longest(planSquare("ompl.LazyPRM", 1, firstPath(), "{knn: 8}")), 0.2 * std::sqrt(2.0) + 1e-9);
  EXPECT_GT(planSquare("ompl.RRTConnect", 1, firstPath(), "{intermediate_states: true}").outcome.path.size(), 20u);
  EXPECT_LT(planSquare("ompl.PRM", 1, firstPath(), "{knn: 2}").counts.edges,
            planSquare("ompl.PRM", 1, firstPath()).counts.edges);
}

TEST(OmplPlanners, EverySettingCanBeChanged) {
  for (const std::string& name : planners().names()) {
    const ComponentInfo& info = planners().registry().require(Kind::planner, name);
    for (const Parameter& parameter : info.schema.parameters()) {
      EXPECT_EQ(parameter.summary.find("OMPL's parameter"), std::string::npos) << name << " " << parameter.name;
      std::string value;
      if (parameter.type == ParameterType::boolean) value = parameter.defaultValue.asBool() ? "false" : "true";
      if (parameter.type == ParameterType::integer)
        value =
            std::to_string(parameter.defaultValue.asInteger() +
                           (static_cast<double>(parameter.defaultValue.asInteger()) > parameter.options.min ? -1 : 1));
      if (parameter.type == ParameterType::real) {
        const double standard = parameter.defaultValue.asReal();
        value = formatReal(std::isinf(standard)                                      ? 100
                           : standard * 1.5 <= parameter.options.max && standard > 0 ? standard * 1.5
                           : standard == 0                                           ? 0.3
                                                                                     : standard);
        if (standard == 0 && parameter.options.min > 0.3) continue;
      }
      // What some need with them.
      if (parameter.name == "ordered_sampling" && name == "ompl.RRTstar") value += ", informed_sampling: true";
      if (parameter.name == "use_just_in_time_sampling") value += ", use_k_nearest: false";
      test::QuietHost host;
      test::SquareProblem square;
      RandomStream random(2, "plan");
      StopClock stop(firstPath(300));
      try {
        const auto planner = planners().create(name, host, "{" + parameter.name + ": " + value + "}");
        runPlanner(*planner, square.problem, random, stop);
      } catch (const Error& error) {
        ADD_FAILURE() << name << " " << parameter.name << " = " << value << ": " << error.what();
      }
    }
  }
}

TEST(OmplPlanners, ShowTheirRoadmaps) {
  for (const std::string& name : planners().names()) {
    test::QuietHost host;
    const auto planner = planners().create(name, host);
    Roadmap roadmap;
    EXPECT_FALSE(planner->roadmap(roadmap)) << name;
    test::SquareProblem square;
    RandomStream random(2, "plan");
    StopClock stop(firstPath());
    ASSERT_FALSE(runPlanner(*planner, square.problem, random, stop).outcome.path.empty()) << name;
    if (name == "ompl.BITstar" || name == "ompl.ABITstar") {
      EXPECT_FALSE(planner->roadmap(roadmap));
      continue;
    }
    ASSERT_TRUE(planner->roadmap(roadmap)) << name;
    EXPECT_GT(roadmap.edges.size(), 1u) << name;
    EXPECT_FALSE(roadmap.starts.empty()) << name;
    std::size_t blocked = 0, differing = 0;
    for (const Roadmap::Edge& edge : roadmap.edges) {
      const VectorXd &a = roadmap.configurations.at(static_cast<std::size_t>(edge.a)),
                     &b = roadmap.configurations.at(static_cast<std::size_t>(edge.b));
      if (edge.checked && !(square.space.feasible(a) && square.space.feasible(b) && square.space.visible(a, b)))
        ++blocked;
      if (std::abs(edge.cost - (a - b).norm()) > 1e-12) ++differing;
    }
    EXPECT_EQ(blocked, 0u) << name;
    EXPECT_EQ(differing, 0u) << name;
  }
}

TEST(OmplPlanners, SayWhyThereIsNoPath) {
  test::QuietHost host;
  RandomStream random(2, "plan");
  {
    for (const char* name : {"ompl.LazyLBTRRT"}) {
      test::SquareProblem square;
      square.problem.starts.push_back(at(0.2, 0.2));
      StopClock stop(firstPath());
      const auto planner = planners().create(name, host);
      const PlanningRun run = runPlanner(*planner, square.problem, random, stop);
      EXPECT_EQ(run.outcome.status, PlanningStatus::unsuitable) << name;
      EXPECT_NE(run.outcome.message.find("one start"), std::string::npos) << run.outcome.message;
    }
    test::SquareProblem square;
    square.problem.starts.push_back(at(0.2, 0.2));
    StopClock stop(firstPath());
    EXPECT_EQ(runPlanner(*planners().create("ompl.RRTConnect", host), square.problem, random, stop).outcome.status,
              PlanningStatus::solved);
  }
  {
    for (const char* name : {"ompl.SPARS", "ompl.SPARStwo"}) {
      test::SquareProblem square;
      square.space.top = 2;
      StopClock stop(firstPath());
      const auto planner = planners().create(name, host, "{max_failures: 200}");
      const PlanningRun run = runPlanner(*planner, square.problem, random, stop);
      EXPECT_EQ(run.outcome.status, PlanningStatus::exhausted) << name;
      EXPECT_FALSE(run.outcome.message.empty()) << name;
    }
  }
  {
    test::SquareSpace space;
    RegionGoal nowhere(space, {"nowhere", [](const VectorXd&) { return false; }});
    const PlanningProblem problem{space, {at(0.1, 0.1)}, nowhere, nullptr};
    StopClock stop(firstPath(100)), again(firstPath(100));
    EXPECT_EQ(runPlanner(*planners().create("ompl.RRTConnect", host), problem, random, stop).outcome.status,
              PlanningStatus::goalUnsampled);
    // A planner that only tests the goal tries on.
    EXPECT_EQ(runPlanner(*planners().create("ompl.RRT", host), problem, random, again).outcome.status,
              PlanningStatus::stopped);
  }
}

TEST(OmplPlanners, ReachRegions) {
  for (const std::string& name : planners().names()) {
    test::QuietHost host;
    test::SquareSpace space;
    RegionGoal corner(space,
                      {"corner", [](const VectorXd& q) { return q.x() > 0.8 && q.y() < 0.3; },
                       [](const VectorXd& q) { return std::max(0.0, 0.8 - q.x()) + std::max(0.0, q.y() - 0.3); }});
    const PlanningProblem problem{space, {at(0.1, 0.1)}, corner, nullptr};
    RandomStream random(4, "plan");
    StopClock stop(firstPath());
    const PlanningRun run = runPlanner(*planners().create(name, host), problem, random, stop);
    EXPECT_EQ(run.outcome.status, PlanningStatus::solved) << name << ": " << run.outcome.message;
  }
}

TEST(OmplPlanners, ReachOneOfSeveralGoalsFromOneOfSeveralStarts) {
  for (const std::string& name : planners().names()) {
    test::QuietHost host;
    test::SquareSpace space;
    ConfigurationGoal goal(space, {at(0.5, 0.2), at(0.9, 0.1), at(0.8, 0.9)});
    PlanningProblem problem{space, {at(0.1, 0.1)}, goal, nullptr};
    if (name.find("LBTRRT") == std::string::npos) problem.starts.push_back(at(0.2, 0.5));
    RandomStream random(4, "plan");
    StopClock stop(firstPath());
    const PlanningRun run = runPlanner(*planners().create(name, host), problem, random, stop);
    EXPECT_EQ(run.outcome.status, PlanningStatus::solved) << name << ": " << run.outcome.message;
  }
}

TEST(OmplPlanners, AStartInTheGoalIsThePath) {
  for (const std::string& name : planners().names()) {
    test::QuietHost host;
    test::SquareSpace space;
    ConfigurationGoal goal(space, {at(0.1, 0.1)});
    const PlanningProblem problem{space, {at(0.1, 0.1)}, goal, nullptr};
    RandomStream random(4, "plan");
    StopClock stop(firstPath());
    const PlanningRun run = runPlanner(*planners().create(name, host), problem, random, stop);
    EXPECT_EQ(run.outcome.status, PlanningStatus::solved) << name;
    EXPECT_EQ(run.outcome.path.size(), 1u) << name;
  }
}

/// Being low costs.
class Height final : public PlanningObjective {
 public:
  double edgeCost(const VectorXd& a, const VectorXd& b) const override { return (a - b).norm() * (3 - a.y() - b.y()); }
};

TEST(OmplPlanners, TakeObjectives) {
  const Height height;
  for (const std::string& name : planners().names()) {
    test::QuietHost host;
    test::SquareProblem square;
    square.problem.objective = &height;
    RandomStream random(4, "plan");
    StopConditions conditions = firstPath(3000);
    const auto planner = planners().create(name, host);
    conditions.foundSolution = !planner->optimizing();
    conditions.seconds = 0.1;
    StopClock stop(conditions);
    const PlanningRun run = runPlanner(*planner, square.problem, random, stop);
    if (run.outcome.path.empty()) continue;
    EXPECT_NEAR(run.outcome.cost, pathCost(square.problem, run.outcome.path), 1e-9) << name;
  }
}

TEST(OmplPlanners, ErrorsOfTheSpacePass) {
  for (const std::string& name : planners().names()) {
    test::QuietHost host;
    const auto planner = planners().create(name, host);
    test::SquareProblem square;
    square.space.throwsAt = 150;
    square.space.top = 2;
    RandomStream random(4, "plan");
    StopClock stop(firstPath());
    try {
      runPlanner(*planner, square.problem, random, stop);
      ADD_FAILURE() << name << " went on";
    } catch (const Error& error) {
      EXPECT_EQ(error.message(), "the space gave up") << name;
    }
    StopClock more(firstPath());
    EXPECT_THROW(planner->plan(more), Error) << name;
    // Started again, it works again.
    test::SquareProblem fine;
    StopClock again(firstPath());
    EXPECT_EQ(runPlanner(*planner, fine.problem, random, again).outcome.status, PlanningStatus::solved) << name;
  }
}

TEST(OmplPlanners, SpeakToTheLogOnly) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  test::QuietHost host;
  const auto planner = planners().create("ompl.PRM", host);
  const auto tree = planners().create("ompl.RRT", host);
  test::SquareProblem square;
  RandomStream random(4, "plan");
  StopClock stop(firstPath()), again(firstPath());
  runPlanner(*planner, square.problem, random, stop);
  runPlanner(*tree, square.problem, random, again);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_FALSE(host.lines.empty());
  for (const auto& [level, line] : host.lines) EXPECT_EQ(level, LogLevel::debug) << line;
}

}  // namespace
}  // namespace mortise
