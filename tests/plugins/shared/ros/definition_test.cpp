// Names of messages in ROS, and the sums of their definitions.

#include <gtest/gtest.h>

#include "ros/messages/all_messages.h"
#include "ros/messages/md5.h"
#include "ros/messages/message_type.h"

namespace mortise::ros {
namespace {

TEST(RosDefinition, Md5IsThatOfTheStandard) {
  EXPECT_EQ(md5(""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(md5("message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
  EXPECT_EQ(md5("12345678901234567890123456789012345678901234567890123456789012345678901234567890"),
            "57edf4a22be3c955ac49da2e2107b67a");
}

TEST(RosDefinition, SumsAreThoseOfRos) {
  EXPECT_EQ(messageType<JointState>().md5, "3066dcd76a6cfaef579bd0f34173e9fd");
  EXPECT_EQ(messageType<JointTrajectory>().md5, "65b4f94a94d1ed67169da35a02f33d3f");
  EXPECT_EQ(messageType<Clock>().md5, "a9c97c1d230cfc112e270351a944ee47");
  EXPECT_EQ(messageType<TFMessage>().md5, "94810edda583a504dfda3829e70d7eec");
  EXPECT_EQ(messageType<TransformStamped>().md5, "b5764a33bfeb3588febc2682852579b0");
  EXPECT_EQ(messageType<PoseStamped>().md5, "d3812c3cbc69362b77dc0b19b345f8f5");
  EXPECT_EQ(messageType<PointCloud2>().md5, "1158d486dd51d683ce2f1be655c3c181");
  EXPECT_EQ(messageType<Image>().md5, "060021388200f6f0f447d0fcd9c64743");
  EXPECT_EQ(messageType<CameraInfo>().md5, "c9a58c1b0b154e0e6da7578cb991d214");
  EXPECT_EQ(messageType<LaserScan>().md5, "90c7ef2dc6895d81024acba2ac42f369");
  EXPECT_EQ(messageType<Imu>().md5, "6a62c6daae103f4ff57a132d6f95cec2");
  EXPECT_EQ(messageType<WrenchStamped>().md5, "d78d3cb249ce23087ade7e7d0c40cfa7");
  EXPECT_EQ(messageType<Float32MultiArray>().md5, "6a40e0ffa6a17a503ac3f8616991b1f6");
  EXPECT_EQ(messageType<String>().md5, "992ce8a1687cec8c8bd883ec73ca41d1");
  EXPECT_EQ(messageType<GoalStatusArray>().md5, "8b2b82f13216d0a8ea88bd3af735e619");
  EXPECT_EQ(messageType<FollowJointTrajectoryActionGoal>().md5, "cff5c1d533bf2f82dd0138d57f4304bb");
  EXPECT_EQ(messageType<FollowJointTrajectoryActionResult>().md5, "c4fb3b000dc9da4fd99699380efcc5d9");
  EXPECT_EQ(messageType<FollowJointTrajectoryActionFeedback>().md5, "d8920dc4eae9fc107e00999cce4be641");
}

TEST(RosDefinition, NamesFollowEachDialect) {
  const MessageType& type = messageType<JointState>();
  EXPECT_EQ(type.ros1Name(), "sensor_msgs/JointState");
  EXPECT_EQ(type.ros2Name(), "sensor_msgs/msg/JointState");
  EXPECT_EQ(type.ddsName(), "sensor_msgs::msg::dds_::JointState_");
  EXPECT_EQ(findMessageType("sensor_msgs/msg/JointState"), &type);
  EXPECT_EQ(findMessageType("sensor_msgs/JointState"), &type);
  EXPECT_EQ(findMessageType("sensor_msgs/Joy"), nullptr);
}

TEST(RosDefinition, TextsHoldAllMessagesWithin) {
  const std::string line(80, '=');
  EXPECT_EQ(messageType<JointState>().ros1Definition,
            "Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\nfloat64[] effort\n" + line +
                "\nMSG: std_msgs/Header\nuint32 seq\ntime stamp\nstring frame_id\n");
  EXPECT_EQ(messageType<Clock>().ros2Definition,
            "builtin_interfaces/Time clock\n" + line + "\nMSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n");
  EXPECT_NE(messageType<CameraInfo>().ros1Definition.find("float64[9] K\n"), std::string::npos);
  EXPECT_NE(messageType<CameraInfo>().ros2Definition.find("float64[9] k\n"), std::string::npos);
  EXPECT_EQ(messageType<JointState>().ros2Definition.find("seq"), std::string::npos);
}

}  // namespace
}  // namespace mortise::ros
