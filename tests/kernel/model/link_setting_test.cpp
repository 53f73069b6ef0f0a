#include "mortise/model/link_setting.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

RobotPtr arm() {
  RobotDescription robot = test::armDescription(3);
  robot.links[2].name = "tool";
  robot.drivers[0].name = "shoulder";
  return Robot::compile(std::move(robot));
}

std::string messageOf(const RobotPtr& robot, const Value& setting) {
  try {
    linkFromSetting(*robot, setting);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(LinkSetting, TakesIndicesAndNames) {
  const RobotPtr robot = arm();
  EXPECT_EQ(linkFromSetting(*robot, Value(1)), 1);
  EXPECT_EQ(linkFromSetting(*robot, Value(2.0)), 2);
  EXPECT_EQ(linkFromSetting(*robot, Value("2")), 2) << "as XML attributes come";
  EXPECT_EQ(linkFromSetting(*robot, Value("tool")), 2);
  EXPECT_EQ(linkFromSetting(*robot, Value(-1), true), -1);
  EXPECT_EQ(linksFromSetting(*robot, Value("tool rod0")), (std::vector<int>{2, 0}));
  EXPECT_EQ(linksFromSetting(*robot, Value(std::vector<double>{1, 2})), (std::vector<int>{1, 2}));
  EXPECT_EQ(linksFromSetting(*robot, Value()), std::vector<int>());
  EXPECT_EQ(driversFromSetting(*robot, Value("shoulder 1")), (std::vector<int>{0, 1}));
}

TEST(LinkSetting, SaysWhatThereIs) {
  const RobotPtr robot = arm();
  EXPECT_NE(messageOf(robot, Value("tol")).find("did you mean 'tool'"), std::string::npos);
  EXPECT_NE(messageOf(robot, Value("gripper")).find("rod0, rod1, tool"), std::string::npos);
  EXPECT_NE(messageOf(robot, Value(3)).find("0 to 2"), std::string::npos);
  EXPECT_NE(messageOf(robot, Value(-1)).find("0 to 2"), std::string::npos);
  EXPECT_NE(messageOf(robot, Value(0.5)).find("0.5"), std::string::npos);
  EXPECT_NE(messageOf(robot, Value::map()).find("name or index"), std::string::npos);
  EXPECT_FALSE(messageOf(robot, Value::fromText("nan")).empty());
}

TEST(LinkSetting, NamesThatTwoHaveNeedAnIndex) {
  RobotDescription robot = test::armDescription(2);
  robot.links[1].name = robot.links[0].name;
  EXPECT_NE(messageOf(Robot::compile(std::move(robot)), Value("rod0")).find("give the index"), std::string::npos);
}

}  // namespace
}  // namespace mortise
