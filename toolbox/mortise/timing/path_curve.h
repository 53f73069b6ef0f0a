#pragma once

/// Curves that a motion follows, before it has times.

#include <vector>

#include "mortise/motion/hermite_trajectory.h"

namespace mortise {

/// Stretches of a curve that a motion goes through without a rest; between them it rests. On each stretch `times` is
/// the path's parameter, which grows from knot to knot, and `velocities` are derivatives by it, none of which is 0:
/// cubic between knots and once continuously differentiable. Every stretch begins where the one before ends.
struct PathCurve {
  std::vector<HermiteTrajectory> stretches;
  /// By milestone: the stretch and the knot at which it is passed, or is passed by most closely.
  struct Place {
    std::size_t stretch = 0, knot = 0;
  };
  std::vector<Place> milestones;
};

/// Straight lines, and a parabola at each corner that leaves it by no more than `deviation` (Euclidean distance in
/// coordinates; 0: rests in all corners). The same as what `timeBlended` follows. By arc length on the lines.
PathCurve blendedCurve(const std::vector<VectorXd>& milestones, double deviation);

struct SmoothCurveOptions {
  /// Directions of neighboring edges that differ by more (rad) make a corner, in which the motion rests.
  double corner = 1.2;
  /// Configurations closer to the last one than this are left out, so that the digits of files do not count as
  /// curvature; milestones `kept` are not.
  double spacing = 0;
  /// By configuration: whether it has to be passed, and is not left out. Empty: only the ends.
  std::vector<char> kept = {};
};
/// Through all configurations, by chord length; tangents are those of the parabolas through three neighbors (Bessel's).
PathCurve smoothCurve(const std::vector<VectorXd>& configurations, const SmoothCurveOptions& options = {});

/// The way of a motion that has velocities, which is cubic between its knots, without its times. It rests where its
/// direction jumps. Milestones are the motion's knots.
PathCurve curveOf(const HermiteTrajectory& motion, const SmoothCurveOptions& options = {});

/// Evaluates a cubic piece of a stretch at s: place and derivatives, with room for as many numbers as coordinates.
void evaluatePiece(const HermiteTrajectory& curve, std::size_t piece, double s, double* q, double* slope, double* bend);
/// Says whether a piece of a stretch is a straight line.
bool isStraight(const HermiteTrajectory& curve, std::size_t piece);

}  // namespace mortise
