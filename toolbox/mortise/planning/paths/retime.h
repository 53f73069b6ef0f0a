#pragma once

/// Timing of paths of milestones, by the name of a method.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/motion/hermite_trajectory.h"
#include "mortise/motion/multipath.h"
#include "mortise/motion/trajectory.h"
#include "mortise/planning/paths/space_limits.h"

namespace mortise {

enum class RetimeMethod {
  /// Parabolic ramps with rests in all milestones, then shortened by time-optimal shortcuts, which leave the path.
  parabolic,
  blend,  ///< Time-optimal along the path, corners rounded off by no more than a deviation. Also called `toppra`.
  linear  ///< Along the path at constant speeds; velocities jump at milestones.
};
std::string_view retimeMethodName(RetimeMethod method);
/// Throws `Error` that lists the names.
RetimeMethod retimeMethod(std::string_view name);

struct RetimeOptions {
  RetimeMethod method = RetimeMethod::parabolic;
  bool shortcut = true;  ///< parabolic: whether to shorten.
  /// parabolic: `CurveChecker`'s. Where edges are not lines (closed chains): `discretize`'s, and the maximum by which
  /// blends leave the discretized path; motions of such spaces are not checked again, since they keep to the space's
  /// equations up to this tolerance and not up to the space's.
  double tolerance = 1e-3;
  /// blend: `BlendOptions::deviation`. Each blend is checked, chord by chord, as `CurveChecker` does.
  double deviation = 0.01;
  std::int64_t idle = 100;  ///< parabolic: `RampShortcutOptions::idle`.
  /// Remedy for a configuration between milestones that is not feasible, for the hint of the error; may be empty.
  std::function<std::string(const VectorXd& q)> remedy = {};
};

struct RetimeOutcome {
  HermiteTrajectory trajectory;  ///< In the space's coordinates; circular ones count on beyond a turn.
  double durationBefore = 0;     ///< With a rest in every (discretized) milestone; linear: the same as `duration`.
  double duration = 0;           ///< Seconds.
  double lengthBefore = 0, length = 0;  ///< In the space's metric.
  int stops = 0;                        ///< Places on the path where the motion rests.
  std::int64_t rounds = 0, improvements = 0;
  /// Root of the mean square acceleration, each coordinate's as a fraction of its bound.
  double meanAcceleration = 0;
  int accelerationChanges = 0;  ///< Knots where it jumps.
};

/// `path` is free; so is the motion, as far as the checks of `CurveChecker` tell. Anytime: calls `stop` once a round,
/// with the duration so far as the cost (`StopConditions::foundSolution` must be false); what it has then is whole.
/// Coordinates without bounds are carried along by the others (`withCarriedLimits`).
/// Throws `Error` for bad milestones and limits, and for method `parabolic` in spaces whose edges are not lines in
/// coordinates, with the method to take instead.
RetimeOutcome retime(PlanningSpace& space, const MotionLimits& limits, const std::vector<VectorXd>& path,
                     RandomStream& random, PlanningStop& stop, const RetimeOptions& options = {});

/// The path with what `PlanningSpace::refine` puts between neighbors, so that straight lines between milestones are
/// within `tolerance` of the edges; the same path where edges are lines. Every milestone is feasible, or `Error` says
/// which is not, with `remedy` (`RetimeOptions::remedy`) in its hint.
std::vector<VectorXd> discretize(PlanningSpace& space, const std::vector<VectorXd>& path, double tolerance,
                                 const std::function<std::string(const VectorXd& q)>& remedy = {});
/// Returns the numbers of one mover, of full configurations.
HermiteTrajectory ofMover(const HermiteTrajectory& full, const Mover& mover);

/// For files and followers that go straight between configurations: no coordinate is farther than `tolerance` from the
/// cubics. Knots are kept. Throws `Error` where it would take more than a million configurations.
Trajectory sampled(const HermiteTrajectory& trajectory, double tolerance);
/// One section with times and velocities.
MultiPath multiPathOf(const HermiteTrajectory& trajectory);

}  // namespace mortise
