#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "tests/support/folder_test.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

const std::string kArm = MORTISE_SOURCE_DIR "/data/robots/reacher.rob";

class RobotIk : public FolderTest {
 protected:
  /// T of a link, by `robot fk`.
  static std::vector<double> poseOf(const std::string& robot, const std::string& q, const std::string& link) {
    const Ran ran = runMortise({"robot", "fk", robot, "--q", q, "--link", link, "--json"});
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    const Value result = parseYaml(ran.out, "stdout");
    EXPECT_EQ(result.at("links").size(), 1u);
    return result.at("links")[0].at("T").asReals();
  }
  static std::string listed(const std::vector<double>& numbers, const char* separator = ",") {
    std::string text;
    for (const double x : numbers) text += (text.empty() ? "" : separator) + formatReal(x);
    return text;
  }
  static double farthest(const std::vector<double>& a, const std::vector<double>& b) {
    double maximum = a.size() == b.size() ? 0 : 1e9;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) maximum = std::max(maximum, std::abs(a[i] - b[i]));
    return maximum;
  }
};

TEST_F(RobotIk, EveryWayOfWritingAPoseIsSolvedAndVerifiedByFk) {
  const std::vector<double> T = poseOf(kArm, "0.4,-0.7,1.1,0.3,0.8,-0.2", "tool");
  ASSERT_EQ(T.size(), 12u);
  std::string matrix = "[";
  for (std::size_t i = 0; i < 3; ++i) matrix += "[" + listed({T[3 * i], T[3 * i + 1], T[3 * i + 2], T[9 + i]}) + "], ";
  matrix += "[0, 0, 0, 1]]";
  const std::string rotation = listed({T.begin(), T.begin() + 9}), position = listed({T.begin() + 9, T.end()});
  for (const std::string& pose : {listed(T), "[" + listed(T) + "]", matrix, write("pose.txt", listed(T, " ") + "\n"),
                                  "{position: [" + position + "], rotation: [" + rotation + "]}",
                                  write("pose.yaml", "position: [" + position + "]\nrotation: [" + rotation + "]\n"),
                                  write("pose.json", "[" + listed(T) + "]")}) {
    const Ran ran = runMortise({"robot", "ik", kArm, "--link", "tool", "--pose", pose, "--json"});
    ASSERT_EQ(ran.exitCode, 0) << pose << ran.err;
    const Value result = parseYaml(ran.out, "stdout");
    EXPECT_TRUE(result.at("solved").asBool());
    EXPECT_LE(result.at("residual").asReal(), 1e-9);
    EXPECT_GE(result.at("time_s").asReal(), 0);
    EXPECT_GE(result.at("restarts").asInteger(), 0);
    ASSERT_EQ(result.at("q").size(), 6u);
    EXPECT_LT(farthest(poseOf(kArm, listed(result.at("q").asReals()), "5"), T), 2e-9) << pose;
  }
}

TEST_F(RobotIk, UnsolvedStillPrintsTheNearest) {
  const Ran ran = runMortise({"robot", "ik", kArm, "--link", "tool", "--pose", "3,0,0.12", "--json"});
  EXPECT_EQ(ran.exitCode, 1);
  const Value result = parseYaml(ran.out, "stdout");
  EXPECT_FALSE(result.at("solved").asBool());
  EXPECT_NEAR(result.at("residual").asReal(), 3 - 0.79, 1e-6);
  EXPECT_EQ(result.at("q").size(), 6u);
}

TEST_F(RobotIk, TheAnswerFollowsFromTheSeedAlone) {
  const auto solve = [&](const char* threads) {
    const Ran ran = runMortise({"robot", "ik", kArm, "--link", "tool", "--pose", "0.3,0.2,0.5", "--seed", "5",
                                "--method", "numeric", "--threads", threads, "--json"});
    Value result = parseYaml(ran.out, "stdout");
    result.erase("time_s");
    return result;
  };
  EXPECT_EQ(solve("1"), solve("4"));
}

