#include "mortise/planning/paths/multipath_timing.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/planning/paths/constrained_curve.h"
#include "mortise/text/suggest.h"
#include "mortise/timing/bound_usage.h"
#include "mortise/timing/ramp_path.h"
#include "mortise/timing/robot_limits.h"
#include "mortise/timing/torque_bounds.h"

namespace mortise {

namespace {

/// Sections may begin so far (rad, m) from where the one before ends: files have only so many digits.
constexpr double kGap = 1e-3;
/// Milestones of less than this distance on average are samples of a curve; they need not all be passed.
constexpr double kDense = 0.05;
/// Shortest distance of the samples that are used, so that digits of files do not count as curvature.
constexpr double kSpacing = 0.02;
/// Corners below this angle (rad) make a path smooth.
constexpr double kGentle = 0.35;

/// Sections that follow each other under the same constraints.
struct Group {
  std::size_t first = 0, last = 0;  ///< Sections.
  std::vector<IKGoal> goals;
  std::vector<Hold> holds;
  std::vector<VectorXd> milestones, velocities;
  std::vector<double> times;
  std::vector<std::size_t> begins;  ///< By section: its first milestone. One more: the last milestone.
};

void append(Group& group, const MultiPath::Section& section, std::vector<VectorXd>& milestones) {
  group.begins.push_back(group.milestones.empty() ? 0 : group.milestones.size() - 1);
  const std::size_t from = group.milestones.empty() ? 0 : 1;
  if (section.velocities.empty() || section.times.empty()) group.velocities.clear();
  const bool moving = !section.velocities.empty() && !section.times.empty() &&
                      (from == 0 || group.velocities.size() == group.milestones.size());
  for (std::size_t i = from; i < milestones.size(); ++i) {
    group.milestones.push_back(milestones[i]);
    if (moving) group.velocities.push_back(section.velocities[i]);
    if (!section.times.empty()) group.times.push_back(section.times[i]);
  }
}

std::vector<Group> groupsOf(const MultiPath& path, std::span<const CoordinateLimits> limits) {
  std::vector<Group> groups;
  VectorXd end;
  for (std::size_t s = 0; s < path.sections.size(); ++s) {
    std::vector<VectorXd> milestones = path.sections[s].milestones;
    if (s > 0) {
      milestones.insert(milestones.begin(), end);
      unwrap(milestones, limits);
      const double gap = (milestones[1] - end).cwiseAbs().maxCoeff();
      if (gap > kGap)
        throw Error("section " + std::to_string(s) + " begins " + formatReal(gap) +
                        " (rad or m) from where the section before it ends",
                    {}, "`mortise path check FILE` lists such gaps");
      milestones.erase(milestones.begin());
      milestones.front() = end;
    } else {
      unwrap(milestones, limits);
    }
    end = milestones.back();
    const std::vector<IKGoal> goals = path.goalsOf(s);
    const std::vector<Hold> holds = path.holdsOf(s);
    const bool joins = !groups.empty() && groups.back().goals == goals && groups.back().holds == holds;
    if (!joins) {
      groups.emplace_back();
      groups.back().first = s;
      groups.back().goals = goals;
      groups.back().holds = holds;
    }
    groups.back().last = s;
    append(groups.back(), path.sections[s], milestones);
  }
  for (Group& group : groups) group.begins.push_back(group.milestones.size() - 1);
  return groups;
}

/// The largest angle between neighboring edges.
double sharpestCorner(const std::vector<VectorXd>& points) {
  double sharpest = 0;
  VectorXd before;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const VectorXd chord = points[i] - points[i - 1];
    if (chord.norm() < 1e-9) continue;
    const VectorXd direction = chord.normalized();
    if (before.size() > 0) sharpest = std::max(sharpest, std::acos(std::clamp(before.dot(direction), -1.0, 1.0)));
    before = direction;
  }
  return sharpest;
}

PathCurve curveThrough(const RobotPtr& robot, const Group& group, const MultiPathTimingOptions& options) {
  double length = 0;
  for (std::size_t i = 1; i < group.milestones.size(); ++i)
    length += (group.milestones[i] - group.milestones[i - 1]).norm();
  SmoothCurveOptions smoothing;
  smoothing.kept.assign(group.milestones.size(), 1);
  if (group.milestones.size() > 20 && length < kDense * static_cast<double>(group.milestones.size() - 1)) {
    smoothing.kept.assign(group.milestones.size(), 0);
    for (const std::size_t begin : group.begins) smoothing.kept[begin] = 1;
    smoothing.spacing = std::min(kSpacing, length / 20);
  }
  if (!group.goals.empty()) {
    if (options.curve == CurveKind::blend || options.curve == CurveKind::stop)
      throw Error("straight lines leave the goals of section " + std::to_string(group.first), {},
                  "take --curve smooth, or automatic");
    ConstrainedCurveOptions constrained;
    constrained.tolerance = options.tolerance;
    constrained.smoothing = smoothing;
    return constrainedCurve(robot, group.goals, group.milestones, constrained);
  }
  const bool moving = group.velocities.size() == group.milestones.size() && !group.times.empty();
  CurveKind kind = options.curve;
  if (kind == CurveKind::automatic)
    kind = moving || (group.milestones.size() > 2 && sharpestCorner(group.milestones) < kGentle) ? CurveKind::smooth
                                                                                                 : CurveKind::blend;
  if (kind != CurveKind::smooth) return blendedCurve(group.milestones, kind == CurveKind::stop ? 0 : options.deviation);
  if (moving) return curveOf({group.times, group.milestones, group.velocities}, smoothing);
  return smoothCurve(group.milestones, smoothing);
}

/// The knots of a section: from one of the milestones to another.
void cut(const HermiteTrajectory& motion, double from, double to, double offset, MultiPath::Section& section) {
  section.milestones.clear();
  section.velocities.clear();
  section.times.clear();
  const double slack = 1e-9 * std::max(1.0, motion.endTime());
  for (std::size_t k = 0; k < motion.times.size(); ++k) {
    const double t = motion.times[k];
    if (t < from - slack || t > to + slack) continue;
    section.times.push_back(offset + t);
    section.milestones.push_back(motion.configurations[k]);
    section.velocities.push_back(motion.velocities[k]);
  }
  while (section.milestones.size() < 2) {  // A section that goes nowhere.
    section.times.push_back(section.times.empty() ? offset + to : section.times.back());
    section.milestones.push_back(section.milestones.empty() ? motion.configurations.back() : section.milestones.back());
    section.velocities.push_back(VectorXd::Zero(section.milestones.back().size()));
  }
}

double restingDuration(const std::vector<Group>& groups, std::span<const CoordinateLimits> limits,
                       std::span<const std::string> names) {
  double duration = 0;
  for (const Group& group : groups) {
    OptimalTimingOptions coarse;
    coarse.gridPoints = 2;
    duration += timeOptimally(blendedCurve(group.milestones, 0), limits, {}, coarse, names).trajectory.endTime();
  }
  return duration;
}

bool turns(const Robot& robot, int link) {
  if (robot.link(link).motion != LinkMotion::revolute) return false;
  const int joint = robot.jointOfLink(link);
  if (joint < 0) return false;
  const JointType type = robot.joints()[static_cast<std::size_t>(joint)].type;
  return type != JointType::normal && type != JointType::weld;
}

}  // namespace

