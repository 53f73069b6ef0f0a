// The recorder that broadcasts: topics, frames, what it costs the simulation, and carriers that stall or fail.

#include "ros/recording/broadcast_recorder.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <utility>

#include "mortise/base/value_text.h"
#include "mortise/math/rotation.h"
#include "mortise/modeling/joint_names.h"
#include "ros/conversion/spatial.h"
#include "ros/messages/all_messages.h"
#include "tests/plugins/recorders/recorder_bench.h"
#include "tests/plugins/shared/ros/memory_transport.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/error_text.h"
#include "tests/support/worlds.h"

namespace mortise::ros {
namespace {

using test::Airwaves;
using test::errorText;

/// An arm of three links with a camera and a load cell, and a box, which the test moves.
class BroadcastRecorderTest : public testing::Test {
 protected:
  static World makeWorld() {
    World world;
    RobotDescription description = test::armDescription(3);
    setJointName(description, "rod1", "elbow");
    world.robots.push_back(test::placedRobot(description));
    world.objects.push_back(test::boxObject("box", Vector3d(1, 2, 3)));
    return world;
  }
  void SetUp() override {
    camera.width = camera.height = 1;
    camera.depth = true;
    camera.minDepth = 0.1;
    camera.maxDepth = 10;
    camera.link = 1;
    camera.X_LS = {rotationX(0.5), Vector3d(0.1, 0.2, 0.3)};
    objects.resize(1);
    objects[0].X_WB.p = Vector3d(1, 2, 3);
    commands[0].mode = ActuatorCommand::Mode::pid;
    commands[0].position = 0.7;
    commands[0].velocity = 0.1;
    commands[2].mode = ActuatorCommand::Mode::torque;
    commands[2].torque = 6;
    sensors = {{"wrist", "ForceTorqueSensor", forceChannels, force, nullptr},
               {"eye", "CameraSensor", pixels, image, &camera}};
    robots = {{&state, torques, commands, sensors, {}}};
    setTick(0);
  }
  void setTick(int tick) {
    state.q << 0.3 + 0.01 * tick, -0.4, 0.5;
    state.dq << 1, 2, 3;
    updateFrames(*world.robots[0].robot, state);
    view.time = 0.001 * tick;
    view.tick = tick;
    view.world = &world;
    view.robots = robots;
    view.objects = objects;
    view.gravity = Vector3d(0, 0, -9.8);
  }
  std::unique_ptr<BroadcastRecorder> open(const BroadcastSettings& settings = {}, std::vector<std::string> what = {}) {
    auto recorder = std::make_unique<BroadcastRecorder>(
        host, settings, [this](const RecorderSetup&) { return std::make_unique<test::MemoryTransport>(air); });
    recorder->open({world, "", "", std::move(what)});
    return recorder;
  }

