// Goals of an action as a relay gets them: topics, the log of what came, and runs that go back.

#include <chrono>
#include <thread>

#include "mortise/base/error.h"
#include "tests/plugins/ros_relay/loop_relay.h"

namespace mortise::ros::test {

namespace {

using Result = FollowJointTrajectoryResult;

class ActionRelayTest : public RelayTest {
 protected:
  static constexpr const char* kAction = "/arm/follow_joint_trajectory";

  static FollowJointTrajectoryActionGoal goal(const std::string& id, std::vector<double> target, double time = 1) {
    FollowJointTrajectoryActionGoal message;
    message.goal_id.id = id;
    message.goal.trajectory = trajectory(0, {"rod0", "rod1"}, {{time, std::move(target), {0, 0}}});
    return message;
  }
  static void sendGoal(const FollowJointTrajectoryActionGoal& message) {
    send(message, std::string(kAction) + "/goal");
  }
  static void cancel(const std::string& id) { send(GoalID{Time(), id}, std::string(kAction) + "/cancel"); }

  /// What was published, once `count` have come; a thread sends it.
  template <class M>
  static std::vector<M> published(const std::string& topic, std::size_t count, const std::string& action = kAction) {
    const std::string name = action + "/" + topic;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (network->published(name).size() < count && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    std::vector<M> messages;
    for (const std::vector<std::byte>& bytes : network->published(name)) {
      messages.emplace_back();
      decode(bytes, network->encoding(), messages.back());
    }
    return messages;
  }
  static std::vector<FollowJointTrajectoryActionResult> results(std::size_t count) {
    return published<FollowJointTrajectoryActionResult>("result", count);
  }
  void expectResult(const FollowJointTrajectoryActionResult& result, const std::string& id, int status, int code) {
    EXPECT_EQ(result.status.goal_id.id, id);
    EXPECT_EQ(result.status.status, status) << id << ": " << result.status.text;
    EXPECT_EQ(result.result.error_code, code) << id;
  }
  /// A run to 2 s: a goal, a newer one, a cancellation, one that cannot be followed in time, and a trajectory.
  std::uint64_t eventful(Simulation& run) {
    sendGoal(goal("first", {0.5, 0.2}));
    run.advance(0.3);
    sendGoal(goal("second", {-0.3, 0.4}));
    run.advance(0.3);
    cancel("second");
    run.advance(0.3);
    FollowJointTrajectoryActionGoal fast = goal("fast", {2, 2}, 0.05);
    fast.goal.path_tolerance = {{"rod0", 0.1, 0, 0}};
    sendGoal(fast);
    run.advance(0.5);
    sendGoal(goal("last", {0, 0}, 5));
    run.advance(0.2);
    send(trajectory(0, {"rod1"}, {{0.3, {-0.4}}}));
    run.advance(0.4);
    return run.stateHash();
  }
};

TEST_F(ActionRelayTest, AGoalMovesTheArmAndItsStatusFeedbackAndResultArePublished) {
  const auto run = simulation("test.LoopRelay", "{goal_tolerance: 0.05, goal_time: 2}");
  run->advance(0.05);
  sendGoal(goal("go", {0.5, -0.25}));
  run->advance(4);
  EXPECT_NEAR(run->configuration(0)[0], 0.5, 0.05);
  EXPECT_NEAR(run->configuration(0)[1], -0.25, 0.05);
  const auto ends = results(1);
  ASSERT_EQ(ends.size(), 1u);
  expectResult(ends[0], "go", GoalStatus::succeeded, Result::successful);
  EXPECT_GE(secondsOf(ends[0].header.stamp), 1.05);
  const auto feedback = published<FollowJointTrajectoryActionFeedback>("feedback", 20);
  ASSERT_GE(feedback.size(), 20u) << "20 a simulated second";
  EXPECT_EQ(feedback[5].status.goal_id.id, "go");
  EXPECT_EQ(feedback[5].feedback.joint_names, (std::vector<std::string>{"rod0", "rod1"}));
  ASSERT_EQ(feedback[5].feedback.actual.positions.size(), 2u);
  EXPECT_NEAR(secondsOf(feedback[6].header.stamp) - secondsOf(feedback[5].header.stamp), 0.05, 1e-6);
  const auto lists = published<GoalStatusArray>("status", 20);
  ASSERT_GE(lists.size(), 20u) << "5 a simulated second";
  EXPECT_TRUE(lists.front().status_list.empty());
  bool active = false;
  for (const GoalStatusArray& list : lists)
    active = active || (!list.status_list.empty() && list.status_list[0].status == GoalStatus::active);
  EXPECT_TRUE(active);
  ASSERT_EQ(lists.back().status_list.size(), 1u);
  EXPECT_EQ(lists.back().status_list[0].status, GoalStatus::succeeded);
}

TEST_F(ActionRelayTest, GoalsArePreemptedCanceledAndAborted) {
  const auto run = simulation("test.LoopRelay");
  eventful(*run);
  const auto ends = results(4);
  ASSERT_EQ(ends.size(), 4u);
  expectResult(ends[0], "first", GoalStatus::preempted, Result::successful);
  expectResult(ends[1], "second", GoalStatus::preempted, Result::successful);
  expectResult(ends[2], "fast", GoalStatus::aborted, Result::pathToleranceViolated);
  expectResult(ends[3], "last", GoalStatus::preempted, Result::successful);
  EXPECT_NE(ends[1].status.text.find("canceled"), std::string::npos);
  EXPECT_NE(ends[3].status.text.find(kTrajectories), std::string::npos);
}

TEST_F(ActionRelayTest, RatesAreThoseOfTheSettings) {
  const auto run = simulation("test.LoopRelay", "{feedback_rate: 10, status_rate: 2}");
  run->advance(0.05);
  sendGoal(goal("go", {0.5, -0.25}, 2));
  run->advance(2.5);
  const auto feedback = published<FollowJointTrajectoryActionFeedback>("feedback", 15);
  ASSERT_GE(feedback.size(), 15u);
  for (std::size_t i = 6; i < 15; ++i)
    EXPECT_NEAR(secondsOf(feedback[i].header.stamp) - secondsOf(feedback[i - 1].header.stamp), 0.1, 1e-6) << i;
  run->advance(3);
  // 11 by the rate, beside those at the goal's changes: it came, it is followed, it has ended.
  const auto lists = published<GoalStatusArray>("status", 11);
  EXPECT_GE(lists.size(), 11u);
  EXPECT_LE(lists.size(), 16u);
}

TEST_F(ActionRelayTest, WithoutRatesThereAreListsAtChangesAlone) {
  const auto run = simulation("test.LoopRelay", "{feedback_rate: 0, status_rate: 0}");
  sendGoal(goal("go", {0.5, -0.25}));
  run->advance(3);
  EXPECT_EQ(results(1).size(), 1u);
  EXPECT_TRUE(network->published(std::string(kAction) + "/feedback").empty());
  EXPECT_LE(network->published(std::string(kAction) + "/status").size(), 4u);
}

TEST_F(ActionRelayTest, TolerancesOfTheSettingsAreThoseOfGoalsThatHaveNone) {
  {
    const auto run = simulation("test.LoopRelay", "{path_tolerance: 0.1, log: a.log}");
    sendGoal(goal("fast", {2, 2}, 0.05));
    run->advance(0.5);
    expectResult(results(1).at(0), "fast", GoalStatus::aborted, Result::pathToleranceViolated);
  }
  network = std::make_shared<Network>(network->encoding());
  {
    // No motor stops that exactly within a moment.
    const auto run = simulation("test.LoopRelay", "{stopped_velocity_tolerance: 1e-9, goal_time: 0.01, log: b.log}");
    sendGoal(goal("stop", {0.5, 0.2}, 0.5));
    run->advance(1);
    expectResult(results(1).at(0), "stop", GoalStatus::aborted, Result::goalToleranceViolated);
  }
}

TEST_F(ActionRelayTest, AReplayTakesTheRatesAndTolerancesOfItsRun) {
  const std::string settings = "feedback_rate: 5, status_rate: 1, path_tolerance: 0.1, stopped_velocity_tolerance: 0.5";
  std::uint64_t live = 0;
  {
    const auto run = simulation("test.LoopRelay", "{" + settings + "}");
    live = eventful(*run);
  }
  network.reset();
  const auto run = simulation("ros_replay", "{replay: ros_messages.log, " + settings + "}");
  run->advance(2);
  EXPECT_EQ(run->stateHash(), live);
}

TEST_F(ActionRelayTest, ALogWithGoalsGivesTheSameRunWithoutANetwork) {
  std::uint64_t live = 0;
  {
    const auto run = simulation("test.LoopRelay", "{goal_tolerance: 0.01}");
    live = eventful(*run);
  }
  network.reset();
  const auto run = simulation("ros_replay", "{replay: ros_messages.log, goal_tolerance: 0.01}");
  run->advance(2);
  EXPECT_EQ(run->stateHash(), live);
  const auto without = simulation("ros_replay", "{replay: ros_messages.log, action: false}");
  without->advance(2);
  EXPECT_NE(without->stateHash(), live);
  EXPECT_TRUE(log.mentions("set action as in that run"));
}

TEST_F(ActionRelayTest, ARunThatGoesBackIntoAGoalEndsItTheSameWay) {
  std::uint64_t hashes[2];
  const auto run = simulation("test.LoopRelay");
  run->advance(0.1);
  sendGoal(goal("go", {0.5, 0.2}));
  run->advance(0.3);
  const std::vector<std::byte> state = run->save();
  for (std::uint64_t& hash : hashes) {
    run->restore(state);
    run->advance(1.2);
    hash = run->stateHash();
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  const auto ends = results(2);
  ASSERT_EQ(ends.size(), 2u);
  for (const auto& end : ends) expectResult(end, "go", GoalStatus::succeeded, Result::successful);
}

TEST_F(ActionRelayTest, AResetEndsTheGoal) {
  const auto run = simulation("test.LoopRelay");
  sendGoal(goal("go", {0.5, 0.2}));
  run->advance(0.3);
  run->reset();
  const auto ends = results(1);
  ASSERT_EQ(ends.size(), 1u);
  expectResult(ends[0], "go", GoalStatus::aborted, Result::successful);
  EXPECT_NE(ends[0].status.text.find("reset"), std::string::npos);
  run->advance(0.1);
  EXPECT_NEAR(run->configuration(0)[0], 0.3, 0.05);
}

TEST_F(ActionRelayTest, AnActionThatNobodyUsesChangesNoState) {
  std::uint64_t hashes[2];
  for (int serve = 0; serve < 2; ++serve) {
    const auto run = simulation("test.LoopRelay", serve == 0 ? "{action: false, log: a.log}" : "{log: b.log}");
    EXPECT_EQ(network->inbox(std::string(kAction) + "/goal") != nullptr, serve == 1);
    send(trajectory(0.1, {"rod0"}, {{0.5, {0.4}}}));
    run->advance(1);
    hashes[serve] = run->stateHash();
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

TEST_F(ActionRelayTest, TheNameOfTheActionIsTheRobotsTheControllersOrTheSettings) {
  for (const auto& [settings, name] :
       {std::pair("{}", "/arm/follow_joint_trajectory"),
        std::pair("{naming: ros_control}", "/arm/joint_trajectory_controller/follow_joint_trajectory"),
        std::pair("{action_topic: /arm_controller/follow}", "/arm_controller/follow")}) {
    const auto run = simulation("test.LoopRelay", settings);
    EXPECT_NE(network->inbox(std::string(name) + "/goal"), nullptr) << settings;
    EXPECT_NE(network->inbox(std::string(name) + "/cancel"), nullptr) << settings;
    EXPECT_TRUE(log.mentions("the action " + std::string(name) + ",")) << settings;
  }
}

TEST_F(ActionRelayTest, WhatIsNoGoalIsRefusedAndSaid) {
  const auto run = simulation("test.LoopRelay");
  std::vector<std::byte> bytes;
  encode(goal("cut", {1, 1}), network->encoding(), bytes);
  bytes.resize(bytes.size() / 2);
  network->send(std::string(kAction) + "/goal", bytes);
  network->send(std::string(kAction) + "/cancel", std::vector<std::byte>(3));
  FollowJointTrajectoryActionGoal foreign = goal("foreign", {1, 1});
  foreign.goal.trajectory.joint_names[0] = "wing";
  sendGoal(foreign);
  run->advance(0.1);
  EXPECT_TRUE(log.mentions("a goal of the action is refused"));
  EXPECT_TRUE(log.mentions("a cancellation of goals is refused"));
  EXPECT_TRUE(log.mentions("rejected: the robot has no joint 'wing'"));
  const auto ends = results(1);
  ASSERT_EQ(ends.size(), 1u);
  expectResult(ends[0], "foreign", GoalStatus::rejected, Result::invalidJoints);
}

}  // namespace

}  // namespace mortise::ros::test
