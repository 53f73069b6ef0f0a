#include "ros/relay/trajectory_action.h"

#include <gtest/gtest.h>
#include <limits>

#include "tests/plugins/ros_relay/trajectories.h"
#include "tests/support/worlds.h"

namespace mortise::ros::test {

namespace {

using Result = FollowJointTrajectoryResult;

/// An action of an arm whose joints are where the test says.
class TrajectoryActionTest : public testing::Test {
 protected:
  /// From 0 to 1 in the second from `stamp` on.
  static FollowJointTrajectoryActionGoal goal(const std::string& id, double stamp = 1) {
    FollowJointTrajectoryActionGoal message;
    message.goal_id = {timeFrom(stamp), id};
    message.goal.trajectory = trajectory(stamp, {"rod0", "rod1"}, {{0, {0, 0}}, {1, {1, -1}}});
    return message;
  }
  static JointTolerance tolerance(const std::string& name, double position, double velocity = 0) {
    return {name, position, velocity, 0};
  }
  void accept(const FollowJointTrajectoryActionGoal& message, double now) {
    action.accept(message, now, actual, follower, remarks);
  }
  /// One update with joints that lag behind where they are told to be by `lag`.
  std::vector<GoalEnd> update(double now, double lag = 0, double slower = 0) {
    follower.evaluate(now, told, speed, effort);
    actual = told.array() - lag;
    const VectorXd velocity = speed.array() - slower;
    if (action.update(now, {told, speed}, {actual, velocity}, follower)) follower.evaluate(now, told, speed, effort);
    return action.takeEnds();
  }
  void expectEnd(const std::vector<GoalEnd>& ends, const std::string& id, int status, int code) {
    ASSERT_EQ(ends.size(), 1u);
    EXPECT_EQ(ends[0].status.goal_id.id, id);
    EXPECT_EQ(ends[0].status.status, status) << ends[0].status.text;
    EXPECT_EQ(ends[0].result.error_code, code);
    EXPECT_EQ(ends[0].result.error_string, ends[0].status.text);
  }
  void expectRejected(const FollowJointTrajectoryActionGoal& message, int code, const std::string& reason) {
    SCOPED_TRACE(reason);
    accept(message, 1);
    const std::vector<GoalEnd> ends = action.takeEnds();
    expectEnd(ends, message.goal_id.id, GoalStatus::rejected, code);
    EXPECT_NE(ends[0].status.text.find(reason), std::string::npos) << ends[0].status.text;
    EXPECT_EQ(action.activeId(), "");
  }

