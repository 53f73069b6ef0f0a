#include "mortise/planning/settings/plan_settings.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/loading/format_loader.h"
#include "tests/support/plugins.h"
#include "tests/support/tree_planner.h"
#include "tests/support/vector.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

namespace fs = std::filesystem;

/// Two arms, `left` of three rods, `right` of two of which an affine driver moves both; a box, a block, and a floor.
World twoArms() {
  World world;
  world.terrains.push_back(test::groundTerrain());
  world.objects.push_back(test::boxObject("box", Vector3d(2, 0, 0.5)));
  RobotDescription left = test::armDescription(3), right = test::armDescription(2);
  for (RobotDescription* robot : {&left, &right})
    for (Link& link : robot->links) {
      link.qMin = -3;
      link.qMax = 3;
    }
  right.drivers.pop_back();
  right.drivers[0].type = DriverType::affine;
  right.drivers[0].name = "fold";
  right.drivers[0].links = {0, 1};
  right.drivers[0].scale = {1, -2};
  right.drivers[0].offset = {0.5, 0};
  left.links[1].motion = LinkMotion::prismatic;
  world.robots.push_back(test::placedRobot(std::move(left)));
  world.robots.push_back(test::placedRobot(std::move(right)));
  world.robots[0].name = "left";
  world.robots[1].name = "right";
  world.robots[0].q << 0.1, 0.2, 0.3;
  return world;
}

class PlanSettingsTest : public ::testing::Test {
 protected:
  PlanSettingsTest()
      : registry(test::makeRegistry(log)),
        loader(*registry, log),
        folder((fs::temp_directory_path() / ("plan_settings_" + std::to_string(::getpid()))).string()) {
    test::addTreePlanner(*registry);
    registry->discover();
    fs::create_directories(folder);
  }
  ~PlanSettingsTest() override { fs::remove_all(folder); }

  PlanRequest read(const std::string& yaml, bool planner = true) {
    diagnostics = {};
    Value written = parseYaml(yaml, "plan.yaml");
    if (planner) written.set("planner", "test.Tree");
    const Value settings = planSchema().complete(written, "plan", diagnostics);
    PlanSources sources{world, loader, registry.get(), folder + "/plan.yaml", {}, {}};
    sources.savedMotion = [&](std::string_view name) { return name == "saved" ? &saved : nullptr; };
    sources.promised = [](std::string_view name) { return name == "later"; };
    return readPlan(settings, sources, 5, diagnostics);
  }
  PlanRequest good(const std::string& yaml) {
    const PlanRequest plan = read(yaml);
    for (const Diagnostic& problem : diagnostics.all()) ADD_FAILURE() << problem.format();
    EXPECT_TRUE(plan.complete);
    return plan;
  }
  /// All errors as one text.
  std::string faults(const std::string& yaml, bool planner = true) {
    (void)read(yaml, planner);
    std::string text;
    for (const Diagnostic& problem : diagnostics.all()) text += problem.format() + "\n";
    return text;
  }
  void expectFault(const std::string& yaml, const std::vector<std::string>& words, bool planner = true) {
    const std::string text = faults(yaml, planner);
    EXPECT_TRUE(diagnostics.hasErrors()) << yaml;
    for (const std::string& word : words) EXPECT_NE(text.find(word), std::string::npos) << yaml << "\n" << text;
  }

  test::MemoryLog log;
  std::unique_ptr<Registry> registry;
  FormatLoader loader;
  std::string folder;
  World world = twoArms();
  Trajectory saved{{0, 2}, {VectorXd::Zero(3), Eigen::Vector3d(1, 2, 3)}};
  Diagnostics diagnostics;
};