  World world = makeWorld();
  test::KeepingHost host;
  Airwaves air;
  RobotState state{*world.robots[0].robot};
  CameraModel camera;
  std::vector<std::string> forceChannels = {"force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"};
  std::vector<std::string> pixels = {"d0"};
  std::vector<double> force = {1, 2, 3, 4, 5, 6}, image = {2.5}, torques = {10, 20, 30};
  std::vector<ActuatorCommand> commands = std::vector<ActuatorCommand>(3);
  std::vector<SensorReading> sensors;
  std::vector<RobotView> robots;
  std::vector<BodyState> objects;
  SimulationView view;
};

TEST_F(BroadcastRecorderTest, TopicsOfKlampt) {
  auto recorder = open();
  setTick(5);
  recorder->write(view);
  recorder->close();
  EXPECT_TRUE(air.closed);
  EXPECT_EQ(air.types["klampt/sensor/wrist"], "geometry_msgs/msg/WrenchStamped");
  EXPECT_EQ(air.types["klampt/sensor/eye/depth_registered/image_rect"], "sensor_msgs/msg/Image");
  EXPECT_EQ(air.qualities["klampt/sensor/wrist"], kSensorQuality);
  EXPECT_EQ(air.qualities["tf"], Quality());

  ASSERT_EQ(air.count("clock"), 1u);
  EXPECT_EQ(air.received<Clock>("clock")[0].clock, (Time{0, 5'000'000}));
  ASSERT_EQ(air.count("klampt/joint_state"), 1u);
  const JointState measured = air.received<JointState>("klampt/joint_state")[0];
  EXPECT_EQ(measured.name, (std::vector<std::string>{"rod0", "rod1", "rod2"}));
  EXPECT_EQ(measured.position, (std::vector<double>{0.35, -0.4, 0.5}));
  EXPECT_EQ(measured.velocity, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(measured.effort, (std::vector<double>{10, 20, 30}));
  const JointState commanded = air.received<JointState>("klampt/joint_state_commanded").at(0);
  EXPECT_EQ(commanded.position, (std::vector<double>{0.7, -0.4, 0.5})) << "links without a command are where they are";
  EXPECT_EQ(commanded.velocity, (std::vector<double>{0.1, 0, 0}));
  EXPECT_EQ(commanded.effort, (std::vector<double>{0, 0, 6}));
  EXPECT_EQ(air.received<WrenchStamped>("klampt/sensor/wrist").at(0).wrench, (Wrench{{1, 2, 3}, {4, 5, 6}}));
}

TEST_F(BroadcastRecorderTest, FramesAddUpToForwardKinematics) {
  auto recorder = open();
  recorder->write(view);
  recorder->close();
  std::map<std::string, TransformStamped> byChild;
  const TFMessage frames = air.received<TFMessage>("tf").at(0);
  for (const TransformStamped& frame : frames.transforms)
    EXPECT_TRUE(byChild.emplace(frame.child_frame_id, frame).second) << frame.child_frame_id;
  const auto poseOf = [&byChild](std::string frame) {
    RigidTransform X;
    for (int depth = 0; frame != "world" && depth < 10; ++depth) {
      X = transformFrom(byChild.at(frame).transform) * X;
      frame = byChild.at(frame).header.frame_id;
    }
    EXPECT_EQ(frame, "world");
    return X;
  };
  for (int i = 0; i < 3; ++i) {
    const RigidTransform X = poseOf("klampt/arm/rod" + std::to_string(i));
    EXPECT_LT((X.p - state.X_WL[static_cast<std::size_t>(i)].p).norm(), 1e-12);
    EXPECT_LT((X.R - state.X_WL[static_cast<std::size_t>(i)].R).norm(), 1e-12);
  }
  const RigidTransform X_WS = state.X_WL[1] * camera.X_LS;
  EXPECT_LT((poseOf("klampt/arm/eye").p - X_WS.p).norm(), 1e-12);
  EXPECT_LT((poseOf("klampt/arm/eye").R - X_WS.R).norm(), 1e-12);
  EXPECT_LT((poseOf("klampt/box").p - Vector3d(1, 2, 3)).norm(), 1e-15);
  EXPECT_EQ(byChild.size(), 5u);
}

TEST_F(BroadcastRecorderTest, TopicsOfRosControl) {
  BroadcastSettings settings;
  settings.naming = Naming::rosControl;
  settings.broadcast = {"state", "tf"};
  auto recorder = open(settings);
  recorder->write(view);
  recorder->close();
  EXPECT_EQ(air.types.size(), 2u);
  EXPECT_EQ(air.received<JointState>("joint_states").at(0).name, (std::vector<std::string>{"rod0", "elbow", "rod2"}));
  EXPECT_EQ(air.received<TFMessage>("tf").at(0).transforms.at(1).child_frame_id, "rod1");
  EXPECT_EQ(air.received<TFMessage>("tf").at(0).transforms.at(1).header.frame_id, "rod0");
}

TEST_F(BroadcastRecorderTest, ImagesComeAtTheirOwnRate) {
  air.keepsAll = true;  // Every tick goes out before the next one.
  BroadcastSettings settings;
  settings.cameraRate = 100;
  settings.queue = 2;
  auto recorder = open(settings);
  for (int tick = 0; tick <= 100; ++tick) {
    setTick(tick);
    image[0] = 1 + 0.01 * tick;
    recorder->write(view);
  }
  recorder->close();
  // The first ticks may pass before the thread knows that somebody wants images; from then on, one each 10 ms.
  const std::vector<Image> images = air.received<Image>("klampt/sensor/eye/depth_registered/image_rect");
  EXPECT_GE(images.size(), 10u);
  EXPECT_LE(images.size(), 11u);
  for (const Image& each : images) EXPECT_EQ(each.header.stamp.nanosec % 10'000'000, 0u);
  EXPECT_EQ(air.count("klampt/joint_state"), 101u);
  EXPECT_EQ(air.count("klampt/sensor/wrist"), 101u) << "who comes late hears a sensor that rests, too";
}

TEST_F(BroadcastRecorderTest, LasersAndLoadCellsAreWhereTheRunSaysThatTheyAre) {
  const std::vector<std::string> beams = {"b0", "b1", "b2"};
  const std::vector<double> distances = {1, 2, 40};
  sensors.push_back({"laser", "LaserRangeSensor", beams, distances, nullptr});
  robots[0].sensors = sensors;
  setTick(0);
  BroadcastSettings settings;
  settings.run = parseYaml(
      "{links: {arm/wrist: rod2}, sensors: [{topic: /mortise/sensors/arm/laser, T: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, "
      "0.5], "
      "scan: {minimum: 0.1, maximum: 30, link: 2, sweeps: false, directions: [-0.6, 0, 0.8, 0, 0, 1, 0.6, 0, 0.8]}}]}",
      "run");
  auto recorder = open(settings);
  recorder->write(view);
  recorder->close();
  EXPECT_EQ(air.received<WrenchStamped>("klampt/sensor/wrist").at(0).header.frame_id, "klampt/arm/rod2");
  const LaserScan scan = air.received<LaserScan>("klampt/sensor/laser").at(0);
  EXPECT_EQ(scan.header.frame_id, "klampt/arm/laser");
  EXPECT_EQ(scan.ranges, (std::vector<float>{1, 2, HUGE_VALF}));
  EXPECT_NEAR(scan.angle_max, std::atan2(0.6, 0.8), 1e-6);
  const TFMessage frames = air.received<TFMessage>("tf").at(0);
  const auto frame = std::find_if(frames.transforms.begin(), frames.transforms.end(),
                                  [](const auto& each) { return each.child_frame_id == "klampt/arm/laser"; });
  ASSERT_NE(frame, frames.transforms.end());
  EXPECT_EQ(frame->header.frame_id, "klampt/arm/rod2");
  EXPECT_EQ(transformFrom(frame->transform).p, Vector3d(0, 0, 0.5));
  // The scan's x is the sensor's z.
  EXPECT_LT((transformFrom(frame->transform).R * Vector3d::UnitX() - Vector3d::UnitZ()).norm(), 1e-12);
}

TEST_F(BroadcastRecorderTest, NobodyListensSoNothingIsMade) {
  air.heard = false;
  auto recorder = open();
  for (int tick = 0; tick < 10; ++tick) {
    setTick(tick);
    recorder->write(view);
  }
  recorder->close();
  EXPECT_TRUE(air.messages.empty());
  EXPECT_EQ(recorder->sent(), 0u);
}

TEST_F(BroadcastRecorderTest, SimulationsThreadAllocatesNothing) {
  BroadcastSettings settings;
  settings.queue = 2000;  // Nothing is dropped, which is told once.
  auto recorder = open(settings);
  recorder->write(view);
  const std::size_t before = test::threadAllocations;
  for (int tick = 1; tick < 1000; ++tick) recorder->write(view);
  EXPECT_EQ(test::threadAllocations - before, 0u);
  recorder->close();
}

TEST_F(BroadcastRecorderTest, StalledSubscribersDropBroadcastsAndNoStep) {
  BroadcastSettings settings;
  settings.queue = 8;
  settings.broadcast = {"clock"};
  settings.waitAtEnd = 60;
  auto recorder = open(settings);
  air.stall(true);
  recorder->write(view);
  air.waitUntilStuck();  // One broadcast is on its way out and holds its place.
  for (int tick = 1; tick <= 20; ++tick) {
    setTick(tick);
    recorder->write(view);
  }
  EXPECT_EQ(recorder->dropped(), 13u);
  EXPECT_TRUE(host.kept.mentions("some are dropped; lower the recorder's rate"));
  air.stall(false);
  recorder->close();
  EXPECT_TRUE(host.kept.mentions("13 broadcasts were dropped in all"));
  const std::vector<Clock> clocks = air.received<Clock>("clock");
  ASSERT_EQ(clocks.size(), 8u);
  EXPECT_EQ(clocks.back().clock, (Time{0, 7'000'000})) << "what waited goes out in order";
}

TEST_F(BroadcastRecorderTest, EndsEvenWhileACarrierIsSlow) {
  BroadcastSettings settings;
  settings.waitAtEnd = 0;
  auto recorder = open(settings);
  for (int tick = 0; tick < 200; ++tick) {
    setTick(tick);
    recorder->write(view);
  }
  recorder->close();
  EXPECT_EQ(air.count("clock") + recorder->dropped(), 200u);
}

TEST_F(BroadcastRecorderTest, FilesAreWaitedFor) {
  air.keepsAll = true;
  BroadcastSettings settings;
  settings.queue = 2;
  settings.broadcast = {"clock"};
  settings.waitAtEnd = 0;
  auto recorder = open(settings);
  for (int tick = 0; tick < 500; ++tick) {
    setTick(tick);
    recorder->write(view);
  }
  recorder->close();
  EXPECT_EQ(air.count("clock"), 500u);
  EXPECT_EQ(recorder->dropped(), 0u);
}

TEST_F(BroadcastRecorderTest, FailuresOfTheCarrierEndTheRecorder) {
  air.keepsAll = true;
  air.failure = "the disk is full";
  auto recorder = open();
  EXPECT_NE(errorText([&] {
              for (int tick = 0; tick < 10000; ++tick) recorder->write(view);
              recorder->close();
            }).find("the disk is full"),
            std::string::npos);
}

TEST_F(BroadcastRecorderTest, NoticesAreTold) {
  air.notices.push_back({LogLevel::warning, "the master went away"});
  auto recorder = open();
  recorder->write(view);
  recorder->close();
  EXPECT_TRUE(host.kept.mentions("the master went away"));
}

TEST_F(BroadcastRecorderTest, WhereNoConnectionIsRequiredTheRunGoesOnWithout) {
  BroadcastSettings settings;
  const auto connect = [](const RecorderSetup&) -> std::unique_ptr<Transport> {
    throw Error("nobody answers", {}, "call somebody");
  };
  EXPECT_THROW(BroadcastRecorder(host, settings, connect).open({world, "", "", {}}), Error);
  settings.required = false;
  BroadcastRecorder recorder(host, settings, connect);
  recorder.open({world, "", "", {}});
  recorder.write(view);
  recorder.close();
  EXPECT_EQ(recorder.sent(), 0u);
  EXPECT_TRUE(host.kept.mentions("nobody answers; nothing is broadcast. call somebody"));
}

TEST_F(BroadcastRecorderTest, OnlyWhatIsNamedIsBroadcast) {
  auto recorder = open({}, {"robots", "contacts"});
  recorder->write(view);
  recorder->close();
  EXPECT_FALSE(air.types.contains("klampt/sensor/wrist"));
  EXPECT_EQ(air.received<TFMessage>("tf").at(0).transforms.size(), 3u);
  EXPECT_NE(errorText([&] { open({}, {"bix"})->write(view); }).find("did you mean 'box'?"), std::string::npos);
}

TEST_F(BroadcastRecorderTest, SettingsSayWhatTheyExpect) {
  BroadcastSettings settings;
  settings.broadcast = {"tf", "joints"};
  EXPECT_NE(errorText([&] { settings.check(); }).find("found 'joints'"), std::string::npos);
}

/// Settings as pipelines write them, one at a time.
TEST_F(BroadcastRecorderTest, SettingsOfPipelinesDoWhatTheySay) {
  const auto given = [](const char* yaml) { return settingsFrom<BroadcastSettings>(parseYaml(yaml, "test")); };
  const auto broadcast = [&](const char* yaml) {
    auto recorder = open(given(yaml));
    recorder->write(view);
    recorder->close();
    return std::exchange(air.types, {});
  };
  EXPECT_TRUE(broadcast("{naming: ros_control}").contains("joint_states"));
  EXPECT_TRUE(broadcast("{prefix: lab}").contains("lab/joint_state"));
  EXPECT_EQ(broadcast("{broadcast: [clock]}").size(), 1u);
  broadcast("{reliability: best_effort, durability: transient_local, depth: 3}");
  EXPECT_EQ(air.qualities["tf"], (Quality{Quality::Reliability::bestEffort, Quality::Durability::transientLocal, 3}));
  EXPECT_EQ(air.qualities["klampt/sensor/wrist"], kSensorQuality);
  broadcast("{sensor_reliability: reliable, sensor_depth: 7}");
  EXPECT_EQ(air.qualities["klampt/sensor/wrist"],
            (Quality{Quality::Reliability::reliable, Quality::Durability::volatileOnly, 7}));
  EXPECT_NE(errorText([&] { broadcast("{robot_description: nowhere.urdf}"); }).find("nowhere.urdf"), std::string::npos);
  EXPECT_NE(errorText([&] {
              broadcast("{robot_description: " MORTISE_SOURCE_DIR "/data/robots/reacher.rob}");
            }).find("expected a URDF file"),
            std::string::npos);
  EXPECT_EQ(given("{camera_rate: 5}").cameraRate, 5);
  EXPECT_EQ(given("{queue: 3}").queue, 3);
  EXPECT_EQ(given("{wait_at_end: 0.1}").waitAtEnd, 0.1);
  EXPECT_TRUE(given("{run: {links: {}}}").run.contains("links"));
}

}  // namespace
}  // namespace mortise::ros
