#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "mortise/component/resource.h"
#include "mortise/model/robot.h"

namespace mortise::viewer {

/// Edits of configurations (which count as one a second) and of paths with times. All throw `Error` for resources that
/// are neither, and for milestones that there are not.

bool isEditablePath(const Resource& resource);
/// Returns a motion with times, for whoever shows it; MultiPaths and motions with velocities too.
Trajectory motionOf(const Resource& resource);
/// `q` becomes milestone `at`, those from there on come later: in the middle of the two, or a second after the last.
Resource withMilestone(const Resource& path, std::size_t at, const VectorXd& q);
Resource withReplaced(const Resource& path, std::size_t at, const VectorXd& q);
Resource withoutMilestone(const Resource& path, std::size_t at);
/// Milestone `from` takes the place of `to`; times stay.
Resource withMoved(const Resource& path, std::size_t from, std::size_t to);
/// The part up to a milestone and the part from it, whose times begin at 0.
std::pair<Resource, Resource> splitAt(const Resource& path, std::size_t at);
Resource reversed(const Resource& path);
/// Times a path to be as fast as the links' limits of velocity allow on each straight piece; 1 rad/s or m/s where there
/// is no limit. `duration`: the same stretched to take so long (s).
Resource retimed(const Resource& path, const Robot& robot, std::optional<double> duration);

/// More milestones, which straight lines may connect: a smooth curve through those of the path stays within
/// `resolution` (rad, m; above 0) of them. A MultiPath stays a MultiPath, and links keep to their goals.
Resource discretized(const Resource& path, const RobotPtr& robot, double resolution);
/// The fastest motion along the path within the robot's limits of velocity and acceleration: milestones that straight
/// lines connect to 0.001 rad or m, or, of a MultiPath, knots with velocities.
Resource optimized(const Resource& path, const RobotPtr& robot);

}  // namespace mortise::viewer
