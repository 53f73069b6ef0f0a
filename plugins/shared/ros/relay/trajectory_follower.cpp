#include "ros/relay/trajectory_follower.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "ros/conversion/joints.h"
#include "ros/conversion/naming.h"

namespace mortise::ros {

namespace {

/// Stamps are whole nanoseconds, times of the simulation are sums of steps.
constexpr double kSameTime = 1e-9;
/// More stretches than a robot is told at once in earnest.
constexpr std::size_t kMaxSegments = 1 << 20;

bool isZero(const Time& time) { return time.sec == 0 && time.nanosec == 0; }

std::string timeText(double seconds) { return formatReal(seconds, 6) + " s"; }

/// The kind that the lists of the points say; nothing for a message that has no list at all.
std::optional<JointSegment::Kind> kindOf(const JointTrajectoryPoint& point) {
  if (!point.positions.empty())
    return point.velocities.empty() ? JointSegment::Kind::linear : JointSegment::Kind::hermite;
  if (!point.velocities.empty()) return JointSegment::Kind::velocity;
  if (!point.effort.empty()) return JointSegment::Kind::torque;
  return std::nullopt;
}

}  // namespace

/// A trajectory from its start on.
struct TrajectoryFollower::Part {
  const JointTrajectory& message;
  double stamp;      ///< s; times of points count from here.
  double begin;      ///< s; not before now.
  std::size_t next;  ///< The first point that lies behind `begin`.
  bool jumps;        ///< The point before `next` is where joints begin.
  JointSegment::Kind kind;
};

TrajectoryFollower::TrajectoryFollower(const Robot& robot, StampLimits limits) : robot_(&robot), limits_(limits) {
  const auto add = [this](const std::string& name, int link) {
    const auto same = [&](const auto& known) { return known.first == name; };
    if (!name.empty() && std::none_of(names_.begin(), names_.end(), same)) names_.emplace_back(name, link);
  };
  for (int i = 0; i < robot.numLinks(); ++i) add(robot.link(i).name, i);
  const JointNames joints = namesOfJoints(robot, Naming::rosControl);
  for (std::size_t i = 0; i < joints.names.size(); ++i) add(joints.names[i], joints.links[i]);
  for (const Driver& driver : robot.drivers())
    if (driver.type == DriverType::normal) add(driver.name, driver.links[0]);
  std::sort(names_.begin(), names_.end());
  reset(robot.initialConfiguration());
}

void TrajectoryFollower::reset(const VectorXd& q) {
  motions_.clear();
  for (const double position : q) motions_.emplace_back(position);
}

int TrajectoryFollower::findLink(const std::string& name) const {
  const auto found =
      std::lower_bound(names_.begin(), names_.end(), name,
                       [](const auto& known, const std::string& wanted) { return known.first < wanted; });
  return found != names_.end() && found->first == name ? found->second : -1;
}

std::vector<std::pair<int, std::size_t>> TrajectoryFollower::linksOf(const JointTrajectory& message,
                                                                     std::vector<std::string>& remarks) const {
  std::vector<std::pair<int, std::size_t>> links;
  for (std::size_t i = 0; i < message.joint_names.size(); ++i) {
    const std::string& name = message.joint_names[i];
    const int link = findLink(name);
    if (link < 0) {
      remarks.push_back("the robot has no joint '" + name + "'; what trajectories tell it is ignored");
    } else if (robot_->driverOfLink(link) < 0) {
      remarks.push_back("no motor moves '" + name + "'; what trajectories tell it is ignored");
    } else if (std::any_of(links.begin(), links.end(), [&](const auto& other) { return other.first == link; })) {
      throw Error("the trajectory names the joint of link '" + robot_->link(link).name +
                  "' twice, the second time as '" + name + "'");
    } else {
      links.emplace_back(link, i);
    }
  }
  return links;
}

double TrajectoryFollower::startOf(const JointTrajectory& message, double now) const {
  if (limits_.ignored || isZero(message.header.stamp)) return now;
  const double stamp = secondsOf(message.header.stamp);
  const double length = message.points.empty() ? 0 : secondsOf(message.points.back().time_from_start);
  const char* hint =
      "stamps are times of the simulation: let the sender follow /clock (use_sim_time), send a stamp of 0 to start at "
      "once, or set ignore_stamps";
  if (stamp > now + limits_.ahead)
    throw Error("the trajectory starts at " + timeText(stamp) + ", and the simulation is at " + timeText(now) +
                    ": the stamp is of another clock",
                {}, hint);
  if (stamp + length < now - limits_.late)
    throw Error("the trajectory ended at " + timeText(stamp + length) + ", and the simulation is at " + timeText(now),
                {}, hint);
  return stamp;
}

bool TrajectoryFollower::accept(const JointTrajectory& message, double now, const VectorXd& qSensed,
                                std::vector<std::string>& remarks) {
  checkTrajectory(message);
  std::vector<std::pair<int, std::size_t>> links = linksOf(message, remarks);
  if (message.joint_names.empty() && message.points.empty())
    for (int i = 0; i < robot_->numLinks(); ++i)
      if (robot_->driverOfLink(i) >= 0) links.emplace_back(i, 0);
  if (links.empty()) return false;
  const double stamp = startOf(message, now);
  Part part{message, stamp, std::max(stamp, now), 0, false, JointSegment::Kind::linear};
  if (!message.points.empty()) {
    const std::optional<JointSegment::Kind> kind = kindOf(message.points.front());
    if (!kind) throw Error("the points of the trajectory have no positions, velocities or efforts");
    part.kind = *kind;
    if (!message.points.front().accelerations.empty())
      remarks.emplace_back("accelerations of trajectories are ignored: positions and velocities are followed");
  }
  const auto timeOf = [&](std::size_t i) { return stamp + secondsOf(message.points[i].time_from_start); };
  while (part.next < message.points.size() && timeOf(part.next) <= part.begin + kSameTime) ++part.next;
  // A point that is due is where the motion begins, unless it is past and others follow: then joints go on from where
  // they are.
  part.jumps = part.next > 0 && (part.next == message.points.size() || timeOf(part.next - 1) > part.begin - kSameTime);
  std::size_t stretches = message.points.size() * links.size();
  for (const JointMotion& motion : motions_) stretches += motion.size();
  if (stretches > kMaxSegments)
    throw Error("too much is told in advance: " + std::to_string(stretches) + " points wait to be reached", {},
                "send trajectories of fewer points");
  for (JointMotion& motion : motions_) motion.forgetBefore(now);
  for (const auto& [link, index] : links) replace(part, link, index, qSensed[link]);
  return true;
}

void TrajectoryFollower::replace(const Part& part, int link, std::size_t index, double qSensed) {
  JointMotion& motion = motions_[static_cast<std::size_t>(link)];
  JointTarget state = motion.at(part.begin);
  if (state.torque) state.q = qSensed;
  motion.cut(part.begin);

  using Kind = JointSegment::Kind;
  const auto value = [index](const std::vector<double>& list) { return list.empty() ? 0.0 : list[index]; };
  const bool places = part.kind == Kind::linear || part.kind == Kind::hermite;
  const auto move = [&](double time, const JointTrajectoryPoint& point) {
    JointSegment segment;
    segment.start = part.begin;
    segment.end = time;
    segment.kind = part.kind;
    segment.q0 = state.q;
    segment.v0 = state.v;
    segment.effort0 = state.effort;
    segment.v1 = value(point.velocities);
    segment.effort1 = value(point.effort);
    segment.q1 = places ? value(point.positions) : state.q;
    return segment;
  };
  const auto put = [&](JointSegment segment) {
    if (segment.kind == Kind::velocity) segment.q1 += (segment.end - segment.start) * (segment.v0 + segment.v1) / 2;
    motion.append(segment);
    state = {segment.q1, segment.v1, segment.effort1, false};
  };
  double time = part.begin;
  if (part.message.points.empty()) {
    JointTrajectoryPoint rest;
    rest.positions.assign(index + 1, state.q);
    put(move(time, rest));
    return;
  }
  if (part.jumps) {
    // Velocities alone do not move a joint in no time.
    JointSegment first = move(time, part.message.points[part.next - 1]);
    if (!places) first.q1 = state.q;
    motion.append(first);
    state = {first.q1, first.v1, first.effort1, false};
  }
  for (std::size_t i = part.next; i < part.message.points.size(); ++i) {
    const double end = part.stamp + secondsOf(part.message.points[i].time_from_start);
    JointSegment segment = move(end, part.message.points[i]);
    segment.start = time;
    put(segment);
    time = end;
  }
}

void TrajectoryFollower::evaluate(double time, VectorXd& q, VectorXd& dq, VectorXd& effort) const {
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    const JointTarget target = motions_[i].at(time);
    const auto link = static_cast<Eigen::Index>(i);
    q[link] = target.q;
    dq[link] = target.v;
    effort[link] = target.effort;
  }
}

void TrajectoryFollower::save(ByteWriter& out) const {
  for (const JointMotion& motion : motions_) motion.save(out);
}

void TrajectoryFollower::restore(ByteReader& in) {
  std::vector<JointMotion> motions(motions_.size());
  for (JointMotion& motion : motions) motion.restore(in);
  motions_ = std::move(motions);
}

}  // namespace mortise::ros
