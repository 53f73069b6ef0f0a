#include "ros/relay/trajectory_action.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/math/constants.h"
#include "ros/conversion/joints.h"

namespace mortise::ros {

namespace {

using Result = FollowJointTrajectoryResult;

/// Times of trajectories are whole nanoseconds, times of the simulation are sums of steps.
constexpr double kSameInstant = 1e-9;
/// More joints than robots have.
constexpr std::uint64_t kMaxJoints = 1 << 16;

/// Why a goal is not followed.
struct Refusal {
  Result::Code code;
  std::string text;
};

std::string sentence(const Error& error) {
  return error.message() + (error.hint().empty() ? "" : " (" + error.hint() + ")");
}

/// Returns the meaning of a tolerance of a goal: 0 is the server's own, and one below 0 is none.
double toleranceFrom(double given, double own) { return given == 0 ? own : std::max(given, 0.0); }

void checkGoal(const FollowJointTrajectoryGoal& goal) {
  try {
    checkTrajectory(goal.trajectory);
  } catch (const Error& error) {
    throw Refusal{Result::invalidGoal, sentence(error)};
  }
  const JointTrajectory& trajectory = goal.trajectory;
  if (trajectory.joint_names.empty()) throw Refusal{Result::invalidJoints, "the goal names no joints"};
  if (!trajectory.points.empty() && trajectory.points.front().positions.empty())
    throw Refusal{Result::invalidGoal,
                  "expected positions in every point of a goal; send velocities or efforts alone on the topic of "
                  "trajectories"};
  for (const auto* list : {&goal.path_tolerance, &goal.goal_tolerance})
    for (const JointTolerance& tolerance : *list)
      if (!std::isfinite(tolerance.position) || !std::isfinite(tolerance.velocity))
        throw Refusal{Result::invalidGoal, "expected finite tolerances, found one of '" + tolerance.name +
                                               "' that is not; 0 is the server's own, -1 none"};
}

}  // namespace

const std::string TrajectoryAction::kNone;

TrajectoryAction::TrajectoryAction(const Robot& robot, const std::string& name, const ActionSettings& settings)
    : robot_(&robot), settings_(settings), goals_(name) {}

void TrajectoryAction::reset() {
  goals_.clear();
  active_.reset();
  ends_.clear();
  changed_ = true;
}

void TrajectoryAction::accept(const FollowJointTrajectoryActionGoal& message, double now, const VectorXd& qSensed,
                              TrajectoryFollower& follower, std::vector<std::string>& remarks) {
  const GoalStatus* listed = goals_.add(message.goal_id, now);
  if (listed == nullptr) return;  // It came twice.
  changed_ = true;
  const std::string id = listed->goal_id.id;
  if (listed->status == GoalStatus::recalled) {
    const std::string text = "the goal was canceled before it came";
    ends_.push_back({goals_.set(id, GoalStatus::recalled, text, now), {Result::successful, text}});
    return;
  }
  try {
    ActiveGoal next = begin(message, now, qSensed, follower, remarks);
    preempt(now, "a newer goal took its place");
    next.id = id;
    active_ = std::move(next);
    goals_.set(id, GoalStatus::active, "", now);
  } catch (const Refusal& refusal) {
    remarks.push_back("a goal of the action is rejected: " + refusal.text);
    ends_.push_back({goals_.set(id, GoalStatus::rejected, refusal.text, now), {refusal.code, refusal.text}});
  }
}

TrajectoryAction::ActiveGoal TrajectoryAction::begin(const FollowJointTrajectoryActionGoal& message, double now,
                                                     const VectorXd& qSensed, TrajectoryFollower& follower,
                                                     std::vector<std::string>& remarks) const {
  const FollowJointTrajectoryGoal& goal = message.goal;
  const JointTrajectory& trajectory = goal.trajectory;
  checkGoal(goal);
  ActiveGoal next;
  next.joints = jointsOf(goal, follower, remarks);
  const double time = secondsOf(goal.goal_time_tolerance);
  next.goalTime = toleranceFrom(time, settings_.goalTime);
  try {
    next.stamp = follower.startOf(trajectory, now);
  } catch (const Error& error) {
    const bool old = secondsOf(trajectory.header.stamp) < now;
    throw Refusal{old ? Result::oldHeaderTimestamp : Result::invalidGoal, sentence(error)};
  }
  try {
    follower.accept(trajectory, now, qSensed, remarks);
  } catch (const Error& error) {
    throw Refusal{Result::invalidGoal, sentence(error)};
  }
  const double length = trajectory.points.empty() ? 0 : secondsOf(trajectory.points.back().time_from_start);
  next.begin = std::max(next.stamp, now);
  next.end = std::max(next.stamp + length, next.begin);
  return next;
}

std::vector<TrajectoryAction::GoalJoint> TrajectoryAction::jointsOf(const FollowJointTrajectoryGoal& goal,
                                                                    const TrajectoryFollower& follower,
                                                                    std::vector<std::string>& remarks) const {
  std::vector<GoalJoint> joints;
  for (const std::string& name : goal.trajectory.joint_names) {
    const int link = follower.findLink(name);
    if (link < 0) throw Refusal{Result::invalidJoints, "the robot has no joint '" + name + "'"};
    if (robot_->driverOfLink(link) < 0) throw Refusal{Result::invalidJoints, "no motor moves '" + name + "'"};
    joints.push_back(
        {name, link, settings_.pathTolerance, 0, settings_.goalTolerance, settings_.stoppedVelocityTolerance});
  }
  setTolerances(goal.path_tolerance, true, joints, remarks);
  setTolerances(goal.goal_tolerance, false, joints, remarks);
  remarkUnmeasured(joints, remarks);
  return joints;
}

void TrajectoryAction::setTolerances(const std::vector<JointTolerance>& given, bool path,
                                     std::vector<GoalJoint>& joints, std::vector<std::string>& remarks) const {
  for (const JointTolerance& tolerance : given) {
    const auto joint =
        std::find_if(joints.begin(), joints.end(), [&](const GoalJoint& each) { return each.name == tolerance.name; });
    if (joint == joints.end()) {
      remarks.push_back("a goal has a tolerance of '" + tolerance.name +
                        "', which its trajectory does not name; it is ignored");
      continue;
    }
    if (tolerance.acceleration > 0) remarks.emplace_back("tolerances of accelerations are not compared");
    double& position = path ? joint->pathPosition : joint->goalPosition;
    double& velocity = path ? joint->pathVelocity : joint->goalVelocity;
    position = toleranceFrom(tolerance.position, position);
    velocity = toleranceFrom(tolerance.velocity, velocity);
  }
}

void TrajectoryAction::remarkUnmeasured(const std::vector<GoalJoint>& joints, std::vector<std::string>& remarks) const {
  bool position = false, velocity = false;
  for (const GoalJoint& joint : joints) {
    position = position || joint.pathPosition > 0 || joint.goalPosition > 0;
    velocity = velocity || joint.pathVelocity > 0 || joint.goalVelocity > 0;
  }
  if (position && !positions_)
    remarks.emplace_back(
        "the robot has no sensor of joint positions, so tolerances of positions are not compared; give it one, such as "
        "JointPositionSensor");
  if (velocity && !velocities_)
    remarks.emplace_back(
        "the robot has no sensor of joint velocities, so tolerances of velocities are not compared; give it one, such "
        "as JointVelocitySensor");
}

void TrajectoryAction::cancel(const GoalID& request, double now, const VectorXd& qSensed,
                              TrajectoryFollower& follower) {
  const std::vector<std::string> meant = goals_.cancel(request, now);
  changed_ = true;
  if (!active_ || std::find(meant.begin(), meant.end(), active_->id) == meant.end()) return;
  stopJoints(now, qSensed, follower);
  end(GoalStatus::preempted, Result::successful, "the goal was canceled", now);
}

void TrajectoryAction::preempt(double now, const std::string& reason) {
  if (active_) end(GoalStatus::preempted, Result::successful, reason, now);
}

void TrajectoryAction::abort(double now, const std::string& reason) {
  if (active_) end(GoalStatus::aborted, Result::successful, reason, now);
}

bool TrajectoryAction::update(double now, const JointPoint& desired, const JointPoint& actual,
                              TrajectoryFollower& follower) {
  goals_.forgetOld(now);
  if (!active_ || now < active_->begin - kSameInstant) return false;
  const bool path = now < active_->end - kSameInstant;
  std::string wrong;
  for (const GoalJoint& joint : active_->joints)
    if (wrong.empty()) wrong = violation(joint, path, desired, actual);
  if (path) {
    if (wrong.empty()) return false;
    stopJoints(now, actual.q, follower);
    end(GoalStatus::aborted, Result::pathToleranceViolated, wrong, now);
    return true;
  }
  if (wrong.empty())
    end(GoalStatus::succeeded, Result::successful, "", now);
  else if (now >= active_->end + active_->goalTime - kSameInstant)
    end(GoalStatus::aborted, Result::goalToleranceViolated, wrong, now);
  return false;
}

double TrajectoryAction::distance(int link, double from, double to) const {
  const int joint = robot_->jointOfLink(link);
  const bool spins = joint >= 0 && robot_->joints()[static_cast<std::size_t>(joint)].type == JointType::spin;
  return std::abs(spins ? std::remainder(to - from, 2 * kPi) : to - from);
}

std::string TrajectoryAction::violation(const GoalJoint& joint, bool path, const JointPoint& desired,
                                        const JointPoint& actual) const {
  const bool slides = robot_->link(joint.link).motion == LinkMotion::prismatic;
  const auto say = [&](double off, double tolerance, const std::string& unit, const char* what) {
    return "the joint '" + joint.name + "' is " + formatReal(off, 6) + " " + unit + " off " + what +
           ", and the tolerance " + (path ? "on the way" : "at the end") + " is " + formatReal(tolerance, 6) + " " +
           unit + "; raise it, or move slower";
  };
  const std::string unit = slides ? "m" : "rad";
  const double position = path ? joint.pathPosition : joint.goalPosition;
  const double off = distance(joint.link, desired.q[joint.link], actual.q[joint.link]);
  if (positions_ && position > 0 && off > position) return say(off, position, unit, "its position");
  const double velocity = path ? joint.pathVelocity : joint.goalVelocity;
  if (!velocities_ || !(velocity > 0) || actual.dq.size() == 0) return {};
  const double faster = std::abs(desired.dq[joint.link] - actual.dq[joint.link]);
  return faster > velocity ? say(faster, velocity, unit + "/s", "its velocity") : std::string();
}

void TrajectoryAction::stopJoints(double now, const VectorXd& qSensed, TrajectoryFollower& follower) const {
  JointTrajectory rest;
  for (const GoalJoint& joint : active_->joints) rest.joint_names.push_back(joint.name);
  std::vector<std::string> none;
  follower.accept(rest, now, qSensed, none);
}

void TrajectoryAction::end(GoalStatus::Status status, Result::Code code, const std::string& text, double now) {
  ends_.push_back({goals_.set(active_->id, status, text, now), {code, text}});
  active_.reset();
  changed_ = true;
}

bool TrajectoryAction::takeChanged() { return std::exchange(changed_, false); }

std::vector<GoalEnd> TrajectoryAction::takeEnds() { return std::exchange(ends_, {}); }

void TrajectoryAction::fillStatus(double now, GoalStatusArray& message) const {
  message.header.stamp = timeFrom(now);
  goals_.fill(message.status_list);
}

void TrajectoryAction::fillFeedback(double now, const JointPoint& desired, const JointPoint& actual,
                                    FollowJointTrajectoryActionFeedback& message) const {
  FollowJointTrajectoryFeedback& feedback = message.feedback;
  message.header.stamp = feedback.header.stamp = timeFrom(now);
  message.status = goals_.statusOf(active_->id);
  const std::size_t count = active_->joints.size();
  const bool measured = velocities_ && actual.dq.size() > 0;
  feedback.joint_names.resize(count);
  for (auto* point : {&feedback.desired, &feedback.actual, &feedback.error}) {
    point->positions.resize(count);
    point->velocities.resize(measured || point == &feedback.desired ? count : 0);
    point->time_from_start = durationFrom(now - active_->stamp);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const GoalJoint& joint = active_->joints[i];
    feedback.joint_names[i] = joint.name;
    feedback.desired.positions[i] = desired.q[joint.link];
    feedback.actual.positions[i] = actual.q[joint.link];
    feedback.error.positions[i] = desired.q[joint.link] - actual.q[joint.link];
    feedback.desired.velocities[i] = desired.dq[joint.link];
    if (!measured) continue;
    feedback.actual.velocities[i] = actual.dq[joint.link];
    feedback.error.velocities[i] = desired.dq[joint.link] - actual.dq[joint.link];
  }
}

void TrajectoryAction::save(ByteWriter& out) const {
  goals_.save(out);
  out.put(active_.has_value());
  if (!active_) return;
  out.put(std::string_view(active_->id));
  for (const double time : {active_->stamp, active_->begin, active_->end, active_->goalTime}) out.put(time);
  out.put(static_cast<std::uint64_t>(active_->joints.size()));
  for (const GoalJoint& joint : active_->joints) {
    out.put(std::string_view(joint.name));
    out.put(joint.link);
    for (const double tolerance : {joint.pathPosition, joint.pathVelocity, joint.goalPosition, joint.goalVelocity})
      out.put(tolerance);
  }
}

void TrajectoryAction::restore(ByteReader& in) {
  reset();
  goals_.restore(in);
  if (in.get<std::uint8_t>() == 0) return;
  ActiveGoal goal;
  goal.id = in.getString();
  for (double* time : {&goal.stamp, &goal.begin, &goal.end, &goal.goalTime}) in.get(*time);
  const auto count = in.get<std::uint64_t>();
  if (count > kMaxJoints) throw Error("the snapshot has a goal of more joints than robots have");
  for (std::uint64_t i = 0; i < count; ++i) {
    GoalJoint joint;
    joint.name = in.getString();
    in.get(joint.link);
    if (joint.link < 0 || joint.link >= robot_->numLinks())
      throw Error("the snapshot has a goal of a joint that the robot does not have");
    for (double* tolerance : {&joint.pathPosition, &joint.pathVelocity, &joint.goalPosition, &joint.goalVelocity})
      in.get(*tolerance);
    goal.joints.push_back(std::move(joint));
  }
  active_ = std::move(goal);
}

}  // namespace mortise::ros
