#pragma once

/// Messages about joints: `sensor_msgs/JointState`, `trajectory_msgs`, and the clock.

#include <string>
#include <vector>

#include "ros/messages/primitives.h"

namespace mortise::ros {

/// `sensor_msgs/JointState`; lists of numbers are empty or as long as `name`.
struct JointState {
  Header header;
  std::vector<std::string> name;
  std::vector<double> position;
  std::vector<double> velocity;
  std::vector<double> effort;
  static constexpr const char* kPackage = "sensor_msgs";
  static constexpr const char* kName = "JointState";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("header", m.header);
    v.field("name", m.name);
    v.field("position", m.position);
    v.field("velocity", m.velocity);
    v.field("effort", m.effort);
  }
  bool operator==(const JointState&) const = default;
};

/// `trajectory_msgs/JointTrajectoryPoint`.
struct JointTrajectoryPoint {
  std::vector<double> positions;
  std::vector<double> velocities;
  std::vector<double> accelerations;
  std::vector<double> effort;
  Duration time_from_start;
  static constexpr const char* kPackage = "trajectory_msgs";
  static constexpr const char* kName = "JointTrajectoryPoint";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("positions", m.positions);
    v.field("velocities", m.velocities);
    v.field("accelerations", m.accelerations);
    v.field("effort", m.effort);
    v.field("time_from_start", m.time_from_start);
  }
  bool operator==(const JointTrajectoryPoint&) const = default;
};

/// `trajectory_msgs/JointTrajectory`.
struct JointTrajectory {
  Header header;
  std::vector<std::string> joint_names;
  std::vector<JointTrajectoryPoint> points;
  static constexpr const char* kPackage = "trajectory_msgs";
  static constexpr const char* kName = "JointTrajectory";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("header", m.header);
    v.field("joint_names", m.joint_names);
    v.field("points", m.points);
  }
  bool operator==(const JointTrajectory&) const = default;
};

/// `rosgraph_msgs/Clock`.
struct Clock {
  Time clock;
  static constexpr const char* kPackage = "rosgraph_msgs";
  static constexpr const char* kName = "Clock";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.field("clock", m.clock);
  }
  bool operator==(const Clock&) const = default;
};

}  // namespace mortise::ros
