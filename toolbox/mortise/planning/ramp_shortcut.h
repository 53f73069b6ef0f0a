#pragma once

/// Time-optimal shortcuts under bounds of velocity and acceleration.

#include <cstdint>
#include <span>
#include <vector>

#include "mortise/component/planner.h"
#include "mortise/timing/ramp_path.h"

namespace mortise {

/// Looks at curved ways between two states, chord by chord.
///
/// What is known then: a coordinate of constant acceleration a leaves its chord by at most |a| t^2 / 8 in time t, and
/// chords are so short that this is within `tolerance` (rad or m) in each coordinate. The chords are free in the sense
/// of the space (`visible`: proven or by resolution, margin included), and both ends of each are feasible. The curve
/// itself is proven free only where the space keeps a margin of at least what a change of all coordinates by
/// `tolerance` can move any point: `EdgeChecker::linkMotion` gives that bound in metres, about the sum over the joints
/// of tolerance times reach.
class RampChecker {
 public:
  RampChecker(PlanningSpace& space, std::span<const CoordinateLimits> limits, double tolerance);
  /// One ramp a coordinate, all of the same time; their ends are known to be feasible.
  bool free(std::span<const ParabolicRamp> ramps);
  /// Chords asked for so far.
  std::int64_t chords() const { return chords_; }

 private:
  void at(std::span<const ParabolicRamp> ramps, double t, VectorXd& q) const;

  PlanningSpace& space_;
  std::vector<CoordinateLimits> limits_;
  double tolerance_;
  std::int64_t chords_ = 0;
  std::vector<double> times_, chordTimes_;
  std::vector<VectorXd> places_;
};

struct RampShortcutOptions {
  double tolerance = 1e-3;  ///< As of `RampChecker`.
  /// A path is `finished` when so many tries in a row were in vain; 0: never.
  std::int64_t idle = 100;
  /// Seconds that a shortcut must save, as a share of the duration.
  double improvement = 1e-4;
};

/// Shortens a motion in rounds: two times, and the fastest synchronised ramps between the states there, positions and
/// velocities, that keep to bounds and are free (Hauser and Ng-Thow-Hing, 2010). First around the places where the
/// motion rests, then at random. The same motion, space and stream give the same result, bit by bit.
class RampShortcutter {
 public:
  /// `space` outlives it; its ways must be lines in coordinates, but for whole turns of circular ones.
  RampShortcutter(PlanningSpace& space, std::span<const CoordinateLimits> limits,
                  const RampShortcutOptions& options = {});
  /// A motion that is free and within bounds.
  void start(RampPath path);
  /// One try; true when the motion has become shorter. Does nothing once `finished`.
  bool round(RandomStream& random);
  bool finished() const;

  /// As it is now. Ends the work around rests.
  const RampPath& path();
  /// Seconds, as it is now.
  double duration() const { return path_.duration() - saved_; }
  std::int64_t rounds() const { return rounds_; }
  std::int64_t improvements() const { return improvements_; }
  std::int64_t chords() const { return checker_.chords(); }

 private:
  bool faster(double from, double to, double atLeast);
  bool sweepRound();

  std::vector<CoordinateLimits> limits_;
  RampShortcutOptions options_;
  RampChecker checker_;
  RampPath path_;
  // Around the rests, one after the other: `swept_` is what has become of `path_` up to time `taken_`.
  RampPath swept_;
  bool sweeping_ = false;
  std::size_t seam_ = 0, window_ = 0;
  double taken_ = 0, saved_ = 0;
  std::int64_t rounds_ = 0, improvements_ = 0, idle_ = 0;
  VectorXd q0_, q1_, dq0_, dq1_, ddq_;
  std::vector<CoordinateGoal> goals_;
  std::vector<ParabolicRamp> ramps_;
};

}  // namespace mortise
