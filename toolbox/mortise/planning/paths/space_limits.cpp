#include "mortise/planning/paths/space_limits.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/timing/robot_limits.h"

namespace mortise {

namespace {

/// By how much a coordinate moves a number of the whole configuration.
struct CoordinateScale {
  Eigen::Index coordinate = -1;  ///< -1: nothing moves it.
  double scale = 0;
};

constexpr double kSameScale = 1e-7;

/// For each number of the whole configuration. Found by trying, at two places.
std::vector<CoordinateScale> scalesOf(const MotionSpace& space) {
  const Eigen::Index n = space.dimension();
  VectorXd low, high, q = VectorXd::Zero(n), first, second, moved;
  space.bounds(low, high);
  for (Eigen::Index c = 0; c < n; ++c) {
    const bool both = std::isfinite(low[c]) && std::isfinite(high[c]);
    q[c] = both ? 0.5 * (low[c] + high[c]) : std::clamp(0.0, low[c], high[c]);
  }
  space.lift(q, first);
  std::vector<CoordinateScale> scales(static_cast<std::size_t>(first.size()));
  for (Eigen::Index c = 0; c < n; ++c) {
    VectorXd other = q;
    other[c] += 0.125;
    space.lift(other, moved);
    other[c] += 0.25;
    space.lift(other, second);
    for (Eigen::Index i = 0; i < first.size(); ++i) {
      const double scale = (moved[i] - first[i]) / 0.125, again = (second[i] - first[i]) / 0.375;
      if (moved[i] == first[i] && second[i] == first[i]) continue;
      CoordinateScale& driven = scales[static_cast<std::size_t>(i)];
      if (std::abs(scale - again) > kSameScale * std::max(1.0, std::abs(scale)) || driven.coordinate >= 0)
        throw Error("coordinate " + space.coordinateName(static_cast<int>(c)) +
                        " does not move the configuration in fixed proportion, so that there are no bounds for it",
                    {}, "give times to the path of whole configurations");
      // Most are 1: rounding must not make them something else.
      const double round = std::round(scale * 1024) / 1024;
      driven = {c, std::abs(scale - round) < 1e-12 ? round : scale};
    }
  }
  return scales;
}

void requireFactor(double factor, const char* what) {
  if (!(factor > 0 && factor <= 1))
    throw Error("the scaling factor of the " + std::string(what) + " must be above 0 and at most 1, not " +
                formatReal(factor));
}

/// The first few, for messages.
std::string listOf(const std::vector<std::string>& names) {
  constexpr std::size_t kListed = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kListed); ++i) text += (i > 0 ? ", '" : "'") + names[i] + "'";
  return names.size() > kListed ? text + ", ..." : text;
}

bool goesRound(const Robot& robot, int link) {
  if (robot.link(link).motion != LinkMotion::revolute) return false;
  const int joint = robot.jointOfLink(link);
  if (joint < 0) return false;
  const JointType type = robot.joints()[static_cast<std::size_t>(joint)].type;
  return type != JointType::normal && type != JointType::weld;
}

}  // namespace

