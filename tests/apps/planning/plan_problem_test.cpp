#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "tests/support/engines.h"
#include "tests/support/folder_test.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

const std::string kSet = MORTISE_SOURCE_DIR "/data/planning/heron";
const std::string kRobot = MORTISE_SOURCE_DIR "/data/robots/heron.urdf";

class PlanProblem : public FolderTest {
 protected:
};

TEST_F(PlanProblem, AFolderIsPlannedProblemByProblem) {
  const Ran ran = runMortise({"plan", "--problem", kSet, "--planner", "any", "--check", "-o", path("way.path")});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_NE(ran.out.find("request0001  mortise.Any: length "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("3 of 3 problems solved\n"), std::string::npos) << ran.out;
  for (const char* name : {"way_request0001.path", "way_request0002.path", "way_request0003.path"})
    EXPECT_TRUE(std::filesystem::exists(path(name))) << name;
}

TEST_F(PlanProblem, TheSameSeedGivesTheSamePath) {
  MORTISE_NEEDS_PLUGIN("planners_ompl");
  const std::vector<std::string> words = {"plan",
                                          "--urdf",
                                          kRobot,
                                          "--srdf",
                                          kSet + "/heron.srdf",
                                          "--joint-limits",
                                          kSet + "/joint_limits.yaml",
                                          "--scene",
                                          kSet + "/scene0001.yaml",
                                          "--request",
                                          kSet + "/request0001.yaml",
                                          "--seed",
                                          "5",
                                          "--json"};
  const Ran a = runMortise(words), b = runMortise(words);
  ASSERT_EQ(a.exitCode, 0) << a.err;
  const Value first = parseYaml(a.out, "out"), second = parseYaml(b.out, "out");
  ASSERT_EQ(first.at("problems").size(), 1u);
  const Value& problem = first.at("problems")[0];
  EXPECT_EQ(problem.at("problem").asString(), "request0001");
  EXPECT_EQ(problem.at("group").asString(), "arm");
  EXPECT_EQ(problem.at("planner").asString(), "ompl.RRTConnect") << "as planner_id says";
  EXPECT_EQ(problem.at("path_hash"), second.at("problems")[0].at("path_hash"));
  EXPECT_EQ(problem.at("path")[0].asReals()[1], 0.2468);
}

TEST_F(PlanProblem, WhatProblemsSayThemselvesIsWrongUsage) {
  const Ran goal = runMortise({"plan", "--problem", kSet, "--goal", "a.config"});
  EXPECT_EQ(goal.exitCode, 2);
  EXPECT_NE(goal.err.find("--goal does not go with problems"), std::string::npos) << goal.err;
  EXPECT_EQ(runMortise({"plan", "world.xml", "--problem", kSet}).exitCode, 2);
  const Ran robot = runMortise({"plan", "--request", kSet + "/request0001.yaml"});
  EXPECT_EQ(robot.exitCode, 2);
  EXPECT_NE(robot.err.find("--urdf"), std::string::npos) << robot.err;
}

TEST_F(PlanProblem, WrongFilesAreSaidAtTheirPlace) {
  const std::string request = write("request.yaml", "group_name: amr\ngoal_constraints: []\n");
  const Ran ran = runMortise({"plan", "--urdf", kRobot, "--srdf", kSet + "/heron.srdf", "--request", request});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_NE(ran.err.find("request.yaml:1:1"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("there is no group 'amr'"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("did you mean 'arm'?"), std::string::npos) << ran.err;
  const Ran none = runMortise({"plan", "--urdf", kRobot, "--request", path("none*.yaml")});
  EXPECT_EQ(none.exitCode, 1);
  EXPECT_NE(none.err.find("no file matches"), std::string::npos) << none.err;
}

TEST_F(PlanProblem, FaultsOfEachPathAreNamedAndCounted) {
  // Velocities jump at the corners of motions at constant speeds; the second path is a straight line.
  const Ran ran = runMortise({"plan", "--problem", kSet, "--planner", "any", "--retime=linear", "--check"});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_NE(ran.out.find("3 of 3 problems solved; 2 paths fail the check\n"), std::string::npos) << ran.out;
  for (const char* name : {"request0001", "request0003"})
    EXPECT_NE(ran.err.find(std::string(name) + ": the path fails the check: "), std::string::npos) << ran.err;
  EXPECT_EQ(ran.err.find("request0002"), std::string::npos) << ran.err;
}

TEST_F(PlanProblem, PlannersThatAreNotThereAreWarnedOf) {
  MORTISE_NEEDS_PLUGIN("planners_ompl");
  const std::string request = write("request.yaml",
                                    "group_name: arm\nplanner_id: RTTConnectkConfigDefault\ngoal_constraints: "
                                    "[{joint_constraints: [{joint_name: shoulder_joint, position: 0.1}]}]\n");
  const Ran ran = runMortise(
      {"plan", "--urdf", kRobot, "--srdf", kSet + "/heron.srdf", "--request", request, "-o", path("way.path")});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_NE(ran.err.find("there is no planner 'RTTConnectkConfigDefault'"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("did you mean 'RRTConnect'?"), std::string::npos) << ran.err;
  EXPECT_NE(ran.out.find("written      " + path("way.path")), std::string::npos) << ran.out;
}

/// No path: said, and the exit code is 1.
TEST_F(PlanProblem, AStartThatCollidesIsNamed) {
  const std::string request = write("request.yaml",
                                    "group_name: arm\nstart_state: {joint_state: {name: [upper_arm_joint], position: "
                                    "[1.5]}}\ngoal_constraints: [{joint_constraints: [{joint_name: shoulder_joint, "
                                    "position: 1}]}]\n");
  const Ran ran = runMortise({"plan", "--urdf", kRobot, "--srdf", kSet + "/heron.srdf", "--scene",
                              kSet + "/scene0001.yaml", "--request", request});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_NE(ran.err.find("'shelf'"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace mortise::test
