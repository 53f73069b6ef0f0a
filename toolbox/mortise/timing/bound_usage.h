#pragma once

/// Utilization of the velocity and acceleration limits by a timed motion: everywhere, not at samples.

#include <span>

#include "mortise/motion/hermite_trajectory.h"
#include "mortise/timing/parabolic_ramp.h"

namespace mortise {

/// Largest fraction of its bound that a velocity and an acceleration have, each taken over all coordinates: at most 1
/// where the bounds hold. What the rounding of positions can do to accelerations does not count. Positions are not
/// looked at.
struct BoundUsage {
  double velocity = 0, acceleration = 0;
  int velocityCoordinate = -1, accelerationCoordinate = -1;
  double velocityTime = 0, accelerationTime = 0;
};

/// Computes the usage of all pieces. A jump of a velocity (two knots at the same time) is an infinite acceleration,
/// unless nothing bounds it. Sizes must match: one limit a coordinate.
BoundUsage boundUsage(const HermiteTrajectory& trajectory, std::span<const CoordinateLimits> limits);
/// Computes the usage of the cubic from knot `piece` to the next: velocities have their extremes at its ends or where
/// the acceleration vanishes, accelerations at its ends.
BoundUsage boundUsage(const HermiteTrajectory& trajectory, std::size_t piece, std::span<const CoordinateLimits> limits);

/// Stretches times, and velocities with them, by as little as it takes to keep to the bounds; returns by how much (1:
/// not at all). For motions that start and end at rest and whose velocities do not jump.
double keepToBounds(HermiteTrajectory& trajectory, std::span<const CoordinateLimits> limits);

}  // namespace mortise