  RobotPtr robot = Robot::compile(mortise::test::armDescription(2));
  TrajectoryFollower follower{*robot, {}};
  TrajectoryAction action{*robot, "arm", {}};
  VectorXd told = VectorXd::Zero(2), speed = told, effort = told, actual = told;
  std::vector<std::string> remarks;
};

TEST_F(TrajectoryActionTest, AGoalIsFollowedToItsEndAndSucceeds) {
  accept(goal("a"), 0.5);
  EXPECT_EQ(action.activeId(), "a");
  EXPECT_TRUE(update(0.5).empty());
  EXPECT_TRUE(update(1.5).empty());
  EXPECT_NEAR(told[0], 0.5, 1e-12);
  EXPECT_TRUE(update(1.999).empty());
  expectEnd(update(2), "a", GoalStatus::succeeded, Result::successful);
  EXPECT_EQ(action.activeId(), "");
  EXPECT_TRUE(remarks.empty());
}

TEST_F(TrajectoryActionTest, ANewerGoalTakesThePlaceOfTheOneBefore) {
  accept(goal("a"), 1);
  update(1.5);
  accept(goal("b", 1.6), 1.6);
  expectEnd(action.takeEnds(), "a", GoalStatus::preempted, Result::successful);
  EXPECT_EQ(action.activeId(), "b");
  EXPECT_TRUE(update(2.5).empty());
  expectEnd(update(2.6), "b", GoalStatus::succeeded, Result::successful);
}

TEST_F(TrajectoryActionTest, AGoalThatIsRejectedLeavesTheOneBefore) {
  accept(goal("a"), 1);
  FollowJointTrajectoryActionGoal wrong = goal("b");
  wrong.goal.trajectory.joint_names[0] = "wing";
  accept(wrong, 1.1);
  expectEnd(action.takeEnds(), "b", GoalStatus::rejected, Result::invalidJoints);
  EXPECT_EQ(action.activeId(), "a");
  expectEnd(update(2), "a", GoalStatus::succeeded, Result::successful);
}

TEST_F(TrajectoryActionTest, CancelingStopsTheJointsWhereTheyAreToldToBe) {
  accept(goal("a"), 1);
  update(1.25);
  action.cancel({Time(), "other"}, 1.3, actual, follower);
  EXPECT_EQ(action.activeId(), "a");
  action.cancel({Time(), "a"}, 1.25, actual, follower);
  expectEnd(action.takeEnds(), "a", GoalStatus::preempted, Result::successful);
  update(1.8);
  EXPECT_NEAR(told[0], 0.25, 1e-12);
  EXPECT_NEAR(told[1], -0.25, 1e-12);
  EXPECT_EQ(speed[0], 0);
}

TEST_F(TrajectoryActionTest, AGoalWhoseCancellationCameFirstIsNotFollowed) {
  action.cancel({Time(), "a"}, 0.9, actual, follower);
  accept(goal("a"), 1);
  expectEnd(action.takeEnds(), "a", GoalStatus::recalled, Result::successful);
  update(1.5);
  EXPECT_EQ(told[0], 0);
}

TEST_F(TrajectoryActionTest, GoalsAreRejectedWithTheCodeAndTheReason) {
  FollowJointTrajectoryActionGoal wrong = goal("names");
  wrong.goal.trajectory.joint_names[1] = "wing";
  expectRejected(wrong, Result::invalidJoints, "no joint 'wing'");
  wrong = goal("none");
  wrong.goal.trajectory = {};
  expectRejected(wrong, Result::invalidJoints, "names no joints");
  wrong = goal("twice");
  wrong.goal.trajectory.joint_names[1] = "rod0";
  expectRejected(wrong, Result::invalidGoal, "named twice");
  wrong = goal("times");
  wrong.goal.trajectory.points[1].time_from_start = {};
  expectRejected(wrong, Result::invalidGoal, "times that increase");
  wrong = goal("velocities");
  for (JointTrajectoryPoint& point : wrong.goal.trajectory.points) point.velocities.swap(point.positions);
  expectRejected(wrong, Result::invalidGoal, "expected positions");
  wrong = goal("tolerance");
  wrong.goal.path_tolerance = {tolerance("rod0", std::numeric_limits<double>::quiet_NaN())};
  expectRejected(wrong, Result::invalidGoal, "finite tolerances");
  expectRejected(goal("old", -20), Result::oldHeaderTimestamp, "ended at -19 s");
  expectRejected(goal("early", 5000), Result::invalidGoal, "another clock");
}

TEST_F(TrajectoryActionTest, AJointThatLeavesItsPathAbortsTheGoalAndStops) {
  FollowJointTrajectoryActionGoal message = goal("a");
  message.goal.path_tolerance = {tolerance("rod1", 0.1)};
  accept(message, 1);
  EXPECT_TRUE(update(1.2, 0.09).empty());
  const std::vector<GoalEnd> ends = update(1.25, 0.11);
  expectEnd(ends, "a", GoalStatus::aborted, Result::pathToleranceViolated);
  EXPECT_NE(ends[0].status.text.find("'rod1' is 0.11 rad off"), std::string::npos) << ends[0].status.text;
  update(3);
  EXPECT_NEAR(told[0], 0.25, 1e-12);
}

TEST_F(TrajectoryActionTest, TolerancesOfVelocitiesCountOnTheWayAndAtTheEnd) {
  FollowJointTrajectoryActionGoal message = goal("way");
  message.goal.path_tolerance = {tolerance("rod0", 0, 0.2)};
  accept(message, 1);
  EXPECT_TRUE(update(1.5, 0, 0.19).empty());
  expectEnd(update(1.6, 0, 0.21), "way", GoalStatus::aborted, Result::pathToleranceViolated);
  message = goal("end", 2);
  message.goal.goal_tolerance = {tolerance("rod0", 0, 0.2)};
  accept(message, 2);
  EXPECT_TRUE(update(2.5, 0, 5).empty());
  expectEnd(update(3, 0, 0.21), "end", GoalStatus::aborted, Result::goalToleranceViolated);
}

TEST_F(TrajectoryActionTest, JointsHaveTheGoalsTimeToComeWithinItsTolerance) {
  FollowJointTrajectoryActionGoal message = goal("late");
  message.goal.goal_tolerance = {tolerance("rod0", 0.05)};
  message.goal.goal_time_tolerance = durationFrom(0.5);
  accept(message, 1);
  EXPECT_TRUE(update(2, 0.06).empty());
  EXPECT_TRUE(update(2.49, 0.06).empty());
  expectEnd(update(2.5, 0.06), "late", GoalStatus::aborted, Result::goalToleranceViolated);
  message.goal_id.id = "in time";
  message.goal.trajectory.header.stamp = timeFrom(3);
  accept(message, 3);
  EXPECT_TRUE(update(4.2, 0.06).empty());
  expectEnd(update(4.3, 0.04), "in time", GoalStatus::succeeded, Result::successful);
}

TEST_F(TrajectoryActionTest, TolerancesThatAGoalDoesNotHaveAreTheServers) {
  ActionSettings settings;
  settings.pathTolerance = 0.1;
  settings.goalTolerance = 0.02;
  action = TrajectoryAction(*robot, "arm", settings);
  accept(goal("own"), 1);
  EXPECT_TRUE(update(1.5, 0.09).empty());
  expectEnd(update(1.6, 0.11), "own", GoalStatus::aborted, Result::pathToleranceViolated);
  FollowJointTrajectoryActionGoal none = goal("none", 2);
  for (const char* name : {"rod0", "rod1"}) none.goal.path_tolerance.push_back(tolerance(name, -1));
  accept(none, 2);
  EXPECT_TRUE(update(2.5, 10).empty()) << "-1 is none at all";
  expectEnd(update(3, 0.03), "none", GoalStatus::aborted, Result::goalToleranceViolated);
}

TEST_F(TrajectoryActionTest, AnglesOfJointsThatSpinAreComparedTheShortWay) {
  RobotDescription description = mortise::test::armDescription(2);
  description.joints.push_back({JointType::spin, 0, -1});
  description.joints.push_back({JointType::normal, 1, -1});
  robot = Robot::compile(description);
  follower = TrajectoryFollower(*robot, {});
  action = TrajectoryAction(*robot, "arm", {});
  FollowJointTrajectoryActionGoal message = goal("spins");
  message.goal.path_tolerance = {tolerance("rod0", 0.1)};
  accept(message, 1);
  EXPECT_TRUE(update(1.5, 4 * std::acos(-1.0)).empty());
  expectEnd(update(1.6, std::acos(-1.0)), "spins", GoalStatus::aborted, Result::pathToleranceViolated);
}

TEST_F(TrajectoryActionTest, WhatIsNotComparedIsRemarked) {
  action.setMeasured(false, false);
  FollowJointTrajectoryActionGoal message = goal("blind");
  message.goal.path_tolerance = {tolerance("rod0", 0.1, 0.1), tolerance("wing", 0.1)};
  message.goal.path_tolerance[0].acceleration = 1;
  accept(message, 1);
  EXPECT_TRUE(update(1.5, 1, 1).empty());
  std::string all;
  for (const std::string& remark : remarks) all += remark + "\n";
  for (const char* text : {"no sensor of joint positions", "no sensor of joint velocities", "'wing'", "accelerations"})
    EXPECT_NE(all.find(text), std::string::npos) << text << " in\n" << all;
  EXPECT_EQ(remarks.size(), 4u);
}

TEST_F(TrajectoryActionTest, FeedbackSaysWhereJointsAreAndShouldBe) {
  accept(goal("a"), 1);
  update(1.5, 0.1, 0.2);
  const VectorXd velocity = speed.array() - 0.2;
  FollowJointTrajectoryActionFeedback message;
  action.fillFeedback(1.5, {told, speed}, {actual, velocity}, message);
  const FollowJointTrajectoryFeedback& feedback = message.feedback;
  EXPECT_EQ(message.status.goal_id.id, "a");
  EXPECT_EQ(message.status.status, GoalStatus::active);
  EXPECT_EQ(feedback.joint_names, (std::vector<std::string>{"rod0", "rod1"}));
  EXPECT_NEAR(feedback.desired.positions[1], -0.5, 1e-12);
  EXPECT_NEAR(feedback.actual.positions[1], -0.6, 1e-12);
  EXPECT_NEAR(feedback.error.positions[1], 0.1, 1e-12);
  EXPECT_NEAR(feedback.error.velocities[0], 0.2, 1e-12);
  EXPECT_NEAR(secondsOf(feedback.actual.time_from_start), 0.5, 1e-9);
  action.fillFeedback(1.5, {told, speed}, {actual, VectorXd()}, message);
  EXPECT_TRUE(feedback.actual.velocities.empty());
  EXPECT_EQ(feedback.desired.velocities.size(), 2u);
}

TEST_F(TrajectoryActionTest, ASavedGoalGoesOnAsBefore) {
  FollowJointTrajectoryActionGoal message = goal("a");
  message.goal.goal_tolerance = {tolerance("rod0", 0.05, 0.5)};
  message.goal.goal_time_tolerance = durationFrom(0.5);
  accept(message, 1);
  update(1.5);
  ByteWriter out, again;
  action.save(out);
  TrajectoryAction copy(*robot, "arm", {});
  ByteReader in(out.bytes());
  copy.restore(in);
  EXPECT_TRUE(in.atEnd());
  copy.save(again);
  EXPECT_EQ(again.bytes(), out.bytes());
  action = std::move(copy);
  EXPECT_TRUE(update(2.4, 0.06).empty());
  expectEnd(update(2.5, 0.06), "a", GoalStatus::aborted, Result::goalToleranceViolated);
}

}  // namespace

}  // namespace mortise::ros::test
