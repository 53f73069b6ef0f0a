#pragma once

/// Check of a motion, without a space to plan in.

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "mortise/timing/multipath/multipath_timing.h"

namespace mortise {

struct MultiPathFault {
  std::string kind;  ///< gap, times, position, velocity, acceleration, torque, goal, collision.
  int section = 0;
  double at = 0;      ///< Time, or place from 0 to 1 of a path without times.
  double amount = 0;  ///< Distance (rad, m, s), or the fraction of a limit.
  std::string text;   ///< For people.
};

struct MultiPathCheckOptions {
  double gap = 1e-3;        ///< Between sections (rad, m, s).
  double tolerance = 1e-3;  ///< Tolerance of links from their goals (m or rad).
  double slack = 1e-6;      ///< Fraction by which limits may be exceeded, and rad or m of positions.
  double step = 0.01;       ///< Distance of configurations that are checked (rad, m).
  bool torque = false;      ///< True if torques are checked.
  bool contacts = false;    ///< True if contact forces are.
  Vector3d gravity_W = Vector3d(0, 0, -9.8);
  MotionLimitOptions limits = {};
  /// Names two bodies that collide at a configuration in a section; empty when none do.
  std::function<std::string(int section, const VectorXd& q)> collision = {};
  std::size_t maxFaults = 100;
};

struct MultiPathCheck {
  std::vector<MultiPathFault> faults;  ///< In the order of the path; one a section and text, with its worst amount.
  std::int64_t configurations = 0;
  double largestGap = 0, largestResidual = 0;
  // Shares of limits; 0 where there are no times, or no robot.
  double peakVelocity = 0, peakAcceleration = 0, peakTorque = 0;
};

/// `robot` may be null: sections and times alone are then checked. Motions with velocities are cubic between milestones
/// and are checked for accelerations and torques too; others go straight, and paths without times have no velocities.
MultiPathCheck checkMultiPath(const RobotPtr& robot, const MultiPath& path, const MultiPathCheckOptions& options);

}  // namespace mortise