TEST_F(RobotIk, SeveralGoalsAndPriorities) {
  const Ran ran = runMortise({"robot", "ik", kArm, "--goal", "{link: tool, position: [0.4, 0.1, 0.3]}", "--goal",
                              write("goals.yaml",
                                    "- {link: tool, local_axis: [1, 0, 0], axis: [0, 0, -1]}\n"
                                    "- {joints: {wrist_roll: 10 deg}, priority: 2}\n"),
                              "--look-at", "{link: elbow, look_at: [1, 0, 0], priority: 3}", "--json"});
  ASSERT_EQ(ran.exitCode, 0) << ran.out << ran.err;
  const Value result = parseYaml(ran.out, "stdout");
  EXPECT_EQ(result.at("levels").size(), 3u);
  const std::vector<double> T = poseOf(kArm, listed(result.at("q").asReals()), "tool");
  EXPECT_LT(farthest({T[9], T[10], T[11]}, {0.4, 0.1, 0.3}), 2e-9);
  EXPECT_NEAR(T[6], -1, 1e-9);  // Its x axis points down.
}

TEST_F(RobotIk, OptionsOfGoalKindsAreTheGoalsOfFiles) {
  const auto solved = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"robot", "ik", kArm});
    words.insert(words.end(), {"--seed", "3", "--json"});
    const Ran ran = runMortise(words);
    EXPECT_EQ(ran.exitCode, 0) << ran.out << ran.err;
    Value result = parseYaml(ran.out, "stdout");
    result.erase("time_s");
    return result;
  };
  const std::string distance = "{distance: [0.3, 0.4], link: tool, position: [0, 0, 0.2]}";
  const std::string points = "{link: tool, local_points: [[0, 0, 0]], points: [[0.4, 0.1, 0.3]]}";
  const std::string aim = "{look_at: [1, 0, 0.5], link: tool, priority: 1}";
  EXPECT_EQ(solved({"--distance", distance}), solved({"--goal", distance}));
  EXPECT_EQ(solved({"--local-points", points, "--look-at", aim}), solved({"--goal", points, "--goal", aim}));
  const Value joints = solved({"--goal", "{joints: {elbow: 0.5}}", "--goal", "{joints: {wrist_roll: 0.1}}"});
  EXPECT_EQ(solved({"--joints", "{elbow: 0.5}", "--joint", "{joints: {wrist_roll: 0.1}}"}), joints);
  EXPECT_EQ(solved({"--com", "{com: [null, 0, null]}"}), solved({"--com", "[null, 0, null]"}));
}

