#pragma once

/// Times for a path that must not be left: as fast as bounds of velocity and acceleration allow along it.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "mortise/motion/hermite_trajectory.h"
#include "mortise/timing/parabolic_ramp.h"

namespace mortise {

struct BlendOptions {
  /// Distance by which the motion may be from the path where it rounds off a corner: Euclidean distance in coordinates
  /// (rad and m alike). 0: it comes to rest in every corner.
  double deviation = 0.01;
  /// Pieces of constant acceleration along the path in one blend.
  int pieces = 8;
  /// Check of the blend from `a` to `b` around the milestone `corner`: true if it is free. Blends that are not are
  /// tried with a quarter of their deviation, twice, and then left out. Empty: all are.
  std::function<bool(const VectorXd& a, const VectorXd& corner, const VectorXd& b)> free = {};
};

struct BlendOutcome {
  HermiteTrajectory trajectory;
  int corners = 0;       ///< Milestones that are no ends.
  int stops = 0;         ///< Corners where the motion comes to rest.
  double deviation = 0;  ///< Largest distance from the path.
  /// By how much times were stretched so that cubics between knots keep to the bounds, which the motion itself does
  /// exactly; 1 when not at all.
  double stretch = 1;
};

/// Straight edges, and a parabola at each corner (a quadratic Bezier curve that begins and ends on the edges, in place
/// of the circles of Kunz and Stilman, "Time-optimal trajectory generation for path following with bounded acceleration
/// and velocity", RSS 2012): once continuously differentiable, with piecewise constant second derivatives. On it the
/// fastest profile of velocity, by one pass backwards that finds how fast one may be, and one forwards that is as fast
/// (Pham and Pham, "A new approach to time-optimal path parameterization based on reachability analysis", 2018), with
/// constant acceleration along the path on each piece. On such curves the acceleration of a coordinate is linear in the
/// path on a piece, so that bounds which hold at its ends hold all along it: nothing is lost between grid points.
///
/// Starts and ends at rest. Milestones that are the same as the one before are left out; circular coordinates go the
/// short way round and count on. Throws `Error` that names the coordinate which cannot move, or whose acceleration
/// nothing bounds.
BlendOutcome timeBlended(std::vector<VectorXd> milestones, std::span<const CoordinateLimits> limits,
                         const BlendOptions& options = {}, std::span<const std::string> names = {});

/// Times a path from milestone to milestone on straight lines at constant speeds, as fast as velocities allow.
/// Accelerations do not count: velocities jump at milestones, so the trajectory has two knots at the same time there.
/// Milestones that are the same as the one before are left out. Throws as `timeBlended`.
HermiteTrajectory timeLinear(std::vector<VectorXd> milestones, std::span<const CoordinateLimits> limits,
                             std::span<const std::string> names = {});

}  // namespace mortise
