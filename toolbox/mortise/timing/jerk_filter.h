#pragma once

/// Motions whose accelerations change no faster than a jerk allows.

#include <span>
#include <vector>

#include "mortise/motion/hermite_trajectory.h"
#include "mortise/timing/parabolic_ramp.h"

namespace mortise {

struct JerkLimitedMotion {
  /// Twice continuously differentiable: accelerations are linear between knots.
  HermiteTrajectory trajectory;
  std::vector<double> milestoneTimes;  ///< Milestone times of the times given.
  double duration = 0;                 ///< Seconds.
  double peakJerk = 0;                 ///< The largest share of a limit.
  /// By how much a coordinate leaves where the motion was, that many seconds before (rad, m).
  double deviation = 0;
};

/// A motion's mean over a moving window: velocities and accelerations are means of those there were, so that their
/// bounds still hold, and the jerk is the difference of two accelerations by the window's width (Biagiotti and
/// Melchiorri, "FIR filters for online trajectory planning with time- and frequency-domain specifications", 2012). From
/// rest to rest of the motion the window is as wide as the jerk asks, by which the motion takes longer. Where it
/// rests, it still does, and on straight lines between rests it stays on them; curves are left by about a tenth of what
/// the acceleration moves in the window's time. Not the fastest motion: about a fifth slower on short moves.
///
/// `jerks`: limits (rad/s^3 or m/s^3), infinite where there are none. `milestoneTimes`: times of the motion that get
/// knots. The motion begins and ends at rest; jerks stay 3 % below their limits. Bounds of velocity, which a cubic's
/// replacement by parabolas may exceed, are held by stretching times. Throws `Error` for limits that are not above 0
/// and motions that do not rest at their ends.
JerkLimitedMotion limitJerk(const HermiteTrajectory& motion, std::span<const CoordinateLimits> limits,
                            std::span<const double> jerks, const std::vector<double>& milestoneTimes = {});

/// The largest share of a limit of jerk that a motion uses: changes of acceleration within `interval` (s), by it. Over
/// less, what numbers of files and knots next to each other do to accelerations counts for more than the motion.
double jerkUsage(const HermiteTrajectory& motion, std::span<const double> jerks, double interval = 1e-3);

}  // namespace mortise
