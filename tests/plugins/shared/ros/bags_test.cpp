// Bags of ROS 1 and MCAP logs of ROS 2: what is written is read back, by us and by others, and damage is told.

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "mortise/base/files.h"
#include "mortise/base/random.h"
#include "mortise/mcap/reader.h"
#include "mortise/model/robot_state.h"
#include "mortise/modeling/joint_names.h"
#include "ros/bags/bag_reader.h"
#include "ros/bags/file_transport.h"
#include "ros/bags/recorded_motion.h"
#include "ros/codec/codec.h"
#include "ros/conversion/spatial.h"
#include "ros/messages/all_messages.h"
#include "tests/support/error_text.h"
#include "tests/support/run_program.h"
#include "tests/support/worlds.h"

namespace mortise::ros {
namespace {

using test::errorText;

using Bytes = std::vector<std::byte>;

/// A message as a test keeps it.
struct Kept {
  std::string topic, type;
  std::int64_t time;
  Bytes bytes;
  bool operator==(const Kept&) const = default;
};

class RosBags : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("mortise_bags_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  static std::unique_ptr<Transport> writerOf(const std::string& path, BagCompression compression) {
    if (path.ends_with(".mcap")) return std::make_unique<Ros2LogTransport>(path, "zstd");
    return std::make_unique<BagTransport>(path, BagWriterOptions{compression, 4096});
  }
  template <class M>
  static void send(Transport& transport, int topic, double time, const M& message) {
    Bytes bytes;
    encode(message, transport.encoding(), bytes);
    transport.setTime(timeFrom(time));
    transport.publish(topic, bytes);
  }
  static JointState stateAt(double time, std::vector<std::string> names, std::vector<double> positions) {
    JointState state;
    state.header.stamp = timeFrom(time);
    state.name = std::move(names);
    state.position = std::move(positions);
    return state;
  }
  /// 300 states, a clock and a robot_description; returns what must come back.
  static std::vector<Kept> writeExample(const std::string& path, BagCompression compression = BagCompression::lz4) {
    const std::unique_ptr<Transport> writer = writerOf(path, compression);
    const bool bag = writer->encoding() == Encoding::ros1;
    const int clock = writer->advertise("clock", messageType<Clock>(), {});
    const int joints = writer->advertise("/klampt/joint_state", messageType<JointState>(), {});
    const int description = writer->advertise("robot_description", messageType<String>(), kLatchedQuality);
    std::vector<Kept> kept;
    RandomStream random(1, "bags");
    const auto put = [&](int topic, const std::string& name, double time, const auto& message,
                         const MessageType& type) {
      send(*writer, topic, time, message);
      kept.push_back({name, bag ? type.ros1Name() : type.ros2Name(), nanosecondsOf(timeFrom(time)), {}});
      encode(message, writer->encoding(), kept.back().bytes);
    };
    put(description, "/robot_description", 0, String{"<robot name='r'/>"}, messageType<String>());
    for (int i = 0; i < 300; ++i) {
      const double time = 0.01 * i;
      put(clock, "/clock", time, Clock{timeFrom(time)}, messageType<Clock>());
      put(joints, "/klampt/joint_state", time, stateAt(time, {"a", "b"}, {random.gaussian(), 0.5 * time}),
          messageType<JointState>());
    }
    writer->close();
    return kept;
  }
  static std::vector<Kept> readBack(const std::string& path, std::string* damage = nullptr) {
    std::vector<Kept> kept;
    const std::string found = readRecordedMessages(path, [&kept](const RecordedMessage& message) {
      kept.push_back(
          {message.topic.topic, message.topic.type, message.time, {message.bytes.begin(), message.bytes.end()}});
      return true;
    });
    if (damage != nullptr) *damage = found;
    return kept;
  }