TEST_F(PlanSettingsTest, ReadsTheShortestForm) {
  const PlanRequest request = good("{robot: left, goal: [1, 0.5, 90 deg]}");
  EXPECT_EQ(request.space.robots, std::vector<int>{0});
  ASSERT_EQ(request.starts.size(), 1u);
  EXPECT_EQ(request.starts[0], world.robots[0].q);
  ASSERT_EQ(request.goal.configurations.size(), 1u);
  EXPECT_NEAR(request.goal.configurations[0][2], M_PI / 2, 1e-15);
  EXPECT_EQ(request.stop.seconds, kDefaultPlanTime);
  EXPECT_TRUE(request.stop.foundSolution);
  EXPECT_EQ(request.seed, 5u);
}

TEST_F(PlanSettingsTest, TakesWholeAndPlannedConfigurations) {
  PlanRequest request = good("{robot: left, links: [rod0, 2], start: [0.7, 0.8], goal: [[1, 2], [1, 0.2, 3]]}");
  EXPECT_EQ(request.space.links, (std::vector<int>{world.linkId(0, 0), world.linkId(0, 2)}));
  EXPECT_EQ(request.starts[0], vector({0.7, 0.2, 0.8}));
  EXPECT_EQ(request.goal.configurations[0], vector({1, 0.2, 2}));
  EXPECT_EQ(request.goal.configurations[1], vector({1, 0.2, 3}));
  // One number stands for both links of the affine driver.
  request = good("{robot: right, goal: [0.25]}");
  EXPECT_EQ(request.goal.configurations[0], vector({0.75, -0.5}));
  request = good("{robot: right, goal: {configuration: {fold: 0.25}}}");
  EXPECT_EQ(request.goal.configurations[0], vector({0.75, -0.5}));
  request = good("{robot: left, goal: {configuration: {rod1: 0.5, rod2: 10 deg}}}");
  EXPECT_NEAR(request.goal.configurations[0][2], M_PI / 18, 1e-15);
  EXPECT_EQ(request.goal.configurations[0].head(2), vector({0.1, 0.5}));
}

TEST_F(PlanSettingsTest, ReadsFilesAndSavedMotions) {
  Diagnostics problems;
  loader.write(vector({1, 2, 0.5}), folder + "/goal.config", problems);
  loader.write(Trajectory{{0, 1, 4}, {vector({0, 0, 0}), vector({1, 0, 0}), vector({2, 0, 1})}}, folder + "/way.path",
               problems);
  PlanRequest request = good("{robot: left, start: saved, goal: goal.config}");
  EXPECT_EQ(request.starts[0], vector({1, 2, 3}));
  EXPECT_EQ(request.goal.configurations[0], vector({1, 2, 0.5}));
  request = good("{robot: left, start: {motion: saved, at: 1 s}, goal: {motion: way.path, at: start}}");
  EXPECT_EQ(request.starts[0], vector({0.5, 1, 1.5}));
  EXPECT_EQ(request.goal.configurations[0], vector({0, 0, 0}));
  request = good("{robot: left, goal: way.path}");
  EXPECT_EQ(request.goal.configurations[0], vector({2, 0, 1}));
  // What an earlier stage will leave is not there yet, and that is no error.
  const PlanRequest plan = read("{robot: left, start: later, goal: goal.config}");
  EXPECT_FALSE(diagnostics.hasErrors());
  EXPECT_FALSE(plan.complete);
}

