// The daemon as a program of ROS 2, with Fast DDS on the other side.

#include <algorithm>
#include <memory>
#include <optional>
#include <unistd.h>

#include "mortise/base/value_text.h"
#include "ros/codec/codec.h"
#include "ros/messages/all_messages.h"
#include "ros/relay/arrival_log.h"
#include "tests/plugins/io_ros2/fast_dds_peer.h"
#include "tests/support/folder_test.h"
#include "tests/support/processes/background_program.h"

namespace mortise::test {
namespace {

using ros::Encoding;

/// No wait is longer, s.
constexpr double kLimit = 60;

/// A topic that Fast DDS reads, and the last message.
template <class M>
class Watched {
 public:
  Watched(int domain, const std::string& topic) : peer_(domain) {
    peer_.subscribe("rt/" + topic, ros::messageType<M>().ddsName(), true, false);
  }
  /// The messages since the last call.
  std::vector<M> take() {
    std::vector<M> messages;
    for (const std::vector<std::byte>& bytes : peer_.take()) decode(bytes, Encoding::cdr, messages.emplace_back());
    return messages;
  }

 private:
  FastDdsPeer peer_;
};

class Ros2EndToEnd : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    if (!FastDdsPeer::available()) GTEST_SKIP() << "Fast DDS is not installed";
    write("arm.xml",
          "<world><robot name=\"reacher\" file=\"" MORTISE_SOURCE_DIR "/data/robots/reacher.rob\"/></world>");
  }

  /// Programs that test at the same time stay apart.
  int domain_ = 110 + static_cast<int>(::getpid() % 90);
};

TEST_F(Ros2EndToEnd, AProgramOfDdsMovesTheArmAndReadsItsStateFramesAndClock) {
  std::optional<FastDdsPeer> sender(domain_);
  sender->publish("rt/reacher/joint_trajectory", ros::messageType<ros::JointTrajectory>().ddsName(), true);
  std::optional<Watched<ros::JointState>> states(std::in_place, domain_, "reacher/joint_states");
  std::optional<Watched<ros::Clock>> clocks(std::in_place, domain_, "clock");
  std::optional<Watched<ros::TFMessage>> frames(std::in_place, domain_, "tf");
  BackgroundProgram daemon({MORTISE_BINARY_DIR "/bin/mortise", "ros", path("arm.xml"), "--ros", "2", "--domain",
                            std::to_string(domain_), "--messages", path("came.log")},
                           {"ROS_LOCALHOST_ONLY=1", "XDG_DATA_HOME=/nonexistent"}, path("daemon.txt"));

  std::optional<ros::Time> clock;
  bool parent = false, backwards = false;
  const auto watch = [&] {
    for (const ros::Clock& message : clocks->take()) {
      backwards = backwards || (clock && nanosecondsOf(message.clock) < nanosecondsOf(*clock));
      clock = message.clock;
    }
    for (const ros::TFMessage& message : frames->take())
      for (const ros::TransformStamped& frame : message.transforms)
        parent = parent || (frame.child_frame_id == "klampt/reacher/elbow" &&
                            frame.header.frame_id == "klampt/reacher/shoulder_pitch");
  };
  ASSERT_TRUE(BackgroundProgram::waitFor(kLimit, [&] {
    watch();
    return clock && parent && sender->matchedReaders() > 0;
  })) << daemon.output();

  ros::JointTrajectory motion;
  motion.joint_names = {"shoulder_yaw", "shoulder_pitch"};
  motion.points.resize(1);
  motion.points[0].positions = {0.4, -0.3};
  motion.points[0].velocities = {0, 0};
  motion.points[0].time_from_start = ros::durationFrom(1);
  std::optional<double> start;

  EXPECT_TRUE(BackgroundProgram::waitFor(kLimit, [&] {
    watch();
    // The sender may know the relay before the relay knows it, and what it sends until then is lost: so it sends again.
    if (!start || secondsOf(*clock) > *start + 3) {
      start = secondsOf(*clock) + 0.2;
      motion.header.stamp = ros::timeFrom(*start);
      std::vector<std::byte> bytes;
      encode(motion, Encoding::cdr, bytes);
      sender->send(bytes);
    }
    for (const ros::JointState& state : states->take()) {
      const bool near = state.position.size() == 6 && std::abs(state.position[0] - 0.4) < 0.03 &&
                        std::abs(state.position[1] + 0.3) < 0.03;
      if (near && secondsOf(state.header.stamp) > secondsOf(motion.header.stamp) + 0.5) return true;
    }
    return false;
  })) << daemon.output();
  EXPECT_FALSE(backwards);
  EXPECT_TRUE(daemon.end(SIGINT, kLimit));
  EXPECT_EQ(daemon.exitCode(), 130) << daemon.output();

  // The same again, without DDS, to the same bits.
  const std::string said = daemon.output();
  const auto after = [&](const std::string& text, const char* end) {
    const std::size_t at = said.find(text) + text.size();
    return said.substr(at, said.find_first_of(end, at) - at);
  };
  const std::string replay = "{type: ros_replay, name: ros2_relay, replay: '" + path("came.log") + "'}";
  const Ran again = runMortise(
      {"sim", path("arm.xml"), "--duration", after("interrupted at t = ", " "), "--controller", replay, "--json"});
  ASSERT_EQ(again.exitCode, 0) << again.err;
  EXPECT_EQ(parseYaml(again.out, "sim").string("state_hash", ""), after("state hash   ", "\n")) << said;
}

TEST_F(Ros2EndToEnd, EachOfSeveralRobotsHasALogOfItsOwnName) {
  const std::string robot = "file=\"" MORTISE_SOURCE_DIR "/data/robots/reacher.rob\"";
  write("two.xml", "<world><robot name=\"left\" " + robot + "/><robot name=\"right\" " + robot +
                       " translation=\"3 0 0\"/></world>");
  const auto daemon = [&](const std::string& messages) {
    const Ran ran = runProgram({MORTISE_BINARY_DIR "/bin/mortise", "ros", path("two.xml"), "--ros", "2", "--domain",
                                std::to_string(domain_), "--duration", "20ms", "--messages", messages},
                               {"ROS_LOCALHOST_ONLY=1", "XDG_DATA_HOME=/nonexistent"});
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
  };
  daemon(path("came.log"));
  EXPECT_FALSE(std::filesystem::exists(path("came.log")));
  EXPECT_EQ(ros::readArrivalLog(path("came-left.log")).robot, "left");
  EXPECT_EQ(ros::readArrivalLog(path("came-right.log")).robot, "right");
  daemon("/dev/null");
  EXPECT_FALSE(std::filesystem::exists("/dev/null-left"));
  EXPECT_FALSE(std::filesystem::exists("/dev/null-2"));
}

}  // namespace
}  // namespace mortise::test
