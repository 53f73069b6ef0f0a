#include "mortise/modeling/joint_names.h"

#include <gtest/gtest.h>

#include "mortise/modeling/robot_edit.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

using Names = std::vector<std::string>;

TEST(JointNames, StayWithTheirLinks) {
  RobotDescription robot = test::armDescription(3);
  EXPECT_EQ(jointNames(robot), Names(3));
  setJointName(robot, "rod1", "elbow");
  setJointName(robot, "rod2", "wrist");
  EXPECT_EQ(jointNames(robot), (Names{"", "elbow", "wrist"}));
  renameLink(robot, 1, "forearm");
  EXPECT_EQ(jointNames(robot), (Names{"", "elbow", "wrist"}));
  EXPECT_EQ(findLinkOrJoint(robot, "elbow"), 1);
  EXPECT_EQ(findLinkOrJoint(robot, "forearm"), 1);
  EXPECT_EQ(findLinkOrJoint(robot, "rod1"), -1);
  removeLinks(robot, {2});
  EXPECT_EQ(jointNames(robot), (Names{"", "elbow"}));
  EXPECT_EQ(robot.properties.size(), 1u);
}

TEST(JointNames, GetThePrefixOfTheirRobot) {
  RobotDescription robot = test::armDescription(1), hand = test::armDescription(2);
  setJointName(hand, "rod1", "finger");
  mountRobot(robot, 0, {}, "hand", hand);
  EXPECT_EQ(jointNames(robot), (Names{"", "", "hand:finger"}));
  EXPECT_EQ(robot.links[2].name, "hand:rod1");
}

TEST(JointNames, OfLinksWithOneNameCountForNone) {
  RobotDescription robot = test::armDescription(2);
  setJointName(robot, "rod0", "shoulder");
  robot.links[1].name = "rod0";
  EXPECT_EQ(jointNames(robot), Names(2));
}

}  // namespace
}  // namespace mortise