TEST_F(PlanSettingsTest, ReadsGoalsOfLinksAndRegions) {
  PlanRequest request = good(
      "robot: left\n"
      "goal:\n"
      "  ik: {link: rod2, position: [0.5, 0, 0.2], local_position: [0.5, 0, 0], axis: [0, 0, 2], local_axis: [1, 0, "
      "0]}\n"
      "  region: {rod0: [-10 deg, 0.5], rod1: [0, 1 m]}\n");
  ASSERT_EQ(request.goal.ik.size(), 1u);
  const IKGoal& goal = request.goal.ik[0].goal;
  EXPECT_EQ(goal.link, 2);
  EXPECT_EQ(goal.destination, -1);
  EXPECT_EQ(goal.position, IKGoal::Position::point);
  EXPECT_EQ(goal.p_DP, Vector3d(0.5, 0, 0.2));
  EXPECT_EQ(goal.p_LP, Vector3d(0.5, 0, 0));
  EXPECT_EQ(goal.rotation, IKGoal::Rotation::axis);
  EXPECT_EQ(goal.axis_D, Vector3d(0, 0, 1));
  EXPECT_NEAR(request.goal.low[0], -M_PI / 18, 1e-15);
  EXPECT_EQ(request.goal.high[1], 1);
  EXPECT_EQ(request.goal.high[2], kInfinity);

  // Written to a file and read back; a region by an affine driver, whose second link goes the other way.
  Diagnostics problems;
  loader.write(goal, folder + "/reach.ikgoal", problems);
  request = good(
      "{robot: left, goal: reach.ikgoal, keep: {link: rod1, destination: rod0, plane: [0, 1, 0], position: [0, 0, "
      "0]}}");
  ASSERT_EQ(request.goal.ik.size(), 1u);
  EXPECT_EQ(request.goal.ik[0].goal.p_DP, goal.p_DP);
  EXPECT_FALSE(request.nearStart);
  EXPECT_TRUE(good("{robot: left, goal: {ik: reach.ikgoal, near: start}}").nearStart);
  ASSERT_EQ(request.space.keep.size(), 1u);
  EXPECT_EQ(request.space.keep[0].goal.position, IKGoal::Position::plane);
  EXPECT_EQ(request.space.keep[0].goal.destination, 0);
  request = good("{robot: right, goal: {region: {fold: [0, 0.5]}}}");
  EXPECT_EQ(request.goal.low, vector({0.5, -1}));
  EXPECT_EQ(request.goal.high, vector({1, 0}));
}

TEST_F(PlanSettingsTest, ReadsEveryGoalOfInverseKinematics) {
  const std::string goals =
      "  - {link: rod2, position: [0.5, 0, 0.2]}\n"
      "  - {link: rod2, rotation: [0, 0, 0], priority: 2, weight: 3}\n"
      "  - {com: [0.1, null, 0.3]}\n"
      "  - {joints: {rod0: 20 deg}}\n"
      "  - {look_at: [1, 0, 0], link: rod1, local_axis: [1, 0, 0]}\n"
      "  - {distance: [10 cm, null], link: rod2, position: [0, 0, 1]}\n"
      "  - {link: rod1, local_points: [[0, 0, 0]], points: [[0, 0, 1]]}\n";
  const auto expectAll = [](const PlanRequest& request) {
    ASSERT_EQ(request.goal.ik.size(), 2u) << "poses that hold, by numbers or by points";
    ASSERT_EQ(request.goalTerms.size(), 5u);
    const IKTerm& turned = request.goalTerms[0].term;
    EXPECT_TRUE(std::holds_alternative<IKGoal>(turned.goal));
    EXPECT_EQ(turned.priority, 2);
    EXPECT_EQ(turned.rotationWeight, 3);
    const auto& center = std::get<CenterOfMassGoal>(request.goalTerms[1].term.goal);
    EXPECT_EQ(center.p_W, Vector3d(0.1, 0, 0.3));
    EXPECT_EQ(center.along, (std::array<bool, 3>{true, false, true}));
    EXPECT_NEAR(std::get<CoordinateGoal>(request.goalTerms[2].term.goal).value, M_PI / 9, 1e-15);
    EXPECT_EQ(std::get<LookAtGoal>(request.goalTerms[3].term.goal).p_DT, Vector3d(1, 0, 0));
    EXPECT_NEAR(std::get<DistanceGoal>(request.goalTerms[4].term.goal).low, 0.1, 1e-15);
  };
  expectAll(good("robot: left\ngoal:\n ik:\n" + goals));
  // The same from a file beside the plan, alone or given to one of several robots.
  std::ofstream(folder + "/goals.yaml") << goals;
  expectAll(good("{robot: left, goal: {ik: goals.yaml}}"));
  const PlanRequest two = good("{robots: [left, right], goal: {ik: {robot: left, goals: goals.yaml}}}");
  expectAll(two);
  EXPECT_EQ(two.goalTerms[4].robot, 0);
  EXPECT_EQ(good("{robots: [right, left], goal: {ik: [{robot: right, com: [0, 0]}]}}").goalTerms[0].robot, 1);
}

