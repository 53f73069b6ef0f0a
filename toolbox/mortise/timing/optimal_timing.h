#pragma once

/// Times for a curve that must not be left: the fastest motion along it within bounds of velocity, acceleration and
/// whatever else is linear in the acceleration along the path, such as torques.

#include <span>
#include <string>
#include <vector>

#include "mortise/motion/hermite_trajectory.h"
#include "mortise/timing/parabolic_ramp.h"
#include "mortise/timing/path_bound.h"
#include "mortise/timing/path_curve.h"

namespace mortise {

struct OptimalTimingOptions {
  /// Segments of the curve, shared out by length; those that curve get two at least.
  int gridPoints = 200;
  /// Number of times that segments are added where the acceleration along the path jumps within one.
  int refinements = 12;
  /// Number of times that bounds are tightened where the motion exceeds them between grid points.
  int tightenings = 6;
  /// Places of a segment at which `PathBound`s are checked.
  int checksPerSegment = 4;
};

struct OptimalTiming {
  /// Cubic between knots, which lie on the curve.
  HermiteTrajectory trajectory;
  /// When the curve's milestones are passed.
  std::vector<double> milestoneTimes;
  int segments = 0;
  /// By how much all times were stretched in the end so that no bound is exceeded; 1 when not at all.
  double stretch = 1;
};

/// Time-optimal path parametrization by reachability analysis (Pham and Pham, 2018; see `Reachability`), with bounds at
/// both ends of each segment. Where the acceleration jumps, segments are split at the place where the straight lines
/// from either side meet, so that switches are not rounded to the grid. What is between grid points is then checked on
/// the motion that comes out, which is cubic in time; bounds are tightened in segments that exceed them, and what is
/// left after that stretches all times: velocities and accelerations hold everywhere, other bounds at
/// `checksPerSegment` places of a segment and, up to what they change in between, everywhere.
///
/// Coordinates without bounds of velocity and acceleration do not limit the motion. Throws `Error` that names the
/// coordinate which cannot move, for stretches on which nothing bounds the velocity, and for places where a bound
/// cannot be held.
OptimalTiming timeOptimally(const PathCurve& curve, std::span<const CoordinateLimits> limits,
                            std::span<PathBound* const> bounds = {}, const OptimalTimingOptions& options = {},
                            std::span<const std::string> names = {});

/// Returns the largest utilization of a motion's bounds beyond those of coordinates, at `perPiece` places of each
/// piece between knots and at its ends.
double largestUtilization(const HermiteTrajectory& trajectory, PathBound& bound, int perPiece, double* time = nullptr);

/// The largest `PathBound::excess`, at the same places; infinite where the bound holds at no speed.
double largestExcess(const HermiteTrajectory& trajectory, PathBound& bound, int perPiece);

}  // namespace mortise
