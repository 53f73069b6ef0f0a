#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "tests/support/balls_world.h"
#include "tests/support/folder_test.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

const std::string kOwnBlocks = MORTISE_SOURCE_DIR "/data/worlds/blocks.xml";

class KlamptSimulation : public FolderTest {
 protected:
  Value json(std::vector<std::string> words) const {
    words.push_back("--json");
    const Ran ran = runMortise(words);
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    return parseYaml(ran.out.empty() ? "{}" : ran.out, "out");
  }
  std::string milestones(const std::string& name, double shoulder) const {
    const std::string q = std::to_string(shoulder) + " -0.6 1.2 0 0.4 0";
    return write(name, "6\t" + q + "\t6\t0 0 0 0 0 0\n");
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      if (entry.path().extension() == ".state") found.push_back(entry.path().filename().string());
    std::sort(found.begin(), found.end());
    return found;
  }
};

TEST_F(KlamptSimulation, SimTestRunsUntilTheMotionEnds) {
  const std::string sweep = write("short.path", "0\t6\t0 -0.6 1.2 0 0.4 0\n0.05\t6\t0.01 -0.6 1.2 0 0.4 0\n");
  const Value ours = json({"sim", kOwnBlocks, "--path", sweep, "--duration", "1.05", "--on-unstable", "scale"});
  const Value theirs = json({"SimTest", kOwnBlocks, "-path", sweep});
  EXPECT_EQ(theirs.at("state_hash"), ours.at("state_hash"));
  const Ran ran = runMortise({"SimTest", kOwnBlocks, "-duration", "0.01"});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_NE(ran.err.find("there is no window here"), std::string::npos) << ran.err;
}

TEST_F(KlamptSimulation, KeepsKlamptsRuleUnlessTold) {
  // The rule takes energy out of this impact.
  const std::string balls = write("balls.xml", ballsWorld());
  const auto sim = [&](const char* what) { return json({"sim", balls, "--duration", "0.3", "--on-unstable", what}); };
  const Value scaled = sim("scale"), reported = sim("report");
  ASSERT_NE(scaled.at("state_hash"), reported.at("state_hash"));
  EXPECT_EQ(scaled.at("status_counts").integer("unstable", 0), 1);
  EXPECT_EQ(reported.at("status_counts").integer("unstable", 0), 0);
  const Value test = json({"SimTest", balls, "-duration", "0.3"});
  const Value util = json({"SimUtil", balls, "-duration", "0.3", "-format", "none"}).at("runs")[0];
  for (const Value* klampt : {&test, &util}) {
    EXPECT_EQ(klampt->at("state_hash"), scaled.at("state_hash"));
    EXPECT_EQ(klampt->at("status_counts"), scaled.at("status_counts"));
  }
  EXPECT_EQ(json({"SimTest", balls, "-duration", "0.3", "--on-unstable=report"}).at("state_hash"),
            reported.at("state_hash"));
}

TEST_F(KlamptSimulation, SimUtilRunsEveryMotionFromEveryState) {
  const std::string left = milestones("left.milestones", 0.2), right = milestones("right.milestones", -0.2);
  (void)json({"SimUtil", kOwnBlocks, "-duration", "0.02", "-prefix", path("one")});
  EXPECT_EQ(names(), std::vector<std::string>({"one.state"}));
  (void)json({"SimUtil", kOwnBlocks, "-duration", "0.04", "-prefix", path("two")});
  const Value runs = json({"SimUtil", kOwnBlocks, "-init", path("one.state"), "-init", path("two.state"), "-m", left,
                           "-m", right, "-duration", "0.05", "-prefix", path("all"), "-format", "raw"});
  ASSERT_EQ(runs.at("runs").size(), 4u);
  EXPECT_EQ(names(), std::vector<std::string>({"all_0000_0000.state", "all_0000_0001.state", "all_0001_0000.state",
                                               "all_0001_0001.state", "one.state", "two.state"}));
  EXPECT_EQ(text("all_0001_0001.state").substr(0, 13), "mortise state");
  const Value single =
      json({"sim", kOwnBlocks, "--state", path("two.state"), "--milestones", left, "--duration", "0.05"});
  EXPECT_EQ(runs.at("runs")[2].at("state_hash"), single.at("state_hash"));
  EXPECT_NE(runs.at("runs")[3].at("state_hash"), single.at("state_hash"));
  const Value none = json({"SimUtil", kOwnBlocks, "-m", left, "-m", right, "-duration", "0.01", "-prefix", path("none"),
                           "-format", "none", "-log", path("run.csv"), "-settle", "0.01", "-end", "0.5"});
  EXPECT_EQ(none.at("runs").size(), 2u);
  EXPECT_EQ(names().size(), 6u) << "no states with -format none";
  EXPECT_FALSE(text("run0001.csv").empty());
}

