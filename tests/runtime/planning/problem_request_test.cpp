#include "mortise/planning/problem_request.h"

#include <gtest/gtest.h>

#include "mortise/loading/format_loader.h"
#include "tests/support/engines.h"
#include "tests/support/plugins.h"

namespace mortise::test {
namespace {

/// An arm of two revolute joints in an empty world.
PlanningProblemDescription armProblem() {
  RobotDescription description;
  description.name = "arm";
  description.links.resize(2);
  for (int i = 0; i < 2; ++i) {
    Link& link = description.links[static_cast<std::size_t>(i)];
    link.name = i == 0 ? "upper" : "lower";
    link.parent = i - 1;
    link.axis = Vector3d::UnitZ();
    link.qMin = -3;
    link.qMax = 3;
    Joint joint;
    joint.link = i;
    description.joints.push_back(joint);
  }
  auto world = std::make_shared<World>();
  WorldRobot robot;
  robot.name = "arm";
  robot.robot = Robot::compile(std::move(description));
  robot.q = VectorXd::Zero(2);
  world->robots.push_back(std::move(robot));
  PlanningProblemDescription problem;
  problem.name = "reach";
  problem.world = std::move(world);
  problem.space.robots = {0};
  problem.space.links = {problem.world->linkId(0, 1)};
  problem.starts = {Eigen::Vector2d(0.1, 0.2)};
  problem.goal.configurations = {Eigen::Vector2d(0.1, 0.9)};
  problem.space.keepTolerance = 0.01;
  problem.timeLimit = 2.5;
  problem.velocityScaling = 0.5;
  return problem;
}

class ProblemRequest : public testing::Test {
 protected:
  PlanRequest request(const PlanningProblemDescription& problem, const PlanRequestSettings& settings = {}) {
    return problemRequests({problem}, settings, loader, *registry, {}, diagnostics).at(0);
  }
  static PlanRequestSettings withPlan(const std::string& yaml) {
    PlanRequestSettings settings;
    settings.plan = parseYaml(yaml, "plan.yaml");
    return settings;
  }

  MemoryLog log;
  std::unique_ptr<Registry> registry = makeRegistry(log);
  FormatLoader loader{*registry, log};
  Diagnostics diagnostics;
};

TEST_F(ProblemRequest, TheProblemSaysWhatMovesFromWhereToWhere) {
  PlanRequestSettings settings = withPlan("{margin: 0.02, seed: 7}");
  settings.retime = Value::map();
  const PlanRequest made = request(armProblem(), settings);
  EXPECT_EQ(made.space.links, (std::vector<int>{2}));
  EXPECT_EQ(made.starts.at(0), Eigen::Vector2d(0.1, 0.2));
  EXPECT_EQ(made.goal.configurations.size(), 1u);
  EXPECT_EQ(made.stop.seconds, 2.5);
  EXPECT_EQ(made.space.margin, 0.02);
  EXPECT_EQ(made.space.keepTolerance, 0.01);
  EXPECT_EQ(made.seed, 7u);
  EXPECT_EQ(made.planner, "any");
  EXPECT_EQ(made.retime->limits.velocityScaling, 0.5);
  EXPECT_EQ(diagnostics.all().size(), 0u);
}

TEST_F(ProblemRequest, SettingsOfTheRunComeBeforeThoseOfTheProblem) {
  PlanningProblemDescription problem = armProblem();
  problem.planner = {"RRTConnect", "RRTConnect", {}};
  const PlanRequest made = request(problem, withPlan("{planner: prm, time_limit: 1 s, keep_tolerance: 0.001}"));
  EXPECT_EQ(made.planner, "prm");
  EXPECT_EQ(made.stop.seconds, 1);
  EXPECT_EQ(made.space.keepTolerance, 0.001);
}

TEST_F(ProblemRequest, WhatTheProblemSaysCannotBeSetAsWell) {
  try {
    request(armProblem(), withPlan("{margin: 0.1,\n goal: [0, 1]}"));
    FAIL();
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("plan.yaml:2:"), std::string::npos) << text;
    EXPECT_NE(text.find("'goal' does not go with problems"), std::string::npos) << text;
  }
}

TEST_F(ProblemRequest, PlannersAreFoundByTheBeginningOfTheirName) {
  MORTISE_NEEDS_PLUGIN("planners_ompl");
  PlanningProblemDescription problem = armProblem();
  problem.planner = {"RRTConnectOfMine", "geometric::RRTConnectOfMine", {}};
  EXPECT_EQ(request(problem).planner, "ompl.RRTConnect");
  problem.planner = {"RTTConnect", "geometric::RTTConnect", {}};
  EXPECT_EQ(problemRequests({problem, problem}, {}, loader, *registry, {}, diagnostics).at(1).planner, "any");
  ASSERT_EQ(diagnostics.warningCount(), 1) << "one warning for each name";
  EXPECT_NE(diagnostics.all().front().hint.find("RRTConnect"), std::string::npos);
}

}  // namespace
}  // namespace mortise::test
