#pragma once

/// Smooth paths out of rough ones, even colliding ones, by sequential convex optimization.

#include <functional>
#include <memory>
#include <vector>

#include "mortise/collision/world_collider.h"
#include "mortise/contact/ik_goal.h"
#include "mortise/planning/spaces/motion_space.h"

namespace mortise {

struct PathOptimizationOptions {
  int waypoints = 20;       ///< The path is cut into so many less one pieces of equal length.
  double clearance = 0.02;  ///< Meters that everything shall keep from everything, as far as ends allow.
  double step =
      0.1;  ///< Distance between configurations at which clearances are computed (largest coordinate, rad or m).
  double accelerations = 1;     ///< Weight of second differences beside that of first ones, which is 1.
  double penalty = 10;          ///< Penalty of a meter too near at the beginning; grows tenfold where it does not help.
  int penaltyRounds = 5;        ///< Number of times that it does.
  int iterations = 40;          ///< Convex programs of one penalty.
  double trust = 0.2;           ///< First size of the trust region (rad, m).
  double improvement = 1e-4;    ///< Fraction of the cost below which an iteration ends a round.
  double goalTolerance = 1e-3;  ///< Goal tolerance of links from their goals (m, rad).
  /// Goals of the space's only robot at all waypoints.
  std::vector<IKGoal> goals = {};
  bool fixedEnd = true;               ///< Otherwise the end may move, where goals of the end hold it.
  std::vector<IKGoal> endGoals = {};  ///< End goals of the last waypoint alone.
};

struct PathOptimizationResult {
  std::vector<VectorXd> path;  ///< In the space's coordinates.
  bool feasible = false;       ///< Within limits, at its goals and without collisions, as the space's own checks say.
  double costBefore = 0, cost = 0;            ///< Smoothness.
  double lengthBefore = 0, length = 0;        ///< In the space's metric.
  double clearanceBefore = 0, clearance = 0;  ///< The least signed distance of hulls at those configurations, m.
  double residual = 0;                        ///< Residual of goals (m, rad).
  int iterations = 0;
  double penalty = 0;  ///< The last one.
};

/// Trajectory optimization after Schulman et al., "Finding locally optimal, collision-free trajectories with sequential
/// convex optimization" (RSS 2013): squared first and second differences of the waypoints, signed distances of convex
/// hulls linearized at and between waypoints with exact hinge penalties, goals linearized with absolute values, joint
/// limits, and a trust region; penalties grow until nothing is violated. A local method: it moves a path out of
/// collisions, and cannot always. Ends stay. The answer depends on its arguments alone. `stopRequested` may end it
/// early. Throws `Error` for spaces whose ways are not straight lines, fewer than two configurations, and options that
/// mean nothing.
PathOptimizationResult optimizePath(MotionSpace& space, std::shared_ptr<const WorldCollider> collider,
                                    const std::vector<VectorXd>& path, const PathOptimizationOptions& options = {},
                                    const std::function<bool()>& stopRequested = {});

}  // namespace mortise