TEST_F(PlanSettingsTest, SaysWhatIsWrongWithGoalsOfInverseKinematics) {
  expectFault("{robot: left, goal: {ik: {com: [null, null]}}}", {"plan.yaml:1:32", "asks for nothing"});
  expectFault("{robot: left, goal: {ik: {com: [0, 0], link: rod1}}}", {"plan.yaml:1:40", "'link'"});
  expectFault("{robot: left, goal: {ik: {look_at: [0, 0, 1]}}}", {"plan.yaml:1:26", "link"});
  expectFault("{robot: left, goal: {ik: {distance: [2, 1], link: rod1}}}", {"plan.yaml:1:37", "cannot be"});
  expectFault("{robot: left, goal: {ik: {joints: {rod9: 1}}}}", {"plan.yaml:1:36", "'rod9'"});
  expectFault("{robot: left, goal: {com: [0, 0]}}", {"plan.yaml:1:21", "below 'ik'", "goal: {ik: {com: ...}}"});
  expectFault("{robots: [left, right], goal: {ik: {com: [0, 0]}}}", {"missing 'robot'"});
  expectFault("{robots: [left, right], goal: {ik: {robot: righd, com: [0, 0]}}}", {"plan.yaml:1:44", "'righd'"});
  expectFault("{robot: left, goal: {ik: {com: [0, 0], priority: 1}}}", {"plan.yaml:1:26", "priority 0"});
  expectFault("{robot: left, goal: {ik: []}}", {"plan.yaml:1:26", "no goal"});
  expectFault("{robot: left, goal: {ik: {goals: a.yaml, priority: 1}}}", {"plan.yaml:1:42", "into each goal"});
  expectFault("{robot: left, goal: {ik: nowhere.yaml}}", {"plan.yaml:1:26", "nowhere.yaml"});
  expectFault("{robot: left, goal: {ik: 3}}", {"expected a goal"});
  expectFault("{robot: left, goal: [1, 0, 0], keep: {com: [0, 0]}}", {"plan.yaml:1:38", "whole path"});
  expectFault("{robot: left, goal: [1, 0, 0], keep: {link: rod1, position: [0, 0, 0], priority: 1}}", {"whole path"});
}

TEST_F(PlanSettingsTest, ReadsSeveralRobotsAndObjects) {
  PlanRequest request =
      good("{robots: [left, right], links: {left: [rod0, rod2], right: rod1}, goal: {configuration: {left/rod2: 1}}}");
  EXPECT_EQ(request.space.robots, (std::vector<int>{0, 1}));
  EXPECT_EQ(request.space.links, (std::vector<int>{world.linkId(0, 0), world.linkId(0, 2), world.linkId(1, 1)}));
  EXPECT_EQ(request.goal.configurations[0].size(), 5);
  EXPECT_EQ(request.goal.configurations[0][2], 1);
  request = good("{robots: [left, right], links: [left/rod0, 'right[1]'], goal: [0.5, 0.6]}");
  EXPECT_EQ(request.goal.configurations[0].size(), 5);

  request = good("{object: box, planar: true, goal: [1, 0.5, 90 deg]}");
  EXPECT_EQ(request.space.object, 0);
  EXPECT_EQ(request.starts[0], vector({2, 0, 0.5, 0, 0, 0}));
  EXPECT_EQ(request.goal.configurations[0].head(5), vector({1, 0.5, 0.5, 0, 0}));
}

