#pragma once

#include <string>
#include <vector>

#include "ros/messages/joints.h"

namespace mortise::ros::test {

struct Point {
  double time;
  std::vector<double> positions;
  std::vector<double> velocities = {};
};

inline JointTrajectory trajectory(double stamp, std::vector<std::string> names, const std::vector<Point>& points) {
  JointTrajectory message;
  message.header.stamp = timeFrom(stamp);
  message.joint_names = std::move(names);
  for (const Point& point : points) {
    JointTrajectoryPoint made;
    made.positions = point.positions;
    made.velocities = point.velocities;
    made.time_from_start = durationFrom(point.time);
    message.points.push_back(std::move(made));
  }
  return message;
}

}  // namespace mortise::ros::test
