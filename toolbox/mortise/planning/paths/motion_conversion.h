#pragma once

/// Motions as other kinds of motions: configurations, paths, splines and MultiPaths, with times and without.

#include <optional>
#include <string_view>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/component/resource.h"
#include "mortise/model/robot.h"
#include "mortise/motion/hermite_trajectory.h"
#include "mortise/motion/trajectory.h"

namespace mortise {

/// Velocities for a motion that has none.
enum class KnotVelocities {
  smooth,  ///< A smooth curve through the milestones that nowhere goes beyond them.
  rest     ///< The motion rests in every milestone, and is straight between them.
};
/// Throws `Error` that lists the names.
KnotVelocities knotVelocities(std::string_view name);

/// Velocities through timed configurations. `smooth`: differences of the neighbors by their times, 0 where a coordinate
/// turns back, and no more than three times either slope, so that the cubics are monotone between milestones (Fritsch
/// and Carlson, "Monotone piecewise cubic interpolation", 1980; Klamp't's `HermiteTrajectory.makeSpline` has the same
/// aim); at the ends those of the quadratic through the other tangent, within the same bounds.
HermiteTrajectory withVelocities(const Trajectory& path, KnotVelocities how = KnotVelocities::smooth);

struct MotionConversionOptions {
  KnotVelocities velocities = KnotVelocities::smooth;
  /// Distance of straight lines that replace cubics: these leave them by no more than this (rad, m). 0: milestones as
  /// they are.
  double resolution = 1e-4;
  /// A configuration so often (s) in place of the milestones, and one at the end.
  std::optional<double> every = {};
  /// Seconds of a path without times, or of a timed one as a whole. A path without times then has its milestones come
  /// evenly, as with Klamp't's `SetDuration`; without this and where times are needed it takes 1 s, and all its
  /// sections are equally long, as Klamp't evaluates such paths.
  std::optional<double> duration = {};
  std::optional<double> start = {};  ///< When a timed motion begins.
  RobotPtr robot = nullptr;          ///< The robot whose freely turning angles go the short way round; may be null.
};

/// The motion as another kind: configurations, trajectory, hermiteTrajectory or multipath. What is lost is a warning,
/// what is made up (times, velocities) a note. Throws `Error` for what is no motion, and for options that mean nothing.
Resource convertMotion(const Resource& motion, FileContent kind, const MotionConversionOptions& options,
                       Diagnostics& diagnostics);

}  // namespace mortise
