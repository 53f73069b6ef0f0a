// The recorder that broadcasts on ROS 2, as pipelines create it, with Fast DDS on the other side.

#include <chrono>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

#include "ros/codec/codec.h"
#include "ros/messages/all_messages.h"
#include "tests/plugins/io_ros2/fast_dds_peer.h"
#include "tests/plugins/recorders/recorder_bench.h"

namespace mortise::test {
namespace {

class Ros2RecorderTest : public RecorderBench {
 protected:
  int domain_ = 10 + static_cast<int>(::getpid() % 90);
  std::string settings_ = "{localhost_only: true, domain: " + std::to_string(domain_);
};

TEST_F(Ros2RecorderTest, FastDdsHearsStatesAndLatchedDescriptions) {
  if (!FastDdsPeer::available()) GTEST_SKIP() << "Fast DDS (libfastrtps-dev) is not installed";
  const std::string urdf = (folder / "arm.urdf").string();
  std::ofstream(urdf) << "<robot name='arm'/>";
  auto recorder = open("ros2", {}, settings_ + ", robot_description: '" + urdf + "'}");
  FastDdsPeer states(domain_), descriptions(domain_);
  states.subscribe("rt/klampt/joint_state", ros::messageType<ros::JointState>().ddsName(), true, false);
  descriptions.subscribe("rt/robot_description", ros::messageType<ros::String>().ddsName(), true, true);
  std::vector<std::vector<std::byte>> state, description;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  for (int tick = 0; (state.empty() || description.empty()) && std::chrono::steady_clock::now() < end; ++tick) {
    recorder->write(view(tick));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (state.empty()) state = states.take();
    if (description.empty()) description = descriptions.take();
  }
  recorder->close();
  ASSERT_FALSE(state.empty());
  ros::JointState joints;
  decode(state.front(), ros::Encoding::cdr, joints);
  EXPECT_EQ(joints.name, (std::vector<std::string>{"rod0", "rod1"}));
  EXPECT_EQ(joints.position, (std::vector<double>{0.3, -0.4}));
  ASSERT_EQ(description.size(), 1u);
  ros::String text;
  decode(description.front(), ros::Encoding::cdr, text);
  EXPECT_EQ(text.data, "<robot name='arm'/>");
}

TEST_F(Ros2RecorderTest, MismatchedQosIsToldInTheRunsLog) {
  if (!FastDdsPeer::available()) GTEST_SKIP() << "Fast DDS (libfastrtps-dev) is not installed";
  auto recorder = open("ros2", {}, settings_ + "}");
  FastDdsPeer peer(domain_);
  peer.subscribe("rt/klampt/sensor/force", ros::messageType<ros::Float32MultiArray>().ddsName(), true, false);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  for (int tick = 0; !host.kept.mentions("its QoS does not fit") && std::chrono::steady_clock::now() < end; ++tick) {
    recorder->write(view(tick));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  recorder->close();
  EXPECT_TRUE(host.kept.mentions("a subscriber of 'klampt/sensor/force' gets nothing, for its QoS does not fit"));
}

TEST_F(Ros2RecorderTest, WhereNoDomainCanBeJoinedTheRunGoesOnIfItMay) {
  auto first = open("ros2", {}, settings_ + "}");
  const std::string other = "{localhost_only: false, domain: " + std::to_string(domain_);
  EXPECT_NE(errorText([&] { open("ros2", {}, other + "}")->write(view(0)); }).find("in use in this program"),
            std::string::npos);
  auto second = open("ros2", {}, other + ", required: false}");
  second->write(view(0));
  second->close();
  first->close();
  EXPECT_TRUE(host.kept.mentions("nothing is broadcast"));
}

TEST_F(Ros2RecorderTest, WrongSettingsAreRefused) {
  EXPECT_NE(errorText([&] { open("ros2", {}, "{domain: 233}"); }).find("232"), std::string::npos);
  EXPECT_NE(errorText([&] { open("ros2", {}, "{broadcast: [joints]}"); }).find("found 'joints'"), std::string::npos);
  EXPECT_NE(errorText([&] { open("ros2", {}, "{naming: moveit}"); }).find("ros_control"), std::string::npos);
}

}  // namespace
}  // namespace mortise::test
