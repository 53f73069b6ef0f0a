// Runs as bags, and motions out of them, as users get them.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

#include "mortise/base/value_text.h"
#include "ros/bags/recorded_message.h"
#include "ros/codec/codec.h"
#include "ros/messages/geometry.h"
#include "ros/messages/joints.h"
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

/// The instants of a .path file.
std::map<double, std::vector<double>> instants(const std::string& text) {
  std::map<double, std::vector<double>> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream numbers(line);
    double time = 0, count = 0;
    numbers >> time >> count;
    std::vector<double>& q = found[std::round(time * 1e6) / 1e6];
    for (double value = 0; numbers >> value;) q.push_back(value);
  }
  return found;
}

TEST_F(BagCommands, ALogOfMortiseBecomesFilesOfRosWithTheNumbersOfItsRun) {
  const Ran ran = mortise({"sim", kArm, "--duration", "0.3", "--log", path("live.bag"), "--mcap", path("run.mcap")});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const auto motionOf = [&](const std::string& file) {
    const Ran converted = mortise({"path", "convert", path(file), path(file + ".path"), "--robot", kArm});
    EXPECT_EQ(converted.exitCode, 0) << converted.err;
    return instants(text(file + ".path"));
  };
  const auto live = motionOf("live.bag");
  for (const auto& [kind, file] : {std::pair("bag", "later.bag"), std::pair("mcap-ros2", "later.mcap")}) {
    const Ran exported = mortise({"log", "export", path("run.mcap"), path(file), "--to", kind});
    ASSERT_EQ(exported.exitCode, 0) << exported.err;
    EXPECT_NE(exported.err.find("no velocities of joints"), std::string::npos) << exported.err;
    const auto later = motionOf(file);
    EXPECT_GE(later.size(), 30u) << file;
    for (const auto& [time, q] : later) {
      const auto same = live.find(time);
      ASSERT_NE(same, live.end()) << file << " at " << time;
      ASSERT_EQ(q.size(), same->second.size());
      for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(q[i], same->second[i], 1e-6) << file << " at " << time;
    }
  }
  const Ran part = mortise({"log", "export", path("run.mcap"), path("part.bag"), "--to", "bag", "--start", "0.1",
                            "--end", "0.2", "--set", "naming=ros_control", "--set", "compression=none"});
  ASSERT_EQ(part.exitCode, 0) << part.err;
  int states = 0;
  ros::readRecordedMessages(path("part.bag"), [&](const ros::RecordedMessage& message) {
    if (message.topic.topic != "/joint_states") return true;
    ros::JointState state;
    decode(message.bytes, message.encoding, state);
    EXPECT_GE(secondsOf(state.header.stamp), 0.1 - 1e-9);
    EXPECT_LE(secondsOf(state.header.stamp), 0.2 + 1e-9);
    EXPECT_EQ(state.position.size(), 6u);
    EXPECT_EQ(state.effort.size(), 6u);
    EXPECT_TRUE(state.velocity.empty()) << "a log has none";
    ++states;
    return true;
  });
  EXPECT_EQ(states, 11) << "100 a simulated second";
}

TEST_F(BagCommands, LogsThatCannotBecomeFilesOfRosAreExplained) {
  write("arm.xml", "<world><robot name=\"arm\" file=\"" + kArm + "\"/></world>");
  ASSERT_EQ(mortise({"sim", path("arm.xml"), "--duration", "0.1", "--mcap", path("run.mcap")}).exitCode, 0);
  const auto explained = [&](std::vector<std::string> more, const std::string& text) {
    std::vector<std::string> words = {"log", "export", path("run.mcap"), path("x.bag")};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = mortise(words);
    EXPECT_NE(ran.exitCode, 0) << text;
    EXPECT_NE(ran.err.find(text), std::string::npos) << ran.err;
  };
  explained({"--to", "boat"}, "--to takes bag or mcap-ros2, not 'boat'");
  explained({"--to", "bag", "--topic", "/tf"}, "--topic does not go with --to");
  explained({"--set", "naming=klampt"}, "--set goes with --to");
  explained({"--to", "bag", "--set", "naming=boat"}, "--set (naming)");
  explained({"--to", "bag", "--start", "5"}, "holds no states of these times");
  write("arm.xml",
        "<world><robot name=\"arm\" file=\"" + kArm + "\"/><robot name=\"more\" file=\"" + kArm + "\"/></world>");
  explained({"--to", "bag"}, "the log's files are not what they were");
  std::filesystem::remove(path("arm.xml"));
  explained({"--to", "bag"}, "the world of the log cannot be made again");
}

TEST_F(BagCommands, SettingsOfReadersAreReportedAsTheirs) {
  hashWithLog("run.bag");
  const Ran wrong = mortise({"path", "convert", path("run.bag"), path("x.path"), "--read", "stamps=maybe"});
  EXPECT_NE(wrong.exitCode, 0);
  EXPECT_NE(wrong.err.find("--read (stamps)"), std::string::npos) << wrong.err;
  EXPECT_EQ(wrong.err.find("--set"), std::string::npos) << wrong.err;
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
