#pragma once

/// The curves that MultiPaths stand for.

#include <span>
#include <string_view>
#include <vector>

#include "mortise/model/robot.h"
#include "mortise/motion/multipath.h"
#include "mortise/timing/parabolic_ramp.h"
#include "mortise/timing/path_curve.h"

namespace mortise {

/// Shape of a motion between milestones.
enum class CurveKind {
  automatic,  ///< `smooth` for sections with goals or velocities and for milestones without sharp corners, else
              ///< `blend`.
  blend,      ///< Straight lines, corners rounded off by no more than a deviation.
  smooth,     ///< A smooth curve through all milestones; it rests only in sharp corners.
  stop        ///< Straight lines, with a rest in every corner; not for sections with goals.
};
/// Throws `Error` that lists the names.
CurveKind curveKind(std::string_view name);

struct PathCurveOptions {
  CurveKind kind = CurveKind::automatic;
  double deviation = 0.01;  ///< Deviation of blends: Euclidean distance in coordinates.
  double tolerance = 1e-4;  ///< Tolerance of links from their goals (m or rad).
};

/// Sections that follow each other under the same goals and holds.
struct PathGroup {
  std::size_t first = 0, last = 0;  ///< Sections.
  std::vector<IKGoal> goals;        ///< Those of holds too.
  std::vector<Hold> holds;
  /// In a row; angles that turn freely count on. Velocities and times are there when all milestones have them.
  std::vector<VectorXd> milestones, velocities;
  std::vector<double> times;
  std::vector<std::size_t> begins;  ///< By section: its first milestone. One more: the last milestone.
};

/// Says whether the link's angle counts modulo whole turns: spin joints, and those of floating bases.
bool turnsAround(const Robot& robot, int link);

/// Limits of nothing, with `circular` as `turnsAround` has it; `robot` may be null.
std::vector<CoordinateLimits> turnsOf(const RobotPtr& robot, Eigen::Index dimension);
/// The path with angles that turn freely counting on, from section to section.
MultiPath unwrapped(const RobotPtr& robot, MultiPath path);

/// `limits`: one a coordinate, of which `circular` counts. Where a robot is given, the configuration between two groups
/// is moved to where the goals of both are met, if there is such a place. Throws `Error` for sections that do not begin
/// where the one before ends.
std::vector<PathGroup> groupsOf(const MultiPath& path, std::span<const CoordinateLimits> limits,
                                const RobotPtr& robot = nullptr);

/// The curve with a straight line before it, from where the one before it ended, where it does not begin there: goals
/// of files contradict each other by their last digits. `end` may be empty.
PathCurve beginningAt(const VectorXd& end, PathCurve curve);

/// The curve through a group's milestones. `robot` may be null where there are no goals. Throws `Error` for goals that
/// cannot be kept, and for straight lines with goals.
PathCurve curveThrough(const RobotPtr& robot, const PathGroup& group, const PathCurveOptions& options);

}  // namespace mortise
