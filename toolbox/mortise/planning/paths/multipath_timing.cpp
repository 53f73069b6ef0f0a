#include "mortise/planning/paths/multipath_timing.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/timing/bound_usage.h"
#include "mortise/timing/contact_bounds.h"
#include "mortise/timing/robot_limits.h"
#include "mortise/timing/torque_bounds.h"

namespace mortise {

namespace {

/// What bounds the motion beyond velocities and accelerations; `torques`: whether those of motors do.
std::unique_ptr<PathBound> forcesOf(const RobotPtr& robot, const MultiPath& path, const PathGroup& group,
                                    const MultiPathTimingOptions& options, bool torques) {
  if (group.goals.empty()) return std::make_unique<TorqueBounds>(robot, options.gravity_W);
  ContactBoundOptions own;
  own.gravity_W = options.gravity_W;
  own.torques = torques;
  own.friction = options.contacts;
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

}  // namespace

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
  const MotionLimits limits = wholeLimits(*robot, options.limits);
  const std::vector<PathGroup> groups = groupsOf(path, limits.limits, robot);
  MultiPathTiming result;
  result.path = path;
  HermiteTrajectory& whole = result.motion;
  for (const PathGroup& group : groups) {
    const std::unique_ptr<PathBound> forces = forcesOf(robot, path, group, options, options.torque);
    const std::unique_ptr<PathBound> told = options.torque ? nullptr : forcesOf(robot, path, group, options, true);
    std::vector<PathBound*> bounds;
    if (options.torque || (options.contacts && !group.holds.empty())) bounds.push_back(forces.get());
    const PathCurve curve = beginningAt(whole.empty() ? VectorXd() : whole.configurations.back(),
                                        curveThrough(robot, group, options.curve));
    const OptimalTiming timing = timeOptimally(curve, limits.limits, bounds, options.timing, limits.names);
    const HermiteTrajectory& part = timing.trajectory;
    const double offset = whole.endTime();
    for (std::size_t s = group.first; s <= group.last; ++s)
      cut(part, timing.milestoneTimes[group.begins[s - group.first]],
          timing.milestoneTimes[group.begins[s - group.first + 1]], offset, result.path.sections[s]);
    const BoundUsage usage = boundUsage(part, limits.limits);
    result.peakVelocity = std::max(result.peakVelocity, usage.velocity);
    result.peakAcceleration = std::max(result.peakAcceleration, usage.acceleration);
    result.peakTorque = std::max(result.peakTorque, largestShare(part, told ? *told : *forces, 1));
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
