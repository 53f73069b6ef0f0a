#include <cmath>

#include "mortise/planning/plan_goal.h"
#include "problem_test.h"

namespace mortise::test {
namespace {

using ProblemSet = ProblemTest;

TEST_F(ProblemSet, RequestsGoWithScenesByNumber) {
  write("set/robot.urdf", kUrdf);
  write("set/robot.srdf", kSrdf);
  write("set/joint_limits.yaml",
        "joint_limits:\n  turn: {has_velocity_limits: true, max_velocity: 0.5, "
        "has_acceleration_limits: false, max_position: 2}\n  toe: {has_velocity_limits: true, "
        "max_velocity: 1}\n");
  for (const char* number : {"0002", "0010", "1"}) {
    write(std::string("set/scene") + number + ".yaml", boxScene() + "name: s" + number + "\n");
    write(std::string("set/scene_sensed") + number + ".yaml", "world: {octomap: {octomap: {data: [1]}}}\n");
    write(std::string("set/request") + number + ".yaml", kRequest);
    write(std::string("set/path") + number + ".yaml", "nothing of ours");
  }
  const ProblemSetFiles files = problemSetOfFolder(path("set"));
  const auto cases = loadProblemSet(files, loader, diagnostics);
  ASSERT_EQ(cases.size(), 3u);
  EXPECT_EQ(cases[0].name, "request1");
  EXPECT_EQ(cases[1].name, "request0002");
  EXPECT_EQ(cases[2].name, "request0010");
  EXPECT_TRUE(cases[2].sceneFile.ends_with("/scene0010.yaml"));
  const Link& arm = cases[0].world->robots[0].robot->link(link(cases[0], "arm"));
  EXPECT_EQ(arm.velocityMax, 0.5);
  EXPECT_EQ(arm.accelerationMax, kInfinity);
  EXPECT_EQ(arm.qMax, 2);
  EXPECT_NE(problems().find("no joint 'toe'"), std::string::npos);
}

TEST_F(ProblemSet, MapsOfBenchmarkFilesNameThem) {
  write("set/robot.urdf", kUrdf);
  write("set/robot.srdf", kSrdf);
  write("set/scene.yaml", boxScene());
  for (int i = 1; i <= 3; ++i) write("set/request" + std::to_string(i) + ".yaml", kRequest);
  const std::string bench = write("bench.yaml",
                                  "{urdf: set/robot.urdf, srdf: set/robot.srdf, scenes: set/scene.yaml, requests: "
                                  "'set/request*.yaml', packages: {robots: set}}");
  const ProblemSetFiles files = problemSetOf(loadYaml(bench), diagnostics);
  EXPECT_FALSE(diagnostics.hasErrors()) << problems();
  EXPECT_EQ(files.packages.at("robots"), path("set"));
  EXPECT_EQ(loadProblemSet(files, *registry, log, {}, diagnostics).size(), 3u);
  Diagnostics wrong;
  problemSetOf(parseYaml("{urdf: a, requets: b, scenes: 'none*.yaml'}", path("bench.yaml")), wrong);
  ASSERT_EQ(wrong.errorCount(), 2);
  EXPECT_NE(wrong.all()[1].hint.find("requests"), std::string::npos);
}

TEST_F(ProblemSet, ConfigurationsOfMotionBenchMaker) {
  const std::string urdf = write("pkg/r.urdf", kUrdf), srdf = write("pkg/r.srdf", kSrdf);
  write("pkg/robot.yaml",
        "urdf: package://bots/r.urdf\nsrdf: [package://bots/r.srdf]\nkinematics: none\n"
        "robot_state: {joint_state: {name: [turn, reach], position: [0.3, 0.9]}}\n");
  write("set/config.yaml",
        "robot_description: package://bots/robot.yaml\nompl_config: package://x/y.yaml\n"
        "planning_group: arm\nsamples: 100\n");
  write("set/scene0001.yaml", boxScene());
  write("set/request0001.yaml",
        "goal_constraints: [{joint_constraints: [{joint_name: turn, position: 1}, {joint_name: "
        "reach, position: 0.7}]}]\n");
  ProblemSetFiles files = problemSetOfFolder(path("set"));
  files.packages["bots"] = path("pkg");
  const auto cases = loadProblemSet(files, *registry, log, {}, diagnostics);
  ASSERT_EQ(cases.size(), 1u) << problems();
  EXPECT_EQ(cases[0].group, "arm");
  EXPECT_EQ(cases[0].request.starts[0], at(cases[0], 0.3, 0.9));
}

TEST_F(ProblemSet, WrongOnesAreSaid) {
  ProblemSetFiles files = this->files(boxScene(), kRequest);
  files.scenes.push_back(write("scene7.yaml", boxScene()));
  EXPECT_NE(errorOf([&] { loadProblemSet(files, loader, diagnostics); }).find("there is no scene for"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { problemSetOfFolder(path("")); }).find("ends in"), 0u);
  EXPECT_NE(errorOf([&] { problemSetOfFolder(path("none")); }).find("is no folder"), std::string::npos);
  files.urdf = "robot.urdf.xacro";
  EXPECT_NE(errorOf([&] { loadProblemSet(files, loader, diagnostics); }).find("xacro robot.urdf.xacro"),
            std::string::npos);
  files.urdf.clear();
  EXPECT_NE(errorOf([&] { loadProblemSet(files, loader, diagnostics); }).find("--urdf"), std::string::npos);
}

TEST_F(ProblemSet, RulesAboutLinksThatDoNotExistAreSaidOnce) {
  std::string srdf = kSrdf;
  srdf.insert(srdf.find("</robot>"),
              "<disable_collisions link1='hnad' link2='arm'/><disable_collisions link1='left' link2='hnad'/>");
  problem("", kRequest, srdf);
  EXPECT_EQ(diagnostics.warningCount(), 1) << problems();
  EXPECT_NE(problems().find("no link 'hnad'; rules about its collisions have no effect\n  hint: did you mean 'hand'?"),
            std::string::npos)
      << problems();
}

/// Robots that are no URDF: their joints are called like links.
TEST_F(ProblemSet, RobotsOfOtherFormats) {
  ProblemSetFiles files;
  files.urdf = MORTISE_SOURCE_DIR "/data/robots/reacher.rob";
  const RobotDescription reacher = robot(files.urdf);
  std::string names, values;
  for (const Joint& joint : reacher.joints)
    if (joint.type == JointType::normal) {
      names += (names.empty() ? "" : ", ") + reacher.links[static_cast<std::size_t>(joint.link)].name;
      values += "- {joint_name: " + reacher.links[static_cast<std::size_t>(joint.link)].name + ", position: 0}\n    ";
    }
  files.requests = {write("request.yaml", "goal_constraints:\n  - joint_constraints:\n    " + values)};
  const auto cases = loadProblemSet(files, loader, diagnostics);
  ASSERT_EQ(cases.size(), 1u) << problems();
  EXPECT_EQ(cases[0].request.goal.configurations.size(), 1u);
}

/// The set that comes with the sources: starts and goals are free, and no straight line leads there.
TEST_F(ProblemSet, Heron) {
  const ProblemSetFiles files = problemSetOfFolder(MORTISE_SOURCE_DIR "/data/planning/heron");
  const auto cases = loadProblemSet(files, loader, diagnostics);
  EXPECT_EQ(diagnostics.all().size(), 0u) << problems();
  ASSERT_EQ(cases.size(), 3u);
  for (const ProblemCase& p : cases) {
    SCOPED_TRACE(p.name);
    EXPECT_EQ(p.request.space.links.size(), 7u);
    const auto made = space(p);
    VectorXd start, goal;
    made->reduce(p.request.starts[0], start);
    int violated = -1;
    EXPECT_TRUE(made->feasible(start, &violated)) << made->explain(violated, start);
    for (const VectorXd& whole : p.request.goal.configurations) {
      made->reduce(whole, goal);
      EXPECT_TRUE(made->feasible(goal, &violated)) << made->explain(violated, goal);
      EXPECT_FALSE(made->visible(start, goal));
    }
  }
}

}  // namespace
}  // namespace mortise::test
