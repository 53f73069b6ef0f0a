// Runs as bags, and motions out of them, as users get them.

#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>

#include "mortise/base/value_text.h"
#include "ros/bags/recorded_message.h"
#include "ros/codec/codec.h"
#include "ros/messages/geometry.h"
#include "tests/support/folder_test.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

const std::string kArm = MORTISE_SOURCE_DIR "/data/robots/reacher.rob";

class BagCommands : public FolderTest {
 protected:
  Ran mortise(std::vector<std::string> words) const {
    words.insert(words.begin(), MORTISE_BINARY_DIR "/bin/mortise");
    return runProgram(std::move(words));
  }
  /// The hash of a run of the arm that falls, logged into a file.
  std::string hashWithLog(const std::string& log) const {
    const Ran ran = mortise({"sim", kArm, "--duration", "0.3", "--log", path(log), "--json"});
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    return ran.exitCode == 0 ? parseYaml(ran.out, "result").string("state_hash", "") : "";
  }
};

TEST_F(BagCommands, RunsAreTheSameWithABagAndComeBackAsMotions) {
  const std::string hash = hashWithLog("run.path");
  EXPECT_EQ(hash.size(), 16u);
  EXPECT_EQ(hashWithLog("run.bag"), hash);
  const Ran converted = mortise({"path", "convert", path("run.bag"), path("back.path"), "--robot", kArm});
  EXPECT_EQ(converted.exitCode, 0) << converted.err;
  std::istringstream written(text("run.path")), back(text("back.path"));
  double a = 0, b = 0;
  std::size_t numbers = 0;
  while (written >> a) {
    ASSERT_TRUE(back >> b) << numbers;
    EXPECT_NEAR(a, b, 1e-9) << numbers;
    ++numbers;
  }
  EXPECT_FALSE(back >> b);
  EXPECT_GT(numbers, 300u);
}

TEST_F(BagCommands, PipelinesWriteBothKinds) {
  write("arm.xml", "<world><robot name=\"arm\" file=\"" + kArm + "\"/></world>");
  write("run.yaml",
        "mortise: 1\nworld: arm.xml\nstages:\n  - simulate: {duration: 200 ms}\ncomponents:\n"
        "  - {sensor: ForceTorqueSensor, name: load, robot: arm, link: wrist_pitch, has_force: [1, 1, 1]}\n"
        "  - {recorder: bag, file: a.bag, rate: 100 Hz, compression: none}\n"
        "  - {recorder: mcap_ros2, file: b.mcap, rate: 50 Hz, naming: ros_control, broadcast: [state, tf]}\n");
  const Ran ran = mortise({"run", path("run.yaml"), "-o", path("out")});
  ASSERT_EQ(ran.exitCode, 0) << ran.err << ran.out;
  std::string frame;
  ros::readRecordedMessages(path("out/simulate_a.bag"), [&frame](const ros::RecordedMessage& message) {
    ros::WrenchStamped wrench;
    if (message.topic.topic != "/klampt/sensor/load") return true;
    decode(message.bytes, message.encoding, wrench);
    frame = wrench.header.frame_id;
    return false;
  });
  EXPECT_EQ(frame, "klampt/arm/wrist_pitch") << "a load cell is read in its link";
  // A line a state: that of the start, and those of the 20 or 10 periods.
  for (const auto& [file, states] : {std::pair{"out/simulate_a.bag", 21}, {"out/simulate_b.mcap", 11}}) {
    const Ran converted = mortise({"path", "convert", path(file), path("motion.path"), "--robot", kArm});
    ASSERT_EQ(converted.exitCode, 0) << file << converted.err;
    const std::string motion = text("motion.path");
    EXPECT_EQ(std::count(motion.begin(), motion.end(), '\n'), states) << file;
  }
}

TEST_F(BagCommands, WrongTopicsAndFilesAreExplained) {
  hashWithLog("run.bag");
  const Ran wrong = mortise({"path", "convert", path("run.bag"), path("x.path"), "--read", "topic=joints"});
  EXPECT_NE(wrong.exitCode, 0);
  EXPECT_NE(wrong.err.find("it has them on /klampt/joint_state, "), std::string::npos) << wrong.err;
  write("no.bag", "something else");
  const Ran none = mortise({"path", "convert", path("no.bag"), path("x.path")});
  EXPECT_NE(none.exitCode, 0);
  EXPECT_NE(none.err.find("is no bag of ROS 1"), std::string::npos) << none.err;
}

}  // namespace
}  // namespace mortise::test
