#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "tests/apps/folder_test.h"
#include "tests/apps/run_program.h"

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

}  // namespace
}  // namespace mortise::test