CurveKind curveKind(std::string_view name) {
  constexpr std::string_view kNames[] = {"automatic", "blend", "smooth", "stop"};
  for (std::size_t i = 0; i < std::size(kNames); ++i)
    if (kNames[i] == name) return static_cast<CurveKind>(i);
  throw Error("there is no curve '" + std::string(name) + "'", {}, listNames({"automatic", "blend", "smooth", "stop"}));
}

MotionLimits wholeLimits(const Robot& robot, const MotionLimitOptions& options) {
  for (const double factor : {options.velocityScaling, options.accelerationScaling})
    if (!(factor > 0 && factor <= 1))
      throw Error("scaling factors of velocities and accelerations must be above 0 and at most 1, not " +
                  formatReal(factor));
  for (const double value : {options.velocity, options.acceleration, options.rampUp})
    if (!(value >= 0) || std::isinf(value))
      throw Error("velocities, accelerations and the time of ramps must be finite and at least 0, not " +
                  formatReal(value));
  MotionLimits result;
  result.limits = coordinateLimits(robot, options.velocityScaling, options.accelerationScaling);
  result.names = linkNames(robot);
  for (int i = 0; i < robot.numLinks(); ++i) {
    CoordinateLimits& limits = result.limits[static_cast<std::size_t>(i)];
    const Link& link = robot.link(i);
    if (robot.driverOfLink(i) < 0) {
      limits.vMin = std::min(link.velocityMin, 0.0) * options.velocityScaling;
      limits.vMax = std::max(link.velocityMax, 0.0) * options.velocityScaling;
      limits.aMax = std::abs(link.accelerationMax) * options.accelerationScaling;
    }
    limits.circular = turns(robot, i);
    if (options.velocity > 0) {
      limits.vMax = options.velocity * options.velocityScaling;
      limits.vMin = -limits.vMax;
    }
    if (options.acceleration > 0) limits.aMax = options.acceleration * options.accelerationScaling;
    const double fastest = std::max(limits.vMax, -limits.vMin);
    if (std::isfinite(limits.aMax)) continue;
    if (std::isinf(fastest)) {
      result.unbounded.push_back(i);
    } else if (options.rampUp == 0) {
      throw Error("nothing bounds the acceleration of '" + link.name + "'", {},
                  "give accelerations of all with --acceleration, or a time of ramps above 0");
    } else {
      limits.aMax = fastest > 0 ? fastest / options.rampUp : 1;
      if (fastest > 0) result.assumed.push_back(i);
    }
  }
  if (robot.numLinks() > 0 && static_cast<int>(result.unbounded.size()) == robot.numLinks())
    throw Error("no link of robot '" + robot.name() + "' has a limit of velocity or acceleration", {},
                "give limits for all with --velocity and --acceleration");
  return result;
}

