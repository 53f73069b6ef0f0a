#pragma once

/// The action `control_msgs/FollowJointTrajectory` of ROS 1 with the messages of `actionlib_msgs`: topics `goal`,
/// `cancel`, `status`, `feedback` and `result` below the name of the action.

#include <cstdint>
#include <string>
#include <vector>

#include "ros/messages/joints.h"

namespace mortise::ros {

/// `actionlib_msgs/GoalID`.
struct GoalID {
  Time stamp;
  std::string id;
  static constexpr const char* kPackage = "actionlib_msgs";
  static constexpr const char* kName = "GoalID";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("stamp", m.stamp);
    v.field("id", m.id);
  }
  bool operator==(const GoalID&) const = default;
};

/// `actionlib_msgs/GoalStatus`.
struct GoalStatus {
  enum Status : std::uint8_t {
    pending,
    active,
    preempted,
    succeeded,
    aborted,
    rejected,
    preempting,
    recalling,
    recalled,
    lost
  };
  GoalID goal_id;
  std::uint8_t status = 0;  ///< A `Status`.
  std::string text;
  static constexpr const char* kPackage = "actionlib_msgs";
  static constexpr const char* kName = "GoalStatus";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.constant("uint8", "PENDING", "0");
    v.constant("uint8", "ACTIVE", "1");
    v.constant("uint8", "PREEMPTED", "2");
    v.constant("uint8", "SUCCEEDED", "3");
    v.constant("uint8", "ABORTED", "4");
    v.constant("uint8", "REJECTED", "5");
    v.constant("uint8", "PREEMPTING", "6");
    v.constant("uint8", "RECALLING", "7");
    v.constant("uint8", "RECALLED", "8");
    v.constant("uint8", "LOST", "9");
    v.field("goal_id", m.goal_id);
    v.field("status", m.status);
    v.field("text", m.text);
  }
  bool operator==(const GoalStatus&) const = default;
};

/// `actionlib_msgs/GoalStatusArray`.
struct GoalStatusArray {
  Header header;
  std::vector<GoalStatus> status_list;
  static constexpr const char* kPackage = "actionlib_msgs";
  static constexpr const char* kName = "GoalStatusArray";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("header", m.header);
    v.field("status_list", m.status_list);
  }
  bool operator==(const GoalStatusArray&) const = default;
};

/// `control_msgs/JointTolerance`: 0 is the server's default, -1 none at all.
struct JointTolerance {
  std::string name;
  double position = 0;
  double velocity = 0;
  double acceleration = 0;
  static constexpr const char* kPackage = "control_msgs";
  static constexpr const char* kName = "JointTolerance";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("name", m.name);
    v.field("position", m.position);
    v.field("velocity", m.velocity);
    v.field("acceleration", m.acceleration);
  }
  bool operator==(const JointTolerance&) const = default;
};

/// `control_msgs/FollowJointTrajectoryGoal`.
struct FollowJointTrajectoryGoal {
  JointTrajectory trajectory;
  std::vector<JointTolerance> path_tolerance;
  std::vector<JointTolerance> goal_tolerance;
  Duration goal_time_tolerance;
  static constexpr const char* kPackage = "control_msgs";
  static constexpr const char* kName = "FollowJointTrajectoryGoal";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("trajectory", m.trajectory);
    v.field("path_tolerance", m.path_tolerance);
    v.field("goal_tolerance", m.goal_tolerance);
    v.field("goal_time_tolerance", m.goal_time_tolerance);
  }
  bool operator==(const FollowJointTrajectoryGoal&) const = default;
};

/// `control_msgs/FollowJointTrajectoryFeedback`.
struct FollowJointTrajectoryFeedback {
  Header header;
  std::vector<std::string> joint_names;
  JointTrajectoryPoint desired;
  JointTrajectoryPoint actual;
  JointTrajectoryPoint error;
  static constexpr const char* kPackage = "control_msgs";
  static constexpr const char* kName = "FollowJointTrajectoryFeedback";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("header", m.header);
    v.field("joint_names", m.joint_names);
    v.field("desired", m.desired);
    v.field("actual", m.actual);
    v.field("error", m.error);
  }
  bool operator==(const FollowJointTrajectoryFeedback&) const = default;
};

/// `control_msgs/FollowJointTrajectoryResult`.
struct FollowJointTrajectoryResult {
  enum Code : std::int32_t {
    successful = 0,
    invalidGoal = -1,
    invalidJoints = -2,
    oldHeaderTimestamp = -3,
    pathToleranceViolated = -4,
    goalToleranceViolated = -5
  };
  std::int32_t error_code = 0;  ///< A `Code`.
  std::string error_string;
  static constexpr const char* kPackage = "control_msgs";
  static constexpr const char* kName = "FollowJointTrajectoryResult";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.constant("int32", "SUCCESSFUL", "0");
    v.constant("int32", "INVALID_GOAL", "-1");
    v.constant("int32", "INVALID_JOINTS", "-2");
    v.constant("int32", "OLD_HEADER_TIMESTAMP", "-3");
    v.constant("int32", "PATH_TOLERANCE_VIOLATED", "-4");
    v.constant("int32", "GOAL_TOLERANCE_VIOLATED", "-5");
    v.field("error_code", m.error_code);
    v.field("error_string", m.error_string);
  }
  bool operator==(const FollowJointTrajectoryResult&) const = default;
};

/// `control_msgs/FollowJointTrajectoryActionGoal`.
struct FollowJointTrajectoryActionGoal {
  Header header;
  GoalID goal_id;
  FollowJointTrajectoryGoal goal;
  static constexpr const char* kPackage = "control_msgs";
  static constexpr const char* kName = "FollowJointTrajectoryActionGoal";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("header", m.header);
    v.field("goal_id", m.goal_id);
    v.field("goal", m.goal);
  }
  bool operator==(const FollowJointTrajectoryActionGoal&) const = default;
};

/// `control_msgs/FollowJointTrajectoryActionFeedback`.
struct FollowJointTrajectoryActionFeedback {
  Header header;
  GoalStatus status;
  FollowJointTrajectoryFeedback feedback;
  static constexpr const char* kPackage = "control_msgs";
  static constexpr const char* kName = "FollowJointTrajectoryActionFeedback";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("header", m.header);
    v.field("status", m.status);
    v.field("feedback", m.feedback);
  }
  bool operator==(const FollowJointTrajectoryActionFeedback&) const = default;
};

/// `control_msgs/FollowJointTrajectoryActionResult`.
struct FollowJointTrajectoryActionResult {
  Header header;
  GoalStatus status;
  FollowJointTrajectoryResult result;
  static constexpr const char* kPackage = "control_msgs";
  static constexpr const char* kName = "FollowJointTrajectoryActionResult";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("header", m.header);
    v.field("status", m.status);
    v.field("result", m.result);
  }
  bool operator==(const FollowJointTrajectoryActionResult&) const = default;
};

}  // namespace mortise::ros
