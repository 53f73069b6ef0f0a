#include "ros/conversion/joints.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "mortise/base/error.h"

namespace mortise::ros {

namespace {

void gather(const JointNames& joints, const VectorXd& values, std::vector<double>& out) {
  out.clear();
  if (values.size() == 0) return;
  for (const int link : joints.links) out.push_back(values[link]);
}

/// A list is empty or has one number a name.
void checkLength(const std::string& where, const char* kind, const std::vector<double>& list, std::size_t names) {
  if (!list.empty() && list.size() != names)
    throw Error(where + ": expected " + std::to_string(names) + " " + kind + ", one a joint, found " +
                std::to_string(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i)
    if (!std::isfinite(list[i]))
      throw Error(where + ": number " + std::to_string(i) + " of the " + kind + " is not finite");
}

JointTrajectoryPoint pointAt(const JointNames& joints, const VectorXd& q, double time) {
  JointTrajectoryPoint point;
  gather(joints, q, point.positions);
  point.time_from_start = durationFrom(time);
  return point;
}

/// Tells the names of a trajectory that the robot does not have, and gives the joint of each.
std::vector<int> linksOf(const JointTrajectory& message, const JointNames& joints, std::vector<std::string>& unknown) {
  std::vector<int> links = matchNames(message.joint_names, joints.names);
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (links[i] < 0)
      unknown.push_back(message.joint_names[i]);
    else
      links[i] = joints.links[static_cast<std::size_t>(links[i])];
  }
  return links;
}

void scatter(const std::vector<double>& values, const std::vector<int>& links, VectorXd& out) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (links[i] >= 0) out[links[i]] = values[i];
}

}  // namespace

void fillJointState(const JointNames& joints, const Time& stamp, const VectorXd& q, const VectorXd& dq,
                    const VectorXd& effort, JointState& message) {
  message.header.stamp = stamp;
  if (message.name != joints.names) message.name = joints.names;
  gather(joints, q, message.position);
  gather(joints, dq, message.velocity);
  gather(joints, effort, message.effort);
}

std::vector<std::string> applyJointState(const JointState& message, const JointNames& joints, VectorXd& q,
                                         VectorXd& dq) {
  checkLength("JointState", "positions", message.position, message.name.size());
  checkLength("JointState", "velocities", message.velocity, message.name.size());
  checkLength("JointState", "efforts", message.effort, message.name.size());
  std::vector<std::string> unknown;
  const std::vector<int> matched = matchNames(message.name, joints.names);
  for (std::size_t i = 0; i < matched.size(); ++i) {
    if (matched[i] < 0) {
      unknown.push_back(message.name[i]);
      continue;
    }
    const int link = joints.links[static_cast<std::size_t>(matched[i])];
    if (!message.position.empty()) q[link] = message.position[i];
    if (!message.velocity.empty()) dq[link] = message.velocity[i];
  }
  return unknown;
}

JointTrajectory trajectoryMessage(const JointNames& joints, const Trajectory& motion) {
  JointTrajectory message;
  message.joint_names = joints.names;
  for (std::size_t i = 0; i < motion.times.size(); ++i)
    message.points.push_back(pointAt(joints, motion.configurations[i], motion.times[i] - motion.startTime()));
  return message;
}

JointTrajectory trajectoryMessage(const JointNames& joints, const HermiteTrajectory& motion) {
  JointTrajectory message;
  message.joint_names = joints.names;
  for (std::size_t i = 0; i < motion.times.size(); ++i) {
    message.points.push_back(pointAt(joints, motion.configurations[i], motion.times[i] - motion.startTime()));
    gather(joints, motion.velocities[i], message.points.back().velocities);
  }
  return message;
}

void checkTrajectory(const JointTrajectory& message) {
  std::set<std::string_view> seen;
  for (const std::string& name : message.joint_names)
    if (!seen.insert(name).second) throw Error("JointTrajectory: the joint '" + name + "' is named twice");
  double last = 0;
  for (std::size_t i = 0; i < message.points.size(); ++i) {
    const JointTrajectoryPoint& point = message.points[i];
    const JointTrajectoryPoint& first = message.points.front();
    const std::string where = "JointTrajectory, point " + std::to_string(i);
    checkLength(where, "positions", point.positions, message.joint_names.size());
    checkLength(where, "velocities", point.velocities, message.joint_names.size());
    checkLength(where, "accelerations", point.accelerations, message.joint_names.size());
    checkLength(where, "efforts", point.effort, message.joint_names.size());
    if (point.positions.empty() && point.velocities.empty() && point.effort.empty() && !message.joint_names.empty())
      throw Error(where + ": expected positions, velocities or efforts, found none of them");
    if (point.positions.empty() != first.positions.empty() || point.velocities.empty() != first.velocities.empty())
      throw Error(where + ": expected the same kinds of numbers (positions, velocities) as in point 0");
    const double time = secondsOf(point.time_from_start);
    if (time < 0 || (i > 0 && !(time > last)))
      throw Error(where + ": expected times that increase and are not negative, found " + std::to_string(time) +
                  " s after " + std::to_string(last) + " s");
    last = time;
  }
}

Trajectory trajectoryFrom(const JointTrajectory& message, const JointNames& joints, const VectorXd& q,
                          std::vector<std::string>& unknown) {
  checkTrajectory(message);
  const std::vector<int> links = linksOf(message, joints, unknown);
  Trajectory motion;
  for (const JointTrajectoryPoint& point : message.points) {
    if (point.positions.empty() && !links.empty())
      throw Error("JointTrajectory: expected positions in every point, found velocities or efforts alone");
    motion.times.push_back(secondsOf(point.time_from_start));
    motion.configurations.push_back(q);
    scatter(point.positions, links, motion.configurations.back());
  }
  return motion;
}

HermiteTrajectory hermiteTrajectoryFrom(const JointTrajectory& message, const JointNames& joints, const VectorXd& q,
                                        std::vector<std::string>& unknown) {
  Trajectory positions = trajectoryFrom(message, joints, q, unknown);
  std::vector<std::string> again;
  const std::vector<int> links = linksOf(message, joints, again);
  HermiteTrajectory motion{std::move(positions.times), std::move(positions.configurations), {}};
  for (const JointTrajectoryPoint& point : message.points) {
    if (point.velocities.empty() && !links.empty())
      throw Error("JointTrajectory: expected velocities in every point, found positions alone");
    motion.velocities.push_back(VectorXd::Zero(q.size()));
    scatter(point.velocities, links, motion.velocities.back());
  }
  return motion;
}

}  // namespace mortise::ros
