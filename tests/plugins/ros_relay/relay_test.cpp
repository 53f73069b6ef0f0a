#include <chrono>
#include <thread>

#include "mortise/base/error.h"
#include "mortise/modeling/joint_names.h"
#include "tests/plugins/ros_relay/loop_relay.h"
#include "tests/support/error_text.h"

namespace mortise::ros::test {

namespace {

/// A run to 1.5 s with trajectories in between, the second of which takes over from the first.
class TrajectoryRelayTest : public RelayTest {
 protected:
  std::uint64_t moved(Simulation& run) {
    send(trajectory(0.1, {"rod0", "rod1"}, {{0.4, {0.6, 0.2}, {0.3, 0}}, {1, {0, 0.5}, {0, 0}}}));
    run.advance(0.4);
    send(trajectory(0.6, {"rod1"}, {{0.3, {-0.4}}}));
    run.advance(1.1);
    return run.stateHash();
  }
};

TEST_F(TrajectoryRelayTest, TheArmGoesWhereTheTrajectorySays) {
  const auto run = simulation("test.LoopRelay");
  send(trajectory(0, {"rod0", "rod1"}, {{1, {0.5, -0.25}, {0, 0}}}));
  run->advance(4);
  EXPECT_NEAR(run->configuration(0)[0], 0.5, 0.05);
  EXPECT_NEAR(run->configuration(0)[1], -0.25, 0.05);
}

TEST_F(TrajectoryRelayTest, ALogOfWhatCameGivesTheSameRunWithoutANetwork) {
  std::uint64_t live = 0;
  {
    const auto run = simulation("test.LoopRelay");
    live = moved(*run);
  }
  network.reset();
  for (const char* type : {"test.LoopRelay", "ros_replay"}) {
    const auto run = simulation(type, "{replay: ros_messages.log}");
    run->advance(1.5);
    EXPECT_EQ(run->stateHash(), live) << type;
  }
  const auto idle = simulation("ros_replay", "{replay: ros_messages.log}");
  idle->advance(0.4);
  EXPECT_NE(idle->stateHash(), live);
}

TEST_F(TrajectoryRelayTest, ARunThatGoesBackLogsWhatCameInTheEnd) {
  std::uint64_t live = 0;
  {
    const auto run = simulation("test.LoopRelay");
    run->advance(0.2);
    const std::vector<std::byte> state = run->save();
    send(trajectory(0, {"rod0"}, {{0.2, {1}}}));
    run->advance(0.5);
    run->restore(state);
    live = moved(*run);
  }
  const auto again = simulation("ros_replay", "{replay: ros_messages.log}");
  again->advance(1.7);
  EXPECT_EQ(again->stateHash(), live);
}

TEST_F(TrajectoryRelayTest, AReplayWithAnotherTimeStepIsAnError) {
  {
    const auto run = simulation("test.LoopRelay");
    moved(*run);
  }
  SimulationOptions options;
  options.timeStep = 0.0005;
  options.runDirectory = folder_.string();
  ComponentOptions relay;
  relay.type = "ros_replay";
  relay.settings = parseYaml("{replay: ros_messages.log}", "test");
  options.components.push_back(relay);
  Simulation run(world, *registry, nullptr, log, options);
  run.advance(1);
  EXPECT_EQ(run.status(), StepStatus::error);
  EXPECT_NE(run.fault().find("a time step of 0.001 s, and this run has one of 0.0005 s"), std::string::npos)
      << run.fault();
  EXPECT_LT(run.time(), 0.05) << "at once, and not at the first message";
}

TEST_F(TrajectoryRelayTest, AReplayAtAnotherRateIsAnError) {
  {
    const auto run = simulation("test.LoopRelay");
    moved(*run);
  }
  SimulationOptions options;
  options.runDirectory = folder_.string();
  ComponentOptions relay;
  relay.type = "ros_replay";
  relay.rate = 50;
  relay.settings = parseYaml("{replay: ros_messages.log}", "test");
  options.components.push_back(relay);
  EXPECT_NE(mortise::test::errorText([&] { Simulation(world, *registry, nullptr, log, options); }).find("every 0.02 s"),
            std::string::npos);
}

TEST_F(TrajectoryRelayTest, TwoRobotsOfOneFileHaveTopicsOfTheirOwn) {
  world.robots.push_back(world.robots[0]);
  world.robots[0].name = "left";
  world.robots[1].name = "right";
  const auto run = simulation("test.LoopRelay");
  EXPECT_NE(network->inbox("/left/joint_trajectory"), nullptr);
  EXPECT_EQ(network->inbox(kTrajectories), nullptr);
}

TEST_F(TrajectoryRelayTest, AFloodOfWhatIsNotForTheRobotChangesNoStateAndCostsLittleMemory) {
  std::uint64_t hashes[3];
  const JointTrajectory foreign = trajectory(0, {"wheel", "flap"}, {{1, {1, 2}}, {2, {3, 4}}});
  for (int flood = 0; flood < 3; ++flood) {
    const auto run = simulation("test.LoopRelay", "{log: flood" + std::to_string(flood) + ".log}");
    send(trajectory(0.1, {"rod0"}, {{0.5, {0.4}}}));
    for (int part = 0; part < 10; ++part) {
      for (int i = 0; flood > 0 && i < 1000; ++i) send(foreign, flood == 1 ? "/unused" : kTrajectories);
      EXPECT_LE(network->inbox(kTrajectories)->bytes(), Inbox::kDefaultBytes);
      run->advance(0.1);
    }
    hashes[flood] = run->stateHash();
  }
  EXPECT_EQ(hashes[1], hashes[0]) << "a topic that nobody reads";
  EXPECT_EQ(hashes[2], hashes[0]) << "joints that the robot does not have";
  int said = 0;
  for (const auto& [level, line] : log.lines) said += line.find("'wheel'") != std::string::npos;
  EXPECT_EQ(said, 1) << "once, not ten thousand times";
}

TEST_F(TrajectoryRelayTest, WhatIsNoMessageIsRefusedAndSaid) {
  const auto run = simulation("test.LoopRelay");
  std::vector<std::byte> bytes;
  encode(trajectory(0, {"rod0"}, {{1, {1}}}), Encoding::cdr, bytes);
  bytes.resize(bytes.size() / 2);
  network->send(kTrajectories, bytes);
  run->advance(0.1);
  EXPECT_TRUE(log.mentions("a trajectory is refused"));
}

TEST_F(TrajectoryRelayTest, StatesAndTheClockArePublishedWithTheSimulationsTime) {
  {
    const auto run = simulation("test.LoopRelay", "{state_rate: 10 Hz}");
    run->advance(1.005);
    // The thread that sends has all the time that it needs, within reason.
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (network->published("/clock").size() < 11 && std::chrono::steady_clock::now() < end)
      std::this_thread::yield();
  }
  ASSERT_EQ(network->published("/clock").size(), 11u);
  ASSERT_EQ(network->published("/arm/joint_states").size(), 11u);
  for (std::size_t i = 0; i < 11; ++i) {
    Clock clock;
    JointState state;
    decode(network->published("/clock")[i], Encoding::cdr, clock);
    decode(network->published("/arm/joint_states")[i], Encoding::cdr, state);
    EXPECT_NEAR(secondsOf(clock.clock), 0.1 * static_cast<double>(i), 1e-9);
    EXPECT_EQ(state.header.stamp, clock.clock);
    EXPECT_EQ(state.name, (std::vector<std::string>{"rod0", "rod1"}));
    ASSERT_EQ(state.position.size(), 2u);
    if (i == 0) {
      EXPECT_NEAR(state.position[0], world.robots[0].q[0], 1e-3);
    }
  }
}

TEST_F(TrajectoryRelayTest, WithoutANetworkTheRunDoesNotBeginOrTheRobotRests) {
  network.reset();
  EXPECT_THROW(simulation("test.LoopRelay"), Error);
  const auto run = simulation("test.LoopRelay", "{required: false}");
  run->advance(0.2);
  EXPECT_TRUE(log.mentions("the robot rests"));
}

TEST_F(TrajectoryRelayTest, TopicsAndNamesAreThoseOfTheSettings) {
  RobotDescription description = mortise::test::armDescription(2);
  setJointName(description, "rod1", "elbow");
  world.robots[0] = mortise::test::placedRobot(description);
  {
    const auto run = simulation("test.LoopRelay",
                                "{trajectory_topic: /go, state_topic: /seen, clock_topic: /now, naming: ros_control}");
    EXPECT_EQ(network->inbox(kTrajectories), nullptr);
    send(trajectory(0, {"rod0"}, {{0.2, {0.5}}}), "/go");
    run->advance(1);
    EXPECT_NEAR(run->configuration(0)[0], 0.5, 0.05);
  }
  EXPECT_FALSE(network->published("/now").empty());
  EXPECT_TRUE(network->published("/clock").empty());
  ASSERT_FALSE(network->published("/seen").empty());
  JointState state;
  decode(network->published("/seen")[0], Encoding::cdr, state);
  EXPECT_EQ(state.name, (std::vector<std::string>{"rod0", "elbow"}));
  network = std::make_shared<Network>(Encoding::cdr);
  simulation("test.LoopRelay", "{clock: false}")->advance(0.1);
  EXPECT_TRUE(network->published("/clock").empty());
}

TEST_F(TrajectoryRelayTest, StampsAreHeldToTheSettings) {
  const JointTrajectory late = trajectory(-5, {"rod0"}, {{0.2, {0.5}}}),
                        early = trajectory(50, {"rod0"}, {{0.2, {0.5}}});
  struct Case {
    const char* settings;
    const JointTrajectory& message;
    bool refused, moves;
  };
  for (const Case& each :
       {Case{"{}", late, true, false}, Case{"{max_delay: 10}", late, false, true}, Case{"{}", early, false, false},
        Case{"{max_lead: 1}", early, true, false}, Case{"{ignore_stamps: true}", late, false, true},
        Case{"{ignore_stamps: true}", early, false, true}}) {
    log.lines.clear();
    const auto run = simulation("test.LoopRelay", each.settings);
    const double start = run->configuration(0)[0];
    send(each.message);
    run->advance(1);
    EXPECT_EQ(log.mentions("a trajectory is refused"), each.refused) << each.settings;
    EXPECT_EQ(std::abs(run->configuration(0)[0] - start) > 0.1, each.moves) << each.settings;
  }
}

}  // namespace

}  // namespace mortise::ros::test
