#include <algorithm>
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "tests/support/folder_test.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

const std::string kHumanoid = MORTISE_SOURCE_DIR "/data/robots/humanoid.urdf";
const std::string kHumanoidData = MORTISE_SOURCE_DIR "/data/planning/humanoid/";

class BalanceCommand : public FolderTest {
 protected:
  static Ran balance(std::vector<std::string> more) {
    std::vector<std::string> words = {"robot", "balance", kHumanoid, "--q", kHumanoidData + "stand.config"};
    words.insert(words.end(), more.begin(), more.end());
    return runMortise(words);
  }
  static Value json(const Ran& ran) { return parseYaml(ran.out, "stdout"); }
};

TEST_F(BalanceCommand, HasTheFixedKeys) {
  const Ran ran = balance({"--stance", kHumanoidData + "feet.stance", "--json"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  const Value result = json(ran);
  EXPECT_TRUE(result.at("balanced").asBool());
  EXPECT_GT(result.at("margin").asReal(), 0.05);
  const Value& polygon = result.at("polygon");
  ASSERT_EQ(polygon.size(), 4u);
  double area = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const auto a = polygon[i].asReals(), b = polygon[(i + 1) % polygon.size()].asReals();
    ASSERT_EQ(a.size(), 2u);
    area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
  }
  EXPECT_NEAR(area, 0.24 * 0.29, 1e-8) << "counterclockwise";
}

TEST_F(BalanceCommand, AnswersWhereNothingBalances) {
  const std::string ceiling = write("c.yaml", "[{point: [0, 0, 2], normal: [0, 0, -1], friction: 0.5}]");
  const Ran ran = balance({"--contacts", ceiling, "--json"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_FALSE(json(ran).at("balanced").asBool());
  EXPECT_TRUE(json(ran).at("margin").isNull());
  EXPECT_EQ(json(ran).at("polygon").size(), 0u);
  EXPECT_EQ(json(balance({"--contacts", ceiling, "--json", "--up", "0,0,-1"})).at("polygon").size(), 1u);
}

TEST_F(BalanceCommand, PolygonsWithoutEndHaveRaysAndHalfPlanes) {
  const std::string pads = write(
      "c.yaml",
      "[{point: [0, 1, 0], normal: [0, 0, 1], friction: 0}, {point: [0, -1, 0], normal: [0, 0, 1], friction: 0}, "
      "{point: [-1, 1, 0], normal: [0, 0, -1], friction: 0}, {point: [-1, -1, 0], normal: [0, 0, -1], friction: 0}]");
  const Ran ran = balance({"--contacts", pads, "--com", "5000,9999,1", "--json"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const Value result = json(ran);
  EXPECT_TRUE(result.at("balanced").asBool());
  EXPECT_NEAR(result.at("margin").asReal(), 2 / std::sqrt(5.0), 1e-6);
  EXPECT_FALSE(result.at("bounded").asBool());
  EXPECT_TRUE(result.at("area").isNull());
  ASSERT_EQ(result.at("polygon").size(), 2u);
  EXPECT_NEAR(result.at("polygon")[0].asReals()[1], 1, 1e-9);
  ASSERT_EQ(result.at("rays").size(), 2u);
  EXPECT_NEAR(result.at("rays")[0].asReals()[1], -2 / std::sqrt(5.0), 1e-9);
  EXPECT_EQ(result.at("half_planes").size(), 3u);
  const Ran text = balance({"--contacts", pads});
  EXPECT_NE(text.out.find("2 corners, unbounded\n  0 1\n  0 -1\n  and without end along 0.44721 -0.89443\n"),
            std::string::npos)
      << text.out;

  const std::string grasp = write("grasp.yaml",
                                  "[{point: [1, 0, 0], normal: [-1, 0, 0], friction: 1}, {point: [-1, 0.5, 0], normal: "
                                  "[1, 0, 0], friction: 1}, {point: [-1, -0.5, 0], normal: [1, 0, 0], friction: 1}]");
  const Ran held = balance({"--contacts", grasp, "--com", "800,900,0"});
  EXPECT_EQ(held.out,
            "balanced on 3 contacts: they hold it wherever its center of mass is\ncenter of mass  800 900 0 m\n"
            "support polygon the whole plane\n");
  const Value everywhere = json(balance({"--contacts", grasp, "--json"}));
  EXPECT_TRUE(everywhere.at("margin").isNull());
  EXPECT_EQ(everywhere.at("polygon").size(), 0u);
  EXPECT_EQ(everywhere.at("rays").size(), 4u);
}

TEST_F(BalanceCommand, OutsideTheMarginIsNegative) {
  const Ran ran = balance({"--stance", kHumanoidData + "feet.stance", "--com", "0.25,0,1", "--json"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_FALSE(json(ran).at("balanced").asBool());
  EXPECT_NEAR(json(ran).at("margin").asReal(), -0.1, 1e-8);
  const Ran text = balance({"--stance", kHumanoidData + "feet.stance", "--com", "0.25 0 1"});
  EXPECT_NE(text.out.find("not balanced on 8 contacts: the center of mass is 100 mm outside"), std::string::npos)
      << text.out;
}

TEST_F(BalanceCommand, WrongUsageAndBadFiles) {
  EXPECT_EQ(balance({}).exitCode, 2);
  EXPECT_EQ(balance({"--stance", "a", "--contacts", "b"}).exitCode, 2);
  const std::string feet = kHumanoidData + "feet.stance";
  EXPECT_EQ(balance({"--stance", feet, "--up", "1,2"}).exitCode, 2);
  EXPECT_EQ(balance({"--stance", feet, "--com", "1,2,3,4"}).exitCode, 2);
  EXPECT_EQ(balance({"--stance", feet, "--edges", "2"}).exitCode, 2);
  EXPECT_EQ(balance({"--stance", feet, "--gravity", "0"}).exitCode, 2);
  EXPECT_EQ(balance({"--stance", feet, "--torque-scale", "2"}).exitCode, 2);
  EXPECT_EQ(balance({"--stance", "nothing.stance"}).exitCode, 1);
  const std::string nameless = write("c.yaml", "[{point: [0, 0, 0], normal: [0, 0, 1], friction: 0.5}]");
  const Ran ran = balance({"--contacts", nameless, "--torques"});
  EXPECT_EQ(ran.exitCode, 1);
  EXPECT_NE(ran.err.find("add 'link'"), std::string::npos) << ran.err;
}

TEST_F(BalanceCommand, OfAWorldAndOfAMotion) {
  const std::string beam = MORTISE_SOURCE_DIR "/data/worlds/humanoid_beam.xml";
  const Ran ran = balance({"--world", beam, "--json"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_NEAR(json(ran).at("margin").asReal(),
              json(balance({"--stance", kHumanoidData + "feet.stance", "--json"})).at("margin").asReal(), 1e-5);
  const std::vector<std::string> words = {"robot",
                                          "balance",
                                          kHumanoid,
                                          "--path",
                                          kHumanoidData + "stand.config",
                                          "--stance",
                                          kHumanoidData + "feet.stance",
                                          "--json"};
  const Ran motion = runMortise(words);
  ASSERT_EQ(motion.exitCode, 1) << "a configuration is no motion";
  const std::string path = write("m.configs", [] {
    std::ifstream in(kHumanoidData + "stand.config");
    std::string line;
    std::getline(in, line);
    return line + "\n" + line + "\n";
  }());
  std::vector<std::string> again = words;
  again[4] = path;
  const Ran two = runMortise(again);
  ASSERT_EQ(two.exitCode, 0) << two.err;
  EXPECT_EQ(json(two).at("balanced_fraction").asReal(), 1);
  EXPECT_EQ(json(two).at("milestones").size(), 2u);
  EXPECT_EQ(balance({"--path", path, "--world", beam}).exitCode, 2) << "--q and --path";
}

TEST_F(BalanceCommand, ContactsBecomeAStanceAndAList) {
  const std::string beam = MORTISE_SOURCE_DIR "/data/worlds/humanoid_beam.xml", stance = path("found.stance");
  const std::vector<std::string> words = {"robot",   "contacts", kHumanoid, "--q", kHumanoidData + "stand.config",
                                          "--world", beam,       "--json",  "-o",  stance};
  const Ran ran = runMortise(words);
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const double margin = json(balance({"--world", beam, "--json"})).at("margin").asReal();
  EXPECT_NEAR(json(balance({"--stance", stance, "--json"})).at("margin").asReal(), margin, 1e-6);
  EXPECT_NEAR(json(balance({"--contacts", write("c.json", ran.out), "--json"})).at("margin").asReal(), margin, 1e-9);
}

TEST_F(BalanceCommand, TorquesOfAStance) {
  std::vector<std::string> words = {
      "robot", "torques", kHumanoid, "--q", kHumanoidData + "crouch.config", "--stance", kHumanoidData + "feet.stance",
      "--json"};
  const Ran ran = runMortise(words);
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const Value result = json(ran);
  EXPECT_TRUE(result.at("balanced").asBool());
  EXPECT_TRUE(result.at("within_limits").asBool());
  EXPECT_EQ(result.at("torques").size(), 36u);
  EXPECT_EQ(result.at("torques")[2].asReal(), 0) << "the base floats";
  EXPECT_TRUE(result.at("limits")[0].isNull() || result.at("limits")[0].asReal() == 0);
  double largest = 0;
  for (const Value& fraction : result.at("utilization").items())
    if (!fraction.isNull()) largest = std::max(largest, fraction.asReal());
  EXPECT_EQ(result.at("largest_utilization").asReal(), largest);
  words.push_back("--minimize");
  words.push_back("forces");
  EXPECT_GT(json(runMortise(words)).at("largest_utilization").asReal(), largest);
  words.back() = "nothing";
  EXPECT_EQ(runMortise(words).exitCode, 2);
  const Ran falling = runMortise({"robot", "torques", kHumanoid, "--json"});
  EXPECT_EQ(falling.exitCode, 0) << falling.err;
  EXPECT_FALSE(json(falling).at("balanced").asBool()) << "nothing holds the base";
}

TEST_F(BalanceCommand, DynamicsObeyTheirEquation) {
  const std::string arm = MORTISE_SOURCE_DIR "/data/robots/bench_arm.urdf";
  const Ran ran = runMortise({"robot", "dynamics", arm, "--q", "{elbow_joint: 90 deg}", "--dq", "{wrist: 1 rad/s}",
                              "--ddq", "{elbow_joint: 90 deg/s^2, shoulder_yaw: 1}", "--json"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const Value result = json(ran);
  for (std::size_t i = 0; i < 7; ++i) {
    double sum = result.at("C")[i].asReal() + result.at("G")[i].asReal();
    for (std::size_t k = 0; k < 7; ++k) sum += result.at("B")[i][k].asReal() * result.at("ddq")[k].asReal();
    EXPECT_NEAR(sum, result.at("torques")[i].asReal(), 1e-9);
  }
  EXPECT_GT(result.at("kinetic_energy").asReal(), 0);
  EXPECT_NE(runMortise({"robot", "dynamics", arm}).out.find("potential energy"), std::string::npos);
  EXPECT_EQ(runMortise({"robot", "dynamics", arm, "--ddq", "{elbow_joint: 90 deg}"}).exitCode, 1) << "a wrong unit";
}

TEST_F(BalanceCommand, GraspsOfTwoAndThreeFingers) {
  const std::string pincer = MORTISE_SOURCE_DIR "/data/robots/pincer.rob";
  const std::string fingers = write("two.yaml",
                                    "- {point: [-0.03, 0, 0], normal: [-1, 0, 0], friction: 0.5, link: left}\n"
                                    "- {point: [0.03, 0, 0], normal: [1, 0, 0], friction: 0.5, link: right}\n");
  const auto grasp = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"robot", "grasp", pincer, "--contacts", fingers, "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return runMortise(words);
  };
  const Ran ran = grasp({"--mass", "2 kg"});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_FALSE(json(ran).at("force_closure").asBool()) << "it turns about the fingers' line";
  EXPECT_TRUE(json(ran).at("holds_weight").asBool());
  EXPECT_FALSE(json(grasp({"--mass", "2 kg", "--force-limit", "5 N"})).at("holds_weight").asBool());
  EXPECT_FALSE(json(grasp({"--mass", "2 kg", "--friction", "0"})).at("holds_weight").asBool());
  const Ran flat = grasp({"--planar", "0,0,1"});
  EXPECT_NEAR(json(flat).at("quality").asReal(), 0.5 / std::sqrt(2.25), 1e-6);
  EXPECT_EQ(grasp({"--measure", "size"}).exitCode, 2);
  EXPECT_EQ(grasp({"--com", "0,0,0"}).exitCode, 2);
  EXPECT_EQ(grasp({"--friction", "inf"}).exitCode, 1);
}

}  // namespace
}  // namespace mortise::test
