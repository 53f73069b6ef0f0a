#pragma once

/// Time-optimal motions along MultiPaths.

#include <string>
#include <vector>

#include "mortise/model/robot.h"
#include "mortise/motion/hermite_trajectory.h"
#include "mortise/motion/multipath.h"
#include "mortise/timing/motion_limits.h"
#include "mortise/timing/multipath/multipath_curves.h"
#include "mortise/timing/optimal_timing.h"

namespace mortise {

struct MultiPathTimingOptions {
  PathCurveOptions curve = {};
  bool torque = false;  ///< True if motors' torques are bounded too.
  /// True if holds bear only what the friction cones of their contacts do. Without it, and for goals, links are held
  /// by whatever force that takes.
  bool contacts = false;
  /// Margins of `torque` and `contacts` (`ContactBoundOptions`).
  double torqueScale = 1, frictionScale = 1, minForce = 0;
  /// Limit of jerk of all links that have a limit of acceleration (rad/s^3 or m/s^3); 0: none. See `limitJerk`.
  double jerk = 0;
  Vector3d gravity_W = Vector3d(0, 0, -9.8);
  MotionLimitOptions limits = {};
  OptimalTimingOptions timing = {};
};

struct MultiPathTiming {
  /// With times and velocities; sections, goals and holds as before. Milestones are the motion's knots.
  MultiPath path;
  HermiteTrajectory motion;  ///< The same motion in one piece.
  double duration = 0;       ///< Seconds.
  double durationBefore =
      0;  ///< Duration of the path's own times, or, where it has none, with a rest in every milestone.
  // Largest shares of the bounds, at the places where they are checked.
  double peakVelocity = 0, peakAcceleration = 0, peakTorque = 0;
  double peakJerk = 0;       ///< With a limit of jerk: its share.
  double jerkDeviation = 0;  ///< `JerkLimitedMotion::deviation`.
  int segments = 0;
  double stretch = 1;                           ///< `OptimalTiming::stretch`, the largest.
  std::vector<std::string> unbounded, assumed;  ///< Links as in `MotionLimits`.
};

/// Limits of a robot's whole configuration, one a link, as `motionLimits` has them for spaces: links without a motor
/// have their own limits, and none where those are infinite.
MotionLimits fullLimits(const Robot& robot, const MotionLimitOptions& options);

/// The fastest motion along a path within the robot's bounds (`timeOptimally`). Angles go the short way round. It rests
/// between sections whose goals or holds differ. Throws `Error` as the functions it calls do, and for sections that do
/// not begin where the one before ends.
MultiPathTiming timeMultiPath(const RobotPtr& robot, const MultiPath& path, const MultiPathTimingOptions& options);

}  // namespace mortise
