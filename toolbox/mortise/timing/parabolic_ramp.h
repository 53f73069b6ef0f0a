#pragma once

/// Time-optimal motion of one coordinate, and of several that end together, under bounds of velocity and acceleration:
/// the synchronized parabolic ramps of Hauser and Ng-Thow-Hing, "Fast smoothing of manipulator trajectories using
/// optimal bounded-acceleration shortcuts" (ICRA 2010), with the times in which a coordinate cannot arrive in closed
/// form.
///
/// Bounds may be infinite. Without bound of acceleration a coordinate moves at constant velocity, so its velocity jumps
/// at both ends; without bound of velocity either it jumps to its goal in no time. (In the company of others that take
/// longer, it moves at constant velocity in both cases.)

#include <limits>
#include <optional>
#include <span>

namespace mortise {

/// Limits of one coordinate; m or rad, s. Zero lies within the velocities, and `aMax` is at least 0.
struct CoordinateLimits {
  double xMin = -std::numeric_limits<double>::infinity(), xMax = std::numeric_limits<double>::infinity();
  double vMin = -std::numeric_limits<double>::infinity(), vMax = std::numeric_limits<double>::infinity();
  double aMax = std::numeric_limits<double>::infinity();
  /// An angle that counts modulo whole turns, whatever xMin and xMax are.
  bool circular = false;
};

/// Start and end of a coordinate: positions and velocities.
struct RampEnds {
  double x0 = 0, v0 = 0, x1 = 0, v1 = 0;
};

/// A constant acceleration a0 until t1, the constant velocity v until t2, a constant acceleration a1 until T; each part
/// may have no length. P, PP and PLP ramps are all of this form.
struct ParabolicRamp {
  double x0 = 0, v0 = 0, a0 = 0, t1 = 0;
  double v = 0, t2 = 0;
  double x1 = 0, v1 = 0, a1 = 0, T = 0;

  /// Position, velocity and acceleration at `t`, counted from the start. From T on: x1, v1 and 0; before 0 as at 0.
  void evaluate(double t, double& x, double& dx, double& ddx) const;
  /// Lowest and highest position on the way.
  void range(double& lowest, double& highest) const;
};

/// The shortest time T in which every coordinate can arrive, all at once, within its velocities and accelerations.
/// Longer times need not all be possible: who passes its goal at speed can be late only by turning round. Infinite when
/// a coordinate cannot move as it should (a bound of 0; a velocity at start or end that is out of bounds); `stuck` then
/// tells which. Positions do not count here: the ramp of shortest time goes beyond a bound only where every motion must
/// that brakes from v0 or gets up to v1.
double minimumTime(std::span<const RampEnds> goals, std::span<const CoordinateLimits> limits, int* stuck = nullptr);

/// The ramp that takes exactly time T: of least acceleration, unless it leaves the bounds of position; then of the
/// least that keeps to them. Nothing when there is none.
std::optional<ParabolicRamp> rampOfTime(const RampEnds& goal, const CoordinateLimits& limits, double T);

/// The ramp of shortest time; nothing when there is none.
std::optional<ParabolicRamp> shortestRamp(const RampEnds& goal, const CoordinateLimits& limits);

/// Returns the ramp from velocity v0 to rest with full deceleration (at once, when it is infinite or 0), and rest until
/// T, which is at least the time that this takes.
ParabolicRamp brakingRamp(double x0, double v0, double aMax, double T);
double brakingTime(double v0, double aMax);

/// Bounds that hold for a motion from x0, v0 when this start lies outside of them: as narrow as the way back allows.
CoordinateLimits widened(const CoordinateLimits& limits, double x0, double v0);

/// `goal` or, for an angle, its turn that is nearest to `from`.
double nearestTurn(const CoordinateLimits& limits, double from, double goal);

}  // namespace mortise
