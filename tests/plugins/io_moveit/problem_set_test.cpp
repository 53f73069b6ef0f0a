#include <cmath>

#include "mortise/planning/space/plan_goal.h"
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
  const auto cases = problemsOf(Value::map(), path("set"));
  ASSERT_EQ(cases.size(), 3u);
  EXPECT_EQ(cases[0].name, "request1");
  EXPECT_EQ(cases[1].name, "request0002");
  EXPECT_EQ(cases[2].name, "request0010");
  EXPECT_TRUE(cases[2].notes.string("scene", "").ends_with("/scene0010.yaml"));
  ASSERT_EQ(cases[2].files.size(), 5u);
  EXPECT_EQ(cases[2].files.back(), path("set/request0010.yaml"));
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
                                  "{urdf: package://robots/robot.urdf, srdf: set/robot.srdf, scenes: set/scene.yaml, "
                                  "requests: 'set/request*.yaml', packages: {robots: set}}");
  const auto load = [&](const Value& setting) {
    return loadPlanningProblems("moveit", setting, bench, *registry, log, {}, diagnostics);
  };
  EXPECT_EQ(load(loadYaml(bench)).size(), 3u);
  const std::string wrong = errorText([&] { load(parseYaml("{urdf: a, requets: b}", bench)); });
  EXPECT_NE(wrong.find("requets"), std::string::npos) << wrong;
  EXPECT_NE(wrong.find("did you mean 'requests'?"), std::string::npos) << wrong;
  const std::string none = errorText([&] { load(parseYaml("{urdf: a, scenes: 'none*.yaml'}", bench)); });
  EXPECT_NE(none.find("bench.yaml:1:19 (scenes): error: no file matches"), std::string::npos) << none;
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
  const auto cases = loadPlanningProblems("moveit", parseYaml("{folder: set, packages: {bots: pkg}}", path("b.yaml")),
                                          path("b.yaml"), *registry, log, {}, diagnostics);
  ASSERT_EQ(cases.size(), 1u) << problems();
  EXPECT_EQ(cases[0].notes.string("group", ""), "arm");
  EXPECT_EQ(cases[0].starts[0], at(cases[0], 0.3, 0.9));
}

TEST_F(ProblemSet, WrongOnesAreSaid) {
  Value files = this->files(boxScene(), kRequest);
  files.set("scenes", std::vector<std::string>{write("scene.yaml", boxScene()), write("scene7.yaml", boxScene())});
  const auto error = [&] { return errorText([&] { problemsOf(files); }); };
  EXPECT_NE(error().find("there is no scene for"), std::string::npos);
  std::filesystem::create_directories(path("empty"));
  EXPECT_NE(errorText([&] { problemsOf(Value::map(), path("empty")); }).find("has no request"), std::string::npos);
  EXPECT_NE(errorText([&] { problemsOf(Value::map(), path("none")); }).find("cannot find"), std::string::npos);
  files.set("urdf", "robot.urdf.xacro");
  EXPECT_NE(error().find("xacro robot.urdf.xacro"), std::string::npos);
  files.erase("urdf");
  EXPECT_NE(error().find("--urdf"), std::string::npos);
}

/// Of several formats that read folders, the one that recognizes it.
TEST_F(ProblemSet, FoldersAreRecognizedByTheirRequests) {
  write("set/robot.urdf", kUrdf);
  write("set/robot.srdf", kSrdf);
  EXPECT_EQ(loader.contentOf(path("set")), FileContent::library);
  write("set/request.yaml", kRequest);
  EXPECT_EQ(loader.contentOf(path("set")), FileContent::planningProblem);
  EXPECT_EQ(loadPlanningProblems({{}, path("set"), {}, Value::map()}, *registry, loader, diagnostics).size(), 1u);
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
  const std::string file = MORTISE_SOURCE_DIR "/data/robots/reacher.rob";
  const RobotDescription reacher = robot(file);
  std::string names, values;
  for (const Joint& joint : reacher.joints)
    if (joint.type == JointType::normal) {
      names += (names.empty() ? "" : ", ") + reacher.links[static_cast<std::size_t>(joint.link)].name;
      values += "- {joint_name: " + reacher.links[static_cast<std::size_t>(joint.link)].name + ", position: 0}\n    ";
    }
  Value files = Value::map();
  files.set("urdf", file);
  files.set("requests", write("request.yaml", "goal_constraints:\n  - joint_constraints:\n    " + values));
  const auto cases = problemsOf(files);
  ASSERT_EQ(cases.size(), 1u) << problems();
  EXPECT_EQ(cases[0].goal.configurations.size(), 1u);
}

/// The set that comes with the sources: starts and goals are free, and no straight line leads there.
TEST_F(ProblemSet, Heron) {
  const auto cases = problemsOf(Value::map(), MORTISE_SOURCE_DIR "/data/planning/heron");
  EXPECT_EQ(diagnostics.all().size(), 0u) << problems();
  ASSERT_EQ(cases.size(), 3u);
  for (const PlanningProblemDescription& p : cases) {
    SCOPED_TRACE(p.name);
    EXPECT_EQ(p.space.links.size(), 7u);
    const auto made = space(p);
    VectorXd start, goal;
    made->reduce(p.starts[0], start);
    int violated = -1;
    EXPECT_TRUE(made->feasible(start, &violated)) << made->explain(violated, start);
    for (const VectorXd& full : p.goal.configurations) {
      made->reduce(full, goal);
      EXPECT_TRUE(made->feasible(goal, &violated)) << made->explain(violated, goal);
      EXPECT_FALSE(made->visible(start, goal));
    }
  }
}

}  // namespace
}  // namespace mortise::test