MotionLimits motionLimits(const MotionSpace& space, const World& world, const MotionLimitOptions& options) {
  requireFactor(options.velocityScaling, "velocity");
  requireFactor(options.accelerationScaling, "acceleration");
  for (const double value : {options.velocity, options.acceleration, options.rampUp})
    if (!(value >= 0) || std::isinf(value))
      throw Error("velocities, accelerations and the time of ramps must be finite and at least 0, not " +
                  formatReal(value));
  const Eigen::Index n = space.dimension();
  MotionLimits result;
  result.limits.resize(static_cast<std::size_t>(n));
  for (int c = 0; c < n; ++c) result.names.push_back(space.coordinateName(c));
  VectorXd low, high;
  space.bounds(low, high);
  const std::vector<CoordinateScale> scales = scalesOf(space);
  for (const Mover& mover : space.movers()) {
    if (mover.kind != Mover::Kind::robot) continue;
    const Robot& robot = *world.robots.at(static_cast<std::size_t>(mover.index)).robot;
    const std::vector<CoordinateLimits> links =
        coordinateLimits(robot, options.velocityScaling, options.accelerationScaling);
    for (int i = 0; i < mover.size; ++i) {
      const CoordinateScale& driven = scales[static_cast<std::size_t>(mover.first + i)];
      if (driven.coordinate < 0 || driven.scale == 0) continue;
      CoordinateLimits& limits = result.limits[static_cast<std::size_t>(driven.coordinate)];
      CoordinateLimits link = links[static_cast<std::size_t>(i)];
      if (robot.driverOfLink(i) < 0) {  // No motor's limits: the link's own.
        link.vMin = std::min(robot.link(i).velocityMin, 0.0) * options.velocityScaling;
        link.vMax = std::max(robot.link(i).velocityMax, 0.0) * options.velocityScaling;
        link.aMax = std::abs(robot.link(i).accelerationMax) * options.accelerationScaling;
      }
      const double scale = driven.scale, size = std::abs(scale);
      limits.vMin = std::max(limits.vMin, scale > 0 ? link.vMin / size : -link.vMax / size);
      limits.vMax = std::min(limits.vMax, scale > 0 ? link.vMax / size : -link.vMin / size);
      limits.aMax = std::min(limits.aMax, link.aMax / size);
      if (size == 1 && goesRound(robot, i)) limits.circular = true;
    }
  }
  for (std::size_t c = 0; c < result.limits.size(); ++c) {
    CoordinateLimits& limits = result.limits[c];
    if (options.velocity > 0) {
      limits.vMax = options.velocity * options.velocityScaling;
      limits.vMin = -limits.vMax;
    }
    if (options.acceleration > 0) limits.aMax = options.acceleration * options.accelerationScaling;
    const double fastest = std::max(limits.vMax, -limits.vMin);
    if (std::isinf(limits.aMax)) {
      if (std::isinf(fastest)) {
        result.unbounded.push_back(static_cast<int>(c));
      } else if (options.rampUp == 0) {
        throw Error("nothing bounds the acceleration of '" + result.names[c] + "'", {},
                    "give accelerations of all, as a pipeline does: retime: {acceleration: 4}");
      } else {
        // One that cannot move needs no acceleration, but a number.
        limits.aMax = fastest > 0 ? fastest / options.rampUp : 1;
        if (fastest > 0) result.assumed.push_back(static_cast<int>(c));
      }
    }
    if (!limits.circular) {
      limits.xMin = low[static_cast<Eigen::Index>(c)];
      limits.xMax = high[static_cast<Eigen::Index>(c)];
    }
  }
  if (n > 0 && static_cast<Eigen::Index>(result.unbounded.size()) == n)
    throw Error("no coordinate has a limit of velocity or acceleration: " + listOf(result.names), {},
                "give limits for all, as a pipeline does: retime: {velocity: 1, acceleration: 4}");
  return result;
}

std::vector<VectorXd> liftPath(const MotionSpace& space, const std::vector<VectorXd>& path) {
  std::vector<VectorXd> fullConfigurations(path.size());
  for (std::size_t i = 0; i < path.size(); ++i) space.lift(path[i], fullConfigurations[i]);
  return fullConfigurations;
}

HermiteTrajectory liftTrajectory(const MotionSpace& space, const HermiteTrajectory& trajectory) {
  const std::vector<CoordinateScale> scales = scalesOf(space);
  HermiteTrajectory full;
  full.times = trajectory.times;
  full.configurations = liftPath(space, trajectory.configurations);
  for (const VectorXd& velocity : trajectory.velocities) {
    VectorXd v = VectorXd::Zero(static_cast<Eigen::Index>(scales.size()));
    for (std::size_t i = 0; i < scales.size(); ++i)
      if (scales[i].coordinate >= 0) v[static_cast<Eigen::Index>(i)] = scales[i].scale * velocity[scales[i].coordinate];
    full.velocities.push_back(std::move(v));
  }
  return full;
}

}  // namespace mortise
