#include "mortise/configuration/link_setting.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/modeling/joint_names.h"
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

/// The joints of the last two links have names; a driver moves both.
RobotPtr namedGripper() {
  RobotDescription robot = test::armDescription(3);
  setJointName(robot, "rod1", "left_joint");
  setJointName(robot, "rod2", "right_joint");
  robot.drivers.pop_back();
  Driver& driver = robot.drivers[1];
  driver.type = DriverType::affine;
  driver.name = "grip";
  driver.links = {1, 2};
  driver.scale = {1, -2};
  driver.offset = {0, 0.5};
  return Robot::compile(std::move(robot));
}

std::vector<int> linksOf(const std::vector<DrivenCoordinate>& coordinates) {
  std::vector<int> links;
  for (const DrivenCoordinate& coordinate : coordinates) links.push_back(coordinate.link);
  return links;
}

TEST(LinkSetting, JointsAndDriversAreNamesToo) {
  const RobotPtr robot = namedGripper();
  EXPECT_EQ(linkFromSetting(*robot, Value("left_joint")), 1);
  EXPECT_EQ(linksFromSetting(*robot, Value("right_joint rod0")), (std::vector<int>{2, 0}));
  EXPECT_EQ(linksFromSetting(*robot, Value("grip")), (std::vector<int>{1, 2}));
  EXPECT_EQ(driversFromSetting(*robot, Value("rod0 right_joint grip")), (std::vector<int>{0, 1, 1}));
  EXPECT_NE(messageOf(robot, Value("grip")).find("moves several links"), std::string::npos);
  EXPECT_NE(messageOf(robot, Value("left_jiont")).find("did you mean 'left_joint'?"), std::string::npos);

  EXPECT_EQ(linksOf(findCoordinates(*robot, "left_joint")), std::vector<int>{1});
  EXPECT_TRUE(findCoordinates(*robot, "nobody").empty());
  const std::vector<DrivenCoordinate> grip = findCoordinates(*robot, "grip");
  ASSERT_EQ(linksOf(grip), (std::vector<int>{1, 2}));
  EXPECT_EQ(grip[1].scale, -2);
  EXPECT_EQ(grip[1].offset, 0.5);
}

TEST(LinkSetting, LinksFollowTheOneThatTheirDriverIsCalledAfter) {
  RobotDescription description = namedGripper()->description();
  description.drivers[1].name = "rod1";
  const RobotPtr robot = Robot::compile(std::move(description));
  EXPECT_EQ(linksOf(findCoordinates(*robot, "rod1")), (std::vector<int>{1, 2}));
  EXPECT_EQ(linksOf(findCoordinates(*robot, "left_joint")), (std::vector<int>{1, 2}));
  EXPECT_EQ(linksOf(findCoordinates(*robot, "rod2")), std::vector<int>{2});
  EXPECT_EQ(linkFromSetting(*robot, Value("rod1")), 1) << "where a link is asked for, it is the link";
}

TEST(LinkSetting, ANameThatMeansSeveralThingsListsThem) {
  RobotDescription description = namedGripper()->description();
  setJointName(description, "rod2", "rod0");
  const RobotPtr robot = Robot::compile(std::move(description));
  const std::string message = messageOf(robot, Value("rod0"));
  for (const char* part : {"'rod0' means several things", ": link 0 or the joint of link 2 'rod2'", "give the index"})
    EXPECT_NE(message.find(part), std::string::npos) << message;
  EXPECT_THROW(findCoordinates(*robot, "rod0"), Error);
  EXPECT_THROW(driversFromSetting(*robot, Value("rod0")), Error);
  EXPECT_EQ(linkFromSetting(*robot, Value(0)), 0);
}

}  // namespace
}  // namespace mortise
