#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "tests/apps/folder_test.h"
#include "tests/apps/run_program.h"

namespace mortise::test {
namespace {

const std::string kShelf = MORTISE_SOURCE_DIR "/data/worlds/heron_shelf.xml";
const std::string kVaseWay = MORTISE_SOURCE_DIR "/data/motions/vase_way.path";

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
  const Value result = json({"--moving", "vase=" + kVaseWay, "--method", "tree", "--split", "constant"});
  EXPECT_TRUE(result.at("check").at("valid").asBool());
}

TEST_F(RealTimePlanningCommand, SaysWhatIsWrong) {
  expectUsage({"--method", "best"}, "hybrid, tree or ik");
  expectUsage({"--split", "never"}, "adaptive or constant");
  expectUsage({"--patience", "0 s"}, "--patience is above 0");
  expectUsage({"--rate", "-1"}, "--rate is above 0");
  expectFailure({"--moving", "vase"}, "BODY=FILE");
  expectFailure({"--moving", "vaze=" + kVaseWay}, "'vase'");
  expectFailure({"--moving", "vase=" + write("three.path", "0 3 0 0 0\n1 3 0 0 1\n")}, "rotation vector");
  expectFailure({"--robot", "hero"}, "heron");
  expectFailure({"-o", "ran.nothing"}, "ran.nothing");
  expectFailure({"--moving", "vase=" + kVaseWay, "--moving", "vase=" + kVaseWay}, "two motions");
  EXPECT_EQ(runMortise({"RealTimePlanning"}).exitCode, 0);
  EXPECT_EQ(runMortise({"RealTimePlanning", MORTISE_SOURCE_DIR "/data/terrains/vase.off"}).exitCode, 1);
}

}  // namespace
}  // namespace mortise::test