TEST_F(RobotIk, ClosedFormListsAllSolutions) {
  const std::vector<double> T = poseOf(kArm, "0.4,-0.7,1.1,0.3,0.8,-0.2", "tool");
  const Ran ran =
      runMortise({"robot", "ik", kArm, "--link", "tool", "--pose", listed(T), "--all", "--analytic", "--json"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const Value result = parseYaml(ran.out, "stdout");
  EXPECT_GE(result.at("solutions").size(), 2u);
  double nearest = 1e9;
  for (const Value& solution : result.at("solutions").items()) {
    EXPECT_LT(farthest(poseOf(kArm, listed(solution.at("q").asReals()), "tool"), T), 2e-9);
    nearest = std::min(nearest, farthest(solution.at("q").asReals(), {0.4, -0.7, 1.1, 0.3, 0.8, -0.2}));
  }
  EXPECT_LT(nearest, 1e-8);
  EXPECT_EQ(runMortise({"robot", "ik", kArm, "--link", "tool", "--pose", "0.3,0.2,0.5", "--analytic"}).exitCode, 1);
}

TEST_F(RobotIk, SaysWhoseAnswerItIs) {
  const auto answer = [&](const char* pose, const char* method) {
    return parseYaml(
        runMortise({"robot", "ik", kArm, "--link", "tool", "--pose", pose, "--method", method, "--json"}).out,
        "stdout");
  };
  const char* const reached = "{position: [0.4, 0.1, 0.3], rpy: [0, 30 deg, 0]}";
  const char* const beyond = "{position: [5, 0, 0], rpy: [0, 0, 0]}";
  EXPECT_EQ(answer(reached, "analytic").at("method").asString(), "analytic");
  EXPECT_EQ(answer(reached, "numeric").at("method").asString(), "numeric");
  const Value nearest = answer(beyond, "analytic");
  EXPECT_FALSE(nearest.at("solved").asBool());
  EXPECT_EQ(nearest.at("method").asString(), "numeric");
  const Ran ran = runMortise({"robot", "ik", kArm, "--link", "tool", "--pose", beyond, "--analytic"});
  EXPECT_NE(ran.out.find("(by numbers)"), std::string::npos) << ran.out;
}

TEST_F(RobotIk, MovesAlongALine) {
  const Ran ran =
      runMortise({"robot", "ik", kArm, "--link", "tool", "--pose", "{position: [0.4, 0.2, 0.3], rpy: [0, 57 deg, 0]}",
                  "--line", "-o", path("line.path"), "--json"});
  ASSERT_EQ(ran.exitCode, 0) << ran.out << ran.err;
  const Value result = parseYaml(ran.out, "stdout");
  EXPECT_EQ(result.at("reached").asReal(), 1);
  EXPECT_EQ(runMortise({"path", "info", path("line.path")}).exitCode, 0);
}

TEST_F(RobotIk, WrongUsageAndWrongPosesAreExplained) {
  EXPECT_EQ(runMortise({"robot", "ik", kArm}).exitCode, 2);
  EXPECT_EQ(runMortise({"robot", "ik", kArm, "--link", "tool"}).exitCode, 2);
  EXPECT_EQ(runMortise({"robot", "ik", kArm, "--link", "tool", "--pose", "1,2,3", "--limits", "maybe"}).exitCode, 2);
  const auto fails = [&](const std::string& pose, const char* what) {
    const Ran ran = runMortise({"robot", "ik", kArm, "--link", "tool", "--pose", pose});
    EXPECT_EQ(ran.exitCode, 1) << pose;
    EXPECT_NE(ran.err.find(what), std::string::npos) << ran.err;
  };
  fails("1,2", "a pose has 12 numbers");
  fails("1,0,0,0,2,0,0,0,1,0,0,0", "not a rotation");
  fails("{positoin: [1, 2, 3]}", "position");
  fails("nowhere.txt", "nowhere.txt");
  fails(write("empty.txt", "no pose\n"), "holds no pose");
  fails("[[1, 2], [3, 4]]", "these lists are no pose");
  fails("[nan, 0, 0]", "finite");
  const Ran link = runMortise({"robot", "ik", kArm, "--link", "toll", "--pose", "0,0,0"});
  EXPECT_NE(link.err.find("tool"), std::string::npos) << link.err;
}

TEST_F(RobotIk, JacobiansAreThoseOfEval) {
  const Ran ours =
      runMortise({"robot", "jacobian", kArm, "--q", "0.4,-0.7,1.1,0.3,0.8,-0.2", "--link", "elbow", "--json"});
  ASSERT_EQ(ours.exitCode, 0) << ours.err;
  const Ran eval = runMortise({"robot", "eval", kArm, "--config", "0.4,-0.7,1.1,0.3,0.8,-0.2", "--link", "elbow"});
  const Value a = parseYaml(ours.out, "stdout").at("jacobians")[0];
  const Value b = parseYaml(eval.out, "stdout").at("samples")[0].at("jacobians")[0];
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(a.at("jacobian")[i].asReals(), b.at("jacobian")[i].asReals());
  EXPECT_EQ(runMortise({"robot", "jacobian", kArm, "--com"}).exitCode, 0);
  EXPECT_EQ(runMortise({"robot", "jacobian", kArm, "--com", "--link", "elbow"}).exitCode, 2);
}

TEST_F(RobotIk, TwoRobotsMeetAtAnObject) {
  const std::string world = MORTISE_SOURCE_DIR "/data/worlds/handover.xml";
  const auto solve = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"robot", "ik", "--world", world, "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = runMortise(words);
    EXPECT_EQ(ran.exitCode, 0) << ran.err << ran.out;
    return parseYaml(ran.out.empty() ? "{}" : ran.out, "stdout");
  };
  // The hands keep 10 cm from each other, and the block goes where the left one is.
  const Value found =
      solve({"--goal",
             "{link: left:tool, destination: right:tool, position: [0.1, 0, 0], rpy: [0, 0, "
             "3.141592653589793]}",
             "--goal", "{link: block, destination: left:tool, position: [0.05, 0, 0], rpy: [0, 0, 0]}", "--seed", "3"});
  EXPECT_TRUE(found.at("solved").asBool());
  EXPECT_LE(found.at("residual").asReal(), 1e-9);
  ASSERT_EQ(found.at("robots").at("left").size(), 6u);
  const auto toolOf = [&](const char* name, double x, double turn) {
    // The robot in its own frame, then where the world has it.
    std::vector<double> T = poseOf(kArm, listed(found.at("robots").at(name).asReals()), "tool");
    const double c = std::cos(turn), s = std::sin(turn);
    std::vector<double> moved(12);
    for (std::size_t k = 0; k < 3; ++k) {
      moved[k] = c * T[k] - s * T[3 + k];
      moved[3 + k] = s * T[k] + c * T[3 + k];
      moved[6 + k] = T[6 + k];
    }
    moved[9] = c * T[9] - s * T[10] + x;
    moved[10] = s * T[9] + c * T[10];
    moved[11] = T[11] + 0.3;
    return moved;
  };
  const std::vector<double> left = toolOf("left", 0, 0), right = toolOf("right", 1.1, 3.14159265358979);
  const std::vector<double> block = found.at("objects").at("block").asReals();
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(left[9 + k], right[9 + k] + 0.1 * right[3 * k], 1e-8);
    EXPECT_NEAR(left[3 * k], -right[3 * k], 1e-8) << "they look at each other";
    EXPECT_NEAR(block[9 + k], left[9 + k] + 0.05 * left[3 * k], 1e-8);
  }
  // An object that nobody places stays where it is; another robot's joints stay as well.
  const Value reached = solve({"--goal", "{robot: right, link: tool, destination: block, position: [0, 0, 0.2]}"});
  EXPECT_NEAR(reached.at("objects").at("block").asReals()[10], 0.3, 1e-12);
  EXPECT_EQ(reached.at("robots").at("left").asReals(), (std::vector<double>{0, -0.9, 1.5, 0, 0.4, 0}));
  // Only what is active moves.
  const Value pushed =
      solve({"--goal", "{link: left:tool, destination: block, position: [0, 0, 0.1]}", "--active", "block"});
  EXPECT_EQ(pushed.at("robots").at("left").asReals(), (std::vector<double>{0, -0.9, 1.5, 0, 0.4, 0}));
  // Several robots apart, the whole world in the way.
  const Value apart = solve({"--goal", "{link: left:tool, position: [0.5, 0, 0.5]}", "--goal",
                             "{link: right:tool, position: [0.6, 0, 0.5]}", "--clearance", "2 cm"});
  EXPECT_TRUE(apart.at("solved").asBool());
  const Value joints = solve({"--goal", "{robot: left, joints: {elbow: 1.0}}", "--goal",
                              "{robot: right, com: [1.0, null]}", "--start", "{left: {shoulder_yaw: 0.5}}"});
  EXPECT_NEAR(joints.at("robots").at("left").asReals()[2], 1.0, 1e-12);
  EXPECT_NEAR(joints.at("robots").at("left").asReals()[0], 0.5, 1e-12);
}