TEST_F(PlanSettingsTest, ReadsHowToPlanAndWhenToStop) {
  PlanRequest request = good(
      "{robot: left, goal: [1, 0, 0], margin: 5 mm, edges: resolution, resolution: 0.02, weights: {rod1: 3},\n"
      " ignore: [[rod2, box], [left, ground]], settings: {range: 0.5}, optimize: true, time_limit: 200 ms,\n"
      " objective: {type: length, weights: [1, 2, 3]}, seed: 12}");
  EXPECT_EQ(request.space.margin, 0.005);
  EXPECT_EQ(request.space.edges.method, EdgeCheckOptions::Method::resolution);
  EXPECT_EQ(request.space.edges.resolution, 0.02);
  EXPECT_EQ(request.space.weights, vector({1, 3, 1}));
  EXPECT_EQ(request.space.ignored.size(), 4u);
  EXPECT_EQ(request.settings.real("range", 0), 0.5);
  EXPECT_FALSE(request.stop.foundSolution);
  EXPECT_EQ(request.stop.seconds, 0.2);
  EXPECT_EQ(request.objective.kind, PlanRequest::Objective::Kind::weightedLength);
  EXPECT_EQ(request.seed, 12u);

  request = good(
      "{robot: left, goal: [1, 0, 0], stop: {foundSolution: false, maxIters: 100, timeLimit: 3, costThreshold: 2,\n"
      " costImprovementPeriod: 10, costImprovementThreshold: 0.1}}");
  EXPECT_FALSE(request.stop.foundSolution);
  EXPECT_EQ(request.stop.iterations, 100);
  EXPECT_EQ(request.stop.seconds, 3);
  EXPECT_EQ(request.stop.cost, 2);
  EXPECT_EQ(request.stop.improvementPeriod, 10);
  EXPECT_EQ(request.stop.improvement, 0.1);
  // Who limits iterations gets no limit of time besides, or the result would depend on the machine.
  request = good("{robot: left, goal: [1, 0, 0], iterations: 50}");
  EXPECT_EQ(request.stop.seconds, std::numeric_limits<double>::infinity());
  const PlanRequest named = read("{robot: left, goal: [1, 0, 0], planner: {type: test.Tree, bias: 0.5}}", false);
  EXPECT_FALSE(diagnostics.hasErrors());
  EXPECT_EQ(named.settings.real("bias", 0), 0.5);
}

