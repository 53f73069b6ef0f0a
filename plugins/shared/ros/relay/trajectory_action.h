#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mortise/model/robot.h"
#include "ros/messages/follow_joint_trajectory.h"
#include "ros/relay/action_settings.h"
#include "ros/relay/goal_list.h"
#include "ros/relay/trajectory_follower.h"

namespace mortise::ros {

/// Positions and velocities, one a link.
struct JointPoint {
  const VectorXd& q;
  const VectorXd& dq;  ///< Without entries where nothing measures.
};

/// How a goal ended.
struct GoalEnd {
  GoalStatus status;
  FollowJointTrajectoryResult result;
};

/// The server of the action `control_msgs/FollowJointTrajectory`, without its topics: goals are followed one at a time,
/// a newer one or a trajectory of the topic preempts the one before, and tolerances end it. It depends on nothing but
/// what comes at which time, so that a log of that repeats it.
class TrajectoryAction {
 public:
  /// `name`: of the robot. `robot` outlives this.
  TrajectoryAction(const Robot& robot, const std::string& name, const ActionSettings& settings);

  /// Forgets all goals.
  void reset();
  /// Says what sensors measure; tolerances of what they do not are not compared, which is remarked.
  void setMeasured(bool positions, bool velocities) { positions_ = positions, velocities_ = velocities; }

  /// Begins to follow a goal, or rejects it with the code and the reason.
  void accept(const FollowJointTrajectoryActionGoal& message, double now, const VectorXd& qSensed,
              TrajectoryFollower& follower, std::vector<std::string>& remarks);
  /// The joints of a canceled goal stop where they are told to be.
  void cancel(const GoalID& request, double now, const VectorXd& qSensed, TrajectoryFollower& follower);
  /// Something else tells the robot what to do from now on.
  void preempt(double now, const std::string& reason);
  /// Ends the goal that is followed without a fault of its own.
  void abort(double now, const std::string& reason);
  /// Ends the goal that is followed where it is over. Returns true where joints were stopped, so that what they are
  /// told has changed.
  bool update(double now, const JointPoint& desired, const JointPoint& actual, TrajectoryFollower& follower);

  /// The id of the goal that is followed; empty: none.
  const std::string& activeId() const { return active_ ? active_->id : kNone; }
  /// Says whether goals or their statuses changed since the last call.
  bool takeChanged();
  /// Returns how goals ended since the last call.
  std::vector<GoalEnd> takeEnds();
  void fillStatus(double now, GoalStatusArray& message) const;
  /// There must be an active goal.
  void fillFeedback(double now, const JointPoint& desired, const JointPoint& actual,
                    FollowJointTrajectoryActionFeedback& message) const;

  /// Says whether nothing came that later updates depend on.
  bool blank() const { return goals_.blank() && !active_; }
  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  /// A joint of the goal that is followed; tolerances of 0 are not compared.
  struct GoalJoint {
    std::string name;
    int link = -1;
    double pathPosition = 0, pathVelocity = 0, goalPosition = 0, goalVelocity = 0;
  };
  struct ActiveGoal {
    std::string id;
    double stamp = 0;           ///< s, points count from here.
    double begin = 0, end = 0;  ///< s
    double goalTime = 0;        ///< s
    std::vector<GoalJoint> joints;
  };
  static const std::string kNone;

  std::vector<GoalJoint> jointsOf(const FollowJointTrajectoryGoal& goal, const TrajectoryFollower& follower,
                                  std::vector<std::string>& remarks) const;
  void setTolerances(const std::vector<JointTolerance>& given, bool path, std::vector<GoalJoint>& joints,
                     std::vector<std::string>& remarks) const;
  void remarkUnmeasured(const std::vector<GoalJoint>& joints, std::vector<std::string>& remarks) const;
  ActiveGoal begin(const FollowJointTrajectoryActionGoal& message, double now, const VectorXd& qSensed,
                   TrajectoryFollower& follower, std::vector<std::string>& remarks) const;
  /// Says in a sentence that `actual` is out of tolerance; else empty.
  std::string violation(const GoalJoint& joint, bool path, const JointPoint& desired, const JointPoint& actual) const;
  double distance(int link, double from, double to) const;
  void stopJoints(double now, const VectorXd& qSensed, TrajectoryFollower& follower) const;
  void end(GoalStatus::Status status, FollowJointTrajectoryResult::Code code, const std::string& text, double now);

  const Robot* robot_;
  ActionSettings settings_;
  bool positions_ = true, velocities_ = true;
  GoalList goals_;
  std::optional<ActiveGoal> active_;
  std::vector<GoalEnd> ends_;
  bool changed_ = false;
};

}  // namespace mortise::ros
