#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "tests/support/folder_test.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

const std::string kShelf = MORTISE_SOURCE_DIR "/data/worlds/heron_shelf.xml";
const std::string kVasePath = MORTISE_SOURCE_DIR "/data/motions/vase_reach.path";

class RealTimePlanningCommand : public FolderTest {
 protected:
  static Ran run(std::vector<std::string> options) {
    std::vector<std::string> words = {"RealTimePlanning", kShelf, "--targets", "3", "--checks", "5"};
    words.insert(words.end(), options.begin(), options.end());
    return runMortise(words);
  }
  static Value json(std::vector<std::string> options) {
    options.push_back("--json");
    const Ran ran = run(options);
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    return parseYaml(ran.out.empty() ? "{}" : ran.out, "out");
  }
  static void expectUsage(const std::vector<std::string>& options, const std::string& says) {
    const Ran ran = run(options);
    EXPECT_EQ(ran.exitCode, 2) << says;
    EXPECT_NE(ran.err.find(says), std::string::npos) << ran.err;
  }
  static void expectFailure(const std::vector<std::string>& options, const std::string& says) {
    const Ran ran = run(options);
    EXPECT_EQ(ran.exitCode, 1) << says;
    EXPECT_NE(ran.err.find(says), std::string::npos) << ran.err;
  }
};

TEST_F(RealTimePlanningCommand, ReachesTargetsTheSameWayEachTime) {
  const Value one = json({"--seed", "4", "-o", path("ran.path")}), again = json({"--seed", "4"});
  EXPECT_TRUE(one.at("check").at("valid").asBool());
  EXPECT_EQ(one.at("targets").asInteger(), 3);
  EXPECT_EQ(one.at("motion_hash").asString(), again.at("motion_hash").asString());
  EXPECT_NE(json({"--seed", "5"}).at("motion_hash").asString(), one.at("motion_hash").asString());
  const Ran info = runMortise({"path", "info", path("ran.path"), "--json"});
  EXPECT_EQ(info.exitCode, 0) << info.err;
}

TEST_F(RealTimePlanningCommand, GoesAroundWhatMoves) {
  const Value result = json({"--moving", "vase=" + kVasePath, "--method", "tree", "--split", "constant"});
  EXPECT_TRUE(result.at("check").at("valid").asBool());
}

TEST_F(RealTimePlanningCommand, SaysWhatIsWrong) {
  expectUsage({"--method", "best"}, "hybrid, tree or ik");
  expectUsage({"--split", "never"}, "adaptive or constant");
  expectUsage({"--patience", "0 s"}, "--patience is above 0");
  expectUsage({"--rate", "-1"}, "--rate is above 0");
  expectFailure({"--moving", "vase"}, "BODY=FILE");
  expectFailure({"--moving", "vaze=" + kVasePath}, "'vase'");
  expectFailure({"--moving", "vase=" + write("three.path", "0 3 0 0 0\n1 3 0 0 1\n")}, "rotation vector");
  expectFailure({"--robot", "hero"}, "heron");
  expectFailure({"-o", "ran.nothing"}, "ran.nothing");
  expectFailure({"--moving", "vase=" + kVasePath, "--moving", "vase=" + kVasePath}, "two motions");
  EXPECT_EQ(runMortise({"RealTimePlanning"}).exitCode, 0);
  EXPECT_EQ(runMortise({"RealTimePlanning", MORTISE_SOURCE_DIR "/data/terrains/vase.off"}).exitCode, 1);
}

TEST_F(RealTimePlanningCommand, UserTrialsFollowTheSameDragsWithEachInterface) {
  const std::vector<std::string> words = {"UserTrials",    kShelf, path("trial.log"), "--drags", "2",
                                          "--patience",    "1 s",  "--checks",        "5",       "-o",
                                          path("ran.path")};
  std::vector<std::string> withJson = words;
  withJson.push_back("--json");
  const Ran ran = runMortise(withJson);
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const Value trials = parseYaml(ran.out, "out").at("trials");
  ASSERT_EQ(trials.size(), 5u);
  for (const Value& trial : trials.items()) {
    const std::string name = trial.at("interface").asString();
    EXPECT_EQ(trial.at("drags").asInteger(), 2);
    EXPECT_GT(trial.at("splices").asInteger(), 0) << name;
    EXPECT_EQ(trial.at("check").at("jumps").asInteger(), 0) << name;
    EXPECT_EQ(trial.at("check").at("beyond_limits").asInteger(), 0) << name;
    const bool careless = name == "JointPoser" || name == "PointPoser";
    EXPECT_TRUE(careless || trial.at("check").at("valid").asBool()) << name;
    EXPECT_EQ(runMortise({"path", "info", path("ran_" + name + ".path")}).exitCode, 0);
  }
  EXPECT_EQ(trials[0].at("reached").asInteger(), 2) << "joints are turned to where the point is then";
  const std::string log = text("trial.log");
  EXPECT_TRUE(log.starts_with("Begin " + kShelf)) << log.substr(0, 200);
  for (const char* line : {"Activate JointPoser 0\n", "MouseInput IKPointPoser ", "Update RRTPointPoser ",
                           "Deactivate HybridPointPoser 4"})
    EXPECT_NE(log.find(line), std::string::npos) << line;
  const Ran again = runMortise(withJson);
  EXPECT_EQ(parseYaml(again.out, "out").at("trials"), trials);
  EXPECT_EQ(text("trial.log").size(), 2 * log.size()) << "the log is appended to";
}

TEST_F(RealTimePlanningCommand, UserTrialsTakeWhatTheUserDoes) {
  const std::string events = write("drag.yaml",
                                   "- {at: 0 s, joints: {elbow: 60 deg}}\n- {at: 1 s, link: tool, position: [0.4, 0.1, "
                                   "0.6]}\n- {at: 1100 ms, link: tool, position: [0.4, 0.15, 0.6]}\n");
  const std::string arm = MORTISE_SOURCE_DIR "/data/robots/reacher.rob";
  const Ran ran = runMortise(
      {"UserTrials", arm, path("t.log"), "--input", events, "--interface", "IKPointPoser", "--checks", "2", "--json"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const Value trial = parseYaml(ran.out, "out").at("trials")[0];
  EXPECT_EQ(trial.at("drags").asInteger(), 2);
  EXPECT_LT(trial.at("end_distance").asReal(), 0.01);
  const auto fails = [&](std::vector<std::string> more, int exitCode, const std::string& says) {
    std::vector<std::string> words = {"UserTrials", arm, path("t.log")};
    words.insert(words.end(), more.begin(), more.end());
    const Ran bad = runMortise(words);
    EXPECT_EQ(bad.exitCode, exitCode) << says;
    EXPECT_NE(bad.err.find(says), std::string::npos) << bad.err;
  };
  fails({"--interface", "PointPosser"}, 2, "PointPoser");
  fails({"--input", "[{link: tool, position: [0, 0, 0]}]"}, 1, "its time");
  fails({"--input", "[{at: 1, link: tool, position: [0, 0, 0]}, {at: 0, link: tool, position: [0, 0, 0]}]"}, 1,
        "do not fall");
  fails({"--input", "[{at: 1, link: tol, position: [0, 0, 0]}]"}, 1, "tool");
  fails({"--drags", "0"}, 2, "--drags");
  EXPECT_EQ(runMortise({"UserTrials"}).exitCode, 0);
  EXPECT_EQ(runMortise({"UserTrials", "only.log"}).exitCode, 2);
  EXPECT_EQ(runMortise({"UserTrials", arm, path("no/such/folder.log")}).exitCode, 1);
}

}  // namespace
}  // namespace mortise::test
