#pragma once

/// Time-optimal shortcuts under bounds of velocity and acceleration.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "mortise/component/planner.h"
#include "mortise/timing/ramp_path.h"

namespace mortise {

/// Checks curves, chord by chord.
///
/// A coordinate of acceleration within a leaves its chord by at most a t^2 / 8 in time t. In spaces that check curves
/// (`PlanningSpace::checksCurves`), chords are checked together with all that lies within that of them, and halved
/// until it is free or the curve is no more than 1e-6 (rad or m) from the chord: what is free then is as sure as the
/// space's edges, proven with proven ones. In other spaces chords are so short that the curve is within `tolerance`
/// (rad or m) of them in each coordinate, and the chords are free and their ends feasible in the sense of the space:
/// the curve itself is proven free only where the space keeps a margin of at least what a change of all coordinates by
/// `tolerance` can move any two points (about the sum over the joints of tolerance times reach, twice).
class CurveChecker {
 public:
  CurveChecker(PlanningSpace& space, std::span<const CoordinateLimits> limits, double tolerance);
  /// One ramp a coordinate, all of the same time; their ends are known to be feasible.
  bool free(std::span<const ParabolicRamp> ramps);
  /// The parabola that begins at a, ends at b, and is tangent there to the lines to `corner`.
  bool free(const VectorXd& a, const VectorXd& corner, const VectorXd& b);
  /// Chords checked so far.
  std::int64_t chords() const { return chords_; }

 private:
  /// Position on a curve at a time.
  using Curve = std::function<void(double t, VectorXd& q)>;
  /// Between `chordTimes_`; `acceleration_` holds everywhere.
  bool freeBetween(const Curve& curve);
  bool chordFree(const Curve& curve, double t0, double t1, const VectorXd& a, const VectorXd& b, int depth);

  PlanningSpace& space_;
  bool curved_;  ///< The space checks curves.
  std::vector<CoordinateLimits> limits_;
  double tolerance_;
  std::int64_t chords_ = 0;
  VectorXd acceleration_, deviation_;  ///< Largest, by coordinate.
  std::vector<double> chordTimes_;
  std::vector<VectorXd> places_;
};

struct RampShortcutOptions {
  double tolerance = 1e-3;  ///< Tolerance as of `CurveChecker`.
  /// A path is `finished` after this many consecutive failures; 0 disables.
  std::int64_t idle = 100;
  /// Seconds that a shortcut must save, as a fraction of the duration.
  double improvement = 1e-4;
};

/// Shortens a motion in rounds: two times, and the fastest synchronized ramps between the states there, positions and
/// velocities, that keep to bounds and are free (Hauser and Ng-Thow-Hing, 2010). First around the places where the
/// motion rests, then at random. The same motion, space and stream give the same result, bit by bit.
class RampShortcutter {
 public:
  /// `space` outlives it; its edges must be lines in coordinates, but for whole turns of circular ones.
  RampShortcutter(PlanningSpace& space, std::span<const CoordinateLimits> limits,
                  const RampShortcutOptions& options = {});
  /// A motion that is free and within bounds.
  void start(RampPath path);
  /// One try; true when the motion has become shorter. Does nothing once `finished`.
  bool round(RandomStream& random);
  bool finished() const;

  /// Returns the path as it is now. Ends the work around rests.
  const RampPath& path();
  /// Seconds, as it is now.
  double duration() const { return path_.duration() - saved_; }
  std::int64_t rounds() const { return rounds_; }
  std::int64_t improvements() const { return improvements_; }
  std::int64_t chords() const { return checker_.chords(); }

 private:
  bool faster(double from, double to, double minCount);
  bool sweepRound();

  std::vector<CoordinateLimits> limits_;
  RampShortcutOptions options_;
  CurveChecker checker_;
  RampPath path_;
  // Around the rests, one after the other: `swept_` is what has become of `path_` up to time `taken_`.
  RampPath swept_;
  bool sweeping_ = false;
  std::size_t seam_ = 0, window_ = 0;
  double taken_ = 0, saved_ = 0;
  std::int64_t rounds_ = 0, improvements_ = 0, idle_ = 0;
  VectorXd q0_, q1_, dq0_, dq1_, ddq_;
  std::vector<RampEnds> goals_;
  std::vector<ParabolicRamp> ramps_;
};

}  // namespace mortise
