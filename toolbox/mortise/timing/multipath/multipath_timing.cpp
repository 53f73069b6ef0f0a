#include "mortise/timing/multipath/multipath_timing.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/timing/bound_usage.h"
#include "mortise/timing/contact_bounds.h"
#include "mortise/timing/jerk_filter.h"
#include "mortise/timing/multipath/constrained_curve.h"
#include "mortise/timing/robot_limits.h"
#include "mortise/timing/torque_bounds.h"

namespace mortise {

namespace {

/// Returns the bound on the motion beyond velocities and accelerations; `torques`: whether those of motors count.
std::unique_ptr<PathBound> forcesOf(const RobotPtr& robot, const MultiPath& path, const PathGroup& group,
                                    const MultiPathTimingOptions& options, bool torques) {
  if (!(options.torqueScale > 0 && options.torqueScale <= 1))
    throw Error("of torques a fraction above 0 and at most 1 may be used, not " + formatReal(options.torqueScale));
  if (group.goals.empty()) return std::make_unique<TorqueBounds>(robot, options.gravity_W, options.torqueScale);
  ContactBoundOptions own;
  own.gravity_W = options.gravity_W;
  own.torques = torques;
  own.friction = options.contacts;
  own.torqueScale = options.torqueScale;
  own.frictionScale = options.frictionScale;
  own.minForce = options.contacts ? options.minForce : 0;
  return std::make_unique<ContactBounds>(robot, path.sections[group.first].goals, group.holds, own);
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

double restingDuration(const std::vector<PathGroup>& groups, std::span<const CoordinateLimits> limits,
                       std::span<const std::string> names) {
  double duration = 0;
  for (const PathGroup& group : groups) {
    OptimalTimingOptions coarse;
    coarse.gridPoints = 2;
    duration += timeOptimally(blendedCurve(group.milestones, 0), limits, {}, coarse, names).trajectory.endTime();
  }
  return duration;
}

/// A group's motion, and what became of its jerk.
struct TimedGroup {
  OptimalTiming timing;
  double peakJerk = 0, deviation = 0;
};

std::vector<CoordinateLimits> withAccelerations(std::vector<CoordinateLimits> limits, double factor) {
  for (CoordinateLimits& limit : limits) limit.aMax *= factor;
  return limits;
}

/// By how much the motion leaves goals that its curve keeps to `tolerance`, as a multiple of it.
double goalExcess(const RobotPtr& robot, const PathGroup& group, const HermiteTrajectory& motion, double tolerance) {
  if (group.goals.empty()) return 0;
  GoalResidual residual(robot, group.goals);
  double maximum = 0;
  VectorXd q = motion.configurations.front(), dq = q;
  for (std::size_t k = 0; k + 1 < motion.times.size(); ++k) {
    motion.evaluate(0.5 * (motion.times[k] + motion.times[k + 1]), q, dq);
    maximum = std::max({maximum, residual.at(motion.configurations[k]), residual.at(q)});
  }
  return maximum / tolerance;
}

/// With smaller accelerations a motion takes longer, but its jerks are smaller and take less to smooth.
TimedGroup timeGroup(const RobotPtr& robot, const PathGroup& group, const PathCurve& curve, const MotionLimits& limits,
                     std::span<PathBound* const> bounds, const MultiPathTimingOptions& options) {
  constexpr double kFactors[] = {1, 0.8, 0.64, 0.5, 0.4, 0.3, 0.2, 0.14, 0.1, 0.05, 0.025};
  /// Links may leave their goals by so many times what the curve does.
  constexpr double kMoreResidual = 5;
  if (!(options.jerk > 0)) return {timeOptimally(curve, limits.limits, bounds, options.timing, limits.names), 0, 0};
  std::vector<double> jerks;
  for (const CoordinateLimits& limit : limits.limits)
    jerks.push_back(std::isfinite(limit.aMax) && std::isfinite(limit.vMax) ? options.jerk : kInfinity);
  std::size_t best = std::size(kFactors);
  double shortest = kInfinity;
  const auto smoothed = [&](std::size_t i, std::span<PathBound* const> kept) {
    OptimalTiming timing =
        timeOptimally(curve, withAccelerations(limits.limits, kFactors[i]), kept, options.timing, limits.names);
    JerkLimitedMotion motion = limitJerk(timing.trajectory, limits.limits, jerks, timing.milestoneTimes);
    timing.trajectory = std::move(motion.trajectory);
    timing.milestoneTimes = std::move(motion.milestoneTimes);
    return TimedGroup{std::move(timing), motion.peakJerk, motion.deviation};
  };
  for (std::size_t i = 0; i < std::size(kFactors); ++i) {
    const TimedGroup tried = smoothed(i, {});
    const double duration = tried.timing.trajectory.endTime();
    if (goalExcess(robot, group, tried.timing.trajectory, options.curve.tolerance) > kMoreResidual) continue;
    if (duration >= shortest) break;
    shortest = duration;
    best = i;
  }
  if (best == std::size(kFactors))
    throw Error("with a jerk of " + formatReal(options.jerk) + " the links leave their goals", {},
                "allow more jerk, or a larger --tolerance");
  if (bounds.empty()) return smoothed(best, {});
  TimedGroup result = smoothed(best, bounds);
  double excess = 0;
  for (PathBound* bound : bounds) excess = std::max(excess, largestExcess(result.timing.trajectory, *bound, 4));
  if (std::isinf(excess)) throw Error("with this limit of jerk the robot cannot be borne along the path");
  if (excess > 1) {
    const double stretch = std::sqrt(excess) * (1 + 1e-6);
    for (double& t : result.timing.trajectory.times) t *= stretch;
    for (VectorXd& v : result.timing.trajectory.velocities) v /= stretch;
    for (double& t : result.timing.milestoneTimes) t *= stretch;
    result.timing.stretch *= stretch;
    result.peakJerk /= stretch * stretch * stretch;
  }
  return result;
}

}  // namespace

MotionLimits fullLimits(const Robot& robot, const MotionLimitOptions& options) {
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
    limits.circular = turnsAround(robot, i);
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
  if (!(options.jerk >= 0)) throw Error("a limit of jerk must be above 0, not " + formatReal(options.jerk));
  const MotionLimits limits = fullLimits(*robot, options.limits);
  const std::vector<PathGroup> groups = groupsOf(path, limits.limits, robot);
  MultiPathTiming result;
  result.path = path;
  HermiteTrajectory& full = result.motion;
  for (const PathGroup& group : groups) {
    const std::unique_ptr<PathBound> forces = forcesOf(robot, path, group, options, options.torque);
    const std::unique_ptr<PathBound> given = options.torque ? nullptr : forcesOf(robot, path, group, options, true);
    std::vector<PathBound*> bounds;
    if (options.torque || (options.contacts && !group.holds.empty())) bounds.push_back(forces.get());
    const PathCurve curve =
        beginningAt(full.empty() ? VectorXd() : full.configurations.back(), curveThrough(robot, group, options.curve));
    const TimedGroup timed = timeGroup(robot, group, curve, limits, bounds, options);
    const OptimalTiming& timing = timed.timing;
    result.peakJerk = std::max(result.peakJerk, timed.peakJerk);
    result.jerkDeviation = std::max(result.jerkDeviation, timed.deviation);
    const HermiteTrajectory& part = timing.trajectory;
    const double offset = full.endTime();
    for (std::size_t s = group.first; s <= group.last; ++s)
      cut(part, timing.milestoneTimes[group.begins[s - group.first]],
          timing.milestoneTimes[group.begins[s - group.first + 1]], offset, result.path.sections[s]);
    const BoundUsage usage = boundUsage(part, limits.limits);
    result.peakVelocity = std::max(result.peakVelocity, usage.velocity);
    result.peakAcceleration = std::max(result.peakAcceleration, usage.acceleration);
    result.peakTorque = std::max(result.peakTorque, largestUtilization(part, given ? *given : *forces, 1));
    result.segments += timing.segments;
    result.stretch = std::max(result.stretch, timing.stretch);
    for (std::size_t k = full.empty() ? 0 : 1; k < part.times.size(); ++k) {
      full.times.push_back(offset + part.times[k]);
      full.configurations.push_back(part.configurations[k]);
      full.velocities.push_back(part.velocities[k]);
    }
  }
  result.duration = full.endTime();
  result.durationBefore = path.timed() ? path.duration() : restingDuration(groups, limits.limits, limits.names);
  for (const int i : limits.unbounded) result.unbounded.push_back(limits.names[static_cast<std::size_t>(i)]);
  for (const int i : limits.assumed) result.assumed.push_back(limits.names[static_cast<std::size_t>(i)]);
  return result;
}

}  // namespace mortise