TEST_F(PlanSettingsTest, SaysWhatIsWrongAndWhere) {
  expectFault("{goal: [1, 0, 0]}", {"which robot", "left, right"});
  expectFault("{robot: lefd, goal: [1, 0, 0]}", {"plan.yaml:1:9", "'lefd'", "left"});
  expectFault("{robot: left, goal: [1, 0]}",
              {"plan.yaml:1:21", "2 numbers", "3, one a link of robot 'left' (rod0, rod1, rod2)"});
  expectFault("{robot: left, links: [rod0, rod3], goal: [1, 0, 0]}", {"plan.yaml:1:29", "'rod3'", "rod"});
  expectFault("{robot: left, links: [rod0], goal: [1, 0]}", {"or 1, what is planned for (rod0)"});
  expectFault("{robot: left, goal: nowhere.config}", {"plan.yaml:1:21", "nowhere.config"});
  expectFault("{robot: left, goal: [1, 0, 2 m]}", {"plan.yaml:1:28", "'m'"});
  expectFault("{robot: left, goal: {regoin: {rod0: [0, 1]}}}", {"regoin", "did you mean 'region'?"});
  expectFault("{robot: left, goal: {region: {rod0: [1, 0]}}}", {"lower bound"});
  expectFault("{robot: left, goal: {region: {rod9: [0, 1]}}}", {"plan.yaml:1:31", "'rod9'"});
  expectFault("{robot: left, goal: {ik: {link: rod2}}}", {"constrains nothing"});
  expectFault("{robot: left, goal: {ik: {link: hand, position: [0, 0, 0]}}}", {"plan.yaml:1:33", "'hand'"});
  expectFault("{robot: left, goal: {ik: {link: rod2, positoin: [0, 0, 0]}}}", {"position"});
  expectFault("{robots: [left, right], goal: {ik: {link: rod1, position: [0, 0, 0]}}}", {"missing 'robot'"});
  expectFault("{robot: left, goal: {}}", {"no goal"});
  expectFault("{robot: left}", {"goal"});
  expectFault("{robot: left, goal: [1, 0, 0], weights: [1, 2]}", {"3 numbers", "found 2"});
  expectFault("{robot: left, goal: [1, 0, 0], weights: {rod0: -1}}", {"at least 0"});
  expectFault("{robot: left, goal: [1, 0, 0], ignore: [[rod0, bix]]}", {"plan.yaml:1:48", "'bix'", "box"});
  expectFault("{robot: left, goal: [1, 0, 0], margin: -1}", {"margin"});
  expectFault("{robot: left, goal: [1, 0, 0], edges: sampled}", {"proven, resolution"});
  expectFault("{robot: left, goal: [1, 0, 0], time_limit: 2 m}", {"time_limit"});
  expectFault("{robot: left, goal: [1, 0, 0], planner: test.Tee}", {"plan.yaml:1:41", "test.Tree"}, false);
  expectFault("{robot: left, goal: [1, 0, 0], planner: {type: test.Tree, rang: 1}}", {"plan.yaml:1:59", "range"},
              false);
  expectFault("{robot: left, goal: [1, 0, 0], planner: {range: 1}}", {"names no planner"}, false);
  expectFault("{robot: left, goal: [1, 0, 0], objective: energy}", {"length, time"});
  expectFault("{robot: left, gaol: [1, 0, 0]}", {"gaol", "goal"});
}

TEST_F(PlanSettingsTest, RefusesContradictions) {
  expectFault("{robot: left, object: box, goal: [1, 0, 0]}", {"'object' says what moves", "keep one"});
  expectFault("{robot: left, robots: [right], goal: [1, 0, 0]}", {"keep one"});
  expectFault("{robot: left, planar: true, goal: [1, 0, 0]}", {"'planar'"});
  expectFault("{object: box, links: [rod0], goal: [1, 0, 0, 0, 0, 0]}", {"'links' is of robots"});
  expectFault("{object: box, goal: {ik: {link: rod0, position: [0, 0, 0]}}}", {"a rigid object moves"});
  expectFault("{robot: left, goal: [1, 0, 0], keep_tolerance: 0.1}", {"'keep_tolerance' goes with 'keep'"});
  expectFault("{robot: left, goal: [1, 0, 0], balance_margin: 0.1}", {"goes with 'stance'"});
  expectFault("{robot: left, goal: [1, 0, 0], time_limit: 1, stop: {timeLimit: 2}}", {"keep one"});
  expectFault("{robot: left, goal: [1, 0, 0], stop: {time_limit: 1, timeLimit: 2}}", {"timeLimit"});
  expectFault("{robot: left, goal: [1, 0, 0], optimize: true, stop: {found_solution: true}}", {"keep one"});
  expectFault("{robot: left, goal: [1, 0, 0], stop: {improvement: 1}}", {"go together"});
  expectFault("{robot: left, goal: [1, 0, 0], planner: {type: test.Tree, bias: 0.1}, settings: {bias: 0.2}}",
              {"set twice"}, false);
}

TEST_F(PlanSettingsTest, SaysEverythingAtOnce) {
  (void)read("{robot: left, start: [1], goal: [2], objective: energy, weights: 3, margin: -1}");
  EXPECT_GE(diagnostics.errorCount(), 3);
}

}  // namespace
}  // namespace mortise
