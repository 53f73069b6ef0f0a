#pragma once

/// Joint motions along which links follow paths of poses.

#include <functional>
#include <string>
#include <vector>

#include "mortise/ik/ik_solver.h"
#include "mortise/motion/trajectory.h"

namespace mortise {

struct CartesianPathOptions {
  /// Start of the motion: one number a link. Joints that the goals leave open move as little as they can.
  VectorXd start = {};
  /// False: from whatever solution can follow the path to its end, by random starts.
  bool keepStart = true;
  std::uint64_t seed = 0;
  int starts = 20;  ///< That are tried where the start is not kept.
  /// No joint moves farther between two milestones (m or rad).
  double delta = 0.01;
  double tolerance = 1e-9;
  /// Follows the path as far as possible, where it cannot be followed to its end.
  bool maximize = false;
  /// Further condition on configurations; may be empty.
  std::function<bool(const VectorXd& q)> feasible = {};
};

struct CartesianPath {
  bool complete = false;
  double reached = 0;   ///< The parameter up to which the path was followed; -1 where not even its start was.
  Trajectory motion;    ///< Times are the path's parameters.
  std::string problem;  ///< Why it is not complete.
};

/// Targets at a parameter: as many terms, of the same links and kinds, everywhere.
using IKTermsAt = std::function<std::vector<IKTerm>(double u)>;

/// The motion from u = `from` to u = `to` in which the targets are met at each milestone, by continuation: steps as
/// long as `delta` lets them, halved where the solution leaps (Klamp't's `cartesian_interpolate_linear` and
/// `cartesian_path_interpolate`). Between milestones, links are off by the order of delta squared.
CartesianPath followCartesianPath(const IKProblem& problem, const IKTermsAt& targets, double from, double to,
                                  const CartesianPathOptions& options);

/// Position along a straight line, rotation along the shortest arc.
RigidTransform interpolatePose(const RigidTransform& a, const RigidTransform& b, double u);

/// A straight line of one link from where it is in the start to `X_WL`, u from 0 to 1.
CartesianPath moveLinkAlongLine(const IKProblem& problem, int link, const RigidTransform& X_WL,
                                const CartesianPathOptions& options);

/// `motion` with the pose X_WL of each link replaced by bump(t) X_WL (Klamp't's `cartesian_bump`): as near to the
/// motion in joint space as a solution by continuation is. Its milestones and as many more as `delta` asks for.
CartesianPath bumpMotion(const IKProblem& problem, const std::vector<int>& links, const Trajectory& motion,
                         const std::function<RigidTransform(double t)>& bump, const CartesianPathOptions& options);

}  // namespace mortise
