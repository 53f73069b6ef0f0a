// Topics of ROS 2 on the loopback interface, between two of ours, and with Fast DDS on the other side.

#include "ros2_transport.h"

#include <functional>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "dds_domain.h"
#include "ros/codec/codec.h"
#include "ros/messages/all_messages.h"
#include "tests/plugins/io_ros2/fast_dds_peer.h"
#include "tests/support/error_text.h"

namespace mortise::ros2 {
namespace {

using ros::Encoding;
using ros::Inbox;
using ros::JointState;
using ros::kLatchedQuality;
using ros::kSensorQuality;
using ros::messageType;
using ros::Quality;
using test::errorText;
using test::FastDdsPeer;

using Bytes = std::vector<std::byte>;

/// Programs that test at the same time stay apart.
int testDomain() { return 10 + static_cast<int>(getpid() % 90); }

/// Waits for something that another thread or program does; bounded, and ends at once when it happens.
bool happens(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

JointState numbered(int number, std::size_t joints = 2) {
  JointState state;
  state.header = {0, {number, 5}, "base"};
  for (std::size_t i = 0; i < joints; ++i) {
    state.name.push_back("j" + std::to_string(i));
    state.position.push_back(number + 0.5 * static_cast<double>(i));
  }
  return state;
}

Bytes bytesOf(const JointState& state) {
  Bytes bytes;
  encode(state, Encoding::cdr, bytes);
  return bytes;
}

JointState stateOf(std::span<const std::byte> bytes) {
  JointState state;
  decode(bytes, Encoding::cdr, state);
  return state;
}

class Ros2TransportTest : public testing::Test {
 protected:
  Ros2Transport ours{{testDomain(), true}};
};

TEST_F(Ros2TransportTest, NamesFollowRos2) {
  EXPECT_EQ(ddsTopic("joint_states"), "rt/joint_states");
  EXPECT_EQ(ddsTopic("/klampt/joint_state"), "rt/klampt/joint_state");
  for (const char* wrong : {"", "/", "a//b", "a/", "2nd", "a-b", "a b"})
    EXPECT_NE(errorText([&] { ddsTopic(wrong); }), "") << wrong;
}

TEST_F(Ros2TransportTest, MessagesPassBetweenTwoOfOurs) {
  Ros2Transport other({testDomain(), true});
  Inbox inbox;
  other.subscribe("joint_states", messageType<JointState>(), {}, inbox);
  const int topic = ours.advertise("joint_states", messageType<JointState>(), {});
  ASSERT_TRUE(happens([&] { return ours.hasSubscribers(topic); }));
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(ours.publish(topic, bytesOf(numbered(i))));
  ASSERT_TRUE(happens([&] { return inbox.received() >= 5; }));
  const std::vector<ros::Received> messages = inbox.take();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(stateOf(messages[static_cast<std::size_t>(i)].bytes), numbered(i));
  other.close();
  EXPECT_TRUE(happens([&] { return !ours.hasSubscribers(topic); })) << "who leaves is gone";
  ours.close();
}

TEST_F(Ros2TransportTest, FastDdsHearsUsByteForByte) {
  if (!FastDdsPeer::available()) GTEST_SKIP() << "Fast DDS (libfastrtps-dev) is not installed";
  FastDdsPeer peer(testDomain());
  peer.subscribe("rt/joint_states", "sensor_msgs::msg::dds_::JointState_", true, false);
  const int topic = ours.advertise("joint_states", messageType<JointState>(), {});
  ASSERT_TRUE(happens([&] { return ours.hasSubscribers(topic) && peer.matchedWriters() > 0; }));
  // The second one comes in pieces.
  const std::vector<Bytes> sent = {bytesOf(numbered(3)), bytesOf(numbered(4, 3000))};
  for (const Bytes& bytes : sent) ours.publish(topic, bytes);
  std::vector<Bytes> came;
  ASSERT_TRUE(happens([&] {
    for (Bytes& bytes : peer.take()) came.push_back(std::move(bytes));
    return came.size() >= sent.size();
  }));
  for (std::size_t i = 0; i < sent.size(); ++i) {
    came[i].resize(sent[i].size());  // DDS pads to four bytes.
    EXPECT_EQ(came[i], sent[i]);
  }
}

TEST_F(Ros2TransportTest, WeHearFastDds) {
  if (!FastDdsPeer::available()) GTEST_SKIP() << "Fast DDS (libfastrtps-dev) is not installed";
  Inbox inbox;
  ours.subscribe("/joint_states", messageType<JointState>(), {}, inbox);
  FastDdsPeer peer(testDomain());
  peer.publish("rt/joint_states", "sensor_msgs::msg::dds_::JointState_", true);
  ASSERT_TRUE(happens([&] { return peer.matchedReaders() > 0; }));
  // The writer may know us before we know it, and what it sends until then is lost.
  ASSERT_TRUE(happens([&] {
    peer.send(bytesOf(numbered(1)));
    return inbox.received() >= 1;
  }));
  const std::vector<ros::Received> messages = inbox.take();
  EXPECT_EQ(stateOf(messages[0].bytes), numbered(1));
  EXPECT_EQ(messages[0].topic, "/joint_states") << "as it was given";
}

/// 12,000 joints are more than packets of UDP hold: the message comes in pieces.
TEST(Ros2Fragments, PassBetweenPrograms) {
  constexpr std::size_t kJoints = 12000;
  const int domain = testDomain();
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Ros2Transport sender({domain, true});
    const int topic = sender.advertise("joint_states", messageType<JointState>(), {});
    const bool heard = happens([&] { return sender.hasSubscribers(topic); });
    for (int i = 0; heard && i < 3; ++i) sender.publish(topic, bytesOf(numbered(i, kJoints)));
    sender.close();
    _exit(heard ? 0 : 1);
  }
  Ros2Transport reader({domain, true});
  Inbox inbox;
  reader.subscribe("joint_states", messageType<JointState>(), {}, inbox);
  EXPECT_TRUE(happens([&] { return inbox.received() >= 3; }));
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  const std::vector<ros::Received> messages = inbox.take();
  ASSERT_EQ(messages.size(), 3u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(stateOf(messages[static_cast<std::size_t>(i)].bytes), numbered(i, kJoints));
}

TEST_F(Ros2TransportTest, QosThatDoesNotFitIsTold) {
  Ros2Transport other({testDomain(), true});
  Inbox inbox;
  other.subscribe("sensor", messageType<JointState>(), {}, inbox);
  const int topic = ours.advertise("sensor", messageType<JointState>(), kSensorQuality);
  std::string writers, readers;
  const auto gather = [](Ros2Transport& transport, std::string& text) {
    for (const ros::Notice& notice : transport.takeNotices()) text += notice.text + "\n";
    return !text.empty();
  };
  ASSERT_TRUE(happens([&] { return gather(ours, writers); }));
  ASSERT_TRUE(happens([&] { return gather(other, readers); }));
  EXPECT_EQ(writers,
            "a subscriber of 'sensor' gets nothing, for its QoS does not fit: reliability: the other side wants "
            "reliable, this program offers best_effort; publish with reliable, or change the other side\n");
  EXPECT_EQ(readers,
            "nothing comes on 'sensor' from a publisher whose QoS does not fit: reliability: this program wants "
            "reliable, the other side offers best_effort; subscribe with best_effort, or change the other side\n");
  EXPECT_FALSE(ours.hasSubscribers(topic));
}

TEST_F(Ros2TransportTest, QosOfAnotherVendorIsToldToo) {
  if (!FastDdsPeer::available()) GTEST_SKIP() << "Fast DDS (libfastrtps-dev) is not installed";
  Inbox inbox;
  ours.subscribe("sensor", messageType<JointState>(), {}, inbox);
  FastDdsPeer peer(testDomain());
  peer.publish("rt/sensor", "sensor_msgs::msg::dds_::JointState_", false);
  std::string text;
  ASSERT_TRUE(happens([&] {
    for (const ros::Notice& notice : ours.takeNotices()) text += notice.text;
    return !text.empty();
  }));
  EXPECT_NE(text.find("the other side offers best_effort"), std::string::npos) << text;
}

TEST_F(Ros2TransportTest, LatchedMessagesReachThoseWhoComeLater) {
  const int topic = ours.advertise("robot_description", messageType<ros::String>(), kLatchedQuality);
  EXPECT_TRUE(ours.hasSubscribers(topic)) << "somebody may come";
  Bytes bytes;
  encode(ros::String{"<robot/>"}, Encoding::cdr, bytes);
  ASSERT_TRUE(ours.publish(topic, bytes));
  Ros2Transport late({testDomain(), true});
  Inbox inbox;
  late.subscribe("robot_description", messageType<ros::String>(), kLatchedQuality, inbox);
  ASSERT_TRUE(happens([&] { return inbox.received() >= 1; }));
  ros::String text;
  decode(inbox.take().at(0).bytes, Encoding::cdr, text);
  EXPECT_EQ(text.data, "<robot/>");
}

TEST_F(Ros2TransportTest, FloodsCostNoMoreThanTheInbox) {
  Ros2Transport other({testDomain(), true});
  Inbox inbox(0, 1 << 20);
  other.subscribe("flood", messageType<JointState>(), {}, inbox);
  const int topic = ours.advertise("flood", messageType<JointState>(), {});
  ASSERT_TRUE(happens([&] { return ours.hasSubscribers(topic); }));
  const Bytes bytes = bytesOf(numbered(1, 50));
  std::uint64_t taken = 0;
  for (int i = 0; i < 10000; ++i) taken += ours.publish(topic, bytes);
  ASSERT_TRUE(happens([&] { return inbox.dropped() > 0 || inbox.received() >= taken; }));
  EXPECT_LE(inbox.bytes(), std::size_t{1} << 20);
  EXPECT_GT(inbox.received(), 0u);
}

TEST_F(Ros2TransportTest, OneDomainHasOneWayToFindOthers) {
  EXPECT_NE(errorText([] {
              Ros2Transport other({testDomain(), false});
            }).find("another 'localhost_only'"),
            std::string::npos);
}

TEST(Ros2Domain, EnvironmentOfRos2Counts) {
  setenv("ROS_DOMAIN_ID", "17", 1);
  setenv("ROS_LOCALHOST_ONLY", "1", 1);
  EXPECT_EQ(domainFromEnvironment().id, 17);
  EXPECT_TRUE(domainFromEnvironment().localOnly);
  unsetenv("ROS_LOCALHOST_ONLY");
  setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST", 1);
  EXPECT_TRUE(domainFromEnvironment().localOnly);
  unsetenv("ROS_AUTOMATIC_DISCOVERY_RANGE");
  for (const char* wrong : {"x", "233", "-1", "7a"}) {
    setenv("ROS_DOMAIN_ID", wrong, 1);
    EXPECT_NE(errorText([] { domainFromEnvironment(); }).find("from 0 to 232"), std::string::npos) << wrong;
  }
  unsetenv("ROS_DOMAIN_ID");
  EXPECT_EQ(domainFromEnvironment().id, 0);
}

}  // namespace
}  // namespace mortise::ros2