TEST_F(KlamptSimulation, SimUtilWritesScenesOfThreeJs) {
  const Value runs =
      json({"SimUtil", kOwnBlocks, "-duration", "0.02", "-prefix", path("end"), "-format", "three.js"}).at("runs");
  EXPECT_TRUE(names().empty()) << "a scene is written instead of a state";
  const Value scene = parseYaml(text("end.json"), "end.json");
  EXPECT_EQ(scene.at("object").at("type").asString(), "Scene");
  const Value& children = scene.at("object").at("children");
  ASSERT_EQ(children[0].at("name").asString(), "reacher");
  // Links hang on the links that carry them: their matrices, multiplied, are where the simulation ended.
  const Value* link = &children[0].at("children")[0];
  for (int depth = 1; depth < 6; ++depth) link = &link->at("children")[0];
  EXPECT_EQ(link->at("name").asString(), "tool");
  const Value& object = runs[0].at("objects")[0];
  for (const Value& child : children.items()) {
    if (child.at("name").asString() != object.at("name").asString()) continue;
    const std::vector<double> matrix = child.at("matrix").asReals(), T = object.at("T").asReals();
    for (std::size_t i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ(matrix[12 + i], T[9 + i]);
    const std::string geometry = child.at("geometry").asString();
    std::size_t found = 0;
    for (const Value& known : scene.at("geometries").items()) found += known.at("uuid").asString() == geometry;
    EXPECT_EQ(found, 1u);
  }
  EXPECT_EQ(runMortise({"SimUtil", kOwnBlocks, "-format", "gltf"}).exitCode, 2);
  const Ran both = runMortise({"sim", kOwnBlocks, "--duration", "0.01", "--save-scene", path("scene.json"), "--quiet"});
  EXPECT_EQ(both.exitCode, 0) << both.err;
  EXPECT_NE(text("scene.json").find("BufferGeometry"), std::string::npos);
}

TEST_F(KlamptSimulation, SimUtilRepeatsLogsOfMotorCommands) {
  const std::string world =
      write("logged.xml", "<world><robot file=\"" MORTISE_SOURCE_DIR
                          "/data/robots/reacher.rob\"/><simulation><robot index=\"0\"><controller "
                          "type=\"LoggingController\" inner=\"PolynomialPathController\" file=\"" +
                              path("motors.log") + "\"/></robot></simulation></world>");
  (void)json({"sim", world, "--duration", "0.5", "--command", "0.1 set_q 0.2 -0.6 1.2 0 0.4 0", "--allow-outside"});
  ASSERT_FALSE(text("motors.log").empty());
  const std::string arm = MORTISE_SOURCE_DIR "/data/robots/reacher.rob";
  const Value held = json({"sim", arm, "--duration", "0.5"});
  const Value repeated = json({"SimUtil", arm, "-l", path("motors.log"), "-duration", "0.5", "-format", "none"});
  const std::vector<double> there = repeated.at("runs")[0].at("robots")[0].at("q").asReals();
  EXPECT_GT(std::abs(there[0] - held.at("robots")[0].at("q").asReals()[0]), 0.05);
}

TEST_F(KlamptSimulation, SaysWhatIsWrong) {
  Ran ran = runMortise({"SimUtil", kOwnBlocks, "-format", "tiff"});
  EXPECT_EQ(ran.exitCode, 2);
  EXPECT_NE(ran.err.find("raw, base64, none or three.js"), std::string::npos) << ran.err;
  ran = runMortise({"SimTest", kOwnBlocks, "-path", path("missing.path")});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_NE(ran.err.find("missing.path"), std::string::npos) << ran.err;
  for (const char* program : {"SimTest", "SimUtil"}) {
    ran = runMortise({program});
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    EXPECT_NE(ran.out.find("usage: mortise " + std::string(program)), std::string::npos) << ran.out;
  }
}

}  // namespace
}  // namespace mortise::test