MultiPathTiming timeMultiPath(const RobotPtr& robot, const MultiPath& path, const MultiPathTimingOptions& options) {
  if (const std::string problem = path.problem(); !problem.empty()) throw Error(problem);
  if (path.dimension() != robot->numLinks())
    throw Error("the configurations have " + std::to_string(path.dimension()) + " numbers, but robot '" +
                    robot->name() + "' has " + std::to_string(robot->numLinks()) + " links",
                {}, "name the robot that the motion was made for");
  const MotionLimits limits = wholeLimits(*robot, options.limits);
  const std::vector<Group> groups = groupsOf(path, limits.limits);
  MultiPathTiming result;
  result.path = path;
  TorqueBounds torques(robot, options.gravity_W);
  HermiteTrajectory& whole = result.motion;
  for (const Group& group : groups) {
    std::vector<PathBound*> bounds;
    if (options.torque) bounds.push_back(&torques);
    const PathCurve curve = curveThrough(robot, group, options);
    const OptimalTiming timing = timeOptimally(curve, limits.limits, bounds, options.timing, limits.names);
    const HermiteTrajectory& part = timing.trajectory;
    const double offset = whole.endTime();
    for (std::size_t s = group.first; s <= group.last; ++s)
      cut(part, timing.milestoneTimes[group.begins[s - group.first]],
          timing.milestoneTimes[group.begins[s - group.first + 1]], offset, result.path.sections[s]);
    const BoundUsage usage = boundUsage(part, limits.limits);
    result.peakVelocity = std::max(result.peakVelocity, usage.velocity);
    result.peakAcceleration = std::max(result.peakAcceleration, usage.acceleration);
    result.peakTorque = std::max(result.peakTorque, largestShare(part, torques, options.timing.checksPerSegment));
    result.segments += timing.segments;
    result.stretch = std::max(result.stretch, timing.stretch);
    for (std::size_t k = whole.empty() ? 0 : 1; k < part.times.size(); ++k) {
      whole.times.push_back(offset + part.times[k]);
      whole.configurations.push_back(part.configurations[k]);
      whole.velocities.push_back(part.velocities[k]);
    }
  }
  result.duration = whole.endTime();
  result.durationBefore = path.timed() ? path.duration() : restingDuration(groups, limits.limits, limits.names);
  for (const int i : limits.unbounded) result.unbounded.push_back(limits.names[static_cast<std::size_t>(i)]);
  for (const int i : limits.assumed) result.assumed.push_back(limits.names[static_cast<std::size_t>(i)]);
  return result;
}

}  // namespace mortise