TEST_F(RobotIk, WhatIsWrongInAWorldIsSaid) {
  const std::string world = MORTISE_SOURCE_DIR "/data/worlds/handover.xml";
  const auto fails = [&](std::vector<std::string> more, int exitCode, const std::string& says) {
    std::vector<std::string> words = {"robot", "ik", "--world", world};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = runMortise(words);
    EXPECT_EQ(ran.exitCode, exitCode) << says << ran.out;
    EXPECT_NE(ran.err.find(says), std::string::npos) << ran.err;
  };
  fails({}, 2, "missing --goal");
  fails({"--goal", "{link: tool, position: [0, 0, 0]}"}, 1, "left:tool or right:tool");
  fails({"--goal", "{link: left:tol, position: [0, 0, 0]}"}, 1, "tool");
  fails({"--goal", "{link: left, position: [0, 0, 0]}"}, 1, "a whole robot");
  fails({"--goal", "{robot: middle, link: tool, position: [0, 0, 0]}"}, 1, "left");
  fails({"--goal", "{com: [0, 0]}"}, 1, "of which of the 2 robots");
  fails({"--goal", "{link: block, destination: block, position: [0, 0, 0]}"}, 1, "by itself");
  fails({"--goal", "{link: 3, position: [0, 0, 0]}"}, 1, "of which robot");
  fails({"--goal", "{link: left:tool, position: [0, 0, 0]}", "--active", "brick"}, 1, "block");
  fails({"--goal", "{link: left:tool, position: [0, 0, 0]}", "--all"}, 2, "one robot");
  EXPECT_EQ(runMortise({"robot", "ik", "--world", kArm + ".xml", "--goal", "{com: [0, 0]}"}).exitCode, 1);
  EXPECT_EQ(runMortise({"robot", "ik", "--goal", "{com: [0, 0]}"}).exitCode, 2);
  // A file names the robot that is meant.
  const Ran named = runMortise({"robot", "ik", kArm, "--world", world, "--goal",
                                "{link: tool, position: [0.4, 0.1, "
                                "0.5]}",
                                "--json"});
  EXPECT_EQ(named.exitCode, 0) << named.err;
}