  std::filesystem::path folder_;
};

TEST_F(RosBags, WhatIsWrittenIsReadBack) {
  for (const BagCompression compression : {BagCompression::none, BagCompression::lz4, BagCompression::bz2}) {
    if (compression == BagCompression::bz2 && !hasBz2()) continue;
    const std::string path = file(std::string(bagCompressionName(compression)) + ".bag");
    const std::vector<Kept> written = writeExample(path, compression);
    std::string damage;
    EXPECT_EQ(readBack(path, &damage), written);
    EXPECT_EQ(damage, "");
  }
  EXPECT_NE(errorText([&] { readBack(file("nothing.bag")); }).find("cannot be read"), std::string::npos);
}

TEST_F(RosBags, LogsOfRos2AreReadBack) {
  const std::vector<Kept> written = writeExample(file("run.mcap"));
  EXPECT_EQ(readBack(file("run.mcap")), written);
  mcap::Reader reader(file("run.mcap"));
  EXPECT_EQ(reader.profile(), "ros2");
  const mcap::Channel* channel = reader.channel("/klampt/joint_state");
  ASSERT_NE(channel, nullptr);
  EXPECT_EQ(channel->messageEncoding, "cdr");
  EXPECT_EQ(reader.schemas().at(channel->schemaId).name, "sensor_msgs/msg/JointState");
  EXPECT_EQ(reader.schemas().at(channel->schemaId).encoding, "ros2msg");
  EXPECT_EQ(reader.schemas().at(channel->schemaId).data, messageType<JointState>().ros2Definition);
}

TEST_F(RosBags, EveryCutIsToldOrRead) {
  const std::vector<Kept> written = writeExample(file("whole.bag"));
  const std::string whole = readFile(file("whole.bag"));
  RandomStream random(2, "cut");
  for (int k = 0; k < 60; ++k) {
    const std::size_t size = 4200 + random.below(whole.size() - 4200);
    writeFile(file("cut.bag"), whole.substr(0, size));
    std::string damage;
    const std::vector<Kept> read = readBack(file("cut.bag"), &damage);
    ASSERT_LE(read.size(), written.size());
    EXPECT_TRUE(std::equal(read.begin(), read.end(), written.begin())) << "what comes is what was written";
    EXPECT_TRUE(read.size() == written.size() || damage.find("cut short") != std::string::npos) << size;
  }
}

TEST_F(RosBags, DamageIsAnErrorWithItsPlace) {
  writeExample(file("whole.bag"), BagCompression::none);
  const std::string whole = readFile(file("whole.bag"));
  RandomStream random(3, "damage");
  int refused = 0;
  for (int k = 0; k < 200; ++k) {
    std::string damaged = whole;
    for (int j = 0; j < 4; ++j) damaged[13 + random.below(damaged.size() - 13)] = static_cast<char>(random.bits());
    writeFile(file("damaged.bag"), damaged);
    const std::string text = errorText([&] { readBack(file("damaged.bag")); });
    if (text.empty()) continue;
    ++refused;
    EXPECT_NE(text.find("damaged.bag', record at byte"), std::string::npos) << text;
  }
  EXPECT_GT(refused, 10);
  writeFile(file("other.bag"), "#ROSBAG V1.2\n");
  EXPECT_NE(errorText([&] { readBack(file("other.bag")); }).find("rosbag fix"), std::string::npos);
}

TEST_F(RosBags, ChunksThatClaimTooMuchCostNothing) {
  std::string bag(kBagMagic);
  BagHeader header(BagOpcode::chunk);
  header.text("compression", "lz4").number("size", std::uint32_t{0x3fffffff});
  appendBagRecord(header, packBagChunk("little", BagCompression::lz4), bag);
  writeFile(file("bomb.bag"), bag);
  EXPECT_NE(errorText([&] { readBack(file("bomb.bag")); }).find("expected 1073741823 bytes, found 6"),
            std::string::npos);
}

TEST_F(RosBags, MotionsOfRobotsGoByNameAndTime) {
  RobotDescription description = test::armDescription(3);
  setJointName(description, "rod1", "elbow");
  const RobotPtr robot = Robot::compile(description);
  for (const char* name : {"motion.bag", "motion.mcap"}) {
    const std::unique_ptr<Transport> writer = writerOf(file(name), BagCompression::lz4);
    const int joints = writer->advertise("joint_states", messageType<JointState>(), {});
    const int other = writer->advertise("klampt/joint_state_commanded", messageType<JointState>(), {});
    send(*writer, other, 0, stateAt(0, {"rod0"}, {9}));
    send(*writer, joints, 5, stateAt(1, {"elbow", "gripper"}, {0.25, 7}));
    send(*writer, joints, 6, stateAt(1.5, {"gripper", "rod2"}, {7, 0.5}));
    send(*writer, joints, 7, stateAt(1.25, {"rod2"}, {8}));
    writer->close();
    Diagnostics diagnostics;
    const Trajectory motion = readRecordedMotion(file(name), *robot, {}, diagnostics);
    EXPECT_EQ(motion.times, (std::vector<double>{0, 0.5}));
    ASSERT_EQ(motion.configurations.size(), 2u);
    EXPECT_EQ(motion.configurations[0], Vector3d(0, 0.25, 0));
    EXPECT_EQ(motion.configurations[1], Vector3d(0, 0.25, 0.5));
    ASSERT_EQ(diagnostics.warningCount(), 2);
    EXPECT_NE(diagnostics.all()[0].message.find(" has no joints called gripper, which are left out"),
              std::string::npos);
    EXPECT_NE(diagnostics.all()[1].message.find(
                  "1 messages on /joint_states are left out because their times do not go on from those before"),
              std::string::npos);
    EXPECT_NE(errorText([&] {
                readRecordedMotion(file(name), *robot, {.topic = "joints"}, diagnostics);
              }).find("it has them on /joint_states, /klampt/joint_state_commanded"),
              std::string::npos);
    Diagnostics own;
    const RecordedMotionOptions byRecording = {.topic = "joint_states", .stamps = false};
    EXPECT_EQ(readRecordedMotion(file(name), *robot, byRecording, own).times, (std::vector<double>{0, 1, 2}));
  }
}

TEST_F(RosBags, MotionsOfDamagedBagsEndWithThem) {
  const std::unique_ptr<Transport> writer = writerOf(file("long.bag"), BagCompression::none);
  const int joints = writer->advertise("joint_states", messageType<JointState>(), {});
  for (int k = 0; k < 20000; ++k) send(*writer, joints, 0.01 * k, stateAt(0.01 * k, {"a"}, {0.5}));
  writer->close();
  std::filesystem::resize_file(file("long.bag"), std::filesystem::file_size(file("long.bag")) / 2);
  Diagnostics diagnostics;
  const Trajectory motion = readRecordedMotion(file("long.bag"), {}, diagnostics);
  EXPECT_GT(motion.times.size(), 10u);
  EXPECT_LT(motion.times.size(), 20000u);
  EXPECT_NE(diagnostics.all().at(0).message.find("' is read up to where it is damaged: "), std::string::npos);
  std::filesystem::resize_file(file("long.bag"), 5000);
  EXPECT_NE(errorText([&] { readRecordedMotion(file("long.bag"), {}, diagnostics); }).find("it is damaged: "),
            std::string::npos);
}

TEST_F(RosBags, FloatingBasesComeFromFrames) {
  RobotDescription description;
  description.name = "walker";
  for (int i = 0; i < 6; ++i) {
    Link link;
    link.name = "base" + std::to_string(i);
    link.parent = i - 1;
    link.motion = i < 3 ? LinkMotion::prismatic : LinkMotion::revolute;
    link.axis = Vector3d::Unit(i < 3 ? i : 5 - i);
    description.links.push_back(link);
  }
  description.links[5].inertia = test::boxInertia(1, Vector3d::Ones());
  description.joints.push_back({JointType::floating, 5, -1});
  const RobotPtr robot = Robot::compile(description);
  ASSERT_EQ(robot->floatingBaseLink(), 5);
  VectorXd q(6);
  q << 1, 2, 3, 0.4, -0.3, 0.2;
  RobotState state(*robot);
  state.q = q;
  updateFrames(*robot, state);
  const std::unique_ptr<Transport> writer = writerOf(file("walk.bag"), BagCompression::none);
  const int joints = writer->advertise("joint_states", messageType<JointState>(), {});
  const int frames = writer->advertise("tf", messageType<TFMessage>(), {});
  for (int k = 0; k < 3; ++k) {
    send(*writer, joints, k, stateAt(k + 1, {}, {}));
    TFMessage message;
    state.X_WL[5].p.x() = 1 + k;
    message.transforms = {transformStamped(timeFrom(k + 1), "world", "pelvis", state.X_WL[5])};
    send(*writer, frames, k, message);
  }
  writer->close();
  Diagnostics diagnostics;
  const Trajectory motion = readRecordedMotion(file("walk.bag"), *robot, {.baseFrame = "pelvis"}, diagnostics);
  ASSERT_EQ(motion.configurations.size(), 3u);
  q[0] = 3;
  EXPECT_LT((motion.configurations[2] - q).norm(), 1e-12);
  EXPECT_NE(errorText([&] {
              readRecordedMotion(file("walk.bag"), *robot, {.baseFrame = "hip"}, diagnostics);
            }).find("no frame 'hip' on tf"),
            std::string::npos);
}

TEST_F(RosBags, TrajectoriesAreMotionsToo) {
  const std::unique_ptr<Transport> writer = writerOf(file("plan.mcap"), BagCompression::none);
  const int topic = writer->advertise("arm/joint_trajectory", messageType<JointTrajectory>(), {});
  JointTrajectory trajectory;
  trajectory.joint_names = {"a", "b"};
  trajectory.points.resize(2);
  trajectory.points[0].positions = {1, 2};
  trajectory.points[1].positions = {3, 4};
  trajectory.points[1].time_from_start = {2, 500'000'000};
  send(*writer, topic, 0, trajectory);
  writer->close();
  Diagnostics diagnostics;
  const Trajectory motion = readRecordedMotion(file("plan.mcap"), {}, diagnostics);
  EXPECT_EQ(motion.times, (std::vector<double>{0, 2.5}));
  EXPECT_EQ(motion.configurations.at(1), Eigen::Vector2d(3, 4));
  EXPECT_EQ(diagnostics.all().at(0).message, "coordinates of the motion: a, b");
}

/// The package `rosbags` of PyPI reads both kinds without ROS. MORTISE_ROSBAGS_PYTHON names an interpreter that has it.
TEST_F(RosBags, OthersReadWhatWeWrite) {
  const char* named = std::getenv("MORTISE_ROSBAGS_PYTHON");
  const std::string python = named != nullptr ? named : "python3";
  if (test::runProgram({"/usr/bin/env", python, "-c", "import rosbags"}).exitCode != 0)
    GTEST_SKIP() << "the Python package rosbags is not installed";
  writeExample(file("run.mcap"));
  for (const char* compression : {"none", "lz4", "bz2"}) {
    if (bagCompressionFrom(compression) == BagCompression::bz2 && !hasBz2()) continue;
    writeExample(file("run.bag"), bagCompressionFrom(compression));
    const test::Ran checked =
        test::runProgram({"/usr/bin/env", python, MORTISE_SOURCE_DIR "/tests/plugins/shared/ros/read_bags.py",
                          file("run.bag"), file("run.mcap"), file("theirs.bag"), file("theirs")});
    ASSERT_EQ(checked.exitCode, 0) << compression << "\n" << checked.out << checked.err;
    for (const std::string& theirs : {file("theirs.bag"), file("theirs/theirs.mcap")}) {
      Diagnostics diagnostics;
      const Trajectory motion = readRecordedMotion(theirs, {}, diagnostics);
      EXPECT_EQ(motion.times, (std::vector<double>{0, 1, 2})) << theirs;
      ASSERT_EQ(motion.configurations.size(), 3u) << theirs;
      EXPECT_EQ(motion.configurations[2], Eigen::Vector2d(2, 4)) << theirs;
    }
    std::filesystem::remove(file("theirs.bag"));
    std::filesystem::remove_all(file("theirs"));
  }
}

}  // namespace
}  // namespace mortise::ros