TEST_F(RobotIk, GoalsThatAskForNothingAndWrongOptionsAreSaid) {
  const auto fails = [&](std::vector<std::string> more, int exitCode, const std::string& says) {
    std::vector<std::string> words = {"robot", "ik", kArm};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = runMortise(words);
    EXPECT_EQ(ran.exitCode, exitCode) << says << ran.out;
    EXPECT_NE(ran.err.find(says), std::string::npos) << ran.err;
  };
  fails({"--goal", "{link: tool, position: [0.4, 0, 0.2], robot: other}"}, 1, "there is only 'reacher' here");
  fails({"--goal", "{look_at: [1, 0, 0], link: tool, local_axis: [0, 0, 0]}"}, 1, "no length");
  fails({"--goal", "{link: tool, local_points: 3, points: [[0, 0, 0]]}"}, 1, "expected a list of points");
  fails({"--goal", "{com: [null, null]}"}, 1, "asks for nothing");
  fails({"--goal", "{distance: [null, null], link: tool}"}, 1, "asks for nothing");
  fails({"--goal", "{distance: [-1, null], link: tool}"}, 1, "cannot be");
  fails({"--goal", "{link: tool, position: [0, 0, 0], weight: 0}"}, 1, "weight 0");
  const std::vector<std::string> goal = {"--link", "tool", "--pose", "0.4,0,0.3"};
  const auto option = [&](const char* name, const char* value, const char* says) {
    std::vector<std::string> words = goal;
    words.insert(words.end(), {name, value});
    fails(words, 2, says);
  };
  option("--method", "fast", "--method");
  option("--restarts", "-5", "must be between -1 and");
  option("--restarts", "1000000000000", "--restarts");
  option("--active", "", "--active names no link");
}

}  // namespace
}  // namespace mortise::test
